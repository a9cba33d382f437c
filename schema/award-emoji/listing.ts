import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { describeModel } from '../listing/described.ts';
import { belongsTo } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { AwardEmoji } from './types.ts';

describeModel('AwardEmoji', { readBy: { user: 'user' } });

/** A page of the award emoji that have this id in `column`, the oldest first. */
export const listAwardEmojis = (column: string, id: number, page: PageArgs, ctx: Context) =>
  pageOfRecords<typeof AwardEmoji.$inferType>(ctx, {
    table: 'award_emojis',
    where: allOf([]),
    column: 'id',
    direction: 'asc',
    page,
    parent: belongsTo(column, id),
  });
