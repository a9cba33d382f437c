import type { Transaction } from '../../prisma/client.ts';
import { hasSubscribers, notifyHooks } from '../activity/notify-hooks.ts';
import {
  commitPayload,
  projectPayload,
  projectSelection,
  repositoryPayload,
  userPayload,
} from '../activity/payload.ts';
import type { JobPayload, PipelinePayload } from '../hook-payloads/pipeline.ts';
import type { Context } from '../kernel/context.ts';

export type NotifyParts = Pick<Context, 'baseUrl' | 'sshUrl' | 'git' | 'jobs' | 'settings'>;

/** Maximum number of jobs in a payload. */
const maxJobs = 1_000;

const projectRelation = { select: { ...projectSelection, storage: true, diskPath: true } } as const;

/**
 * Notifies the subscribed webhooks of a pipeline's status, in the transaction that changed it and
 * after it was written.
 */
export const notifyPipelineChange = (
  tx: Transaction,
  { id, projectId }: { readonly id: number; readonly projectId: number },
  parts: NotifyParts,
): Promise<void> =>
  notifyHooks(
    tx,
    parts.jobs,
    { projectId, subscription: 'onPipeline', event: 'Pipeline Hook' },
    () => pipelinePayload(tx, id, parts),
  );

/** The payload of a pipeline as it is now. */
export async function pipelinePayload(
  tx: Transaction,
  id: number,
  parts: NotifyParts,
): Promise<PipelinePayload> {
  const [pipeline, jobs] = await Promise.all([
    tx.pipeline.findUniqueOrThrow({
      where: { id },
      include: { user: true, project: projectRelation },
    }),
    tx.job.findMany({
      where: { pipelineId: id, isRetried: false },
      orderBy: [{ stageIndex: 'asc' }, { id: 'asc' }],
      take: maxJobs,
      include: { user: true, runner: true },
    }),
  ]);
  const { user, project } = pipeline;
  const commit = await parts.git.commitBehind(project, pipeline.sha).catch(() => null);
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id,
      ref: pipeline.ref,
      tag: pipeline.isTag,
      sha: pipeline.sha,
      before_sha: pipeline.beforeSha,
      status: pipeline.status,
      stages: [...new Set(jobs.map(({ stage }) => stage))],
      created_at: pipeline.createdAt.toISOString(),
      finished_at: pipeline.finishedAt?.toISOString() ?? null,
      duration: pipeline.duration,
    },
    user: user && userPayload(user, parts),
    project: projectPayload(project, parts),
    commit: commit && commitPayload(commit, project, parts),
    builds: jobs.map((job) => ({
      id: job.id,
      stage: job.stage,
      name: job.name,
      status: job.status,
      created_at: job.createdAt.toISOString(),
      started_at: job.startedAt?.toISOString() ?? null,
      finished_at: job.finishedAt?.toISOString() ?? null,
      when: job.when,
      manual: job.when === 'manual',
      user: job.user && userPayload(job.user, parts),
      runner: job.runner && {
        id: job.runner.id,
        description: job.runner.description,
        active: job.runner.isActive,
        is_shared: job.runner.isShared,
      },
      artifacts_file: {
        filename: job.artifactsFile,
        size: job.artifactsSize === null ? null : Number(job.artifactsSize),
      },
    })),
  };
}

/** The same for some of its jobs. */
export async function notifyJobChanges(
  tx: Transaction,
  projectId: number,
  ids: Iterable<number>,
  parts: NotifyParts,
): Promise<void> {
  if (!(await hasSubscribers(tx, projectId, ['onJob']))) return;
  for (const id of ids) {
    await notifyHooks(tx, parts.jobs, { projectId, subscription: 'onJob', event: 'Job Hook' }, () =>
      jobPayload(tx, id, parts),
    );
  }
}

/** The payload of a job as it is now. */
export async function jobPayload(
  tx: Transaction,
  id: number,
  parts: NotifyParts,
): Promise<JobPayload> {
  const job = await tx.job.findUniqueOrThrow({
    where: { id },
    include: { user: true, pipeline: true, project: projectRelation },
  });
  const { pipeline, project, user } = job;
  const commit = await parts.git.commitBehind(project, pipeline.sha).catch(() => null);
  return {
    object_kind: 'build',
    ref: pipeline.ref,
    tag: pipeline.isTag,
    before_sha: pipeline.beforeSha,
    sha: pipeline.sha,
    build_id: job.id,
    build_name: job.name,
    build_stage: job.stage,
    build_status: job.status,
    build_started_at: job.startedAt?.toISOString() ?? null,
    build_finished_at: job.finishedAt?.toISOString() ?? null,
    build_duration: secondsOf(job),
    build_allow_failure: job.isAllowedToFail,
    project_id: project.id,
    project_name: `${project.namespaceName} / ${project.name}`,
    user: user && { ...userPayload(user, parts), id: user.id, email: user.email },
    commit: {
      id: pipeline.id,
      sha: pipeline.sha,
      message: commit?.message ?? null,
      author_name: commit?.author.name ?? null,
      author_email: commit?.author.email ?? null,
      status: pipeline.status,
      duration: pipeline.duration,
      started_at: pipeline.startedAt?.toISOString() ?? null,
      finished_at: pipeline.finishedAt?.toISOString() ?? null,
    },
    repository: repositoryPayload(project, parts),
  };
}

function secondsOf(job: { startedAt: Date | null; finishedAt: Date | null }): number | null {
  if (!job.startedAt) return null;
  return ((job.finishedAt ?? new Date()).getTime() - job.startedAt.getTime()) / 1_000;
}
