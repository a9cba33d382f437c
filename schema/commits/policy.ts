import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { canDownloadCode, type ProjectTraits } from '../projects/policy.ts';

/** Signed-in users who can read the code may do it. */
export const canCommentOnCommit = (
  viewer: Viewer | null,
  level: Access,
  project: ProjectTraits,
): boolean => viewer !== null && canDownloadCode(viewer, level, project);

/** Statuses need the level that could have written the commit. */
export const canSetCommitStatus = (_viewer: Viewer | null, level: Access): boolean =>
  level >= Access.developer;

/** Masters edit and delete the comments of all users. */
export const canEditComment = (
  { id }: Pick<Viewer, 'id'>,
  level: Access,
  { authorId }: { readonly authorId: number | null },
): boolean => level >= Access.master || authorId === id;
