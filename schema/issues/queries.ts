import { Prisma } from '../../prisma/client.ts';
import { findGroup } from '../groups/find.ts';
import { iidArgs } from '../issuables/fields.ts';
import { namesBelow, namesOfProject } from '../issuables/name-scope.ts';
import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { allOf } from '../kernel/sql.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { findMilestone } from '../milestones/find.ts';
import { findReadableSource, sourceArgs } from '../projects/group-or-project.ts';
import { issueListArgs, listIssues } from './filter.ts';
import { findIssueProject } from './find.ts';
import { Issue, IssuePage, type IssueRecord } from './types.ts';
import { issuesIn, issuesOf, visibleIssues, visibleIssuesBelow } from './visible.ts';

builder.queryFields((t) => ({
  issue: t.prismaField({
    type: Issue,
    description:
      'An issue of a project. NOT_FOUND if the current user may not see it, FORBIDDEN if issues are disabled.',
    args: iidArgs,
    resolve: async (query, _root, { project: ref, iid }, ctx, info) => {
      const viewer = signedIn(ctx);
      const project = await findIssueProject(ref, ctx);
      const page = pageOfRecords<IssueRecord>(ctx, {
        table: 'issues',
        where: allOf([...issuesIn(project, viewer), Prisma.sql`iid = ${iid}`]),
        column: 'id',
        direction: 'asc',
        page: { perPage: 1 },
      });
      const [issue] = await page.nodes(query, info);
      if (!issue) throw recordNotFound();
      return issue;
    },
  }),
  issues: t.field({
    type: IssuePage,
    description:
      'The issues of all projects that the current user may see. An anonymous user gets UNAUTHENTICATED.',
    complexity: listingCost,
    args: { ...pageArgs, ...issueListArgs },
    resolve: (_root, args, ctx) => {
      const viewer = signedIn(ctx);
      return listIssues(args, viewer, ctx, visibleIssues(viewer, args));
    },
  }),
  groupIssues: t.field({
    type: IssuePage,
    extensions: internal,
    description: 'The issues of the projects at any depth below a group.',
    complexity: listingCost,
    args: { ...pageArgs, ...issueListArgs, group: t.arg.id({ required: true }) },
    resolve: async (_root, { group, ...args }, ctx) => {
      const viewer = signedIn(ctx);
      const { id } = await findGroup(group, ctx);
      const below = { ...args, nameScope: namesBelow(id) };
      return listIssues(below, viewer, ctx, await visibleIssuesBelow(id, viewer, ctx));
    },
  }),
  projectIssues: t.field({
    type: IssuePage,
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, ...issueListArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project: ref, ...args }, ctx) => {
      const viewer = signedIn(ctx);
      const project = await findIssueProject(ref, ctx);
      const within = { ...args, nameScope: namesOfProject(project.id) };
      return listIssues(within, viewer, ctx, issuesIn(project, viewer));
    },
  }),
  milestoneIssues: t.field({
    type: IssuePage,
    extensions: internal,
    description: 'The issues of a milestone that the current user may see, the newest first.',
    complexity: listingCost,
    args: { ...pageArgs, ...sourceArgs, id: t.arg.int({ required: true }) },
    resolve: async (_root, { source: ref, id, ...page }, ctx) => {
      const { source, viewer } = await findReadableSource(ref, ctx);
      const milestone = await findMilestone(source, id, ctx);
      const scope = [Prisma.sql`milestone_id = ${milestone.id}`, ...issuesOf(source, viewer)];
      return listIssues(page, viewer, ctx, scope);
    },
  }),
}));
