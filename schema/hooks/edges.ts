import { builder } from '../kernel/builder.ts';
import { ifVisible } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { Project } from '../projects/types.ts';
import { hookOwnerById } from './find.ts';
import { listDeliveries, listHooks } from './listing.ts';
import { Hook, HookDeliveryPage, HookPage } from './types.ts';

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

builder.prismaObjectField(Hook, 'deliveries', (t) =>
  t.field({
    ...edge,
    type: HookDeliveryPage,
    description: 'The messages to the hook of the last seven days, the newest first.',
    select: { id: true },
    resolve: ({ id }, page, ctx) => listDeliveries(id, page, ctx),
  }),
);
