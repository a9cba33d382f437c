import { ArtifactsFile } from '../jobs/artifacts.ts';
import { Artifacts } from '../jobs/queries.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { CiStatus } from '../pipelines/types.ts';
import { appendTrace, type TraceAppended } from './append-trace.ts';
import { findArtifactsByToken, findLeaving, keepArtifactsOf } from './artifacts.ts';

const TraceEnd = builder.objectRef<TraceAppended>('TraceEnd').implement({
  description: 'How far the trace of a job is kept.',
  fields: (t) => ({
    size: t.exposeInt('size', { description: 'Bytes.' }),
    isInPlace: t.exposeBoolean('isInPlace', {
      description: 'False: the piece did not begin where the trace ends, and was not kept.',
    }),
    status: t.expose('status', { type: CiStatus, description: 'What the job is by now.' }),
  }),
});

/** Arguments that identify a job by its token. */
const jobArgs = builder.args((t) => ({
  id: t.int({ required: true }),
  token: t.string(),
}));

builder.mutationField('appendTrace', (t) =>
  t.field({
    extensions: internal,
    type: TraceEnd,
    description: 'Appends to the trace of a job what its runner sends of it.',
    args: {
      ...jobArgs,
      /** `start-end`; only the start counts. */
      range: t.arg.string(),
      piece: t.arg({ type: 'Bytes', required: true }),
    },
    resolve: (_root, { id, token, range, piece }, ctx) =>
      appendTrace(id, token, { range, bytes: piece }, ctx),
  }),
);

builder.queryField('canLeaveArtifacts', (t) =>
  t.boolean({
    extensions: internal,
    description: 'True if a runner may send the archive of its job; an error otherwise.',
    args: { ...jobArgs, size: t.arg.int() },
    resolve: (_root, { id, token, size }, ctx) => done(findLeaving(id, token, size, ctx)),
  }),
);

builder.mutationField('leaveArtifacts', (t) =>
  t.field({
    extensions: internal,
    type: ArtifactsFile,
    description: 'Keeps the archive of a running job.',
    args: {
      ...jobArgs,
      file: t.arg({ type: 'Upload' }),
      /** E.g. `1 week`. */
      expireIn: t.arg.string(),
    },
    resolve: (_root, { id, token, file, expireIn }, ctx) =>
      keepArtifactsOf(id, token, { file, expireIn }, ctx),
  }),
);

builder.queryField('artifactsForJob', (t) =>
  t.field({
    extensions: internal,
    type: Artifacts,
    description: 'The artifacts of a job, for the caller with the token of that job.',
    args: jobArgs,
    resolve: (_root, { id, token }, ctx) => findArtifactsByToken(id, token, ctx),
  }),
);
