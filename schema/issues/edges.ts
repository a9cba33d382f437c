import { Prisma } from '../../prisma/client.ts';
import { groupsBelowOne } from '../groups/reach.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { ifVisible } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { belongsTo, type Parent } from '../listing/listing.ts';
import { firstVisible, listingCost, pageArgs } from '../listing/page.ts';
import { Milestone } from '../milestones/types.ts';
import { Project } from '../projects/types.ts';
import { User } from '../users/types.ts';
import { type IssueListArgs, issueListArgs, listIssues } from './filter.ts';
import { issueProjectById } from './find.ts';
import { Issue, IssuePage } from './types.ts';
import { visibleAtLevel, visibleIssues } from './visible.ts';

const edge = {
  type: IssuePage,
  nullable: true,
  complexity: listingCost,
  args: { ...pageArgs, ...issueListArgs },
} as const;

builder.prismaObjectField(Project, 'issues', (t) =>
  t.field({
    ...edge,
    description:
      'The issues that the current user may see. Null for an anonymous user, and if issues are disabled.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => {
        const viewer = signedIn(ctx);
        const { level } = await issueProjectById(id, ctx);
        const scope = visibleAtLevel(level, viewer);
        return listIssues(args, viewer, ctx, scope, belongsTo('project_id', id));
      }),
  }),
);

builder.prismaObjectField(Project, 'issue', (t) =>
  t.prismaField({
    type: Issue,
    nullable: true,
    description: 'An issue of the project; null if the current user may not see it.',
    complexity: statementCost,
    args: {
      iid: t.arg.int({ required: true, description: 'The number of the issue in the project.' }),
    },
    resolve: (query, { id }, { iid }, ctx, info) =>
      firstVisible(query, info, async () => {
        const viewer = signedIn(ctx);
        const { level } = await issueProjectById(id, ctx);
        const scope = [...visibleAtLevel(level, viewer), Prisma.sql`iid = ${iid}`];
        return listIssues({ perPage: 1 }, viewer, ctx, scope, belongsTo('project_id', id));
      }),
  }),
);

builder.prismaObjectField(Group, 'issues', (t) =>
  t.field({
    ...edge,
    description:
      'The issues of the projects at any depth below the group that the current user may see. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => {
        const viewer = signedIn(ctx);
        return listIssues(args, viewer, ctx, visibleIssues(viewer), {
          id,
          condition: (groupId) => Prisma.sql`project_id IN (
            SELECT id FROM projects WHERE namespace_id IN (${groupsBelowOne(groupId)}))`,
        });
      }),
  }),
);

builder.prismaObjectField(Milestone, 'issues', (t) =>
  t.field({
    ...edge,
    description: 'The issues with the milestone that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => {
        const viewer = signedIn(ctx);
        const scope = visibleIssues(viewer);
        return listIssues(args, viewer, ctx, scope, belongsTo('milestone_id', id));
      }),
  }),
);

/** Those of a user, in any projects. */
const visibleTo = (parent: Parent, args: IssueListArgs, ctx: Context) =>
  ifVisible(async () => {
    const viewer = signedIn(ctx);
    return listIssues(args, viewer, ctx, visibleIssues(viewer), parent);
  });

builder.prismaObjectFields(User, (t) => ({
  authoredIssues: t.field({
    ...edge,
    description:
      'The issues that the user created and that the current user may see. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => visibleTo(belongsTo('author_id', id), args, ctx),
  }),
  assignedIssues: t.field({
    ...edge,
    description:
      'The issues that are assigned to the user and that the current user may see. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => {
      const condition = (userId: Prisma.Sql) =>
        Prisma.sql`id IN (SELECT issue_id FROM issue_assignees WHERE user_id = ${userId})`;
      return visibleTo({ id, condition }, args, ctx);
    },
  }),
}));

builder.prismaObjectField(Issue, 'project', (t) =>
  t.relation('project', {
    // as that of other types: one document selects the targets of events of all types
    extensions: publiclyNullable,
    description: 'The project of the issue.',
  }),
);
