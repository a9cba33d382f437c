import { isOutcomeUnknown } from '../../prisma/failures.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { levelInProject, levelSelection, type ProjectWithLevel } from '../projects/find.ts';
import { canPushCode, isImportUnfinished } from '../projects/policy.ts';
import { type LevelHolder, levelsOf } from '../sessions/levels.ts';
import { levelOfDeployKey } from './deploy-key-transport.ts';
import { enterPush, type LedgerEntry } from './ledger.ts';
import type { PushOptions } from './push-options.ts';
import { type RequestedRefChange, refusalOf } from './push-rules.ts';
import { createdTags, deleteOrphanedReleases, type LedgerChange } from './releases.ts';

export interface PushRequest {
  readonly projectId: number;
  readonly userId: number;
  /** The deploy key of the push, if it has one: the user allowed its pushes. */
  readonly deployKeyId?: number | undefined;
  /** Where the references will move. */
  readonly repository: RepositoryAddress;
  readonly changes: readonly (RequestedRefChange & LedgerChange)[];
  readonly options?: PushOptions | undefined;
}

type Parts = Pick<Context, 'db' | 'git' | 'settings'>;

interface Refused {
  readonly refusal: string;
}

interface Judged {
  readonly project: RepositoryAddress & { readonly id: number };
}

/**
 * Checks a push before its references move. Records an allowed push in the ledger and returns the
 * entry's id; one rejected change rejects the whole push, like a failing `pre-receive` hook. Throws
 * `repositoryMoving` while the repository moves to another storage.
 */
export async function admitPush(
  request: PushRequest,
  { db, git, settings }: Parts,
): Promise<Refused | { readonly ledger: bigint }> {
  const verdict = await judgePush(request, { db, git, settings });
  if ('refusal' in verdict) return verdict;
  const { projectId, userId, repository, changes, options } = request;
  await deleteOrphanedReleases(verdict.project, createdTags(changes), { db, git });
  const entry: LedgerEntry = {
    projectId,
    userId,
    changes: changes.map(({ ref, before, after, release, skipsCi }, index) => ({
      ref,
      before,
      after,
      ...(release !== undefined && { release }),
      ...(skipsCi && { skipsCi }),
      ...(options && index === 0 && { options }),
    })),
  };
  try {
    return { ledger: await enterPush(entry, repository, { db }) };
  } catch (error) {
    // without its id nothing moves, so the entry must not count when the push is repeated
    if (isOutcomeUnknown(error)) await db.push.deleteMany({ where: sameEntry(entry) });
    throw error;
  }
}

/** Why a push would be rejected, or else its project. */
export async function judgePush(
  { projectId, userId, deployKeyId, changes }: Omit<PushRequest, 'repository'>,
  { db, git, settings }: Parts,
): Promise<Refused | Judged> {
  // read again, not cached since the handshake, because a pack may take an hour to arrive
  const [pusher, project] = await Promise.all([
    levelsOf(db, userId),
    db.project.findFirst({
      relationLoadStrategy: 'join',
      where: { id: projectId, isRemoved: false },
      select: {
        storage: true,
        diskPath: true,
        defaultBranch: true,
        importStatus: true,
        protectedBranches: {
          select: { name: true, pushAccessLevel: true, mergeAccessLevel: true },
        },
        protectedTags: { select: { name: true, createAccessLevel: true } },
        ...levelSelection({ id: userId }),
      },
    }),
  ]);
  const levelOf = async (user: LevelHolder, place: ProjectWithLevel) =>
    deployKeyId === undefined
      ? levelInProject(user, place)
      : levelOfDeployKey(deployKeyId, projectId, { db });
  const level = pusher && project ? await levelOf(pusher, project) : Access.none;
  if (!project || !canPushCode(level, project)) {
    return { refusal: 'You are not allowed to push code to this project.' };
  }
  if (isImportUnfinished(project)) {
    return {
      refusal: 'The repository is not complete yet. Please wait until its import has finished.',
    };
  }
  const situation = {
    level,
    defaultBranch: await existingDefaultBranch(project, changes, git),
    rules: project.protectedBranches,
    tagRules: project.protectedTags,
    protection: settings.current.defaultBranchProtection,
  };
  for (const change of changes) {
    const refusal = refusalOf(change, situation);
    if (refusal) return { refusal };
  }
  return { project };
}

/**
 * The default branch, if the repository has it or the push creates it. Otherwise the first branch
 * pushed becomes the default branch, and the setting for first pushes applies to it.
 */
async function existingDefaultBranch(
  project: RepositoryAddress & { readonly defaultBranch: string | null },
  changes: PushRequest['changes'],
  git: Context['git'],
): Promise<string | null> {
  const { defaultBranch } = project;
  if (defaultBranch === null) return null;
  const ref = `refs/heads/${defaultBranch}`;
  if (changes.some((change) => change.ref === ref)) return defaultBranch;
  if (changes.every(({ before }) => !/^0+$/.test(before))) return defaultBranch;
  return (await git.readRefs(project, [ref])).has(ref) ? defaultBranch : null;
}

/** Milliseconds; more than the database's clock may differ from ours. */
const recent = 60_000;

const sameEntry = ({ changes, ...entry }: LedgerEntry) => ({
  ...entry,
  changes: { equals: changes as unknown as object[] },
  createdAt: { gte: new Date(Date.now() - recent) },
});
