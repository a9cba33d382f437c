import { databaseFailure } from '../../prisma/failures.ts';
import { DomainError, unavailable } from './errors.ts';

/** What the service depends on. */
export type OutagePart = 'database' | 'storage' | 'repository';

/** A failure of something that the service depends on, and how it is told to callers. */
export interface Outage {
  readonly part: OutagePart;
  readonly error: DomainError;
}

/** Thrown where git cannot do what a repository that is whole would let it do. */
export class RepositoryFailure extends Error {
  /** What callers are told. */
  readonly text: string = 'The repository is not available';
}

const noSpace: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** Git is asked to speak English; a full disk has no exit status of its own. */
const gitsNoSpace = /No space left on device|Disk quota exceeded/;

/** Seconds; a database that is started again or a network that fails is back soon. */
const soon = 10;

/** Seconds; administrators have to make room or to repair it. */
const later = 60;

const full = (): Outage => ({
  part: 'storage',
  error: unavailable(later, 'Insufficient Storage', 'storage-full'),
});

/** What a failure says of the service's own parts; null when it is an error of another kind. */
export function outageOf(error: unknown): Outage | null {
  if (error instanceof DomainError) return null;
  const failure = databaseFailure(error);
  if (failure === 'full' || noSpace.has((error as NodeJS.ErrnoException | null)?.code))
    return full();
  if (failure === 'unreachable') {
    return {
      part: 'database',
      error: unavailable(soon, 'The database is not available', 'outage'),
    };
  }
  if (!(error instanceof RepositoryFailure)) return null;
  if (gitsNoSpace.test(error.message)) return full();
  return {
    part: 'repository',
    error: unavailable(later, error.text, 'outage'),
  };
}
