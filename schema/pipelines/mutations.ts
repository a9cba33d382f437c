import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { invalid, refuseFaults } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { pipelineVariableFaults } from '../variables/pipeline-variables.ts';
import { cancelPipeline } from './cancel.ts';
import { createPipeline } from './create.ts';
import { findRunnable } from './find.ts';
import { byPipeline } from './node.ts';
import { retryPipeline } from './retry.ts';
import { Pipeline } from './types.ts';
import { PipelineVariableInput } from './variables.ts';

const projectArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
}));

const idArgs = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the pipeline.' }),
}));

builder.mutationFields((t) => ({
  createPipeline: t.prismaField({
    type: Pipeline,
    description:
      'Creates and starts a pipeline by the CI file of a branch or tag. Developers who may push to or merge into the branch.',
    complexity: heavyCost,
    args: {
      ...projectArgs,
      ref: t.arg.string({
        required: true,
        description: 'The name of a branch or tag, also in full such as `refs/heads/master`.',
      }),
      variables: t.arg({
        type: [PipelineVariableInput],
        description:
          'Variables for the jobs, at most 100. They override those of the CI file, the project and its groups.',
      }),
    },
    resolve: async (query, _root, { project: place, ref, variables: pairs }, ctx) => {
      const project = await findRunnable(place, ctx);
      const variables = Object.fromEntries((pairs ?? []).map(({ key, value }) => [key, value]));
      refuseFaults({ variables: pipelineVariableFaults(variables) });
      const hasVariables = Object.keys(variables).length > 0;
      const input = {
        ref,
        source: 'api',
        user: signedIn(ctx),
        ...(hasVariables && { variables }),
      } as const;
      const created = await createPipeline(project, input, ctx);
      if ('refusal' in created) throw invalid({ base: [created.refusal] });
      return storedRecord(ctx, 'pipeline', created.id, query);
    },
  }),
  retryPipeline: t.prismaField({
    extensions: byPipeline,
    type: Pipeline,
    description:
      'Runs the failed and canceled jobs of a pipeline again. Developers who may push to or merge into the branch.',
    complexity: heavyCost,
    args: { ...projectArgs, ...idArgs },
    resolve: async (query, _root, { project: place, id }, ctx) =>
      storedRecord(ctx, 'pipeline', await retryPipeline(place, id, ctx), query),
  }),
  cancelPipeline: t.prismaField({
    extensions: byPipeline,
    type: Pipeline,
    description:
      'Cancels the unfinished jobs of a pipeline. Developers who may push to or merge into the branch.',
    args: { ...projectArgs, ...idArgs },
    resolve: async (query, _root, { project: place, id }, ctx) =>
      storedRecord(ctx, 'pipeline', await cancelPipeline(place, id, ctx), query),
  }),
}));
