import type { Transaction } from '../../prisma/client.ts';
import { type ArtifactsFileRecord, artifactsOf } from '../jobs/artifacts.ts';
import type { ArtifactsLocation } from '../jobs/find.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, forbidden, pathNotFound, rejected } from '../kernel/errors.ts';
import { parseExpiry } from '../kernel/expiry.ts';
import { plainFileName } from '../kernel/file-name.ts';
import type { ReceivedFile } from '../kernel/received-file.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { JobPlace } from '../ports/job-files.ts';
import { tooLarge } from './append-trace.ts';
import { type AuthenticatedJob, findJobByToken } from './credentials.ts';

type Asking = Pick<Context, 'db' | 'secrets' | 'settings' | 'request' | 'signInLimits'>;

const megabyte = 2 ** 20;

/** Bytes that the archive of a job may have. */
export const longestArchive = ({ settings }: Pick<Context, 'settings'>): number =>
  settings.current.maxArtifactsSize * megabyte;

/** What a runner brings beside the archive itself. */
export interface Arrival {
  readonly file: ReceivedFile | null | undefined;
  /** E.g. `1 week`; what is no such text, or 0, is for good. */
  readonly expireIn: string | null | undefined;
}

const notRunning = () => forbidden('Job is not running!');

/**
 * The running job `id`, which may leave an archive of `size` bytes; told before its file is read
 * (v4-behaviour 3.12). Refuses as `findJobByToken`, and what is not running, or too large.
 */
export async function findLeaving(
  id: number,
  token: string | null | undefined,
  size: number | null | undefined,
  parts: Asking,
): Promise<AuthenticatedJob> {
  if (longestArchive(parts) === 0) {
    throw new DomainError('INVALID', 'Method Not Allowed', { reason: 'disabled' });
  }
  const job = await findJobByToken(id, token, parts);
  if (job.status !== 'running') throw notRunning();
  if (size != null && size > longestArchive(parts)) throw tooLarge();
  return job;
}

/**
 * Keeps the archive that a running job leaves, in place of one that it left before. The file comes
 * first, then the record: a kill between is settled by the next start.
 */
export async function keepArtifactsOf(
  id: number,
  token: string | null | undefined,
  { file, expireIn }: Arrival,
  parts: Asking & Pick<Context, 'jobFiles'>,
): Promise<ArtifactsFileRecord> {
  const job = await findLeaving(id, token, file?.size, parts);
  if (!file) throw rejected('400 (Bad request) "Missing artifacts file!" not given');
  const text = expireIn ?? parts.settings.current.defaultArtifactsExpireIn;
  const record = {
    artifactsFile: plainFileName(file.name),
    artifactsSize: BigInt(file.size),
    artifactsExpireAt: expiryOf(text),
  };
  await parts.jobFiles.keepArtifacts(job, file, (move) =>
    transact(parts.db, async (tx) => {
      // whoever removes the project comes before, and is seen here, or after, and finds the file
      const [project] = await tx.$queryRaw<unknown[]>`
        SELECT id FROM projects WHERE id = ${job.projectId} AND NOT is_removed FOR SHARE`;
      if (!project) throw forbidden('Project has been deleted!');
      await tx.$queryRaw`SELECT id FROM jobs WHERE id = ${job.id} FOR NO KEY UPDATE`;
      const sizeBefore = await keptArtifactsSize(job, { db: tx });
      const where = { id: job.id, status: 'running', erasedAt: null } as const;
      const { count } = await tx.job.updateMany({ where, data: record });
      if (count === 0) throw notRunning();
      // while the row is held: of two archives at once the one that is told of is the one that stays
      await move(sizeBefore);
    }),
  );
  return record;
}

/** Milliseconds; longer is for good. */
const longestKept = 100 * 365 * 86_400_000;

function expiryOf(text: string): Date | null {
  const kept = (parseExpiry(text) ?? 0) * 1000;
  return kept > 0 && kept <= longestKept ? new Date(Date.now() + kept) : null;
}

/** The archive that a job left, for whoever shows the job's token: a job that comes after it. */
export async function findArtifactsByToken(
  id: number,
  token: string | null | undefined,
  parts: Pick<Context, 'db' | 'secrets' | 'request' | 'signInLimits'>,
): Promise<ArtifactsLocation> {
  const { projectId } = await findJobByToken(id, token, parts);
  const job = await parts.db.job.findUnique({
    where: { id },
    select: { artifactsFile: true, artifactsSize: true, artifactsExpireAt: true },
  });
  const file = job && artifactsOf(job);
  if (!file) throw pathNotFound();
  return { ...file, jobId: id, projectId };
}

/** Bytes of the archive that a job has according to its record; null when it has none. */
export async function keptArtifactsSize(
  { id, projectId }: JobPlace,
  { db }: { readonly db: Transaction },
): Promise<number | null> {
  const job = await db.job.findFirst({
    where: { id, projectId, artifactsFile: { not: null } },
    select: { artifactsSize: true },
  });
  return job?.artifactsSize == null ? null : Number(job.artifactsSize);
}
