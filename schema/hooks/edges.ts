import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { ifVisible } from '../kernel/results.ts';
import { firstVisible, listingCost, pageArgs } from '../listing/page.ts';
import { Project } from '../projects/types.ts';
import { hookOwnerById } from './find.ts';
import { listDeliveries, listHooks } from './listing.ts';
import { Hook, HookDelivery, HookDeliveryPage, HookPage } from './types.ts';

const edge = { complexity: listingCost, args: pageArgs } as const;

builder.prismaObjectField(Project, 'hooks', (t) =>
  t.field({
    ...edge,
    type: HookPage,
    nullable: true,
    description:
      'The webhooks of the project, the oldest first. Null for a user below the level of a master.',
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ifVisible(async () => listHooks(await hookOwnerById(id, ctx), page, ctx)),
  }),
);

builder.prismaObjectFields(Hook, (t) => ({
  deliveries: t.field({
    ...edge,
    type: HookDeliveryPage,
    description: 'The messages to the hook of the last seven days, the newest first.',
    select: { id: true },
    resolve: ({ id }, page, ctx) => listDeliveries(id, page, ctx),
  }),
  delivery: t.prismaField({
    type: HookDelivery,
    nullable: true,
    complexity: statementCost,
    description: 'A message to the hook of the last seven days; null if there is none.',
    args: { id: t.arg.int({ required: true, description: 'The id of the delivery.' }) },
    select: { id: true },
    resolve: (query, { id: hookId }, { id }, ctx, info) =>
      firstVisible(query, info, async () =>
        listDeliveries(hookId, { deliveryId: id, perPage: 1 }, ctx),
      ),
  }),
}));
