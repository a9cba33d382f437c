import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { Trigger } from './types.ts';

/** A page of the triggers of a project, oldest first. */
export function listTriggers(
  projectId: number,
  page: PageArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<typeof Trigger.$inferType> {
  return pageOfRecords(ctx, {
    table: 'triggers',
    parent: belongsTo('project_id', projectId),
    where: allOf([]),
    column: 'id',
    direction: 'asc',
    page,
  });
}
