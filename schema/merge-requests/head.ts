import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';

export interface KeptHead {
  /** The repository it is to be merged into. */
  readonly target: RepositoryAddress;
  /** The one that has the commit: the same, or a fork. */
  readonly source: RepositoryAddress;
  readonly iid: number;
  readonly sha: string;
}

type Git = Pick<Context, 'git'>;

/**
 * Brings the commit that is to be merged into the target's repository and keeps it there by
 * `refs/merge-requests/<iid>/head`, whatever becomes of its branch or fork. Who sees the target's code
 * may fetch it; nobody pushes to it. False: the source has no such commit.
 */
export const keepHead = (
  { target, source, iid, sha }: KeptHead,
  { git }: Git,
  signal?: AbortSignal,
): Promise<boolean> => git.keepMergeHead(target, { number: iid, sha, source }, signal);

/** Keeps it no longer; for a merge request that is deleted. */
export const dropHead = (target: RepositoryAddress, iid: number, { git }: Git): Promise<void> =>
  git.dropMergeHead(target, iid);
