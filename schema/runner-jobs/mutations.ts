import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { CiStatus } from '../pipelines/types.ts';
import { RunnerInfoInput } from '../runners/touch.ts';
import { requestJob } from './assign-job.ts';
import { reportJob } from './report.ts';
import { JobRequestResultType } from './types.ts';

builder.mutationFields((t) => ({
  requestJob: t.field({
    extensions: internal,
    type: JobRequestResultType,
    description: 'Assigns the next matching job, if any, to the runner with this token.',
    args: {
      token: t.arg.string({ required: true }),
      info: t.arg({ type: RunnerInfoInput }),
      lastUpdate: t.arg.string(),
    },
    resolve: (_root, { token, info, lastUpdate }, ctx) =>
      requestJob({ token, info: info ?? {}, lastUpdate }, ctx),
  }),
  reportJob: t.field({
    extensions: internal,
    type: CiStatus,
    description:
      'Records the state that a runner reports, with the token of the job; returns the status.',
    args: {
      id: t.arg.int({ required: true }),
      token: t.arg.string({ required: true }),
      state: t.arg.string(),
      failureReason: t.arg.string(),
      trace: t.arg.string(),
    },
    resolve: (_root, report, ctx) => reportJob(report, ctx),
  }),
}));
