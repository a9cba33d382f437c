import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import { createEnvironment, deleteEnvironment, updateEnvironment } from './change.ts';
import { byEnvironment } from './node.ts';
import { stopEnvironment } from './stop.ts';
import { Environment } from './types.ts';

const environmentArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  id: t.int({ required: true, description: 'The id of the environment.' }),
}));

const environmentName = 'The name: letters, digits, spaces, dashes, underscores, slashes and dots.';
const externalUrl = 'Where users reach what is deployed, a URL of http or https.';

builder.mutationFields((t) => ({
  createEnvironment: t.prismaField({
    type: Environment,
    description:
      'Creates an environment; a job with an environment does so, too. Requires the access level DEVELOPER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      name: t.arg.string({
        required: true,
        description: environmentName,
      }),
      externalUrl: t.arg.string({ description: externalUrl }),
    },
    resolve: async (query, _root, { project, name, externalUrl: url }, ctx) => {
      const id = await createEnvironment(project, { name, externalUrl: url ?? null }, ctx);
      return storedRecord(ctx, 'environment', id, query);
    },
  }),
  updateEnvironment: t.prismaField({
    extensions: byEnvironment,
    type: Environment,
    description:
      'Changes an environment; its slug stays. Requires the access level MASTER or higher.',
    args: {
      ...environmentArgs,
      name: t.arg.string({ description: environmentName }),
      externalUrl: t.arg.string({ description: `${externalUrl} Null clears it.` }),
    },
    resolve: async (query, _root, { project, id, ...changes }, ctx) => {
      await updateEnvironment(project, id, given(changes, ['externalUrl']), ctx);
      return storedRecord(ctx, 'environment', id, query);
    },
  }),
  stopEnvironment: t.prismaField({
    extensions: byEnvironment,
    type: Environment,
    description:
      'Stops an environment and starts its `on_stop` job in the name of the current user. Requires the access level DEVELOPER and the permission to start that job; without such a job the access level MASTER.',
    args: environmentArgs,
    resolve: async (query, _root, { project, id }, ctx) => {
      await stopEnvironment(project, id, ctx);
      return storedRecord(ctx, 'environment', id, query);
    },
  }),
  deleteEnvironment: t.id({
    extensions: { ...byEnvironment, identifies: 'Environment' },
    description:
      'Deletes an environment with its deployments. Requires the access level MASTER or higher.',
    args: environmentArgs,
    resolve: (_root, { project, id }, ctx) => done(deleteEnvironment(project, id, ctx), id),
  }),
}));
