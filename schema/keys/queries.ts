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

builder.queryFields((t) => ({
  sshKeys: t.field({
    type: SshKeyPage,
    description: "The viewer's keys, or those of the user that an administrator names.",
    complexity: listingCost,
    args: { ...pageArgs, userId: t.arg.int() },
    resolve: async (_root, { userId, ...page }, ctx) =>
      keyPage(await findKeyOwner(userId, ctx), page, ctx),
  }),
  sshKey: t.prismaField({
    type: SshKey,
    args: { userId: t.arg.int(), id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { userId, id }, ctx) => {
      const where = { id, userId: await findKeyOwner(userId, ctx) };
      return orThrow(ctx.db.key.findFirst({ ...query, where }), keyNotFound);
    },
  }),
  registeredKey: t.prismaField({
    type: SshKey,
    description: 'A key of any user, or a deploy key, with its owner; for administrators.',
    args: { id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { id }, ctx) => {
      requireKeyAdministrator(ctx);
      return orThrow(ctx.db.key.findUnique({ ...query, where: { id } }), keyNotFound);
    },
  }),
  allDeployKeys: t.field({
    type: SshKeyPage,
    description: 'Those of all projects, for administrators.',
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
    complexity: listingCost,
    args: { ...pageArgs, project: t.arg.id({ required: true }) },
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
    args: { project: t.arg.id({ required: true }), id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { project, id: keyId }, ctx) => {
      const where = { projectId: (await findDeployKeyProject(project, ctx)).id, keyId };
      return orThrow(ctx.db.deployKeyProject.findFirst({ ...query, where }), deployKeyNotFound);
    },
  }),
}));
