import { Commit } from '../commits/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { isProjectVisible, levelInProject, levelSelection } from '../projects/find.ts';
import { canSeePipelines } from './policy.ts';
import { type CiStatus, statusOf, type TriedJob } from './status.ts';
import { CiStatus as CiStatusType, Pipeline } from './types.ts';

interface CommitResults {
  readonly projectId: number;
  readonly sha: string;
  readonly tried: readonly TriedJob[];
}

const keyOf = (projectId: number, sha: string) => `${projectId}:${sha}`;

async function statusesOf(
  keys: readonly string[],
  { db }: Pick<Context, 'db'>,
): Promise<ReadonlyMap<string, CiStatus>> {
  const pairs = keys.map((key) => key.split(':'));
  const projectIds = pairs.map(([id]) => Number(id));
  const shas = pairs.map(([, sha]) => sha);
  const rows = await db.$queryRaw<CommitResults[]>`
    WITH asked AS (SELECT * FROM unnest(${projectIds}::int[], ${shas}::text[]) asked (project_id, sha))
    SELECT project_id AS "projectId", sha,
      json_agg(json_build_object('status', status, 'isAllowedToFail', allow_failure)) AS tried
    FROM (
      (SELECT DISTINCT ON (project_id, sha, ref) project_id, sha, status::text, false AS allow_failure
       FROM pipelines WHERE (project_id, sha) IN (SELECT * FROM asked)
       ORDER BY project_id, sha, ref, id DESC)
      UNION ALL
      (SELECT DISTINCT ON (project_id, sha, name, ref) project_id, sha, state::text, allow_failure
       FROM commit_statuses WHERE (project_id, sha) IN (SELECT * FROM asked) AND pipeline_id IS NULL
       ORDER BY project_id, sha, name, ref, id DESC)
    ) newest GROUP BY project_id, sha`;
  return new Map(rows.map(({ projectId, sha, tried }) => [keyOf(projectId, sha), statusOf(tried)]));
}

/** Batches all lookups of a request. */
const overallStatus = batched<string, CiStatus | null>(statusesOf, null);

/**
 * The combined status of a commit's newest pipelines, one per ref; null without any. Includes
 * external statuses from before pipelines existed.
 */
export async function commitStatusOf(
  projectId: number,
  sha: string,
  ctx: Pick<Context, 'db'>,
): Promise<CiStatus | null> {
  const key = keyOf(projectId, sha);
  return (await statusesOf([key], ctx)).get(key) ?? null;
}

builder.objectFields(Commit, (t) => ({
  status: t.field({
    type: CiStatusType,
    description: 'What was tried of it comes to this; null when nothing was.',
    nullable: true,
    complexity: statementCost,
    resolve: ({ id, repository }, _args, ctx) => overallStatus(keyOf(repository.id, id), ctx),
  }),
  lastPipeline: t.prismaField({
    type: Pipeline,
    description: 'The newest of its pipelines, for those who may see them.',
    nullable: true,
    complexity: statementCost,
    resolve: (query, { id: sha, repository }, _args, ctx) =>
      newestVisiblePipeline(query, { projectId: repository.id, sha }, ctx),
  }),
}));

/** The newest pipeline of a commit; null without one, and for viewers who may not see it. */
export async function newestVisiblePipeline(
  query: object,
  where: { readonly projectId: number; readonly sha: string },
  ctx: Context,
) {
  const pipeline = await ctx.db.pipeline.findFirst({ ...query, where, orderBy: { id: 'desc' } });
  return pipeline && (await canViewPipelines(where.projectId, ctx)) ? pipeline : null;
}

async function canViewPipelines(id: number, { db, viewer }: Context): Promise<boolean> {
  const project = await db.project.findFirst({
    relationLoadStrategy: 'join',
    where: { id, isRemoved: false },
    select: { ...levelSelection(viewer), publicJobs: true },
  });
  return (
    project !== null &&
    isProjectVisible(viewer, project) &&
    canSeePipelines(levelInProject(viewer, project), project)
  );
}
