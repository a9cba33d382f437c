import { Admin } from '../administration/types.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listHooks } from './listing.ts';
import { HookPage } from './types.ts';

builder.objectField(Admin, 'systemHooks', (t) =>
  t.field({
    type: HookPage,
    description: 'The webhooks for the events of the whole instance, the oldest first.',
    complexity: listingCost,
    args: pageArgs,
    resolve: (_admin, page, ctx) => listHooks({ projectId: null }, page, ctx),
  }),
);
