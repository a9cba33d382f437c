import { builder } from '../kernel/builder.ts';
import { ifVisible } from '../kernel/results.ts';
import { pipelineProjectById } from '../pipelines/find.ts';
import { canSeePipelines } from '../pipelines/policy.ts';
import { projectById } from '../projects/find.ts';
import { artifactsOf } from './artifacts.ts';
import { Job } from './types.ts';

const addressOf = (
  { id, projectId }: { readonly id: number; readonly projectId: number },
  file: 'trace' | 'artifacts',
  baseUrl: string,
): string => `${baseUrl}/api/v4/projects/${projectId}/jobs/${id}/${file}`;

builder.prismaObjectFields(Job, (t) => ({
  traceUrl: t.field({
    type: 'URL',
    nullable: true,
    description:
      'The address of the whole trace (log), for a request with the same token; of a running job, the trace so far. Null if the job has no trace, for an anonymous user, and for a user who may not see the job.',
    select: { id: true, projectId: true, status: true, traceSize: true },
    resolve: ({ status, traceSize, ...job }, _args, ctx) =>
      // the record of a running job does not count its latest output yet
      traceSize > 0 || status === 'running'
        ? ifVisible(async () => {
            await pipelineProjectById(job.projectId, ctx);
            return addressOf(job, 'trace', ctx.baseUrl);
          })
        : null,
  }),
  artifactsUrl: t.field({
    type: 'URL',
    nullable: true,
    description:
      'The address of the archive of its artifacts, for a request with the same token. Null if the job has none, if they have expired, and for a user who may not download them.',
    select: {
      id: true,
      projectId: true,
      artifactsFile: true,
      artifactsSize: true,
      artifactsExpireAt: true,
    },
    resolve: (job, _args, ctx) =>
      artifactsOf(job) &&
      ifVisible(async () => {
        const project = await projectById(job.projectId, ctx);
        return canSeePipelines(project.level, project)
          ? addressOf(job, 'artifacts', ctx.baseUrl)
          : null;
      }),
  }),
}));
