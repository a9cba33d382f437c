import type { Context } from '../kernel/context.ts';
import { blankOrTooLong } from '../kernel/lengths.ts';
import { findProject } from '../projects/find.ts';
import { findCommit } from './find.ts';
import { canCommentOnCommit } from './policy.ts';

/** In characters. */
const longestBody = 1_000_000;

/** Messages for the text of a comment; empty if it is valid. */
export const bodyFaults = (body: string): readonly string[] => blankOrTooLong(body, longestBody);

interface CommitRef {
  /** An id or a full path. */
  readonly project: string;
  /** A branch, a tag or a commit. */
  readonly sha: string;
}

/** The commit with its project; throws unless the viewer is signed in and can read the code. */
export async function findCommitToDiscuss({ project: ref, sha }: CommitRef, ctx: Context) {
  const project = await findProject(ref, ctx, canCommentOnCommit);
  const commit = await findCommit(project, sha, ctx);
  return { project, commit };
}
