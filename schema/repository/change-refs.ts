import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { admitPush, judgePush } from './push.ts';
import type { RequestedRefChange } from './push-rules.ts';
import type { LedgerChange } from './releases.ts';
import { settlePush } from './settle.ts';

/** The repository of a project. */
export interface ProjectRepository extends RepositoryAddress {
  /** The project's id. */
  readonly id: number;
}

export type RefsChanged =
  | { readonly outcome: 'moved' }
  /** A reference no longer has the expected value: another update was faster. */
  | { readonly outcome: 'stale' }
  /** Git cannot create the name beside existing ones. */
  | { readonly outcome: 'impossible' }
  /** A push rule forbids it. */
  | { readonly outcome: 'refused'; readonly text: string };

/**
 * Moves references in the viewer's name, all or none, like a push: same rules, same ledger, same
 * consequences. The objects must exist. Never discards commits unless a change `isForced`.
 */
export async function changeRefs(
  project: ProjectRepository,
  changes: readonly RefsChange[],
  ctx: Changing,
): Promise<RefsChanged> {
  const { settle, ...changed } = await moveRefs(project, changes, ctx);
  await settle();
  return changed;
}

/** Why `changeRefs` would reject these changes by a push rule; null if it would not. Nothing moves. */
export async function refusalOfChanges(
  { id: projectId }: ProjectRepository,
  changes: readonly RefsChange[],
  ctx: Pick<Context, 'db' | 'git' | 'settings' | 'viewer'>,
): Promise<string | null> {
  const { id: userId } = signedIn(ctx);
  const push = { projectId, userId, changes: changes.map(asRequested) };
  const verdict = await judgePush(push, ctx);
  return 'refusal' in verdict ? verdict.refusal : null;
}

type RefsChange = LedgerChange & Partial<Pick<RequestedRefChange, 'isForced' | 'isMerge'>>;

const asRequested = (change: RefsChange) => ({ isForced: false, ...change });

interface Changing
  extends Pick<Context, 'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobs' | 'settings'> {
  /** Permissions are read again, not cached. */
  readonly viewer: Pick<Viewer, 'id'> | null;
}

/**
 * As `changeRefs`, but the caller runs the consequences by calling `settle`, to combine them with
 * other work. Until then no other update should move these references, or the change seems not to
 * have happened.
 */
export async function moveRefs(
  project: ProjectRepository,
  changes: readonly RefsChange[],
  ctx: Changing,
): Promise<RefsChanged & { readonly settle: () => Promise<void> }> {
  const settle = async () => {};
  if (!ctx.viewer) throw unauthenticated();
  const verdict = await admitPush(
    {
      projectId: project.id,
      userId: ctx.viewer.id,
      repository: project,
      changes: changes.map(asRequested),
    },
    ctx,
  );
  if ('refusal' in verdict) {
    return { outcome: 'refused', text: verdict.refusal, settle };
  }
  const { ledger } = verdict;
  const outcome = await ctx.git.updateRefs(project, changes);
  if (outcome === 'moved') {
    return {
      outcome,
      settle: async () => {
        await settlePush(ledger, ctx);
      },
    };
  }
  // from the references alone, another update to the same value would be mistaken for this one
  await ctx.db.push.deleteMany({ where: { id: ledger } });
  return { outcome, settle };
}
