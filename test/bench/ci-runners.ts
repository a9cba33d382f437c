import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { openSession } from '../../prisma/client.ts';
import { type Ci, queueJobs } from './ci.ts';
import type { Pace } from './measure.ts';
import { processorClock, untilIdle } from './memory.ts';
import { type Ask, type GivenJob, runnerInfo, runnerRequests } from './runner-requests.ts';
import { median } from './table.ts';
import type { World } from './world.ts';

export const idleRunners = 'idle-runners';
export const handOut = 'hand-out';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** A runner's question, and what it is told to say with the next one. */
async function askForJob(ask: Ask, token: string, lastUpdate: string) {
  const body = JSON.stringify({ token, info: runnerInfo, last_update: lastUpdate });
  const { status, headers, text } = await ask('POST', '/jobs/request', body);
  const job = status === 201 ? (JSON.parse(text) as GivenJob) : null;
  if (status !== 201 && status !== 204 && status !== 409) {
    throw new Error(`a runner was answered ${status}: ${text}`);
  }
  return { job, lastUpdate: String(headers['x-gitlab-last-update'] ?? lastUpdate) };
}

/** How often the programs ask, seconds. */
const interval = 3;

/** Per cent of one core. */
const mostCost = 20;

/** What 200 runners cost, PostgreSQL included, that ask every three seconds and are given nothing. */
export async function measureIdleRunners(
  { service }: World,
  { runners }: Ci,
  { runs, seconds }: Pace,
): Promise<void> {
  const ask = runnerRequests(service.url);
  const manners = {
    'say what they were told': (told: string) => told,
    'say nothing': () => '',
  };
  for (const [manner, said] of Object.entries(manners)) {
    const end = { isReached: false };
    let questions = 0;
    const work = async (token: string) => {
      await pause(Math.random() * interval * 1_000);
      for (let told = ''; !end.isReached; ) {
        const { lastUpdate } = await askForJob(ask, token, said(told));
        questions += 1;
        told = lastUpdate;
        await pause(interval * 1_000);
      }
    };
    const working = runners.map(work);
    await pause(interval * 2_000);
    const costs: number[] = [];
    const before = questions;
    const length = Math.max(seconds, interval) * 2;
    for (let run = 0; run < runs; run += 1) {
      const used = processorClock(service.pid);
      await pause(length * 1_000);
      costs.push((used() / length) * 100);
    }
    const rate = (questions - before) / (length * runs);
    end.isReached = true;
    // whoever is held would take what waits in the next case
    const session = await openSession(service.databaseUrl);
    await session.query('NOTIFY millrace_jobs');
    await session.end();
    await Promise.all(working);
    const cost = median(costs);
    say(
      `${idleRunners}, ${runners.length} that ${manner}: ${cost.toFixed(1)} % of one core ` +
        `(${Math.min(...costs).toFixed(1)}–${Math.max(...costs).toFixed(1)}), ` +
        `${rate.toFixed(0)} requests/s, goal < ${mostCost} % ${cost < mostCost ? 'ok' : 'short'}`,
    );
  }
}

/** Jobs a second. */
const leastRate = 200;
const workers = 50;
/** Questions without an answer, one after the other, until a runner gives up. */
const mostVain = 1_000;
const sizes = { pipelines: 1, jobs: 1_000 };

/** Fifty runners share out what waits in five pipelines of a thousand jobs each. */
export async function measureHandOut(world: World, ci: Ci, { runs, pids }: Pace): Promise<void> {
  const { service } = world;
  const ask = runnerRequests(service.url);
  const session = await openSession(service.databaseUrl);
  const rates: number[] = [];
  try {
    for (let run = 0; run < Math.min(runs, 3); run += 1) {
      const ids = await queueJobs(world, ci, sizes);
      await untilIdle(pids);
      const given: number[] = [];
      const start = performance.now();
      const work = async (token: string) => {
        for (let vain = 0; given.length < ids.length && vain < mostVain; ) {
          const { job } = await askForJob(ask, token, '');
          if (job) given.push(job.id);
          vain = job ? 0 : vain + 1;
        }
      };
      await Promise.all(ci.runners.slice(0, workers).map(work));
      rates.push((ids.length * 1_000) / (performance.now() - start));
      if (given.length < ids.length) throw new Error('a job was lost');
      if (new Set(given).size < given.length) throw new Error('a job was given twice');
      const { rows } = await session.query(
        `SELECT count(*)::int AS count FROM jobs
         WHERE id = ANY($1) AND status = 'running' AND runner_id IS NOT NULL`,
        [given],
      );
      if (rows[0]?.count !== ids.length) throw new Error('a job was given and does not run');
      await session.query(`DELETE FROM pipelines WHERE project_id = ANY($1)`, [
        ci.projects.map(({ id }) => id),
      ]);
    }
  } finally {
    await session.end();
  }
  const rate = median(rates);
  say(
    `${handOut}, ${workers} runners: ${rate.toFixed(0)} jobs/s ` +
      `(${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}), none twice, none lost, ` +
      `goal ≥ ${leastRate} ${rate >= leastRate ? 'ok' : 'short'}`,
  );
}
