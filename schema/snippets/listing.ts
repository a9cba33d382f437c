import type { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import type { Parent } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { Snippet } from './types.ts';

/** A page of the snippets that match all conditions, the newest first; of an edge those of `parent`. */
export const snippetPage = (
  ctx: Pick<Context, 'db' | 'viewer'>,
  conditions: readonly Prisma.Sql[],
  page: PageArgs,
  parent?: Parent,
) =>
  pageOfRecords<typeof Snippet.$inferType>(ctx, {
    table: 'snippets',
    where: allOf(conditions),
    column: 'created_at',
    direction: 'desc',
    page,
    ...(parent && { parent }),
  });
