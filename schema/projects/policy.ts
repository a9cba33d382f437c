import { Access, type Visibility } from '../kernel/access.ts';
import { openTo, type Viewer } from '../kernel/viewer.ts';

/** What a rule on a project looks at besides the viewer's level in it. */
export interface ProjectTraits {
  readonly visibility: Visibility;
  readonly isArchived: boolean;
}

export const canReadProject = (
  viewer: Viewer | null,
  level: Access,
  { visibility }: ProjectTraits,
): boolean => level >= Access.guest || openTo(viewer).includes(visibility);

/** A guest of a private project may talk about the code but not read it. */
export const canDownloadCode = (
  viewer: Viewer | null,
  level: Access,
  { visibility }: ProjectTraits,
): boolean => level >= Access.reporter || openTo(viewer).includes(visibility);

export const canPushCode = (level: Access, { isArchived }: ProjectTraits): boolean =>
  level >= Access.developer && !isArchived;

/** What a fork or import is called until it is done, for a query's `in` and `notIn`. */
export const arriving: ('scheduled' | 'started')[] = ['scheduled', 'started'];

/** A fork or import that is not done: whoever wrote to its repository might lose what they wrote. */
export const isArriving = ({ importStatus }: { readonly importStatus: string }): boolean =>
  arriving.some((status) => status === importStatus);

/** Files for the texts of a project: whoever is signed in and may take part in its talk. */
export const canUpload = (viewer: Viewer | null, level: Access, project: ProjectTraits): boolean =>
  viewer !== null && canReadProject(viewer, level, project);

/** Settings, members, runners. */
export const canEditProject = (level: number): boolean => level >= Access.master;

/** Rename, visibility, archive, delete. */
export const canAdministerProject = (level: Access): boolean => level >= Access.owner;

/** Shares: who else gets in is the masters' business. */
export const canShareProject = (level: number): boolean => level >= Access.master;

export const canSeeRunnersToken = canEditProject;

export const canSeeImportError = canEditProject;
