import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { belongsTo, type Listing } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { HookOwner } from './find.ts';
import type { Hook, HookDelivery } from './types.ts';

type Caller = Pick<Context, 'db' | 'viewer'>;

/** A page of the hooks of a project or of the instance, oldest first. */
export function listHooks(
  { projectId }: HookOwner,
  page: PageArgs,
  ctx: Caller,
): Page<typeof Hook.$inferType> {
  const owner: Pick<Listing, 'where' | 'parent'> =
    projectId === null
      ? { where: Prisma.sql`project_id IS NULL` }
      : { where: Prisma.sql`true`, parent: belongsTo('project_id', projectId) };
  const order = { column: 'id', direction: 'asc' } as const;
  return pageOfRecords(ctx, { table: 'web_hooks', ...owner, ...order, page });
}

interface DeliveryListArgs extends PageArgs {
  /** Only this delivery. */
  readonly deliveryId?: number;
}

/** A page of the deliveries of a hook that are not due for deletion, newest first. */
export function listDeliveries(
  hookId: number,
  { deliveryId, ...page }: DeliveryListArgs,
  ctx: Caller,
): Page<typeof HookDelivery.$inferType> {
  const only = deliveryId === undefined ? Prisma.empty : Prisma.sql`AND id = ${deliveryId}`;
  return pageOfRecords(ctx, {
    table: 'hook_deliveries',
    parent: belongsTo('hook_id', hookId),
    // as in `deliveriesKeptSince`
    where: Prisma.sql`created_at > now() - interval '7 days' ${only}`,
    column: 'id',
    direction: 'desc',
    page,
  });
}
