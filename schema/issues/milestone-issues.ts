import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../kernel/page.ts';
import { findMilestone, findMilestoneSource } from '../milestones/find.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { listIssues } from './filter.ts';
import { issuesOf } from './of-source.ts';
import { IssuePage } from './types.ts';

builder.queryField('milestoneIssues', (t) =>
  t.field({
    type: IssuePage,
    description: 'The issues of a milestone that the viewer may see, the newest first.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      source: t.arg({ type: GroupOrProjectInput, required: true }),
      id: t.arg.int({ required: true }),
    },
    resolve: async (_root, { source: sourceRef, id, ...page }, ctx) => {
      const { source, viewer } = await findMilestoneSource(sourceRef, ctx);
      const milestone = await findMilestone(source, id, ctx);
      const scope = [Prisma.sql`milestone_id = ${milestone.id}`, ...issuesOf(source, viewer)];
      return listIssues(page, viewer, ctx, scope);
    },
  }),
);
