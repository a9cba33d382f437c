import { Prisma } from '../../prisma/client.ts';
import { Issue } from '../issues/types.ts';
import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import { listingCost, type PageArgs, pageArgs } from '../listing/page.ts';
import { listMergeRequests } from './filter.ts';
import { MergeRequestPage } from './types.ts';
import { visibleMergeRequests } from './visible.ts';

/** `#3` by itself: no part of a longer number, of a path or of an address. */
const mentionPattern = (number: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`('(?:^|[^[:alnum:]_/#&])#' || ${number}::text || '(?!\\d)')`;

builder.prismaObjectField(Issue, 'relatedMergeRequests', (t) =>
  t.field({
    type: MergeRequestPage,
    description:
      'The merge requests of the project whose title or description mentions the issue, the oldest first: those that the current user may see.',
    // compares the texts of all merge requests of the project
    complexity: (page: PageArgs) => ({ ...listingCost(page), field: processCost }),
    args: pageArgs,
    select: { projectId: true, iid: true },
    resolve: ({ projectId, iid }, page, ctx) => {
      const scope = visibleMergeRequests(ctx.viewer);
      return listMergeRequests({ ...page, sort: 'asc' }, ctx, scope, {
        id: projectId,
        value: String(iid),
        condition: (parentId, number) => Prisma.sql`project_id = ${parentId} AND id IN (
          SELECT merge_request_id FROM merge_request_texts
          WHERE (description LIKE '%#' || ${number}::text || '%'
              AND description ~ ${mentionPattern(number)})
            OR (title LIKE '%#' || ${number}::text || '%' AND title ~ ${mentionPattern(number)}))`,
      });
    },
  }),
);
