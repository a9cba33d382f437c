import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** The columns of a noteable that policies read. */
interface Discussion {
  readonly isDiscussionLocked: boolean;
  readonly level: Access;
}

/** Users who see a noteable may comment on it; only members if its discussion is locked. */
export const canDiscuss = ({ isDiscussionLocked, level }: Discussion): boolean =>
  !isDiscussionLocked || level >= Access.guest;

/** Masters edit and delete the notes of all users. */
export const canEditNote = (
  { id }: Pick<Viewer, 'id'>,
  discussion: Discussion,
  { authorId }: { readonly authorId: number | null },
): boolean => canDiscuss(discussion) && (discussion.level >= Access.master || authorId === id);

/** System notes cannot be deleted by the user they are about. */
export const canDeleteNote = (
  viewer: Pick<Viewer, 'id'>,
  discussion: Discussion,
  note: { readonly authorId: number | null; readonly isSystem: boolean },
): boolean =>
  canEditNote(viewer, discussion, note) && (!note.isSystem || discussion.level >= Access.master);

/** Notes of threads on merge requests. */
export const isResolvable = (
  thread: { readonly mergeRequestId: number | null } | null | undefined,
): boolean => typeof thread?.mergeRequestId === 'number';

/** Developers and the author of the merge request resolve discussions, including those of other users. */
export const canResolve = (
  { id }: Pick<Viewer, 'id'>,
  discussion: Discussion & { readonly authorId: number | null },
): boolean =>
  canDiscuss(discussion) && (discussion.level >= Access.developer || discussion.authorId === id);
