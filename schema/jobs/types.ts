import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { pageType } from '../listing/page-types.ts';
import { CiStatus } from '../pipelines/types.ts';
import { ArtifactsFile, artifactsOf } from './artifacts.ts';
import { commitOfJob, commitSelection } from './commits.ts';
import { permissionFactsIn } from './permission-facts.ts';
import {
  canChangeJob,
  canEraseJobs,
  isCancelable,
  isErasable,
  isPlayable,
  isRetryable,
} from './policy.ts';

export const jobFailures = [
  'script_failure',
  'runner_system_failure',
  'stuck_or_timeout_failure',
  'missing_dependency_failure',
  'unknown_failure',
] as const;

const JobFailure = builder.enumType('JobFailure', {
  description: 'Why a job failed.',
  values: jobFailures,
});

const placed = { projectId: true, pipeline: { select: { ref: true, isTag: true } } } as const;

const decisive = {
  ...placed,
  status: true,
  when: true,
  isRetried: true,
  traceSize: true,
  artifactsFile: true,
} as const;

interface PlacedJob {
  readonly projectId: number;
  readonly pipeline: { readonly ref: string; readonly isTag: boolean };
}

async function mayChange({ projectId, pipeline }: PlacedJob, ctx: Context): Promise<boolean> {
  const standing = ctx.viewer && (await permissionFactsIn(projectId, ctx));
  return standing !== null && canChangeJob(pipeline, standing);
}

export const Job = builder.prismaObject('Job', {
  description: 'A script that a runner runs for a pipeline. Tried again it is a further one.',
  // the definition is for runners, and may be long
  select: { id: true },
  fields: (t) => ({
    id: t.exposeInt('id'),
    projectId: t.exposeInt('projectId'),
    project: t.relation('project'),
    name: t.exposeString('name'),
    stage: t.exposeString('stage'),
    status: t.expose('status', { type: CiStatus }),
    ref: t.string({
      select: { pipeline: { select: { ref: true } } },
      resolve: ({ pipeline }) => pipeline.ref,
    }),
    isTag: t.boolean({
      select: { pipeline: { select: { isTag: true } } },
      resolve: ({ pipeline }) => pipeline.isTag,
    }),
    isAllowedToFail: t.exposeBoolean('isAllowedToFail'),
    /** `on_success`, `on_failure`, `always` or `manual`. */
    when: t.exposeString('when'),
    /** Replaced by a retry. */
    isRetried: t.exposeBoolean('isRetried'),
    /** The tags that a runner must have. */
    tags: t.exposeStringList('tags'),
    failure: t.expose('failure', { type: JobFailure, nullable: true }),
    /** Per cent. */
    coverage: t.exposeFloat('coverage', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    queuedAt: t.expose('queuedAt', { type: 'DateTime', nullable: true }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    erasedAt: t.expose('erasedAt', { type: 'DateTime', nullable: true }),
    duration: t.float({
      description: 'Seconds it ran, until now if it still does; null before it began.',
      nullable: true,
      select: { startedAt: true, finishedAt: true },
      resolve: ({ startedAt, finishedAt }) =>
        startedAt && ((finishedAt ?? new Date()).getTime() - startedAt.getTime()) / 1000,
    }),
    /** The user it runs for; null: an external service, or a deleted user. */
    user: t.relation('user', { nullable: true }),
    pipeline: t.relation('pipeline'),
    /** The runner that it was assigned to. */
    runner: t.relation('runner', { nullable: true }),
    commit: t.field({
      type: Commit,
      nullable: true,
      select: commitSelection,
      resolve: (job, _args, ctx) => commitOfJob(job, ctx),
    }),
    webUrl: t.string({
      select: { project: { select: { fullPath: true } } },
      resolve: ({ id, project }, _args, { baseUrl }) =>
        `${baseUrl}/${project.fullPath}/-/jobs/${id}`,
    }),
    /** Bytes of the stored trace. */
    traceSize: t.exposeInt('traceSize'),
    artifactsFile: t.field({
      type: ArtifactsFile,
      description: 'What it left to be fetched; null when that is nothing, or kept no longer.',
      nullable: true,
      select: { artifactsFile: true, artifactsSize: true, artifactsExpireAt: true },
      resolve: artifactsOf,
    }),
    canRetry: t.boolean({
      description: 'Whether the viewer may try it again.',
      select: decisive,
      resolve: async (job, _args, ctx) => isRetryable(job) && mayChange(job, ctx),
    }),
    canCancel: t.boolean({
      select: decisive,
      resolve: async (job, _args, ctx) => isCancelable(job) && mayChange(job, ctx),
    }),
    canPlay: t.boolean({
      description: 'Whether it is a manual job that the viewer may start.',
      select: decisive,
      resolve: async (job, _args, ctx) => isPlayable(job) && mayChange(job, ctx),
    }),
    canErase: t.boolean({
      description: 'Whether the viewer may remove its trace and artifacts for good.',
      select: { ...decisive, userId: true },
      resolve: async (job, _args, ctx) => {
        if (!ctx.viewer || !isErasable(job) || !(await mayChange(job, ctx))) return false;
        const standing = await permissionFactsIn(job.projectId, ctx);
        return standing !== null && canEraseJobs(ctx.viewer.id, standing.level, job.userId);
      },
    }),
  }),
});

export const JobPage = pageType('Job', Job);
