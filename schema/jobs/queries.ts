import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { allOf } from '../kernel/sql.ts';
import { listingCost, type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import { findPipeline, findPipelineProject } from '../pipelines/find.ts';
import type { CiStatus as Status } from '../pipelines/status.ts';
import { CiStatus } from '../pipelines/types.ts';
import { ArtifactsFile } from './artifacts.ts';
import { type ArtifactsLocation, findArtifacts, findLatestArtifacts } from './find.ts';
import { Job, JobPage } from './types.ts';

interface Asked extends PageArgs {
  readonly scope?: readonly Status[] | null | undefined;
}

type JobRow = typeof Job.$inferType;

/** A page of the jobs that match a condition, newest first. */
export function jobPage(
  { scope, ...page }: Asked,
  condition: Prisma.Sql,
  ctx: Pick<Context, 'db'>,
  direction: 'asc' | 'desc' = 'desc',
): Page<JobRow> {
  const where = allOf([condition, ...(scope ? [inScope(scope)] : [])]);
  const reader = readerOf(ctx, { table: 'jobs', where, column: 'id', direction, page });
  return {
    nodes: (query) => recordsOn(ctx, reader, 'job', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

/** Literals, not parameters, so that the planner knows them: few jobs run, and many have ended. */
const inScope = (scope: readonly Status[]): Prisma.Sql =>
  scope.length === 0
    ? Prisma.sql`false`
    : Prisma.raw(`status IN (${scope.map((status) => `'${status}'`).join(', ')})`);

const listing = builder.args((t) => ({
  project: t.id({ required: true }),
  /** Only jobs with one of these statuses. */
  scope: t.field({ type: [CiStatus] }),
}));

builder.queryFields((t) => ({
  jobs: t.field({
    type: JobPage,
    description: 'Those of a project, the newest first, also what was tried again.',
    complexity: listingCost,
    args: { ...listing, ...pageArgs },
    resolve: async (_root, { project, ...listArgs }, ctx) => {
      const { id } = await findPipelineProject(project, ctx);
      return jobPage(listArgs, Prisma.sql`project_id = ${id}`, ctx);
    },
  }),
  pipelineJobs: t.field({
    type: JobPage,
    description: 'Those of a pipeline, the newest first.',
    complexity: listingCost,
    args: {
      ...listing,
      ...pageArgs,
      pipeline: t.arg.int({ required: true }),
      /** False: without retried ones. */
      includesRetried: t.arg.boolean({ defaultValue: true }),
    },
    resolve: async (_root, { project: ref, pipeline, includesRetried, ...listArgs }, ctx) => {
      const project = await findPipelineProject(ref, ctx);
      const { id } = await findPipeline(project, pipeline, ctx);
      const own = Prisma.sql`pipeline_id = ${id}`;
      const latest = includesRetried === false ? [Prisma.sql`NOT is_retried`] : [];
      return jobPage(listArgs, allOf([own, ...latest]), ctx);
    },
  }),
  job: t.prismaField({
    type: Job,
    args: { project: t.arg.id({ required: true }), id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { project, id }, ctx) => {
      const { id: projectId } = await findPipelineProject(project, ctx);
      return orThrow(ctx.db.job.findFirst({ ...query, where: { id, projectId } }), recordNotFound);
    },
  }),
}));

export const Artifacts = builder.objectRef<ArtifactsLocation>('Artifacts').implement({
  description: 'The stored artifacts of a job; their content is served over REST.',
  fields: (t) => ({
    jobId: t.exposeInt('jobId'),
    projectId: t.exposeInt('projectId'),
    file: t.field({ type: ArtifactsFile, resolve: (found) => found }),
  }),
});

builder.queryFields((t) => ({
  artifacts: t.field({
    type: Artifacts,
    description:
      'The artifacts of a job; with public jobs, all users who can see the project may download them.',
    args: { project: t.arg.id({ required: true }), job: t.arg.int({ required: true }) },
    resolve: (_root, { project, job }, ctx) => findArtifacts(project, job, ctx),
  }),
  latestArtifacts: t.field({
    type: Artifacts,
    description: 'The same, of the newest pipeline of a branch or tag that was a success.',
    args: {
      project: t.arg.id({ required: true }),
      ref: t.arg.string({ required: true }),
      /** Its name. */
      job: t.arg.string({ required: true }),
    },
    resolve: (_root, { project, ...reference }, ctx) =>
      findLatestArtifacts(project, reference, ctx),
  }),
}));
