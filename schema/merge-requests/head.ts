import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';

interface KeptHead {
  /** The target project's repository. */
  readonly target: RepositoryAddress;
  /** The repository that has the commit: the same, or a fork's. */
  readonly source: RepositoryAddress;
  readonly iid: number;
  readonly sha: string;
}

/**
 * Fetches the head commit into the target's repository and keeps it by
 * `refs/merge-requests/<iid>/head`, even if its branch or fork is deleted later. Users who can read
 * the target's code may fetch the reference; no user may push to it. False if the source has no
 * such commit.
 */
export const keepHead = (
  { target, source, iid, sha }: KeptHead,
  { git }: Pick<Context, 'git'>,
  signal?: AbortSignal,
): Promise<boolean> => git.keepMergeHead(target, { number: iid, sha, source }, signal);
