import { commitBySha, readableCommit } from '../commits/by-sha.ts';
import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { CiStatus } from '../pipelines/types.ts';
import { ArtifactsFile, artifactsOf } from './artifacts.ts';
import { permissionFactsIn } from './permission-facts.ts';
import {
  canChangeJob,
  canEraseJobs,
  isCancelable,
  isErasable,
  isPlayable,
  isRetryable,
} from './policy.ts';

const failures = {
  script_failure: { description: 'A command of its script failed.' },
  runner_system_failure: { description: 'The runner could not run it.' },
  stuck_or_timeout_failure: {
    description: 'It exceeded its timeout, or its runner stopped responding.',
  },
  missing_dependency_failure: {
    description: 'The artifacts of a job that it depends on no longer exist.',
  },
  unknown_failure: { description: 'The runner gave no known reason.' },
} as const;

export const jobFailures = Object.keys(failures) as (keyof typeof failures)[];

const JobFailure = builder.enumType('JobFailure', {
  description: 'Why a job failed.',
  values: failures,
});

const JobWhen = builder.enumType('JobWhen', {
  description: 'The condition, as in the CI file, on which a job runs after the earlier stages.',
  values: {
    on_success: { description: 'If no job of the earlier stages failed.' },
    on_failure: { description: 'If a job of the earlier stages failed.' },
    always: { description: 'However the earlier stages ended.' },
    manual: { description: 'When a user starts it.' },
  },
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

/** Seconds between two instants; an interval that has not ended is counted until now. */
const secondsBetween = (start: Date, end: Date | null): number =>
  ((end ?? new Date()).getTime() - start.getTime()) / 1000;

export const Job = builder.prismaObject('Job', {
  description: 'A script that a runner executes for a pipeline. A retry creates another job.',
  // the definition is for runners, and may be long
  select: { id: true },
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the job, unique in the service.' }),
    projectId: t.exposeInt('projectId', {
      extensions: internal,
      description: 'The id of its project.',
    }),
    project: t.relation('project', { description: 'The project of the job.' }),
    name: t.exposeString('name', { description: 'The name in the CI file.' }),
    stage: t.exposeString('stage', { description: 'The name of its stage.' }),
    status: t.expose('status', { type: CiStatus, description: 'The status of the job.' }),
    ref: t.string({
      description: 'The branch or tag that it runs for, by its short name such as `main`.',
      select: { pipeline: { select: { ref: true } } },
      resolve: ({ pipeline }) => pipeline.ref,
    }),
    isTag: t.boolean({
      description: 'Whether `ref` is a tag.',
      select: { pipeline: { select: { isTag: true } } },
      resolve: ({ pipeline }) => pipeline.isTag,
    }),
    allowFailure: t.exposeBoolean('isAllowedToFail', {
      description: 'Whether the pipeline succeeds even if the job fails.',
    }),
    when: t.field({
      type: JobWhen,
      description: 'The condition on which it runs after the earlier stages.',
      select: { when: true },
      resolve: ({ when }) => when as typeof JobWhen.$inferType,
    }),
    isRetried: t.exposeBoolean('isRetried', {
      description: 'Whether a retry has replaced it.',
    }),
    tagList: t.exposeStringList('tags', { description: 'The tags that its runner must have.' }),
    failure: t.expose('failure', {
      type: JobFailure,
      nullable: true,
      description: 'Why it failed; null unless it failed.',
    }),
    coverage: t.exposeFloat('coverage', {
      nullable: true,
      description: 'Test coverage in percent; null if it measured none.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was created.',
    }),
    queuedAt: t.expose('queuedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it began to wait for a runner; null before that.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a runner started it; null before that.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null before that.',
    }),
    erasedAt: t.expose('erasedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a user deleted its trace and artifacts; null if none did.',
    }),
    duration: t.float({
      description: 'Seconds that it ran, up to now if it still runs; null before it started.',
      nullable: true,
      select: { startedAt: true, finishedAt: true },
      resolve: ({ startedAt, finishedAt }) => startedAt && secondsBetween(startedAt, finishedAt),
    }),
    queuedDuration: t.float({
      description:
        'Seconds that it waited for a runner, up to now if it still waits; null before that.',
      nullable: true,
      select: { queuedAt: true, startedAt: true, finishedAt: true },
      resolve: ({ queuedAt, startedAt, finishedAt }) =>
        queuedAt && secondsBetween(queuedAt, startedAt ?? finishedAt),
    }),
    user: t.relation('user', {
      nullable: true,
      description:
        'The user who created, retried or started it. Null if an external service did, and for a deleted user.',
    }),
    pipeline: t.relation('pipeline', { description: 'The pipeline of the job.' }),
    runner: t.relation('runner', {
      nullable: true,
      description: 'The runner that it was assigned to; null before that, and if it was deleted.',
    }),
    commit: t.field({
      type: Commit,
      nullable: true,
      complexity: statementCost,
      description:
        'The commit that it runs for. Null if the repository no longer has it, and for a user who may not read the code.',
      select: { projectId: true, pipeline: { select: { sha: true } } },
      resolve: ({ projectId, pipeline }, _args, ctx) =>
        readableCommit(projectId, pipeline.sha, ctx),
    }),
    shownCommit: t.field({
      type: Commit,
      nullable: true,
      extensions: internal,
      description:
        'The commit; every user who may see the job may see its message, too (v4-behaviour 3.9).',
      select: {
        project: { select: { id: true, storage: true, diskPath: true } },
        pipeline: { select: { sha: true } },
      },
      resolve: ({ project: repository, pipeline: { sha } }, _args, ctx) =>
        commitBySha({ repository, sha }, ctx),
    }),
    webUrl: t.field({
      type: 'URL',
      description: 'The address of its page.',
      select: { project: { select: { fullPath: true } } },
      resolve: ({ id, project }, _args, { baseUrl }) =>
        `${baseUrl}/${project.fullPath}/-/jobs/${id}`,
    }),
    traceSize: t.exposeInt('traceSize', {
      description:
        'The size of its trace in bytes; while the job runs, as of the last update of the record.',
    }),
    artifactsFile: t.field({
      type: ArtifactsFile,
      description: 'The archive of its artifacts; null if it stored none, or they have expired.',
      nullable: true,
      select: { artifactsFile: true, artifactsSize: true, artifactsExpireAt: true },
      resolve: artifactsOf,
    }),
    canRetry: t.boolean({
      description: 'Whether the current user may retry it: it has ended and no retry replaced it.',
      select: decisive,
      resolve: async (job, _args, ctx) => isRetryable(job) && mayChange(job, ctx),
    }),
    canCancel: t.boolean({
      description: 'Whether the current user may cancel it: it has not ended.',
      select: decisive,
      resolve: async (job, _args, ctx) => isCancelable(job) && mayChange(job, ctx),
    }),
    canPlay: t.boolean({
      description: 'Whether it is a manual job that the current user may start.',
      select: decisive,
      resolve: async (job, _args, ctx) => isPlayable(job) && mayChange(job, ctx),
    }),
    canErase: t.boolean({
      description: 'Whether the current user may delete its trace and artifacts permanently.',
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
