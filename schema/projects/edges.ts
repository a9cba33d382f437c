import { Prisma } from '../../prisma/client.ts';
import { canSeeGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { unexpiredRows } from '../kernel/sql.ts';
import { firstVisible, listingCost, pageArgs } from '../listing/page.ts';
import type { SourceKind } from '../members/members.ts';
import { Member, MemberPage } from '../members/types.ts';
import { Namespace } from '../namespaces/types.ts';
import { User } from '../users/types.ts';
import { listProjects, projectListArgs } from './filter.ts';
import { listMembers, memberEdgeArgs, ofInheritingSource, ofSource } from './member-list.ts';
import { Project, ProjectPage } from './types.ts';

const projectEdge = {
  type: ProjectPage,
  complexity: listingCost,
  args: { ...pageArgs, ...projectListArgs },
} as const;

const highest =
  'Of several memberships of a user the one with the highest access level. Without expired ones. Null for an anonymous user.';

const memberEdge = {
  type: MemberPage,
  nullable: true,
  complexity: listingCost,
  args: memberEdgeArgs,
} as const;

const singleMember = {
  type: Member,
  nullable: true,
  complexity: statementCost,
  args: builder.args((t) => ({
    userId: t.int({ required: true, description: 'The id of the user.' }),
  })),
} as const;

const oneMember = (kind: SourceKind, id: number, userId: number, ctx: Context) =>
  ctx.viewer && listMembers({ userId, perPage: 1 }, ctx, ofSource({ kind, id }));

builder.prismaObjectFields(User, (t) => ({
  projects: t.field({
    ...projectEdge,
    nullable: true,
    description:
      'The projects with the user as a direct member that the current user may see. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ctx.viewer &&
      listProjects(args, ctx, {
        id,
        condition: (userId) => Prisma.sql`id IN (
          SELECT members.project_id FROM members
          WHERE members.user_id = ${userId} AND ${unexpiredRows})`,
      }),
  }),
  personalProjects: t.field({
    ...projectEdge,
    description:
      'The projects in the personal namespace of the user that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      listProjects(args, ctx, {
        id,
        condition: (userId) =>
          Prisma.sql`namespace_id = (SELECT id FROM namespaces WHERE owner_id = ${userId})`,
      }),
  }),
  starredProjects: t.field({
    ...projectEdge,
    description: 'The projects that the user has starred and that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      listProjects(args, ctx, {
        id,
        condition: (userId) =>
          Prisma.sql`id IN (SELECT project_id FROM project_stars WHERE user_id = ${userId})`,
      }),
  }),
}));

const isStarred = batched<number, boolean>(async (ids, { db, viewer }) => {
  const stars = await db.projectStar.findMany({
    where: { userId: viewer?.id ?? 0, projectId: { in: [...ids] } },
    select: { projectId: true },
  });
  return new Map(stars.map(({ projectId }) => [projectId, true]));
}, false);

builder.prismaObjectFields(Project, (t) => ({
  group: t.field({
    type: Group,
    nullable: true,
    description:
      'The group that contains the project. Null for a personal project, and if the current user may not see the group.',
    select: (_args, _ctx, nested) => ({ namespaceId: true, namespace: nested() }),
    resolve: async ({ namespaceId, namespace }, _args, ctx) =>
      (await canSeeGroup(namespaceId, ctx)) ? (namespace as never) : null,
  }),
  creator: t.relation('creator', {
    nullable: true,
    description: 'The user who created the project; null if that user was deleted.',
  }),
  isStarred: t.boolean({
    description: 'Whether the current user has starred the project.',
    select: { id: true },
    resolve: ({ id }, _args, ctx) => ctx.viewer !== null && isStarred(id, ctx),
  }),
  members: t.field({
    ...memberEdge,
    description:
      'The direct members of the project, in the order in which they were added. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ctx.viewer && listMembers(args, ctx, ofSource({ kind: 'project', id })),
  }),
  allMembers: t.field({
    ...memberEdge,
    description: `The members of the project and of the groups above it, in the order in which they were added. ${highest}`,
    select: { id: true, namespace: { select: { ancestorIds: true } } },
    resolve: ({ id, namespace }, args, ctx) =>
      ctx.viewer &&
      listMembers(args, ctx, ofInheritingSource({ kind: 'project', id, ...namespace })),
  }),
  member: t.prismaField({
    ...singleMember,
    description:
      'The direct membership of a user. Null if the user is no direct member, and for an anonymous user.',
    resolve: (query, { id }, { userId }, ctx, info) =>
      firstVisible(query, info, async () => oneMember('project', id, userId, ctx)),
  }),
}));

builder.prismaObjectField(Group, 'members', (t) =>
  t.field({
    ...memberEdge,
    description:
      'The direct members of the group, in the order in which they were added. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ctx.viewer && listMembers(args, ctx, ofSource({ kind: 'group', id })),
  }),
);

builder.prismaObjectField(Group, 'allMembers', (t) =>
  t.field({
    ...memberEdge,
    description: `The members of the group and of the groups above it, in the order in which they were added. ${highest}`,
    select: { id: true, ancestorIds: true },
    resolve: ({ id, ancestorIds }, args, ctx) =>
      ctx.viewer && listMembers(args, ctx, ofInheritingSource({ kind: 'group', id, ancestorIds })),
  }),
);

builder.prismaObjectField(Group, 'member', (t) =>
  t.prismaField({
    ...singleMember,
    description:
      'The direct membership of a user. Null if the user is no direct member, and for an anonymous user.',
    resolve: (query, { id }, { userId }, ctx, info) =>
      firstVisible(query, info, async () => oneMember('group', id, userId, ctx)),
  }),
);

builder.prismaObjectField(Member, 'project', (t) =>
  t.relation('project', {
    nullable: true,
    description: 'The project of the membership; null for a member of a group.',
  }),
);

builder.prismaObjectField(Namespace, 'projects', (t) =>
  t.field({
    ...projectEdge,
    description: 'The projects of the namespace itself that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      listProjects(args, ctx, {
        id,
        condition: (namespaceId) => Prisma.sql`namespace_id = ${namespaceId}`,
      }),
  }),
);
