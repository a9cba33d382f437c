import { Prisma } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { ifVisible } from '../kernel/results.ts';
import { wholeRecords } from '../listing/record-shape.ts';
import { recordById } from '../listing/records.ts';
import { projectById } from '../projects/find.ts';
import { canSeePipelines } from './policy.ts';
import type { Pipeline } from './types.ts';

type Caller = Pick<Context, 'db' | 'viewer'>;
type PipelineRecord = typeof Pipeline.$inferType;

/** A commit of a project. */
export interface CommitKey {
  readonly projectId: number;
  readonly sha: string;
}

const pipelines = () => wholeRecords('Pipeline', 'pipelines');

/** The newest pipeline that matches a condition, as JSON. */
const newestWhere = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  SELECT row_to_json(newest)::text FROM (
    SELECT ${pipelines().columns} FROM pipelines WHERE ${condition}
    ORDER BY pipelines.id DESC LIMIT 1) newest)`;

const parsed = (json: string | null): PipelineRecord | null =>
  json === null ? null : pipelines().revived(JSON.parse(json) as PipelineRecord);

const newestOfCommits = batched<CommitKey, PipelineRecord | null, Caller>(
  async (commits, { db }) => {
    const projectIds = commits.map(({ projectId }) => projectId);
    const shas = commits.map(({ sha }) => sha);
    const sameCommit = Prisma.sql`pipelines.project_id = wanted.project_id
      AND pipelines.sha = wanted.sha`;
    const rows = await db.$queryRaw<{ pipeline: string | null }[]>`
      SELECT ${newestWhere(sameCommit)} AS pipeline
      FROM unnest(${projectIds}::int[], ${shas}::text[])
        WITH ORDINALITY AS wanted(project_id, sha, place) ORDER BY place`;
    return new Map(commits.map((commit, place) => [commit, parsed(rows[place]?.pipeline ?? null)]));
  },
  null,
);

const newestOfDefaultBranches = batched<number, PipelineRecord | null, Caller>(
  async (ids, { db }) => {
    const ofBranch = Prisma.sql`pipelines.project_id = projects.id
      AND ref = projects.default_branch AND NOT is_tag`;
    const rows = await db.$queryRaw<{ projectId: number; pipeline: string | null }[]>`
      SELECT projects.id AS "projectId", ${newestWhere(ofBranch)} AS pipeline
      FROM projects WHERE projects.id = ANY(${[...ids]}::int[])`;
    return new Map(rows.map(({ projectId, pipeline }) => [projectId, parsed(pipeline)]));
  },
  null,
);

/** Whether the viewer may see the pipelines of a project; the projects of all rows are read together. */
export async function canViewPipelines(projectId: number, ctx: Caller): Promise<boolean> {
  const project = await ifVisible(() => projectById(projectId, ctx));
  return project !== null && canSeePipelines(project.level, project);
}

/** The pipeline with the relations of `query`, if the viewer may see it. */
async function ifViewable(
  newest: Promise<PipelineRecord | null>,
  projectId: number,
  query: object,
  ctx: Caller,
): Promise<PipelineRecord | null> {
  // read before there may be no pipeline, because Pothos reports a query that is never read
  const isRelated = Object.keys({ ...query }).length > 0;
  const [pipeline, isViewable] = await Promise.all([newest, canViewPipelines(projectId, ctx)]);
  if (!pipeline || !isViewable) return null;
  return isRelated ? recordById(ctx, 'pipeline', pipeline.id, query) : pipeline;
}

/**
 * The newest pipeline of a commit; null without one, and for viewers who may not see it. `query` is
 * Prisma's selection.
 */
export const newestPipelineOfCommit = (query: object, commit: CommitKey, ctx: Caller) =>
  ifViewable(newestOfCommits(commit, ctx), commit.projectId, query, ctx);

/** The same for the default branch of a project. */
export const newestPipelineOfProject = (query: object, projectId: number, ctx: Caller) =>
  ifViewable(newestOfDefaultBranches(projectId, ctx), projectId, query, ctx);
