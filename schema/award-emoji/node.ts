import type { Context } from '../kernel/context.ts';
import { byOneOf, byRecord, defineRecord } from '../kernel/nodes.ts';
import {
  byNoteable,
  checkNoteable,
  NoteNode,
  noteableOf,
  noteableParents,
} from '../noteables/node.ts';

const awardableParents = (ctx: Context) =>
  ({
    id: true,
    ...noteableParents(ctx),
    note: { select: { id: true, ...noteableParents(ctx) } },
  }) as const;

const AwardEmojiNode = defineRecord('AwardEmoji', {
  model: 'awardEmoji',
  select: awardableParents,
  check: (award, ctx) => checkNoteable(award.note ?? award, ctx),
});

/** For fields of an award emoji by noteable, note and id. */
export const byAwardEmoji = byRecord(AwardEmojiNode, {
  noteable: (award) => noteableOf(award.note ?? award),
  noteId: ({ note }) => note?.id,
  id: ({ id }) => id,
});

/** For fields of an issue, merge request, snippet or note with award emoji. */
export const byAwardable = byOneOf('awardableId', [
  byNoteable,
  byRecord(NoteNode, { noteable: noteableOf, noteId: ({ id }) => id }),
]);
