import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { orThrow } from '../kernel/results.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordPage } from '../listing/record-page.ts';
import { recordsOn } from '../listing/records.ts';
import { User } from '../users/types.ts';
import {
  deployKeyNotFound,
  findDeployKeyProject,
  findKeyOwner,
  keyNotFound,
  requireKeyAdministrator,
} from './find.ts';
import { canManageKeys } from './policy.ts';
import { DeployKey, DeployKeyPage, SshKey, SshKeyPage } from './types.ts';

/** A page of the keys of a user. */
function keyPage(
  userId: number,
  page: PageArgs,
  ctx: Pick<Context, 'db'>,
): Page<typeof SshKey.$inferType> {
  const reader = readerOf(ctx, {
    table: 'keys',
    where: Prisma.sql`true`,
    column: 'id',
    direction: 'asc',
    page,
    parent: belongsTo('user_id', userId),
  });
  return {
    nodes: (query) => recordsOn(ctx, reader, 'key', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

builder.prismaObjectField(User, 'sshKeys', (t) =>
  t.field({
    type: SshKeyPage,
    nullable: true,
    description: 'The SSH keys of the user. Null except for the user and administrators.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ctx.viewer && canManageKeys(ctx.viewer, id) ? keyPage(id, page, ctx) : null,
  }),
);

const userArg = builder.args((t) => ({
  userId: t.int({
    description:
      'The id of the user; null for the current user. Only administrators may name another user.',
  }),
}));

const idArg = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the key.' }),
}));

const projectArg = builder.args((t) => ({
  project: t.id({ required: true, description: 'The id or full path of the project.' }),
}));

builder.queryFields((t) => ({
  sshKeys: t.field({
    type: SshKeyPage,
    description:
      'The SSH keys of a user, in the order in which they were added. The user and administrators.',
    complexity: listingCost,
    args: { ...pageArgs, ...userArg },
    resolve: async (_root, { userId, ...page }, ctx) =>
      keyPage(await findKeyOwner(userId, ctx), page, ctx),
  }),
  sshKey: t.prismaField({
    type: SshKey,
    description: 'An SSH key of a user. The user and administrators.',
    args: { ...userArg, ...idArg },
    resolve: async (query, _root, { userId, id }, ctx) => {
      const where = { id, userId: await findKeyOwner(userId, ctx) };
      return orThrow(ctx.db.key.findFirst({ ...query, where }), keyNotFound);
    },
  }),
  registeredKey: t.prismaField({
    type: SshKey,
    description: 'A key of any user, or a deploy key. Administrators only.',
    args: idArg,
    resolve: async (query, _root, { id }, ctx) => {
      requireKeyAdministrator(ctx);
      return orThrow(ctx.db.key.findUnique({ ...query, where: { id } }), keyNotFound);
    },
  }),
  allDeployKeys: t.field({
    type: SshKeyPage,
    description: 'The deploy keys of all projects, the oldest first. Administrators only.',
    complexity: listingCost,
    args: pageArgs,
    resolve: (_root, page, ctx) => {
      requireKeyAdministrator(ctx);
      return recordPage(
        ctx.db.key,
        { relationLoadStrategy: 'join', where: { userId: null }, orderBy: { id: 'asc' } },
        page,
      );
    },
  }),
  deployKeys: t.field({
    type: DeployKeyPage,
    description: 'The deploy keys of a project, the oldest first. Masters of the project only.',
    complexity: listingCost,
    args: { ...pageArgs, ...projectArg },
    resolve: async (_root, { project, ...page }, ctx) => {
      const where = { projectId: (await findDeployKeyProject(project, ctx)).id };
      return recordPage(
        ctx.db.deployKeyProject,
        { relationLoadStrategy: 'join', where, orderBy: { keyId: 'asc' } },
        page,
      );
    },
  }),
  deployKey: t.prismaField({
    type: DeployKey,
    description: 'A deploy key of a project. Masters of the project only.',
    args: { ...projectArg, ...idArg },
    resolve: async (query, _root, { project, id: keyId }, ctx) => {
      const where = { projectId: (await findDeployKeyProject(project, ctx)).id, keyId };
      return orThrow(ctx.db.deployKeyProject.findFirst({ ...query, where }), deployKeyNotFound);
    },
  }),
}));
