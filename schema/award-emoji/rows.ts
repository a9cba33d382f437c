import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { type AuthoredTable, authoredPage } from '../noteables/rows.ts';
import type { AwardEmoji } from './types.ts';

const awards: AuthoredTable = {
  table: 'award_emojis',
  columns: Object.keys(Prisma.AwardEmojiScalarFieldEnum),
  person: 'user',
  personColumn: 'user_id',
  model: 'awardEmoji',
};

/** A page of the award emoji that have this id in `column`, the oldest first. */
export const listAwardEmojis = (column: string, id: number, page: PageArgs, ctx: Context) =>
  authoredPage<typeof AwardEmoji.$inferType>(ctx, awards, {
    where: allOf([]),
    column: 'id',
    direction: 'asc',
    page,
    parent: belongsTo(column, id),
  });
