import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { MovableJob } from '../pipelines/move-job.ts';
import { isRefProtectedNow } from '../pipelines/protected-ref.ts';
import type { CachedRunner } from '../ports/runner-cache.ts';

/*
 * Limits are part of the text, not parameters: with constant estimates a connection keeps one plan for
 * all runners, and planning would take longer than everything else.
 */

/** Number of projects examined at once, and of jobs of each of them. */
const maxProjects = Prisma.raw('8');
const maxJobs = Prisma.raw('64');

/** A key that no other advisory lock of two numbers uses. */
const lockSpace = 0x6a6f62;

type Runner = Pick<CachedRunner, 'id' | 'isShared' | 'runsUntagged' | 'access' | 'tags'>;

type Asking = Pick<Transaction, '$queryRaw'>;

/** Whether the ref of a job was protected when its pipeline was created, and still is. */
const isProtected = Prisma.sql`is_protected AND EXISTS (
  SELECT FROM pipelines WHERE pipelines.id = pipeline_id AND ${isRefProtectedNow('pipelines')})`;

/**
 * Pending jobs that a runner may run: by its tags (`coalesce` hides the planner's wrong estimate),
 * and by its access level.
 */
const matchesRunner = ({ runsUntagged, access, tags }: Runner): Prisma.Sql => Prisma.sql`
  status = 'pending' AND coalesce(tags <@ ${[...tags]}::text[], false)
  ${runsUntagged ? Prisma.empty : Prisma.sql`AND cardinality(tags) > 0`}
  ${access === 'ref_protected' ? Prisma.sql`AND ${isProtected}` : Prisma.empty}`;

/** The projects that may have a job for it: all with pending jobs, or those it is enabled in. */
const sources = ({ id, isShared }: Runner): Prisma.Sql =>
  isShared
    ? Prisma.sql`RECURSIVE source (project_id) AS (
        (SELECT project_id FROM jobs WHERE status = 'pending' ORDER BY project_id LIMIT 1)
        UNION ALL
        SELECT (
          SELECT jobs.project_id FROM jobs
          WHERE status = 'pending' AND jobs.project_id > source.project_id
          ORDER BY jobs.project_id LIMIT 1
        ) FROM source WHERE source.project_id IS NOT NULL
      )`
    : Prisma.sql`source (project_id) AS (
        SELECT project_id FROM runner_projects WHERE runner_id = ${id}
      )`;

/** Counting is limited to this many, because it happens for each assigned job. */
const maxCounted = Prisma.raw('50');

/** The number of its jobs that shared runners run: the project with the fewest is first (v4-behaviour 3.12). */
const load = ({ isShared }: Runner): Prisma.Sql =>
  isShared
    ? Prisma.sql`(
        SELECT count(*) FILTER (WHERE runner_id IN (SELECT id FROM runners WHERE is_shared))
        FROM (
          SELECT runner_id FROM jobs WHERE project_id = projects.id AND status = 'running'
          LIMIT ${maxCounted}
        ) running
      )`
    : Prisma.sql`0`;

/**
 * Literals and an order that only the index of pending jobs has: for a single project the planner
 * would otherwise scan all jobs by id.
 */
const ofProject = (table: 'projects' | 'open'): Prisma.Sql =>
  Prisma.raw(`project_id BETWEEN ${table}.id AND ${table}.id`);

/** The first job for a runner in each project that it may serve. */
const firstOfEach = (runner: Runner): Prisma.Sql => Prisma.sql`
  source JOIN projects ON projects.id = source.project_id
    AND NOT projects.is_removed AND NOT projects.is_archived AND projects.jobs_enabled
    ${runner.isShared ? Prisma.sql`AND projects.shared_runners_enabled` : Prisma.empty}
  CROSS JOIN LATERAL (
    SELECT id FROM jobs WHERE ${ofProject('projects')} AND ${matchesRunner(runner)}
    ORDER BY project_id, id LIMIT 1
  ) first`;

/** Whether a pending job matches the runner. */
export async function isAnyWaiting(db: Asking, runner: Runner): Promise<boolean> {
  const waiting = await db.$queryRaw<object[]>`
    WITH ${sources(runner)} SELECT first.id FROM ${firstOfEach(runner)} LIMIT 1`;
  return waiting.length > 0;
}

/**
 * Begins a statement that looks for a job: the rows `candidate` (id, pipeline_id) in order of
 * priority, without those of `busy` pipelines.
 */
export const candidates = (runner: Runner, busy: readonly number[]): Prisma.Sql => Prisma.sql`
  WITH ${sources(runner)}, open AS (
    SELECT projects.id, ${load(runner)} AS load FROM ${firstOfEach(runner)}
    ORDER BY load, first.id LIMIT ${maxProjects}
  ), candidate AS MATERIALIZED (
    SELECT job.id, job.pipeline_id FROM open CROSS JOIN LATERAL (
      SELECT id, pipeline_id FROM jobs
      WHERE ${ofProject('open')} AND ${matchesRunner(runner)}
      ${busy.length > 0 ? Prisma.sql`AND pipeline_id <> ALL(${[...busy]}::int[])` : Prisma.empty}
      ORDER BY project_id, id LIMIT ${maxJobs}
    ) job
    ORDER BY open.load, job.id
  )`;

/**
 * Whether the runner is active and no other runner is being assigned the job `id`; locks it against
 * others until the transaction ends.
 */
export const isFree = (runner: Runner): Prisma.Sql => Prisma.sql`
  EXISTS (SELECT FROM runners WHERE id = ${runner.id} AND is_active)
    AND pg_try_advisory_xact_lock(${lockSpace}::int, id)`;

/**
 * The job to assign to a runner, locked until the transaction ends; null when there is none, other
 * runners are being assigned all of them, or the runner was just paused. Skips `busy` pipelines.
 */
export async function claimJob(
  tx: Asking,
  runner: Runner,
  busy: readonly number[],
): Promise<MovableJob | null> {
  const [job] = await tx.$queryRaw<MovableJob[]>`
    ${candidates(runner, busy)}
    SELECT id, pipeline_id AS "pipelineId" FROM candidate WHERE ${isFree(runner)} LIMIT 1`;
  return job ?? null;
}
