import { Access, type Visibility } from '../kernel/access.ts';
import { openTo, type Viewer } from '../kernel/viewer.ts';

/** What a rule on a snippet looks at besides the viewer's level in its project. */
export interface SnippetTraits {
  readonly authorId: number | null;
  readonly visibility: Visibility;
}

/** Members see all snippets of a project; of personal ones, whose level is that of strangers, none. */
export const canSeeAllSnippets = (viewer: Pick<Viewer, 'isAdmin'>, level: Access): boolean =>
  viewer.isAdmin || level >= Access.guest;

/** Whoever wrote a snippet sees it, and others as far as it is open. */
export const canReadSnippet = (
  viewer: Viewer,
  level: Access,
  { authorId, visibility }: SnippetTraits,
): boolean =>
  canSeeAllSnippets(viewer, level) || authorId === viewer.id || openTo(viewer).includes(visibility);

export const canCreateSnippet = (level: Access): boolean => level >= Access.reporter;

/** Whoever wrote it, and the masters of its project, change and delete a snippet. */
export const canEditSnippet = (
  { id, isAdmin }: Pick<Viewer, 'id' | 'isAdmin'>,
  level: Access,
  { authorId }: Pick<SnippetTraits, 'authorId'>,
): boolean => isAdmin || authorId === id || level >= Access.master;
