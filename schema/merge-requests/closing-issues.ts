import { Prisma } from '../../prisma/client.ts';
import { listIssues } from '../issues/filter.ts';
import { Issue, IssuePage } from '../issues/types.ts';
import { visibleIssues } from '../issues/visible.ts';
import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import { listingCost, type PageArgs, pageArgs } from '../listing/page.ts';
import { closingPattern, issuesToClose } from './closing-references.ts';
import { listMergeRequests } from './filter.ts';
import { MergeRequest, MergeRequestPage } from './types.ts';
import { visibleMergeRequests } from './visible.ts';

builder.prismaObjectField(MergeRequest, 'closesIssues', (t) =>
  t.field({
    type: IssuePage,
    description:
      'The issues of the project that the merge closes, as its description says, the oldest first: those that the current user may see. Null for an anonymous user.',
    nullable: true,
    complexity: listingCost,
    args: pageArgs,
    select: {
      text: true,
      targetBranch: true,
      project: { select: { id: true, defaultBranch: true } },
    },
    resolve: ({ text, targetBranch, project }, page, ctx) => {
      const { viewer } = ctx;
      if (!viewer) return null;
      const description = text?.description ?? null;
      const iids = issuesToClose({ description, targetBranch, project });
      const scope = visibleIssues(viewer);
      return listIssues({ ...page, sort: 'asc' }, viewer, ctx, scope, {
        id: project.id,
        value: `{${iids.join()}}`,
        condition: (projectId, numbers) =>
          Prisma.sql`project_id = ${projectId} AND iid = ANY(${numbers}::int[])`,
      });
    },
  }),
);

builder.prismaObjectField(Issue, 'closedByMergeRequests', (t) =>
  t.field({
    type: MergeRequestPage,
    description:
      'The merge requests into the default branch whose merge closes the issue, the oldest first: those that the current user may see.',
    // compares the descriptions of all merge requests into the branch
    complexity: (page: PageArgs) => ({ ...listingCost(page), field: processCost }),
    args: pageArgs,
    select: { projectId: true, iid: true },
    resolve: ({ projectId, iid }, page, ctx) => {
      const scope = visibleMergeRequests(ctx.viewer);
      return listMergeRequests({ ...page, sort: 'asc' }, ctx, scope, {
        id: projectId,
        value: String(iid),
        condition: (parentId, number) => Prisma.sql`project_id = ${parentId}
          AND target_branch = (SELECT default_branch FROM projects WHERE projects.id = ${parentId})
          AND id IN (
            SELECT merge_request_id FROM merge_request_texts
            WHERE description LIKE '%#' || ${number}::text || '%'
              AND description ~* ${closingPattern(number)})`,
      });
    },
  }),
);
