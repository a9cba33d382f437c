import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { admitPush } from './push.ts';
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
  /** One of them has another value than expected by now: somebody else was faster. */
  | { readonly outcome: 'stale' }
  /** Git cannot have such a name beside those that are there. */
  | { readonly outcome: 'impossible' }
  /** A rule on pushes forbids it. */
  | { readonly outcome: 'refused'; readonly text: string };

/**
 * Moves references in the viewer's name, all or none, as a push of theirs would: the same rules, the
 * same ledger, the same consequences. Objects must be written before. Changes are never forced: what
 * goes back in history is a push's business.
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

type RefsChange = LedgerChange & Pick<RequestedRefChange, 'isMerge'>;

interface Changing extends Pick<Context, 'baseUrl' | 'db' | 'git' | 'jobs' | 'settings'> {
  /** What they may do is asked anew. */
  readonly viewer: Pick<Viewer, 'id'> | null;
}

/**
 * The same, without the consequences: `settle` draws them, for a caller who has something to do
 * beside it. Before it is done nobody else should move these references, or they are taken for
 * what has not happened.
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
      changes: changes.map((change) => ({ ...change, isForced: false })),
    },
    ctx,
  );
  if ('refusal' in verdict) {
    return { outcome: 'refused', text: verdict.refusal, settle };
  }
  const { ledger } = verdict;
  const outcome = await ctx.git.updateRefs(project, changes);
  if (outcome === 'moved') return { outcome, settle: () => settlePush(ledger, ctx) };
  // by the references alone, another's change to the same value would be taken for this one
  await ctx.db.push.deleteMany({ where: { id: ledger } });
  return { outcome, settle };
}
