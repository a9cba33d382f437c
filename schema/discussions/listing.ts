import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { belongsTo } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { Discussion } from './types.ts';

/** A page of the discussions whose notes have this id in `column`, the oldest first. */
export const listDiscussions = (column: string, id: number, page: PageArgs, ctx: Context) =>
  pageOfRecords<typeof Discussion.$inferType>(ctx, {
    table: 'notes',
    where: Prisma.sql`NOT is_reply`,
    column: 'created_at',
    direction: 'asc',
    page,
    parent: belongsTo(column, id),
  });
