import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { done, orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { addDeployKey, enableDeployKey, removeDeployKey, updateDeployKey } from './deploy.ts';
import { deployKeyNotFound, findDeployKeyProject, findKeyOwner, keyNotFound } from './find.ts';
import { addKey, removeKey } from './own.ts';
import { DeployKey, SshKey } from './types.ts';

const userArgs = builder.args((t) => ({
  /** Defaults to the viewer; only administrators may name another user. */
  userId: t.int(),
}));

const keyArgs = builder.args((t) => ({
  title: t.string({ required: true }),
  /** A line in OpenSSH format. */
  key: t.string({ required: true }),
}));

builder.mutationFields((t) => ({
  addSshKey: t.prismaField({
    type: SshKey,
    args: { ...userArgs, ...keyArgs },
    resolve: async (query, _root, { userId, ...key }, ctx) => {
      const id = await addKey(await findKeyOwner(userId, ctx), key, ctx);
      return orThrow(ctx.db.key.findUnique({ ...query, where: { id } }), keyNotFound);
    },
  }),
  removeSshKey: t.boolean({
    args: { ...userArgs, id: t.arg.int({ required: true }) },
    resolve: async (_root, { userId, id }, ctx) =>
      done(removeKey(await findKeyOwner(userId, ctx), id, ctx)),
  }),
}));

const projectArgs = builder.args((t) => ({ project: t.id({ required: true }) }));

const deployKeyArgs = builder.args((t) => ({
  project: t.id({ required: true }),
  id: t.int({ required: true }),
}));

builder.mutationFields((t) => ({
  addDeployKey: t.prismaField({
    type: DeployKey,
    args: { ...projectArgs, ...keyArgs, canPush: t.arg.boolean() },
    resolve: async (query, _root, { project: ref, ...key }, ctx) => {
      const project = await findDeployKeyProject(ref, ctx);
      const keyId = await addDeployKey(project.id, key, signedIn(ctx), ctx);
      return reload(query, { projectId: project.id, keyId }, ctx);
    },
  }),
  enableDeployKey: t.prismaField({
    type: DeployKey,
    args: deployKeyArgs,
    resolve: async (query, _root, { project: ref, id: keyId }, ctx) => {
      const project = await findDeployKeyProject(ref, ctx);
      await enableDeployKey(project.id, keyId, signedIn(ctx), ctx);
      return reload(query, { projectId: project.id, keyId }, ctx);
    },
  }),
  updateDeployKey: t.prismaField({
    type: DeployKey,
    args: { ...deployKeyArgs, title: t.arg.string(), canPush: t.arg.boolean() },
    resolve: async (query, _root, { project: ref, id: keyId, ...change }, ctx) => {
      const project = await findDeployKeyProject(ref, ctx);
      await updateDeployKey(project.id, keyId, change, ctx);
      return reload(query, { projectId: project.id, keyId }, ctx);
    },
  }),
  removeDeployKey: t.boolean({
    args: deployKeyArgs,
    resolve: async (_root, { project, id }, ctx) =>
      done(removeDeployKey((await findDeployKeyProject(project, ctx)).id, id, ctx)),
  }),
}));

/** A deploy key that was just written; throws if it has been removed in between. */
async function reload(
  query: object,
  which: { readonly projectId: number; readonly keyId: number },
  { db }: Pick<Context, 'db'>,
) {
  const where = { projectId_keyId: which };
  return orThrow(db.deployKeyProject.findUnique({ ...query, where }), deployKeyNotFound);
}
