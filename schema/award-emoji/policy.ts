import type { Viewer } from '../kernel/viewer.ts';

/** The emoji that count as votes, and the counter of each. */
export const votes: ReadonlyMap<string, 'upvotes' | 'downvotes'> = new Map([
  ['thumbsup', 'upvotes'],
  ['thumbsdown', 'downvotes'],
]);

/** Users cannot vote on what they wrote themselves. */
export const canAward = (
  { id }: Pick<Viewer, 'id'>,
  name: string,
  { authorId }: { readonly authorId: number | null },
): boolean => authorId !== id || !votes.has(name);

/** Users can delete their own awards only. */
export const canRemoveAward = (
  { id, isAdmin }: Pick<Viewer, 'id' | 'isAdmin'>,
  { userId }: { readonly userId: number },
): boolean => isAdmin || userId === id;
