import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';

interface KeptHead {
  /** The id of the merge request. */
  readonly id: number;
  /** The target project's repository. */
  readonly target: RepositoryAddress;
  /** The repository that has the commit: the same, or a fork's. */
  readonly source: RepositoryAddress;
  readonly iid: number;
  readonly sha: string;
}

type Parts = Pick<Context, 'db' | 'git'>;

/**
 * Fetches the head commit into the target's repository and keeps it by
 * `refs/merge-requests/<iid>/head`, even if its branch or fork is deleted later. Users who can read
 * the target's code may fetch the reference; no user may push to it. The heads of former versions
 * that the commit does not contain are kept first, so that none is ever without a reference. False if
 * the source has no such commit.
 */
export async function keepHead(
  head: KeptHead,
  { db, git }: Parts,
  signal?: AbortSignal,
): Promise<boolean> {
  const { target, source, iid, sha } = head;
  if (!(await keepFormerHeads(head, { db, git }, signal))) return false;
  return git.keepMergeHead(target, { number: iid, sha, source }, signal);
}

const mostAttempts = 10;

/**
 * Repeats after a concurrent change, so that the reference has the heads of all versions. False if the
 * source has no such commit.
 */
async function keepFormerHeads(
  { id, target, source, iid, sha }: KeptHead,
  { db, git }: Parts,
  signal?: AbortSignal,
): Promise<boolean> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const before = await git.formerHeads(target, iid);
    const former = await headsOf(id, sha, db);
    if (former.length === 0 && before === null) return true;
    if (!(await git.bringCommit(target, { sha, source }, signal))) return false;
    const heads = await git.commitsThere(target, former);
    const contained = await git.merged(target, sha, heads);
    const shas = heads.filter((head) => !contained.has(head));
    if (await git.keepFormerHeads(target, { number: iid, shas, before })) return true;
  }
  throw conflict('Merge request has been modified meanwhile');
}

/** The heads of all versions but `sha`: also the present one, if that has no version yet. */
async function headsOf(id: number, sha: string, db: Parts['db']): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ sha: string }[]>`
    SELECT head_sha AS sha FROM merge_request_versions
    WHERE merge_request_id = ${id} AND head_sha <> ${sha}
    UNION SELECT sha FROM merge_requests WHERE id = ${id} AND sha <> ${sha}`;
  return rows.map((row) => row.sha);
}
