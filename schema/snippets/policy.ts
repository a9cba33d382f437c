import { Access, type Visibility } from '../kernel/access.ts';
import { openTo, type Viewer } from '../kernel/viewer.ts';

/** The columns of a snippet that policies read. */
export interface SnippetTraits {
  readonly authorId: number | null;
  readonly visibility: Visibility;
}

/** Members see all snippets of a project. Personal snippets have no members. */
export const canSeeAllSnippets = (viewer: Pick<Viewer, 'isAdmin'>, level: Access): boolean =>
  viewer.isAdmin || level >= Access.guest;

/** The author, and other users by its visibility. */
export const canReadSnippet = (
  viewer: Viewer,
  level: Access,
  { authorId, visibility }: SnippetTraits,
): boolean =>
  canSeeAllSnippets(viewer, level) || authorId === viewer.id || openTo(viewer).includes(visibility);

/** Personal snippets; external users create none. */
export const canCreatePersonalSnippet = ({ isExternal }: Pick<Viewer, 'isExternal'>): boolean =>
  !isExternal;

export const canCreateSnippet = (level: Access): boolean => level >= Access.reporter;

/** The author, and the masters of its project. */
export const canEditSnippet = (
  { id, isAdmin }: Pick<Viewer, 'id' | 'isAdmin'>,
  level: Access,
  { authorId }: Pick<SnippetTraits, 'authorId'>,
): boolean => isAdmin || authorId === id || level >= Access.master;
