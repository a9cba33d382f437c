import { Prisma } from '../../prisma/client.ts';
import { levelInGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import type { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal } from '../kernel/public.ts';
import type { Parent } from '../listing/listing.ts';
import { listingCost, type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { canManageMembers } from '../members/policy.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { findWithManagedMembers, sourceArgs } from '../projects/group-or-project.ts';
import { ofSource } from '../projects/member-list.ts';
import { Project } from '../projects/types.ts';
import { type AccessRequest, AccessRequestPage } from './types.ts';

builder.queryField('accessRequests', (t) =>
  t.field({
    type: AccessRequestPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...sourceArgs, ...pageArgs },
    resolve: async (_root, { source, ...page }, ctx) =>
      listAccessRequests(page, ctx, ofSource(await findWithManagedMembers(source, ctx))),
  }),
);

const edge = {
  type: AccessRequestPage,
  nullable: true,
  complexity: listingCost,
  args: pageArgs,
} as const;

builder.prismaObjectField(Project, 'accessRequests', (t) =>
  t.field({
    ...edge,
    description:
      'The pending requests for membership, the oldest first. Null unless the current user is a master of the project.',
    select: (_args, { viewer }) => levelSelection(viewer),
    resolve: (project, page, ctx) =>
      requestsAtLevel(
        levelInProject(ctx.viewer, project),
        { kind: 'project', ...project },
        page,
        ctx,
      ),
  }),
);

builder.prismaObjectField(Group, 'accessRequests', (t) =>
  t.field({
    ...edge,
    description:
      'The pending requests for membership, the oldest first. Null unless the current user is an owner of the group.',
    select: { id: true, ancestorIds: true },
    resolve: (group, page, ctx) =>
      requestsAtLevel(levelInGroup(ctx.viewer, group), { kind: 'group', id: group.id }, page, ctx),
  }),
);

const requestsAtLevel = (
  level: Access,
  source: Parameters<typeof ofSource>[0],
  page: PageArgs,
  ctx: Context,
) =>
  canManageMembers(source.kind, level) ? listAccessRequests(page, ctx, ofSource(source)) : null;

function listAccessRequests(
  page: PageArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
  parent: Parent,
): Page<typeof AccessRequest.$inferType> {
  return pageOfRecords(ctx, {
    table: 'access_requests',
    where: Prisma.sql`true`,
    column: 'id',
    direction: 'asc',
    page,
    parent,
  });
}
