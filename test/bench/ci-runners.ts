import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { openSession } from '../../prisma/client.ts';
import { type Ci, queueJobs } from './ci.ts';
import type { Pace } from './measure.ts';
import { processorClock, untilIdle } from './memory.ts';
import {
  type AssignedJob,
  runnerInfo,
  runnerRequests,
  type SendRequest,
} from './runner-requests.ts';
import { median } from './table.ts';
import type { World } from './world.ts';

export const idleRunners = 'idle-runners';
export const handOut = 'hand-out';

const print = (text: string) => process.stdout.write(`${text}\n`);

/** One job request of a runner; gives the job, and the `last_update` to send with the next request. */
async function requestJob(send: SendRequest, token: string, lastUpdate: string) {
  const body = JSON.stringify({ token, info: runnerInfo, last_update: lastUpdate });
  const { status, headers, text } = await send('POST', '/jobs/request', body);
  const job = status === 201 ? (JSON.parse(text) as AssignedJob) : null;
  if (status !== 201 && status !== 204 && status !== 409) {
    throw new Error(`a job request got ${status}: ${text}`);
  }
  return { job, lastUpdate: String(headers['x-gitlab-last-update'] ?? lastUpdate) };
}

/** Seconds between two job requests of a runner. */
const interval = 3;

/** Per cent of one core. */
const mostCost = 20;

/** What 200 idle runners cost, PostgreSQL included, that request a job every three seconds. */
export async function measureIdleRunners(
  { service }: World,
  { runners }: Ci,
  { runs, seconds }: Pace,
): Promise<void> {
  const send = runnerRequests(service.url);
  const modes = {
    'with last_update': (lastUpdate: string) => lastUpdate,
    'without last_update': () => '',
  };
  for (const [mode, lastUpdateOf] of Object.entries(modes)) {
    const end = { isReached: false };
    let requests = 0;
    const work = async (token: string) => {
      await pause(Math.random() * interval * 1_000);
      for (let lastUpdate = ''; !end.isReached; ) {
        const response = await requestJob(send, token, lastUpdateOf(lastUpdate));
        requests += 1;
        lastUpdate = response.lastUpdate;
        await pause(interval * 1_000);
      }
    };
    const working = runners.map(work);
    await pause(interval * 2_000);
    const costs: number[] = [];
    const requestsBefore = requests;
    const length = Math.max(seconds, interval) * 2;
    for (let run = 0; run < runs; run += 1) {
      const used = processorClock(service.pid);
      await pause(length * 1_000);
      costs.push((used() / length) * 100);
    }
    const rate = (requests - requestsBefore) / (length * runs);
    end.isReached = true;
    // a request still held by long polling would get a job of the next case
    const session = await openSession(service.databaseUrl);
    await session.query('NOTIFY millrace_jobs');
    await session.end();
    await Promise.all(working);
    const cost = median(costs);
    print(
      `${idleRunners}, ${runners.length} that ${mode}: ${cost.toFixed(1)} % of one core ` +
        `(${Math.min(...costs).toFixed(1)}–${Math.max(...costs).toFixed(1)}), ` +
        `${rate.toFixed(0)} requests/s, goal < ${mostCost} % ${cost < mostCost ? 'ok' : 'short'}`,
    );
  }
}

/** Jobs a second. */
const leastRate = 200;
const workers = 50;
/** A runner stops after so many job requests in a row without a job. */
const mostEmptyResponses = 1_000;
const sizes = { pipelines: 1, jobs: 1_000 };

/** Fifty runners request the pending jobs of five pipelines with a thousand jobs each. */
export async function measureHandOut(world: World, ci: Ci, { runs, pids }: Pace): Promise<void> {
  const { service } = world;
  const send = runnerRequests(service.url);
  const session = await openSession(service.databaseUrl);
  const rates: number[] = [];
  try {
    for (let run = 0; run < Math.min(runs, 3); run += 1) {
      const ids = await queueJobs(world, ci, sizes);
      await untilIdle(pids);
      const jobIds: number[] = [];
      const start = performance.now();
      const work = async (token: string) => {
        for (
          let emptyResponses = 0;
          jobIds.length < ids.length && emptyResponses < mostEmptyResponses;
        ) {
          const { job } = await requestJob(send, token, '');
          if (job) jobIds.push(job.id);
          emptyResponses = job ? 0 : emptyResponses + 1;
        }
      };
      await Promise.all(ci.runners.slice(0, workers).map(work));
      rates.push((ids.length * 1_000) / (performance.now() - start));
      if (jobIds.length < ids.length) throw new Error('a job was lost');
      if (new Set(jobIds).size < jobIds.length) throw new Error('a job was assigned twice');
      const { rows } = await session.query(
        `SELECT count(*)::int AS count FROM jobs
         WHERE id = ANY($1) AND status = 'running' AND runner_id IS NOT NULL`,
        [jobIds],
      );
      if (rows[0]?.count !== ids.length) throw new Error('an assigned job is not running');
      await session.query(`DELETE FROM pipelines WHERE project_id = ANY($1)`, [
        ci.projects.map(({ id }) => id),
      ]);
    }
  } finally {
    await session.end();
  }
  const rate = median(rates);
  print(
    `${handOut}, ${workers} runners: ${rate.toFixed(0)} jobs/s ` +
      `(${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}), none twice, none lost, ` +
      `goal ≥ ${leastRate} ${rate >= leastRate ? 'ok' : 'short'}`,
  );
}
