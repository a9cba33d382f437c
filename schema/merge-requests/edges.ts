import { Prisma } from '../../prisma/client.ts';
import { readableCommit } from '../commits/by-sha.ts';
import { Commit } from '../commits/types.ts';
import { groupsBelowOne } from '../groups/reach.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { walkCost } from '../kernel/cost.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { ifVisible } from '../kernel/results.ts';
import { belongsTo, type Parent } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { Milestone } from '../milestones/types.ts';
import { projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { User } from '../users/types.ts';
import { listMergeRequests, type MergeRequestListArgs, mergeRequestListArgs } from './filter.ts';
import { mergeRequestProjectById } from './find.ts';
import { showMergeRequest } from './show.ts';
import { MergeRequest, MergeRequestPage } from './types.ts';
import { visibleMergeRequests } from './visible.ts';

const edge = {
  type: MergeRequestPage,
  complexity: listingCost,
  args: { ...pageArgs, ...mergeRequestListArgs },
} as const;

/** Those of a parent whose merge requests belong to any projects. */
const visibleTo = (parent: Parent, args: MergeRequestListArgs, ctx: Context) =>
  listMergeRequests(args, ctx, visibleMergeRequests(ctx.viewer), parent);

builder.prismaObjectField(Project, 'mergeRequests', (t) =>
  t.field({
    ...edge,
    nullable: true,
    description:
      'The merge requests into the project. Null if the current user may not read its code, and if merge requests are disabled.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => {
        await mergeRequestProjectById(id, ctx);
        return listMergeRequests(args, ctx, [], belongsTo('project_id', id));
      }),
  }),
);

builder.prismaObjectField(Project, 'mergeRequest', (t) =>
  t.prismaField({
    type: MergeRequest,
    nullable: true,
    description:
      'A merge request into the project, with the present state of its branches. Null if the current user may not see it.',
    complexity: walkCost,
    args: {
      iid: t.arg.int({ required: true, description: 'The number in the project.' }),
    },
    resolve: (query, { id }, { iid }, ctx, info) =>
      ifVisible(() => showMergeRequest(String(id), iid, ctx, { query, info })),
  }),
);

builder.prismaObjectField(Group, 'mergeRequests', (t) =>
  t.field({
    ...edge,
    description:
      'The merge requests into the projects at any depth below the group that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => {
      const condition = (groupId: Prisma.Sql) => Prisma.sql`project_id IN (
        SELECT id FROM projects WHERE namespace_id IN (${groupsBelowOne(groupId)}))`;
      return visibleTo({ id, condition }, args, ctx);
    },
  }),
);

builder.prismaObjectField(Milestone, 'mergeRequests', (t) =>
  t.field({
    ...edge,
    description: 'The merge requests with the milestone that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => visibleTo(belongsTo('milestone_id', id), args, ctx),
  }),
);

builder.prismaObjectFields(User, (t) => ({
  authoredMergeRequests: t.field({
    ...edge,
    description: 'The merge requests that the user created and that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => visibleTo(belongsTo('author_id', id), args, ctx),
  }),
  assignedMergeRequests: t.field({
    ...edge,
    description:
      'The merge requests that are assigned to the user and that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => visibleTo(belongsTo('assignee_id', id), args, ctx),
  }),
}));

builder.prismaObjectFields(MergeRequest, (t) => ({
  project: t.relation('project', {
    // as that of other types: one document selects the targets of events of all types
    extensions: publiclyNullable,
    description: 'The project that the merge request belongs to, with its target branch.',
  }),
  targetProject: t.relation('project', {
    description: 'The project of the target branch: the same as `project`.',
  }),
  sourceProject: t.field({
    type: Project,
    nullable: true,
    description:
      'The project of the source branch: `project` itself or a fork. Null if the fork was deleted or the current user may not see it.',
    select: (_args, _ctx, nested) => ({ sourceProjectId: true, sourceProject: nested() }),
    resolve: ({ sourceProjectId, sourceProject }, _args, ctx) =>
      sourceProjectId === null
        ? null
        : ifVisible(async () => {
            await projectById(sourceProjectId, ctx);
            return sourceProject as never;
          }),
  }),
}));

builder.objectField(Commit, 'mergeRequests', (t) =>
  t.field({
    ...edge,
    description:
      'The merge requests into the project that add the commit to their target branch or have it as merge commit, and that the current user may see. Recorded about a second after a push or a merge; of each merge request at most 5,000 commits.',
    resolve: ({ id: sha, repository: { id: projectId } }, args, ctx) => {
      const condition = (id: Prisma.Sql) => Prisma.sql`project_id = ${projectId} AND id IN (
        SELECT merge_request_id FROM merge_request_commits WHERE sha = ${id})`;
      return visibleTo({ id: sha, condition }, args, ctx);
    },
  }),
);

builder.prismaObjectField(MergeRequest, 'mergeCommit', (t) =>
  t.field({
    type: Commit,
    nullable: true,
    description:
      'The merge commit in the target project. Null before the merge, and for a user who may not read the code.',
    complexity: walkCost / 20,
    select: { projectId: true, mergeCommitSha: true },
    resolve: ({ projectId, mergeCommitSha }, _args, ctx) =>
      mergeCommitSha === null ? null : readableCommit(projectId, mergeCommitSha, ctx),
  }),
);
