import type { HookProject } from '../activity/payload.ts';
import type { Context } from '../kernel/context.ts';
import { isNoObject } from '../kernel/no-object.ts';
import type { RefChange, RepositoryAddress } from '../ports/git/address.ts';
import type { CommitRecord } from '../ports/git/history.ts';

export type PushedProject = RepositoryAddress & HookProject;

/** A branch or tag that a push has moved, and the commits that came with it. */
export interface PushedRef {
  readonly change: RefChange;
  readonly kind: 'branch' | 'tag';
  readonly action: 'created' | 'pushed' | 'removed';
  readonly name: string;
  /** The commit it leads to; null when it is gone. */
  readonly tip: CommitRecord | null;
  /** The last of those that are new, the oldest first. */
  readonly commits: readonly CommitRecord[];
  /** How many are new. */
  readonly total: number;
}

/** How many commits are told. */
const mostCommits = 20;

/** More are not counted. */
const mostCounted = 10_000;

/** What became of a reference. New on a branch that is new is what the default branch has not. */
export async function pushedRef(
  project: PushedProject,
  change: RefChange,
  git: Context['git'],
): Promise<PushedRef> {
  const { ref, before, after } = change;
  const [, folder = '', name = ''] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? [];
  const isCreated = isNoObject(before);
  const action = isNoObject(after) ? 'removed' : isCreated ? 'created' : 'pushed';
  const kind = folder === 'tags' ? 'tag' : 'branch';
  const plain = { change, kind, action, name, commits: [], total: 0 } as const;
  if (action === 'removed') return { ...plain, tip: null };
  const tip = await git.commitBehind(project, after);
  if (!tip || kind === 'tag') return { ...plain, tip, commits: [], total: 0 };
  const base = isCreated ? await defaultTip(project, ref, git) : before;
  return { ...plain, tip, ...(await newCommits(project, tip, base, git)) };
}

async function defaultTip(
  project: PushedProject,
  ref: string,
  git: Context['git'],
): Promise<string | null> {
  const defaultRef = `refs/heads/${project.defaultBranch}`;
  if (project.defaultBranch === null || defaultRef === ref) return null;
  return (await git.readRefs(project, [defaultRef])).get(defaultRef) ?? null;
}

/** A few commits in a line, as most pushes are, are walked along without a process. */
async function newCommits(
  project: PushedProject,
  tip: CommitRecord,
  base: string | null,
  git: Context['git'],
): Promise<Pick<PushedRef, 'commits' | 'total'>> {
  const line: CommitRecord[] = [];
  let next: CommitRecord | null = tip;
  while (next && next.id !== base && line.length < mostCommits && next.parentIds.length < 2) {
    line.unshift(next);
    const [parent] = next.parentIds as readonly (string | undefined)[];
    if (parent === undefined && base === null) return { commits: line, total: line.length };
    if (parent === undefined) break;
    next = await git.commitBehind(project, parent);
  }
  if (next?.id === base) return { commits: line, total: line.length };
  const without = base === null ? [] : [base];
  // a push is settled whatever git can tell of it in time
  const found = await git
    .commitsToMerge(project, { head: tip.id, without }, mostCounted)
    .catch(() => null);
  if (!found) return { commits: line, total: line.length };
  const commits = await git.commits(project, found.ids.slice(0, mostCommits));
  return { commits: commits.toReversed(), total: found.ids.length };
}
