import { createHash } from 'node:crypto';

/** What discussions consist of; their ids are numbered separately. */
export type DiscussionKind = 'note' | 'comment';

const digits = 8;

const digestOf = (kind: DiscussionKind, startedBy: number): string =>
  createHash('md5').update(`${kind} ${startedBy}`).digest('hex');

/**
 * The id of a discussion in v4, 40 hexadecimal digits: derived from the note or comment that started
 * it, so that records of earlier versions have one, too. It ends with the id of that note.
 */
export const discussionKey = (kind: DiscussionKind, startedBy: number): string =>
  `${digestOf(kind, startedBy)}${startedBy.toString(16).padStart(digits, '0')}`;

/** The note or comment that started the discussion with this id; null for any other text. */
export function startedByOf(kind: DiscussionKind, key: string): number | null {
  const startedBy = Number.parseInt(key.slice(-digits), 16);
  const isId = startedBy > 0 && startedBy < 2 ** 31;
  return isId && discussionKey(kind, startedBy) === key ? startedBy : null;
}
