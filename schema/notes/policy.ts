import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** What a rule on a note looks at of the thing it is about. */
interface Discussion {
  readonly isDiscussionLocked: boolean;
  readonly level: Access;
}

/** Whoever sees a thing talks about it; once its discussion is locked, members only. */
export const canDiscuss = ({ isDiscussionLocked, level }: Discussion): boolean =>
  !isDiscussionLocked || level >= Access.guest;

/** Masters change and delete what anybody said. */
export const canEditNote = (
  { id }: Pick<Viewer, 'id'>,
  discussion: Discussion,
  { authorId }: { readonly authorId: number | null },
): boolean => canDiscuss(discussion) && (discussion.level >= Access.master || authorId === id);

/** What the service noted of somebody is not theirs to take away. */
export const canDeleteNote = (
  viewer: Pick<Viewer, 'id'>,
  discussion: Discussion,
  note: { readonly authorId: number | null; readonly isSystem: boolean },
): boolean =>
  canEditNote(viewer, discussion, note) && (!note.isSystem || discussion.level >= Access.master);
