import type { Viewer } from '../kernel/viewer.ts';

/** Emoji that are counted, and the number each of them changes. */
export const votes: ReadonlyMap<string, 'upvotes' | 'downvotes'> = new Map([
  ['thumbsup', 'upvotes'],
  ['thumbsdown', 'downvotes'],
]);

/** Nobody votes for or against what they wrote themselves. */
export const canAward = (
  { id }: Pick<Viewer, 'id'>,
  name: string,
  { authorId }: { readonly authorId: number | null },
): boolean => authorId !== id || !votes.has(name);

/** Everybody takes back their own. */
export const canRemoveAward = (
  { id, isAdmin }: Pick<Viewer, 'id' | 'isAdmin'>,
  { userId }: { readonly userId: number },
): boolean => isAdmin || userId === id;
