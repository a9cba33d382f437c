import { builder } from '../kernel/builder.ts';
import { ifVisible } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { Project } from '../projects/types.ts';
import { schedulesProjectById } from './find.ts';
import { listSchedules, scheduleListArgs } from './listing.ts';
import { PipelineSchedulePage } from './types.ts';

builder.prismaObjectField(Project, 'pipelineSchedules', (t) =>
  t.field({
    type: PipelineSchedulePage,
    nullable: true,
    description:
      'The pipeline schedules of the project, the oldest first. Null for a user below the level of a developer.',
    complexity: listingCost,
    args: { ...scheduleListArgs, ...pageArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => {
        await schedulesProjectById(id, ctx);
        return listSchedules(id, args, ctx);
      }),
  }),
);
