import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import type { Trigger } from './types.ts';

/** A page of the triggers of a project, oldest first. */
export function listTriggers(
  projectId: number,
  page: PageArgs,
  ctx: Pick<Context, 'db'>,
): Page<typeof Trigger.$inferType> {
  const reader = readerOf(ctx, {
    table: 'triggers',
    parent: belongsTo('project_id', projectId),
    where: allOf([]),
    column: 'id',
    direction: 'asc',
    page,
  });
  return {
    nodes: (query) => recordsOn(ctx, reader, 'trigger', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}
