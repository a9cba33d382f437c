import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { done, orThrow } from '../kernel/results.ts';
import {
  cancelJob,
  deleteArtifacts,
  eraseJob,
  keepArtifacts,
  playJob,
  retryJobFor,
} from './change.ts';
import { Job } from './types.ts';

const jobArgs = builder.args((t) => ({
  project: t.id({ required: true }),
  id: t.int({ required: true }),
}));

/** A change that returns the id of the job to show: the given one, or the row that replaced it. */
type Change = (project: string, id: number, ctx: Context) => Promise<number>;

const jobMutation = (name: string, description: string, change: Change) =>
  builder.mutationField(name, (t) =>
    t.prismaField({
      type: Job,
      description,
      args: jobArgs,
      resolve: async (query, _root, { project, id }, ctx) => {
        const shown = await change(project, id, ctx);
        return orThrow(ctx.db.job.findUnique({ ...query, where: { id: shown } }), recordNotFound);
      },
    }),
  );

jobMutation('cancelJob', 'Cancels what has not ended; anything else stays as it is.', cancelJob);

jobMutation(
  'retryJob',
  'Tries again what has ended; gives the job it is from now on.',
  retryJobFor,
);

jobMutation('playJob', 'Starts a manual job.', playJob);

jobMutation('eraseJob', 'Removes trace and artifacts for good.', eraseJob);

jobMutation('keepArtifacts', 'Keeps the artifacts as long as the job.', keepArtifacts);

builder.mutationField('deleteArtifacts', (t) =>
  t.boolean({
    description: 'Removes the artifacts of a job for good, and leaves its trace.',
    args: jobArgs,
    resolve: (_root, { project, id }, ctx) => done(deleteArtifacts(project, id, ctx)),
  }),
);
