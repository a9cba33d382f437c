import { setTimeout as pause } from 'node:timers/promises';
import { inTurn } from '../commits/turns.ts';
import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { tipOf } from '../merge-requests/branches.ts';
import type { MergeRequestWithProjects } from '../merge-requests/find.ts';
import type { MergeSides, NewMerge } from '../ports/git/merging.ts';
import { moveRefs } from '../repository/change-refs.ts';
import { followHead } from './follow-source.ts';
import { conflicting, notMergeable } from './refusals.ts';
import { type MergeParts, recordMerge, removeUnwanted, settleMerge } from './settle-merge.ts';

/** With a commit that is there, of a project that is there. */
export type Mergeable = MergeRequestWithProjects & { readonly sha: string };

/** What a merge takes, also one that nobody waits for. */
export type Merging = MergeParts & Pick<Context, 'request' | 'viewer'>;

interface Wanted extends Pick<NewMerge, 'writer'> {
  /** Of the commit; v4's own when left out. */
  readonly message?: string | null | undefined;
  readonly removesSourceBranch?: boolean | null | undefined;
}

const mostAttempts = 20;
/** Milliseconds; two that met once do not begin again at the same moment. */
const longestPause = 20;

/**
 * In this order: the merge is written, that nothing names yet; the record says which it is, and keeps
 * others away; the branch moves, by its expected value; the record is finished. Wherever a kill falls,
 * `settleMerge` finds from the branch what is true.
 */
export async function mergeIn(
  found: Mergeable,
  viewer: Viewer,
  { message, removesSourceBranch, writer }: Wanted,
  ctx: Merging,
): Promise<void> {
  const { id, project, sha } = found;
  const ref = `refs/heads/${found.targetBranch}`;
  const text = message || messageOf(found);
  const shouldRemoveSourceBranch = removesSourceBranch ?? null;
  await untilMerged(`${project.id}:${ref}`, async () => {
    let held: string | null = null;
    try {
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        const target = await tipOf(project, found.targetBranch, ctx);
        if (target === null) throw notMergeable();
        const merge: NewMerge = { target, head: sha, message: text, writer };
        const made = await ctx.git.writeMerge(project, merge, ctx.request.signal);
        if (made === null) throw conflicting();
        const holding = { sha, held, made, viewer, shouldRemoveSourceBranch };
        if (!(await hold(id, holding, ctx))) throw notMergeable();
        held = made;
        const change = { ref, before: target, after: made, isMerge: true };
        const { outcome, settle } = await moveRefs(project, [change], ctx);
        if (outcome === 'moved') {
          await record(found, merge, made, viewer, ctx);
          return settle;
        }
        if (outcome === 'refused') throw unauthenticated();
        if (outcome === 'impossible') throw notMergeable();
        await pause(Math.random() * longestPause * attempt);
      }
      throw notMergeable();
    } catch (error) {
      // the branch may have moved before something failed
      if (held !== null) await settleMerge(id, ctx, true);
      // what was pushed to its source meanwhile was left aside
      await followHead(id, viewer.id, ctx);
      throw error;
    }
  });
  await removeUnwanted({ ...found, shouldRemoveSourceBranch }, viewer.id, ctx);
}

/**
 * Waits for `merge`, and not for the consequences of the push that it is, which it gives: the next at
 * the same branch does. What fails of them is in the ledger, from which it is drawn again.
 */
function untilMerged(thing: string, merge: () => Promise<() => Promise<void>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const work = inTurn(thing, async () => {
      const settle = await merge();
      resolve();
      await settle().catch(() => {});
    });
    work.catch(reject);
  });
}

async function record(
  found: Mergeable,
  sides: MergeSides,
  made: string,
  viewer: Viewer,
  ctx: Merging,
): Promise<void> {
  const { id, sha } = found;
  const baseSha = await ctx.git.mergeBase(found.project, sides);
  const merge = { id, byId: viewer.id, sha, mergeCommitSha: made, baseSha, places: found };
  await recordMerge(merge, ctx);
}

/** Keeps others away from it, as long as nobody else did so; false then, or when its head has moved. */
async function hold(
  id: number,
  {
    sha,
    held,
    made,
    viewer,
    shouldRemoveSourceBranch,
  }: {
    readonly sha: string;
    readonly held: string | null;
    readonly made: string;
    readonly viewer: Viewer;
    readonly shouldRemoveSourceBranch: boolean | null;
  },
  { db }: Pick<Context, 'db'>,
): Promise<boolean> {
  const { count } = await db.mergeRequest.updateMany({
    where: {
      id,
      sha,
      ...(held === null
        ? { state: 'opened' as const }
        : { state: 'locked' as const, mergeCommitSha: held }),
    },
    data: {
      state: 'locked',
      mergeCommitSha: made,
      mergedById: viewer.id,
      shouldRemoveSourceBranch,
    },
  });
  return count > 0;
}

/** As v4 writes it. */
const messageOf = ({ sourceBranch, targetBranch, title, project, iid }: MergeRequestWithProjects) =>
  `Merge branch '${sourceBranch}' into '${targetBranch}'\n\n${title}\n\n` +
  `See merge request ${project.fullPath}!${iid}`;
