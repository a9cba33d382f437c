import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { canPushCode, isArriving } from '../projects/policy.ts';
import { levelsOf } from '../sessions/levels.ts';
import { type AskedChange, refusalOf } from './push-rules.ts';
import { bornTags, dropReleases, type LedgerChange } from './releases.ts';

export interface AskedPush {
  readonly projectId: number;
  readonly userId: number;
  readonly changes: readonly (AskedChange & LedgerChange)[];
}

/**
 * Judges a push before its references move. What is allowed is written to the ledger, whose id is
 * given back; one refused change refuses the whole push, as git does with a failing `pre-receive`.
 */
export async function admitPush(
  { projectId, userId, changes }: AskedPush,
  { db, git, settings }: Pick<Context, 'db' | 'git' | 'settings'>,
): Promise<{ readonly refusal: string } | { readonly ledger: bigint }> {
  // asked anew, not remembered from the handshake: a pack may take an hour to arrive
  const [pusher, project] = await Promise.all([
    levelsOf(db, userId),
    db.project.findFirst({
      relationLoadStrategy: 'join',
      where: { id: projectId, isRemoved: false },
      select: {
        id: true,
        storage: true,
        diskPath: true,
        defaultBranch: true,
        importStatus: true,
        protectedBranches: {
          select: { name: true, pushAccessLevel: true, mergeAccessLevel: true },
        },
        ...levelSelection({ id: userId }),
      },
    }),
  ]);
  const level = pusher && project ? levelInProject(pusher, project) : Access.none;
  if (!project || !canPushCode(level, project)) {
    return { refusal: 'You are not allowed to push code to this project.' };
  }
  if (isArriving(project)) {
    return {
      refusal: 'The repository is not complete yet. Please wait until its import has finished.',
    };
  }
  const situation = {
    level,
    defaultBranch: project.defaultBranch,
    rules: project.protectedBranches,
    protection: settings.current.defaultBranchProtection,
  };
  for (const change of changes) {
    const refusal = refusalOf(change, situation);
    if (refusal) return { refusal };
  }
  await dropReleases(project, bornTags(changes), { db, git });
  const { id } = await db.push.create({
    data: {
      projectId,
      userId,
      changes: changes.map(({ ref, before, after, release }) => ({ ref, before, after, release })),
    },
    select: { id: true },
  });
  return { ledger: id };
}
