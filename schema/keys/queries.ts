import { Prisma } from '../../prisma/client.ts';
import { Admin } from '../administration/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { describeModel } from '../listing/described.ts';
import { belongsTo, type Parent } from '../listing/listing.ts';
import { listingCost, type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { pageOfRecords, recordById } from '../listing/records.ts';
import { User } from '../users/types.ts';
import { listDeployKeys } from './deploy-key-edges.ts';
import {
  deployKeyNotFound,
  findDeployKeyProject,
  findKeyOwner,
  keyNotFound,
  requireKeyAdministrator,
} from './find.ts';
import { canManageKeys } from './policy.ts';
import { sharableKeys } from './sharable.ts';
import { DeployKey, DeployKeyPage, SshKey, SshKeyPage } from './types.ts';

describeModel('Key', {
  computed: { fingerprint: ['fingerprint'], md5Fingerprint: ['key'] },
});

/** A page of the keys that match, the oldest first. */
const keysWhere = (
  where: Prisma.Sql,
  page: PageArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
  parent?: Parent,
): Page<typeof SshKey.$inferType> =>
  pageOfRecords(ctx, {
    table: 'keys',
    where,
    column: 'id',
    direction: 'asc',
    page,
    ...(parent && { parent }),
  });

/** A page of the keys of a user. */
const keyPage = (userId: number, page: PageArgs, ctx: Pick<Context, 'db' | 'viewer'>) =>
  keysWhere(Prisma.sql`true`, page, ctx, belongsTo('user_id', userId));

/** A page of the deploy keys of all projects. */
const allDeployKeys = (page: PageArgs, ctx: Pick<Context, 'db' | 'viewer'>) =>
  keysWhere(Prisma.sql`user_id IS NULL`, page, ctx);

builder.prismaObjectField(User, 'sshKeys', (t) =>
  t.field({
    type: SshKeyPage,
    nullable: true,
    description:
      'The SSH keys of the user, in the order in which they were added. Null except for the user and administrators.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ctx.viewer && canManageKeys(ctx.viewer, id) ? keyPage(id, page, ctx) : null,
  }),
);

builder.objectField(Admin, 'deployKeys', (t) =>
  t.field({
    type: SshKeyPage,
    description:
      'The SSH keys that are deploy keys of any project, the oldest first. A key of several projects is listed once; `Project.deployKeys` has the rights of a key in one project.',
    complexity: listingCost,
    args: pageArgs,
    resolve: (_admin, page, ctx) => allDeployKeys(page, ctx),
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
  project: t.id({ required: true, description: 'The project.' }),
}));

builder.queryFields((t) => ({
  sshKeys: t.field({
    type: SshKeyPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, ...userArg },
    resolve: async (_root, { userId, ...page }, ctx) =>
      keyPage(await findKeyOwner(userId, ctx), page, ctx),
  }),
  sshKey: t.prismaField({
    type: SshKey,
    extensions: internal,
    args: { ...userArg, ...idArg },
    resolve: async (query, _root, { userId, id }, ctx) => {
      const where = { id, userId: await findKeyOwner(userId, ctx) };
      return orThrow(ctx.db.key.findFirst({ ...query, where }), keyNotFound);
    },
  }),
  registeredKey: t.prismaField({
    type: SshKey,
    extensions: internal,
    args: idArg,
    resolve: async (query, _root, { id }, ctx) => {
      requireKeyAdministrator(ctx);
      return orThrow(recordById(ctx, 'key', id, query), keyNotFound);
    },
  }),
  allDeployKeys: t.field({
    type: SshKeyPage,
    extensions: internal,
    complexity: listingCost,
    args: pageArgs,
    resolve: (_root, page, ctx) => {
      requireKeyAdministrator(ctx);
      return allDeployKeys(page, ctx);
    },
  }),
  deployKeys: t.field({
    type: DeployKeyPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, ...projectArg },
    resolve: async (_root, { project, ...page }, ctx) =>
      listDeployKeys((await findDeployKeyProject(project, ctx)).id, page, ctx),
  }),
  sharableDeployKeys: t.field({
    type: SshKeyPage,
    extensions: internal,
    description:
      'The deploy keys of other projects that the current user may enable in a project: those of projects in which the user is a master, all for administrators.',
    complexity: listingCost,
    args: { ...pageArgs, ...projectArg },
    resolve: async (_root, { project, ...page }, ctx) => {
      const { id } = await findDeployKeyProject(project, ctx);
      return keysWhere(sharableKeys(id, signedIn(ctx)), page, ctx);
    },
  }),
  deployKey: t.prismaField({
    type: DeployKey,
    extensions: internal,
    args: { ...projectArg, ...idArg },
    resolve: async (query, _root, { project, id: keyId }, ctx) => {
      const where = { projectId: (await findDeployKeyProject(project, ctx)).id, keyId };
      return orThrow(ctx.db.deployKeyProject.findFirst({ ...query, where }), deployKeyNotFound);
    },
  }),
}));
