import process from 'node:process';
import { openSession } from '../../prisma/client.ts';
import { type Ci, queueJobs } from './ci.ts';
import type { Pace } from './measure.ts';
import { untilIdle } from './memory.ts';
import { readSecrets } from './people.ts';
import { runnerRequests } from './runner-requests.ts';
import { median } from './table.ts';
import type { World } from './world.ts';

export const traceAppend = 'trace-append';

/** Pieces a second. */
const leastRate = 2_000;
const jobCount = 50;
const piece = 'The quick brown fox jumps over the lazy dog, and then over the next one.\n'.repeat(
  4,
);

/** Fifty jobs that tell what they do, line after line; what was taken is there at the end. */
export async function measureTraces(
  world: World,
  ci: Ci,
  { runs, seconds, warmUp, pids }: Pace,
): Promise<void> {
  const { service } = world;
  const ask = runnerRequests(service.url);
  const secrets = await readSecrets(service.dataFolder);
  const jobs = jobCount / ci.projects.length;
  const ids = await queueJobs(world, ci, { pipelines: 1, jobs });
  const session = await openSession(service.databaseUrl);
  const tokenOf = (id: number) => `job-${id}`.padEnd(30, 'x');
  await session.query(
    `UPDATE jobs SET status = 'running', heard_at = now(), token_digest = made.digest
     FROM unnest($1::int[], $2::bytea[]) made (id, digest) WHERE jobs.id = made.id`,
    [ids, ids.map((id) => Buffer.from(secrets.digest(tokenOf(id))))],
  );
  await session.end();
  const sizes = new Map(ids.map((id) => [id, 0]));
  let taken = 0;
  const append = async (id: number) => {
    const start = sizes.get(id) ?? 0;
    const end = start + piece.length;
    const { status, headers, text } = await ask('PATCH', `/jobs/${id}/trace`, piece, {
      'Content-Type': 'text/plain',
      'Content-Range': `${start}-${end}`,
      'JOB-TOKEN': tokenOf(id),
    });
    if (status !== 202 || headers.range !== `0-${end}`) {
      throw new Error(`a piece was answered ${status}: ${text}`);
    }
    sizes.set(id, end);
    taken += 1;
  };
  const run = async (length: number): Promise<number> => {
    const [start, before] = [performance.now(), taken];
    const end = start + length * 1_000;
    const work = async (id: number) => {
      while (performance.now() < end) await append(id);
    };
    await Promise.all(ids.map(work));
    return ((taken - before) * 1_000) / (performance.now() - start);
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
