import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import type { Variable } from './types.ts';

interface VariableListArgs extends PageArgs {
  /** Only the variable with this name. */
  readonly key?: string;
}

/** A page of the variables of a group or project, oldest first. */
export function listVariables(
  { kind, id }: Pick<GroupOrProject, 'kind' | 'id'>,
  { key, ...page }: VariableListArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<typeof Variable.$inferType> {
  return pageOfRecords(ctx, {
    table: 'variables',
    parent: belongsTo(kind === 'group' ? 'namespace_id' : 'project_id', id),
    where: allOf(key === undefined ? [] : [Prisma.sql`key = ${key}`]),
    column: 'id',
    direction: 'asc',
    page,
  });
}
