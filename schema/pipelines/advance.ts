import { Prisma, type Transaction } from '../../prisma/client.ts';
import { recordBuild } from '../todos/builds.ts';
import { type NotifyParts, notifyJobChanges, notifyPipelineChange } from './notify.ts';
import {
  type CiStatus,
  coverageOf,
  durationOf,
  isFinished,
  nextMoves,
  type Period,
  type StagedJob,
  statusOf,
  type TriedJob,
} from './status.ts';

/** A pipeline whose row is locked until the transaction ends. */
export interface LockedPipeline {
  readonly id: number;
  readonly projectId: number;
  readonly sha: string;
  readonly status: CiStatus;
  readonly hasYamlErrors: boolean;
}

/**
 * Locks a pipeline until the transaction ends; null when it was deleted. To avoid deadlocks,
 * projects are locked before pipelines, and pipelines before jobs.
 */
export async function lockPipeline(tx: Transaction, id: number): Promise<LockedPipeline | null> {
  const [pipeline] = await tx.$queryRaw<LockedPipeline[]>`
    SELECT id, project_id AS "projectId", sha, status::text, yaml_errors IS NOT NULL AS "hasYamlErrors"
    FROM pipelines WHERE id = ${id} FOR UPDATE`;
  return pipeline ?? null;
}

/** Whether a status that a user requested holds against the status of the jobs. */
export type Settling = (computed: CiStatus) => CiStatus;

/**
 * Updates a locked pipeline from its jobs, in the transaction that changed one of them: queues the
 * jobs whose turn it is, and updates status, times, duration and coverage (v4-behaviour 5.2, 5.3).
 * Notifies webhooks of a new status.
 */
export async function advanceLocked(
  tx: Transaction,
  pipeline: LockedPipeline,
  parts: NotifyParts,
  settle: Settling = (computed) => computed,
): Promise<void> {
  const { id, projectId, sha } = pipeline;
  // without jobs it keeps the status it was created with
  if (pipeline.hasYamlErrors) return;
  const { jobs, outside } = await triedIn(tx, id);
  if (jobs.length + outside.length === 0) return;
  const now = new Date();
  const moves = new Map(nextMoves(jobs).map((move) => [move.id, move.to]));
  await applyMoves(tx, moves, now);
  const moved = [
    ...jobs.map((job) => ({ ...job, status: moves.get(job.id) ?? job.status })),
    ...outside,
  ];
  const status = settle(statusOf(moved));
  const isNew = status !== pipeline.status;
  await tx.$executeRaw`
    UPDATE pipelines SET status = ${status}::ci_status, updated_at = ${now},
      started_at = CASE WHEN ${isNew && status === 'running'}
        THEN coalesce(started_at, ${now}) ELSE started_at END,
      finished_at = CASE WHEN ${isNew && isFinished(status)} THEN ${now} ELSE finished_at END,
      duration = ${durationOf(moved, now)}::int, coverage = ${coverageOf(moved)}::float8
    WHERE id = ${id}`;
  if (moves.size > 0) await notifyJobChanges(tx, projectId, moves.keys(), parts);
  if (!isNew) return;
  await recordBuild(tx, id, status);
  await notifyPipelineChange(tx, pipeline, parts);
  if (isFinished(status)) await parts.jobs.enqueue('pipeline-ended', { projectId, sha }, tx);
}

interface Measured extends TriedJob, Period {
  readonly coverage: number | null;
}

type JobRow = Measured & StagedJob;

interface Tried {
  readonly jobs: readonly JobRow[];
  /** The latest external status of each service. */
  readonly outside: readonly Measured[];
}

/** Reads the jobs as one JSON text: separate columns of a thousand jobs cost more than everything else. */
async function triedIn(tx: Transaction, pipelineId: number): Promise<Tried> {
  const [{ tried }] = await tx.$queryRaw<[{ tried: string }]>`
    SELECT json_build_object('jobs', (
      SELECT coalesce(json_agg(job ORDER BY id), '[]') FROM (
        SELECT id, status, is_allowed_to_fail AS "isAllowedToFail", stage_index AS "stageIndex",
          "when", started_at AS "startedAt", finished_at AS "finishedAt", coverage
        FROM jobs WHERE pipeline_id = ${pipelineId} AND NOT is_retried
      ) job
    ), 'outside', (
      SELECT coalesce(json_agg(said), '[]') FROM (
        SELECT DISTINCT ON (name) state AS status, allow_failure AS "isAllowedToFail",
          started_at AS "startedAt", finished_at AS "finishedAt", coverage
        FROM commit_statuses WHERE pipeline_id = ${pipelineId} ORDER BY name, id DESC
      ) said
    ))::text AS tried`;
  const { jobs, outside } = JSON.parse(tried) as Tried;
  return { jobs: jobs.map(withInstants), outside: outside.map(withInstants) };
}

const withInstants = <Row extends Period>(row: Row): Row => ({
  ...row,
  startedAt: row.startedAt && new Date(row.startedAt),
  finishedAt: row.finishedAt && new Date(row.finishedAt),
});

async function applyMoves(
  tx: Transaction,
  moves: ReadonlyMap<number, CiStatus>,
  now: Date,
): Promise<void> {
  for (const [to, entries] of Map.groupBy(moves, ([, status]) => status)) {
    const ids = entries.map(([id]) => id);
    const queued = to === 'pending' ? Prisma.sql`, queued_at = ${now}` : Prisma.empty;
    await tx.$executeRaw`
      UPDATE jobs SET status = ${to}::ci_status, updated_at = ${now} ${queued}
      WHERE id = ANY(${ids}::int[]) AND status = 'created'`;
  }
}
