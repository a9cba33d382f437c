/** The status of a job or a pipeline. */
export const ciStatuses = [
  'created',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
] as const;

export type CiStatus = (typeof ciStatuses)[number];

/** The facts of a job that affect others; retried jobs are excluded. */
export interface TriedJob {
  readonly status: CiStatus;
  readonly isAllowedToFail: boolean;
}

export interface StagedJob extends TriedJob {
  readonly id: number;
  /** The index of its stage. */
  readonly stageIndex: number;
  /** `on_success`, `on_failure`, `always` or `manual`. */
  readonly when: string;
}

/** A status change of a `created` job. */
export interface Move {
  readonly id: number;
  readonly to: 'pending' | 'manual' | 'skipped';
}

const finished: ReadonlySet<CiStatus> = new Set(['success', 'failed', 'canceled']);

/** Whether a status has a finish time. */
export const isFinished = (status: CiStatus): boolean => finished.has(status);

/** Ignored for jobs that are allowed to fail. */
const forgivable: ReadonlySet<CiStatus> = new Set(['failed', 'canceled', 'manual']);

/** The status of a set of jobs: a stage, several, or a pipeline (v4-behaviour 5.3). */
export function statusOf(jobs: readonly TriedJob[]): CiStatus {
  const ignored = jobs.filter((job) => job.isAllowedToFail && forgivable.has(job.status));
  const counted = jobs.filter((job) => !ignored.includes(job)).map(({ status }) => status);
  const areAll = (...among: readonly CiStatus[]) =>
    counted.every((status) => among.includes(status));
  const isAny = (...among: readonly CiStatus[]) => counted.some((status) => among.includes(status));
  if (areAll('skipped')) {
    return ignored.some(({ status }) => status !== 'manual') ? 'success' : 'skipped';
  }
  if (areAll('success')) return 'success';
  if (areAll('created')) return 'created';
  if (areAll('success', 'skipped')) return 'success';
  if (areAll('success', 'skipped', 'canceled')) return 'canceled';
  if (areAll('created', 'skipped', 'pending')) return 'pending';
  if (isAny('running', 'pending')) return 'running';
  if (isAny('manual')) return 'manual';
  return isAny('created') ? 'running' : 'failed';
}

/** The statuses of the earlier stages after which a job runs, by its `when`. */
const turns: Readonly<Record<string, readonly CiStatus[]>> = {
  on_success: ['success', 'skipped'],
  on_failure: ['failed'],
  always: ['success', 'failed', 'skipped'],
  manual: ['success', 'skipped'],
};

/**
 * The status changes of `created` jobs, stage by stage, as far as the earlier stages have ended
 * (v4-behaviour 5.2). After these, nothing changes until a job ends.
 */
export function nextMoves(jobs: readonly StagedJob[]): readonly Move[] {
  const moves: Move[] = [];
  const before: TriedJob[] = [];
  for (const stage of stagesOf(jobs)) {
    const prior = before.length === 0 ? 'success' : statusOf(before);
    const isOver = isFinished(prior) || prior === 'skipped';
    for (const job of stage) {
      const to = job.status === 'created' && isOver ? turnOf(job, prior) : null;
      if (to !== null) moves.push({ id: job.id, to });
      before.push(to === null ? job : { ...job, status: to });
    }
  }
  return moves;
}

function turnOf({ when }: StagedJob, prior: CiStatus): Move['to'] {
  if (!turns[when]?.includes(prior)) return 'skipped';
  return when === 'manual' ? 'manual' : 'pending';
}

function stagesOf(jobs: readonly StagedJob[]): readonly (readonly StagedJob[])[] {
  const stages = Map.groupBy(jobs, ({ stageIndex }) => stageIndex);
  return [...stages].toSorted(([one], [other]) => one - other).map(([, stage]) => stage);
}

/** When a job ran; a running one has no end. */
export interface Period {
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** Whole seconds in which at least one job ran, until `now`; null before the first. */
export function durationOf(jobs: readonly Period[], now: Date): number | null {
  const periods = jobs
    .flatMap(({ startedAt, finishedAt }) =>
      startedAt ? [{ from: startedAt.getTime(), to: (finishedAt ?? now).getTime() }] : [],
    )
    .toSorted((one, other) => one.from - other.from);
  if (periods.length === 0) return null;
  let total = 0;
  let covered = Number.NEGATIVE_INFINITY;
  for (const { from, to } of periods) {
    total += Math.max(0, to - Math.max(from, covered));
    covered = Math.max(covered, to);
  }
  return Math.floor(total / 1_000);
}

/** The mean of the jobs' coverage, in per cent; null without any. */
export function coverageOf(jobs: readonly { readonly coverage: number | null }[]): number | null {
  const measured = jobs.flatMap(({ coverage }) => coverage ?? []);
  if (measured.length === 0) return null;
  return measured.reduce((sum, coverage) => sum + coverage, 0) / measured.length;
}
