import { Prisma } from '../../prisma/client.ts';
import { listIssues } from '../issues/filter.ts';
import { Issue, IssuePage } from '../issues/types.ts';
import { visibleIssuesBelow } from '../issues/visible.ts';
import { builder } from '../kernel/builder.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { closingPattern, issuesToClose } from './closing-references.ts';
import { listMergeRequests } from './filter.ts';
import { MergeRequest, MergeRequestPage } from './types.ts';
import { visibleMergeRequestsBelow } from './visible.ts';

builder.prismaObjectField(MergeRequest, 'closesIssues', (t) =>
  t.field({
    type: IssuePage,
    description: 'The issues that its merge closes, of those the viewer may see.',
    complexity: listingCost,
    args: pageArgs,
    select: {
      text: true,
      targetBranch: true,
      project: { select: { id: true, defaultBranch: true } },
    },
    resolve: ({ text, targetBranch, project }, page, ctx) => {
      const viewer = signedIn(ctx);
      const description = text?.description ?? null;
      const iids = [...issuesToClose({ description, targetBranch, project })];
      const scope = [
        Prisma.sql`project_id = ${project.id}`,
        Prisma.sql`iid = ANY(${iids})`,
        ...visibleIssuesBelow(null, viewer),
      ];
      return listIssues({ ...page, sort: 'asc' }, viewer, ctx, scope);
    },
  }),
);

builder.prismaObjectField(Issue, 'closedBy', (t) =>
  t.field({
    type: MergeRequestPage,
    description: 'The merge requests whose merge closes it, of those the viewer may see.',
    complexity: listingCost,
    args: pageArgs,
    select: { projectId: true, iid: true },
    resolve: ({ projectId, iid }, page, ctx) =>
      listMergeRequests({ ...page, sort: 'asc' }, ctx, [
        Prisma.sql`project_id = ${projectId}`,
        Prisma.sql`target_branch = (SELECT default_branch FROM projects WHERE id = ${projectId})`,
        Prisma.sql`id IN (
          SELECT merge_request_id FROM merge_request_texts
          WHERE description LIKE ${`%#${iid}%`} AND description ~* ${closingPattern(iid)})`,
        ...visibleMergeRequestsBelow(null, ctx.viewer),
      ]),
  }),
);
