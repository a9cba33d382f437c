import { refRulesOf } from '../branches/protection.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, pathNotFound, recordNotFound, unauthenticated } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { findRunnable } from '../pipelines/find.ts';
import { canSeePipelines } from '../pipelines/policy.ts';
import { findProject } from '../projects/find.ts';
import { type ArtifactsFileRecord, artifactsOf } from './artifacts.ts';
import { canChangeJob } from './policy.ts';

const changeable = {
  id: true,
  projectId: true,
  pipelineId: true,
  status: true,
  when: true,
  isRetried: true,
  traceSize: true,
  artifactsFile: true,
  artifactsSize: true,
  artifactsExpireAt: true,
  userId: true,
  pipeline: { select: { ref: true, isTag: true } },
} as const;

/**
 * A job that the viewer may change: requires developer access, enabled jobs, and access to its
 * branch (v4-behaviour 3.9).
 */
export async function findChangeableJob(ref: string, id: number, ctx: Context) {
  const viewer = signedIn(ctx);
  const project = await findRunnable(ref, ctx);
  if (!project.jobsEnabled) throw forbidden();
  const job = await ctx.db.job.findFirst({
    where: { id, projectId: project.id },
    select: changeable,
  });
  if (!job) throw recordNotFound();
  const rules = await refRulesOf(project.id, ctx);
  if (!canChangeJob(job.pipeline, { level: project.level, project, rules })) throw forbidden();
  return { ...job, viewer, level: project.level };
}

/** The location of an archive that the caller may download. */
export interface ArtifactsLocation extends ArtifactsFileRecord {
  readonly jobId: number;
  readonly projectId: number;
}

/** With public jobs, all users who can see the project may download it (v4-behaviour 1.4). */
async function findDownloadable(ref: string, ctx: Context) {
  const project = await findProject(ref, ctx);
  if (!canSeePipelines(project.level, project)) throw ctx.viewer ? forbidden() : unauthenticated();
  return project;
}

const kept = {
  id: true,
  artifactsFile: true,
  artifactsSize: true,
  artifactsExpireAt: true,
} as const;

/** The artifacts of a job; throws `not found` when there are none, or they have expired. */
export async function findArtifacts(
  ref: string,
  id: number,
  ctx: Context,
): Promise<ArtifactsLocation> {
  const { id: projectId } = await findDownloadable(ref, ctx);
  const job = await ctx.db.job.findFirst({ where: { id, projectId }, select: kept });
  if (!job) throw recordNotFound();
  const file = artifactsOf(job);
  if (!file) throw pathNotFound();
  return { ...file, jobId: job.id, projectId };
}

/**
 * The same for the job of that name in the newest successful pipeline of a branch or tag. A branch
 * takes precedence, because it may be protected and any developer may create a tag.
 */
export async function findLatestArtifacts(
  ref: string,
  reference: { readonly ref: string; readonly job: string },
  ctx: Context,
): Promise<ArtifactsLocation> {
  const { id: projectId } = await findDownloadable(ref, ctx);
  const newest = (isTag: boolean) =>
    ctx.db.pipeline.findFirst({
      where: { projectId, ref: reference.ref, isTag, status: 'success' },
      orderBy: { id: 'desc' },
      select: { id: true },
    });
  const pipeline = (await newest(false)) ?? (await newest(true));
  const job =
    pipeline &&
    (await ctx.db.job.findFirst({
      where: { pipelineId: pipeline.id, name: reference.job, isRetried: false },
      orderBy: { id: 'desc' },
      select: kept,
    }));
  if (!job) throw recordNotFound();
  const file = artifactsOf(job);
  if (!file) throw pathNotFound();
  return { ...file, jobId: job.id, projectId };
}
