import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { textCost } from '../kernel/cost.ts';
import { badUserInput, recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { changesOf, updatesOf } from '../kernel/updates.ts';
import { findPipelineProject } from '../pipelines/find.ts';
import { CiStatus } from '../pipelines/types.ts';
import { byJobId, updatesByJob } from './node.ts';
import { eventsOf, readPiece, type TraceCursor, type TracePiece } from './trace-pieces.ts';
import { Job } from './types.ts';

/** A job that the viewer may see. */
async function findJob(ref: string, id: number, ctx: Context) {
  const { id: projectId } = await findPipelineProject(ref, ctx);
  const where = { id, projectId };
  const select = { id: true, projectId: true, status: true } as const;
  return orThrow(ctx.db.job.findFirst({ where, select }), recordNotFound);
}

const jobArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project, by id or full path.' }),
  job: t.int({ required: true, description: 'The id of the job.' }),
}));

const TraceAppended = builder.objectRef<TracePiece>('TraceAppended').implement({
  description: 'A piece of the trace (log) of a job, and the status of the job.',
  fields: (t) => ({
    jobId: t.int({
      description:
        'The id of the job that wrote the trace. `node` finds the job, and `jobUpdated` follows its other changes.',
      resolve: ({ jobId }) => jobId,
    }),
    status: t.expose('status', {
      type: CiStatus,
      description: 'The status of the job when the piece was read.',
    }),
    offset: t.exposeInt('offset', { description: 'Where the text begins in the trace, in bytes.' }),
    text: t.exposeString('text', {
      complexity: textCost,
      description:
        'The new text with its terminal sequences, at most 64 KiB; empty if only the status changed. Invalid UTF-8 is replaced by U+FFFD.',
    }),
    nextOffset: t.exposeInt('nextOffset', {
      description: 'Where the next piece begins, in bytes: the `offset` to subscribe with again.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'Whether the job has ended and this is the end of its trace; the stream ends.',
    }),
  }),
});

builder.subscriptionFields((t) => ({
  jobUpdated: t.prismaField({
    extensions: updatesByJob,
    type: Job,
    description:
      'A job at once, and after each change of its status, runner, coverage or artifacts. Changes in quick succession are one event.',
    args: jobArgs,
    subscribe: async (_root, { project, job }, ctx) => {
      const { id, projectId } = await findJob(project, job, ctx);
      return updatesOf([`job ${id}`], { projectId }, ctx);
    },
    resolve: async (query, { projectId }, { job: id }, ctx) => {
      await findPipelineProject(String(projectId), ctx);
      return orThrow(ctx.db.job.findFirst({ ...query, where: { id, projectId } }), recordNotFound);
    },
  }),
  jobTraceAppended: t.field({
    extensions: byJobId,
    type: TraceAppended,
    description:
      'The trace of a job from `offset`, in pieces: what is stored at once, then what the runner adds, at most twice a second. Ends when the job has ended.',
    args: {
      ...jobArgs,
      offset: t.arg.int({
        defaultValue: 0,
        description: 'The byte of the trace to begin with; 0 is the beginning.',
      }),
    },
    subscribe: async (_root, { project, job, offset }, ctx) => {
      const start = offset ?? 0;
      if (start < 0) throw badUserInput({ offset: ['must not be negative'] });
      const { id, projectId } = await findJob(project, job, ctx);
      const cursor: TraceCursor = { id, projectId, offset: start, state: 'waiting' };
      return eventsOf(cursor, await changesOf([`trace ${id}`, `job ${id}`], ctx));
    },
    resolve: async (cursor, _args, ctx) => {
      // the status first: what a finished job wrote is stored by then
      const job = await findJob(String(cursor.projectId), cursor.id, ctx);
      const { hasMore, ...piece } = await readPiece(job, cursor.offset, ctx);
      cursor.offset = piece.nextOffset;
      cursor.state = piece.isComplete ? 'complete' : hasMore ? 'more' : 'waiting';
      return piece;
    },
  }),
}));
