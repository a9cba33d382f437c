import { Commit } from '../commits/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { type CiStatus, statusOf, type TriedJob } from './status.ts';
import { CiStatus as CiStatusType } from './types.ts';

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

builder.objectField(Commit, 'status', (t) =>
  t.field({
    type: CiStatusType,
    description:
      'The status of all CI results of the commit together: of its newest pipeline on each branch and tag, and of external statuses without a pipeline. Null if there are none.',
    nullable: true,
    complexity: statementCost,
    resolve: ({ id, repository }, _args, ctx) => overallStatus(keyOf(repository.id, id), ctx),
  }),
);
