import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { endingWith } from '../kernel/public.ts';
import { done, orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { recordById } from '../listing/records.ts';
import { addDeployKey, enableDeployKey, removeDeployKey, updateDeployKey } from './deploy.ts';
import {
  deployKeyNotFound,
  findDeployKeyProject,
  findKeyOwnerInPerson,
  keyNotFound,
} from './find.ts';
import { byKey } from './node.ts';
import { addKey, removeKey } from './own.ts';
import { DeployKey, SshKey } from './types.ts';

const userArgs = builder.args((t) => ({
  userId: t.int({
    description:
      'The id of the user; null for the current user. Only administrators may name another user.',
  }),
}));

const keyArgs = builder.args((t) => ({
  title: t.string({ required: true, description: 'The title.' }),
  key: t.string({
    required: true,
    description: 'The public key, as a line in the format of OpenSSH.',
  }),
}));

builder.mutationFields((t) => ({
  createSshKey: t.prismaField({
    type: SshKey,
    description: 'Creates an SSH key of a user.',
    args: {
      ...userArgs,
      ...keyArgs,
      expiresAt: t.arg({
        type: 'DateTime',
        description: 'When the key expires; null: never. It must be in the future.',
      }),
    },
    resolve: async (query, _root, { userId, ...key }, ctx) => {
      const id = await addKey(await findKeyOwnerInPerson(userId, ctx), key, ctx);
      return orThrow(recordById(ctx, 'key', id, query), keyNotFound);
    },
  }),
  deleteSshKey: t.id({
    extensions: { ...byKey, identifies: 'SshKey' },
    description: 'Deletes an SSH key of a user.',
    args: { ...userArgs, id: t.arg.int({ required: true, description: 'The id of the SSH key.' }) },
    resolve: async (_root, { userId, id }, ctx) =>
      done(removeKey(await findKeyOwnerInPerson(userId, ctx), id, ctx), id),
  }),
}));

const projectArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
}));

const deployKeyArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  sshKeyId: t.int({ required: true, description: 'The key.' }),
}));

const pushArgs = builder.args((t) => ({
  canPush: t.boolean({
    description: 'Whether the deploy key may push.',
    extensions: endingWith({ creating: 'Default: false.' }),
  }),
}));

builder.mutationFields((t) => ({
  addDeployKey: t.prismaField({
    type: DeployKey,
    description:
      'Adds a deploy key to a project; an existing key is enabled. Requires the access level MASTER or higher.',
    args: {
      ...projectArgs,
      ...keyArgs,
      ...pushArgs,
    },
    resolve: async (query, _root, { project: ref, ...key }, ctx) => {
      const project = await findDeployKeyProject(ref, ctx);
      const keyId = await addDeployKey(project.id, key, signedIn(ctx), ctx);
      return reload(query, { projectId: project.id, keyId }, ctx);
    },
  }),
  enableDeployKey: t.prismaField({
    type: DeployKey,
    description:
      'Enables a deploy key of another project in a project. Requires the access level MASTER or higher.',
    args: deployKeyArgs,
    resolve: async (query, _root, { project: ref, sshKeyId: keyId }, ctx) => {
      const project = await findDeployKeyProject(ref, ctx);
      await enableDeployKey(project.id, keyId, signedIn(ctx), ctx);
      return reload(query, { projectId: project.id, keyId }, ctx);
    },
  }),
  updateDeployKey: t.prismaField({
    type: DeployKey,
    description:
      'Changes a deploy key in a project; absent fields stay as they are. Requires the access level MASTER or higher.',
    args: {
      ...deployKeyArgs,
      title: t.arg.string({ description: 'The new title.' }),
      ...pushArgs,
    },
    resolve: async (query, _root, { project: ref, sshKeyId: keyId, ...change }, ctx) => {
      const project = await findDeployKeyProject(ref, ctx);
      await updateDeployKey(project.id, keyId, change, signedIn(ctx), ctx);
      return reload(query, { projectId: project.id, keyId }, ctx);
    },
  }),
  removeDeployKey: t.id({
    extensions: { identifies: 'SshKey' },
    description: 'Removes a deploy key from a project. Requires the access level MASTER or higher.',
    args: deployKeyArgs,
    resolve: async (_root, { project, sshKeyId: keyId }, ctx) =>
      done(removeDeployKey((await findDeployKeyProject(project, ctx)).id, keyId, ctx), keyId),
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
