import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import { byPipeline } from '../pipelines/node.ts';
import {
  cancelJob,
  deleteArtifacts,
  eraseJob,
  keepArtifacts,
  playJob,
  retryJobFor,
} from './change.ts';
import { deletePipeline } from './delete-pipeline.ts';
import { byJob } from './node.ts';
import { Job } from './types.ts';

const jobArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  id: t.int({ required: true, description: 'The id of the job.' }),
}));

/** A change that returns the id of the job to show: the given one, or the row that replaced it. */
type Change = (project: string, id: number, ctx: Context) => Promise<number>;

const jobMutation = (name: string, description: string, change: Change) =>
  builder.mutationField(name, (t) =>
    t.prismaField({
      type: Job,
      description,
      extensions: byJob,
      args: jobArgs,
      resolve: async (query, _root, { project, id }, ctx) => {
        const shown = await change(project, id, ctx);
        return storedRecord(ctx, 'job', shown, query);
      },
    }),
  );

jobMutation(
  'cancelJob',
  'Cancels a job; a finished one stays as it is. Developers who may push to or merge into the branch.',
  cancelJob,
);

jobMutation(
  'retryJob',
  'Runs a finished job again and returns the new job. Developers who may push to or merge into the branch.',
  retryJobFor,
);

jobMutation(
  'playJob',
  'Starts a manual job. Developers who may push to or merge into the branch.',
  playJob,
);

jobMutation(
  'eraseJob',
  'Deletes the trace and the artifacts of a finished job. Masters and the user who started it may do it.',
  eraseJob,
);

jobMutation(
  'keepArtifacts',
  'Keeps the artifacts of a job as long as the job, without expiry. Developers who may push to or merge into the branch.',
  keepArtifacts,
);

jobMutation(
  'deleteArtifacts',
  'Deletes the artifacts of a job, but not its trace. Masters and the user who started the job may do it.',
  async (project, id, ctx) => done(deleteArtifacts(project, id, ctx), id),
);

builder.mutationField('deletePipeline', (t) =>
  t.field({
    type: 'ID',
    extensions: { ...byPipeline, identifies: 'Pipeline' },
    description:
      'Deletes a pipeline with its jobs, their traces and artifacts. Unfinished jobs are canceled. Requires the access level OWNER; no user may do it in an archived project.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      id: t.arg.int({ required: true, description: 'The id of the pipeline.' }),
    },
    resolve: (_root, { project, id }, ctx) => done(deletePipeline(project, id, ctx), id),
  }),
);
