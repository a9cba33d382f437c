import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../kernel/page.ts';
import { findMilestone, findMilestoneSource } from '../milestones/find.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { listMergeRequests } from './filter.ts';
import { MergeRequestPage } from './types.ts';
import { mergeRequestsOf } from './visible.ts';

builder.queryField('milestoneMergeRequests', (t) =>
  t.field({
    type: MergeRequestPage,
    description: 'The merge requests of a milestone that the viewer may see, the newest first.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      source: t.arg({ type: GroupOrProjectInput, required: true }),
      id: t.arg.int({ required: true }),
    },
    resolve: async (_root, { source: sourceRef, id, ...page }, ctx) => {
      const { source, viewer } = await findMilestoneSource(sourceRef, ctx);
      const milestone = await findMilestone(source, id, ctx);
      return listMergeRequests(page, ctx, [
        Prisma.sql`milestone_id = ${milestone.id}`,
        ...mergeRequestsOf(source, viewer),
      ]);
    },
  }),
);
