import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, type PageArgs, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import {
  deployKeyNotFound,
  findDeployKeyProject,
  findKeyOwner,
  keyNotFound,
  requireKeyAdministrator,
} from './find.ts';
import { DeployKey, DeployKeyPage, SshKey, SshKeyPage } from './types.ts';

/** A page of a user's keys, or of the deploy keys. */
const keyPage = (userId: number | null, page: PageArgs, { db }: Context) =>
  recordPage(
    db.key,
    { relationLoadStrategy: 'join', where: { userId }, orderBy: { id: 'asc' } },
    page,
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
      return keyPage(null, page, ctx);
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
