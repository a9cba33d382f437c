import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { belongsTo, type Listing } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import type { HookOwner } from './find.ts';
import type { HookDelivery, WebHook } from './types.ts';

type Caller = Pick<Context, 'db'>;

/** A page of the hooks of a project or of the instance, oldest first. */
export function listHooks(
  { projectId }: HookOwner,
  page: PageArgs,
  ctx: Caller,
): Page<typeof WebHook.$inferType> {
  const owner: Pick<Listing, 'where' | 'parent'> =
    projectId === null
      ? { where: Prisma.sql`project_id IS NULL` }
      : { where: Prisma.sql`true`, parent: belongsTo('project_id', projectId) };
  const order = { column: 'id', direction: 'asc' } as const;
  const reader = readerOf(ctx, { table: 'web_hooks', ...owner, ...order, page });
  return {
    nodes: (query) => recordsOn(ctx, reader, 'webHook', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

/** A page of the deliveries of a hook that are not due for deletion, newest first. */
export function listDeliveries(
  hookId: number,
  page: PageArgs,
  ctx: Caller,
): Page<typeof HookDelivery.$inferType> {
  const reader = readerOf(ctx, {
    table: 'hook_deliveries',
    parent: belongsTo('hook_id', hookId),
    // as in `deliveriesKeptSince`
    where: Prisma.sql`created_at > now() - interval '7 days'`,
    column: 'id',
    direction: 'desc',
    page,
  });
  return {
    nodes: (query) => recordsOn(ctx, reader, 'hookDelivery', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}
