import { Prisma } from '../../prisma/client.ts';
import { findGroup } from '../groups/find.ts';
import { iidArgs } from '../issuables/fields.ts';
import { namesBelow, namesOfProject } from '../issuables/name-scope.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findMilestone } from '../milestones/find.ts';
import { findReadableSource, sourceArgs } from '../projects/group-or-project.ts';
import { listMergeRequests, mergeRequestListArgs } from './filter.ts';
import { findMergeRequestProject } from './find.ts';
import { showMergeRequest } from './show.ts';
import { MergeRequest, MergeRequestPage } from './types.ts';
import {
  mergeRequestsIn,
  mergeRequestsOf,
  visibleMergeRequests,
  visibleMergeRequestsBelow,
} from './visible.ts';

builder.queryFields((t) => ({
  mergeRequest: t.prismaField({
    type: MergeRequest,
    description:
      'A merge request into a project, with the present state of its branches; listings may lag behind a push for a moment. NOT_FOUND if the current user may not see it.',
    complexity: walkCost,
    args: iidArgs,
    resolve: (query, _root, { project, iid }, ctx, info) =>
      showMergeRequest(project, iid, ctx, { query, info }),
  }),
  mergeRequests: t.field({
    type: MergeRequestPage,
    description:
      'The merge requests of all projects that the current user may see. Scopes other than `ALL` require a signed-in user.',
    complexity: listingCost,
    args: { ...pageArgs, ...mergeRequestListArgs },
    resolve: (_root, args, ctx) => {
      if (args.filter?.scope && args.filter.scope !== 'all') signedIn(ctx);
      return listMergeRequests(args, ctx, visibleMergeRequests(ctx.viewer));
    },
  }),
  groupMergeRequests: t.field({
    type: MergeRequestPage,
    extensions: internal,
    description: 'The merge requests into the projects at any depth below a group.',
    complexity: listingCost,
    args: { ...pageArgs, ...mergeRequestListArgs, group: t.arg.id({ required: true }) },
    resolve: async (_root, { group, ...args }, ctx) => {
      const { id } = await findGroup(group, ctx);
      const below = { ...args, nameScope: namesBelow(id) };
      return listMergeRequests(below, ctx, await visibleMergeRequestsBelow(id, ctx.viewer, ctx));
    },
  }),
  projectMergeRequests: t.field({
    type: MergeRequestPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, ...mergeRequestListArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project: ref, ...args }, ctx) => {
      const project = await findMergeRequestProject(ref, ctx);
      const within = { ...args, nameScope: namesOfProject(project.id) };
      return listMergeRequests(within, ctx, mergeRequestsIn(project));
    },
  }),
  milestoneMergeRequests: t.field({
    type: MergeRequestPage,
    extensions: internal,
    description:
      'The merge requests of a milestone that the current user may see, the newest first.',
    complexity: listingCost,
    args: { ...pageArgs, ...sourceArgs, id: t.arg.int({ required: true }) },
    resolve: async (_root, { source: ref, id, ...page }, ctx) => {
      const { source, viewer } = await findReadableSource(ref, ctx);
      const milestone = await findMilestone(source, id, ctx);
      return listMergeRequests(page, ctx, [
        Prisma.sql`milestone_id = ${milestone.id}`,
        ...mergeRequestsOf(source, viewer),
      ]);
    },
  }),
}));
