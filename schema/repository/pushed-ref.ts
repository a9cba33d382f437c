import type { HookProject } from '../activity/payload.ts';
import type { Context } from '../kernel/context.ts';
import { isNoObject } from '../kernel/no-object.ts';
import type { RefChange, RepositoryAddress } from '../ports/git/address.ts';
import type { CommitRecord } from '../ports/git/history.ts';

export type PushedProject = RepositoryAddress & HookProject;

/** A branch or tag that a push moved, with the new commits. */
export interface PushedRef {
  readonly change: RefChange;
  readonly kind: 'branch' | 'tag';
  readonly action: 'created' | 'pushed' | 'removed';
  readonly name: string;
  /** The commit it points to; null if it was deleted. */
  readonly tip: CommitRecord | null;
  /** The latest new commits, oldest first. */
  readonly commits: readonly CommitRecord[];
  /** The number of new commits. */
  readonly total: number;
}

/** The maximum number of commits reported. */
const mostCommits = 20;

/** The count stops here. */
const mostCounted = 10_000;

/** The change of a reference. On a new branch, new commits are those not in the default branch. */
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

/** A few commits in a line, as in most pushes, are read without a process. */
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
  // a git failure or timeout must not stop the settling of a push
  const log = await git
    .commitsToMerge(project, { head: tip.id, without }, mostCounted)
    .catch(() => null);
  if (!log) return { commits: line, total: line.length };
  const commits = await git.commits(project, log.ids.slice(0, mostCommits));
  return { commits: commits.toReversed(), total: log.ids.length };
}
