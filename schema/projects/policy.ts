import { Access, type Visibility } from '../kernel/access.ts';
import { openTo, type Viewer } from '../kernel/viewer.ts';

/** The project fields that rules need in addition to the viewer's level. */
export interface ProjectTraits {
  readonly visibility: Visibility;
  readonly isArchived: boolean;
}

export const canReadProject = (
  viewer: Viewer | null,
  level: Access,
  { visibility }: ProjectTraits,
): boolean => level >= Access.guest || openTo(viewer).includes(visibility);

/** Guests of a private project can comment on the code but not read it. */
export const canDownloadCode = (
  viewer: Viewer | null,
  level: Access,
  { visibility }: ProjectTraits,
): boolean => level >= Access.reporter || openTo(viewer).includes(visibility);

export const canPushCode = (level: Access, { isArchived }: ProjectTraits): boolean =>
  level >= Access.developer && !isArchived;

/** The import states of an unfinished fork or import, for a query's `in` and `notIn`. */
export const unfinishedImportStates: ('scheduled' | 'started')[] = ['scheduled', 'started'];

/** Whether a fork or import is unfinished: it might overwrite a concurrent push. */
export const isImportUnfinished = ({ importStatus }: { readonly importStatus: string }): boolean =>
  unfinishedImportStates.some((status) => status === importStatus);

/** Uploads for the texts of a project: signed-in users who can comment. */
export const canUpload = (viewer: Viewer | null, level: Access, project: ProjectTraits): boolean =>
  viewer !== null && canReadProject(viewer, level, project);

/** Settings, members, runners. */
export const canEditProject = (level: number): boolean => level >= Access.master;

/** Rename, visibility, archive, delete. */
export const canAdministerProject = (level: Access): boolean => level >= Access.owner;

/** Shares: masters decide which other groups get access. */
export const canShareProject = (level: number): boolean => level >= Access.master;

export const canSeeRunnersToken = canEditProject;

export const canSeeImportError = canEditProject;
