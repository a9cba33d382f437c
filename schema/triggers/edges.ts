import { builder } from '../kernel/builder.ts';
import { ifVisible } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { Project } from '../projects/types.ts';
import { triggersProjectById } from './find.ts';
import { listTriggers } from './listing.ts';
import { TriggerPage } from './types.ts';

builder.prismaObjectField(Project, 'triggers', (t) =>
  t.field({
    type: TriggerPage,
    nullable: true,
    description:
      'The triggers of the project, the oldest first. Null for a user below the level of a master.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ifVisible(async () => {
        await triggersProjectById(id, ctx);
        return listTriggers(id, page, ctx);
      }),
  }),
);
