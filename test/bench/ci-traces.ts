import process from 'node:process';
import { openSession } from '../../prisma/client.ts';
import { type Ci, queueJobs } from './ci.ts';
import type { Pace } from './measure.ts';
import { untilIdle } from './memory.ts';
import { runnerRequests } from './runner-requests.ts';
import { median } from './table.ts';
import { readSecrets } from './users.ts';
import type { World } from './world.ts';

export const traceAppend = 'trace-append';

/** Trace chunks per second. */
const leastRate = 2_000;
const jobCount = 50;
const piece = 'The quick brown fox jumps over the lazy dog, and then over the next one.\n'.repeat(
  4,
);

/** Fifty jobs append to their traces; checks at the end that every accepted chunk is stored. */
export async function measureTraces(
  world: World,
  ci: Ci,
  { runs, seconds, warmUp, pids }: Pace,
): Promise<void> {
  const { service } = world;
  const send = runnerRequests(service.url);
  const secrets = await readSecrets(service.dataFolder);
  const jobs = jobCount / ci.projects.length;
  const ids = await queueJobs(world, ci, { pipelines: 1, jobs });
  const session = await openSession(service.databaseUrl);
  const tokenOf = (id: number) => `job-${id}`.padEnd(30, 'x');
  await session.query(
    `UPDATE jobs SET status = 'running', heard_at = now(), token_digest = created.digest
     FROM unnest($1::int[], $2::bytea[]) created (id, digest) WHERE jobs.id = created.id`,
    [ids, ids.map((id) => Buffer.from(secrets.digest(tokenOf(id))))],
  );
  await session.end();
  const sizes = new Map(ids.map((id) => [id, 0]));
  let accepted = 0;
  const append = async (id: number) => {
    const start = sizes.get(id) ?? 0;
    const end = start + piece.length;
    const { status, headers, text } = await send('PATCH', `/jobs/${id}/trace`, piece, {
      'Content-Type': 'text/plain',
      'Content-Range': `${start}-${end}`,
      'JOB-TOKEN': tokenOf(id),
    });
    if (status !== 202 || headers.range !== `0-${end}`) {
      throw new Error(`a trace chunk got ${status}: ${text}`);
    }
    sizes.set(id, end);
    accepted += 1;
  };
  const run = async (length: number): Promise<number> => {
    const [start, before] = [performance.now(), accepted];
    const end = start + length * 1_000;
    const work = async (id: number) => {
      while (performance.now() < end) await append(id);
    };
    await Promise.all(ids.map(work));
    return ((accepted - before) * 1_000) / (performance.now() - start);
  };
  await run(warmUp);
  const rates: number[] = [];
  for (let round = 0; round < runs; round += 1) {
    await untilIdle(pids);
    rates.push(await run(seconds));
  }
  const rate = median(rates);
  process.stdout.write(
    `${traceAppend}, ${jobCount} jobs: ${rate.toFixed(0)} pieces/s ` +
      `(${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}), ` +
      `goal ≥ ${leastRate} ${rate >= leastRate ? 'ok' : 'short'}\n`,
  );
}
