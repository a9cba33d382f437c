import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import type { Variable } from './types.ts';

/** A page of the variables of a group or project, oldest first. */
export function listVariables(
  { kind, id }: Pick<GroupOrProject, 'kind' | 'id'>,
  page: PageArgs,
  ctx: Pick<Context, 'db'>,
): Page<typeof Variable.$inferType> {
  const reader = readerOf(ctx, {
    table: 'variables',
    parent: belongsTo(kind === 'group' ? 'namespace_id' : 'project_id', id),
    where: allOf([]),
    column: 'id',
    direction: 'asc',
    page,
  });
  return {
    nodes: (query) => recordsOn(ctx, reader, 'variable', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}
