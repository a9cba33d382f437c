import type { Context } from '../kernel/context.ts';
import { rejected, unauthenticated } from '../kernel/errors.ts';
import { noObject } from '../kernel/no-object.ts';
import type { FileChange } from '../ports/git/commit-writing.ts';
import type { Writer } from '../ports/git/writing.ts';
import type { ProjectRepository } from '../repository/change-refs.ts';
import { advanceBranch } from './advance.ts';
import { checkPath } from './paths.ts';
import { changeFaultTexts, errorTexts } from './refusals.ts';

/** The change of a file, and the last commit of the file that the caller knows. */
export type FileChangeInput = FileChange & { readonly lastCommitSha?: string | null };

export interface CommitRequest {
  readonly branch: string;
  /** The start of a new branch. */
  readonly startBranch?: string | null | undefined;
  readonly message: string;
  /** Defaults to the viewer's own. */
  readonly authorName?: string | null | undefined;
  readonly authorEmail?: string | null | undefined;
}

/** The commits of the branch and of its start branch; null for a missing branch. */
interface Heads {
  readonly own: string | null;
  readonly start: string | null;
}

/**
 * Commits file changes to a branch in the viewer's name and returns the commit's id (v4-behaviour
 * 3.7). Throws rather than overwrite a concurrent change of a file.
 */
export async function createCommit(
  project: ProjectRepository,
  request: CommitRequest,
  changes: readonly FileChangeInput[],
  ctx: Context,
): Promise<string> {
  for (const change of changes) {
    checkPath(change.path);
    if (change.kind === 'move') checkPath(change.previousPath);
  }
  const { branch, message, authorName, authorEmail } = request;
  const [committer, headsBefore] = await Promise.all([
    writerOf(ctx),
    headsOf(project, request, ctx),
  ]);
  const author = {
    name: authorName || committer.name,
    email: authorEmail || committer.email,
  };
  return advanceBranch(project, branch, ctx, async () => {
    const { own, start } = await headsOf(project, request, ctx);
    await checkBranches(project, request, { own, start }, ctx);
    await refuseConcurrentChange(project, changes, { seen: headsBefore.start, now: start }, ctx);
    const written = await ctx.git.writeCommit(project, {
      parent: start,
      changes,
      message,
      author,
      committer,
    });
    if ('fault' in written) throw rejected(changeFaultTexts[written.fault]);
    return { before: own ?? noObject, after: written.id };
  });
}

/** The viewer as a git author. */
export async function writerOf({ db, viewer }: Pick<Context, 'db' | 'viewer'>): Promise<Writer> {
  if (!viewer) throw unauthenticated();
  return db.user.findUniqueOrThrow({
    where: { id: viewer.id },
    select: { name: true, email: true },
  });
}

async function headsOf(
  project: ProjectRepository,
  { branch, startBranch }: CommitRequest,
  { git }: Pick<Context, 'git'>,
): Promise<Heads> {
  const ref = `refs/heads/${branch}`;
  const startRef = `refs/heads/${startBranch || branch}`;
  const commits = await git.readRefs(project, [ref, startRef]);
  return { own: commits.get(ref) ?? null, start: commits.get(startRef) ?? null };
}

async function checkBranches(
  project: ProjectRepository,
  { branch, startBranch }: CommitRequest,
  { own, start }: Heads,
  { git }: Pick<Context, 'git'>,
): Promise<void> {
  if (start === null && (await git.refs(project, 'refs/heads/')).total > 0) {
    throw rejected(errorTexts.branch);
  }
  if (own !== null && startBranch && startBranch !== branch) {
    throw rejected(
      `A branch called '${branch}' already exists. ` +
        'Switch to that branch in order to make changes',
    );
  }
}

async function refuseConcurrentChange(
  project: ProjectRepository,
  changes: readonly FileChangeInput[],
  { seen, now }: { readonly seen: string | null; readonly now: string | null },
  { git, request }: Pick<Context, 'git' | 'request'>,
): Promise<void> {
  if (now === null) return;
  const signal = changes.some(({ lastCommitSha }) => lastCommitSha) ? request.signal : null;
  const idAt = async (commit: string | null, path: string) =>
    commit && ((await git.entryAt(project, commit, path))?.id ?? null);
  for (const change of changes) {
    if (change.kind === 'create') continue;
    const path = change.kind === 'move' ? change.previousPath : change.path;
    const { lastCommitSha } = change;
    const isOvertaken = seen !== now && (await idAt(seen, path)) !== (await idAt(now, path));
    const isOutdated =
      lastCommitSha &&
      (await git.entryAt(project, now, path)) !== null &&
      (await git.lastCommitOf(project, now, path, signal)) !== lastCommitSha.toLowerCase();
    if (isOvertaken || isOutdated) throw rejected(errorTexts.changed);
  }
}
