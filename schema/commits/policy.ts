import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { canDownloadCode, type ProjectTraits } from '../projects/policy.ts';

/** Whoever is signed in and reads the code may talk about it. */
export const canCommentOnCommit = (
  viewer: Viewer | null,
  level: Access,
  project: ProjectTraits,
): boolean => viewer !== null && canDownloadCode(viewer, level, project);

/** What services outside think of a commit counts when somebody says it who could have written it. */
export const canSetCommitStatus = (_viewer: Viewer | null, level: Access): boolean =>
  level >= Access.developer;
