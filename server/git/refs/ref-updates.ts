import { relative } from 'node:path';
import { noObject } from '../../../schema/kernel/no-object.ts';
import type { RefChange, RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitStore } from '../../../schema/ports/git/store.ts';
import type { RefOutcome } from '../../../schema/ports/git/writing.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSafeRef, isSha } from '../names.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { RepositoryLocked, tryGit } from '../process/run.ts';
import { type Locks, lockIn } from './locks.ts';
import { updateFailure } from './update-failure.ts';

/** Git settings: how long to wait for a reference that another process is updating, in milliseconds. */
export const lockWait = (milliseconds: number) => ({
  'core.filesRefLockTimeout': String(milliseconds),
  'core.packedRefsTimeout': String(milliseconds),
});

/** What git says of names and values of callers; every other complaint is a failure of the repository. */
const isMissing = /unable to resolve reference '[^']*'$/m;
const isImpossible =
  /exists; cannot create|there is a non-empty directory|invalid refname|'[^']*\.lock': File name too long$/im;

/**
 * Updates references by `git update-ref`, all or none, from expected values: concurrent pushes lose
 * nothing.
 */
export function refWriter(
  storages: Storages,
  readRefs: GitStore['readRefs'],
  locks: Locks,
  wait: number,
) {
  const environment = gitEnvironmentWith(lockWait(wait));

  const updateRefs = async (
    repository: RepositoryAddress,
    changes: readonly RefChange[],
  ): Promise<RefOutcome> => {
    for (const { ref, before, after } of changes) {
      const isNamed = after === noObject ? isSafeRef(ref) : isSafeName(ref);
      if (!isNamed || !isSha(before) || !isSha(after)) return 'impossible';
    }
    const folder = repositoryFolder(storages, repository);
    const refs = changes.map(({ ref }) => ref);
    const lock = await locks.free(folder, refs);
    if (lock !== null) throw new RepositoryLocked(lock);
    const { code, stderr } = await tryGit([`--git-dir=${folder}`, 'update-ref', '--stdin', '-z'], {
      environment,
      input: changes.map(lineOf).join(''),
    });
    if (code === 0) return 'moved';
    const heldLock = lockIn(stderr);
    if (heldLock !== null) throw new RepositoryLocked(relative(folder, heldLock));
    if (isMissing.test(stderr) || (await isStale(repository, changes))) return 'stale';
    if (isImpossible.test(stderr)) return 'impossible';
    throw await updateFailure(folder, stderr || `ended with ${code}`);
  };

  const isStale = async (repository: RepositoryAddress, changes: readonly RefChange[]) => {
    const now = await readRefs(
      repository,
      changes.map(({ ref }) => ref),
    );
    return changes.some(({ ref, before }) => before !== (now.get(ref) ?? noObject));
  };

  return { updateRefs };
}

/**
 * A branch or tag whose name is never mistaken for an option or another reference when shortened.
 * Other names that a push created can still be deleted.
 */
const isSafeName = (ref: string) => {
  const name = /^refs\/(?:heads|tags)\/(.+)$/.exec(ref)?.[1];
  return name !== undefined && isSafeRef(ref) && isSafeRef(name);
};

/** With `-z`, a zero id as the new value deletes; as the old value it means "must not exist". */
const lineOf = ({ ref, before, after }: RefChange) =>
  after === noObject ? `delete ${ref}\0${before}\0` : `update ${ref}\0${after}\0${before}\0`;
