import { type Ci, createCi } from './ci.ts';
import { pushToPipeline } from './ci-pushes.ts';
import { handOut, idleRunners } from './ci-runners.ts';
import { traceAppend } from './ci-traces.ts';
import { inBulk } from './fill.ts';
import type { RequestCase } from './measure.ts';
import type { World } from './world.ts';

const goal = { kind: 'least', value: 0.6 } as const;

/** The cases that have no twin. */
export const ciWorkNames = [idleRunners, handOut, pushToPipeline, traceAppend] as const;

export const ciCaseNames = [
  'pipelines',
  'pipelines-page-400',
  'pipelines-success',
  ...ciWorkNames,
] as const;

export interface CiCases {
  readonly requests: readonly RequestCase[];
  readonly ci: Ci;
}

const pipelineCount = 100_000;

/** Runners, and a project with 100 000 pipelines. */
export async function ciCases(world: World): Promise<CiCases> {
  const ci = await createCi(world);
  const { service, users } = world;
  const { id } = await world.project('many-pipelines');
  await inBulk(service.databaseUrl, async (session) => {
    await session.query(insertPipelines, [id, pipelineCount, users.worker.id]);
    await session.query('VACUUM ANALYZE pipelines');
  });
  const headers = { 'Private-Token': users.member.token };
  const list = (name: string, query: string): RequestCase => ({
    urls: [service.url, world.twinUrl],
    name,
    goal,
    requests: [{ path: `/api/v4/projects/${id}/pipelines?${query}`, headers }],
  });
  const requests = [
    list('pipelines', 'page=1&per_page=20'),
    list('pipelines-page-400', 'page=400&per_page=20'),
    list('pipelines-success', 'status=success&per_page=20'),
  ];
  return { requests, ci };
}

const insertPipelines = `
  INSERT INTO pipelines (project_id, source, status, ref, sha, before_sha, user_id, stages, updated_at)
  SELECT $1, 'push',
    (ARRAY['success', 'success', 'failed', 'canceled', 'skipped', 'manual'])[1 + n % 6]::ci_status,
    'branch-' || n % 700, md5(n::text) || '01234567', repeat('0', 40), $3, '{test}', now()
  FROM generate_series(1, $2::int) n ORDER BY n`;
