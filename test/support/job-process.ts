import process from 'node:process';
import { connect } from '../../prisma/client.ts';
import { recordDeadLetter } from '../../schema/dead-letters/record.ts';
import type { JobKind } from '../../schema/ports/jobs.ts';
import { kindNames } from '../../server/jobs/kinds.ts';
import { openQueue } from '../../server/jobs/queue.ts';
import type { JobHandlers } from '../../server/jobs/work.ts';

/** A worker process for the queue of the given database; a job for project 666 kills it. */
const [, , url = ''] = process.argv;
const print = (line: string) => process.stdout.write(`${line}\n`);
const db = connect(url, { poolSize: 4 });
const queue = await openQueue(url, { onError: () => {}, stopWithin: 1_000, supervisedEvery: 1 });

const running = new Set<string>();
const jobs = { db, jobs: queue };
const handle = async (kind: JobKind, payload: object) => {
  const name = `${kind} ${Object.values(payload).join(' ')}`;
  print(`start ${name}, beside ${running.size}`);
  running.add(name);
  if ('projectId' in payload && payload.projectId === 666) process.kill(process.pid, 'SIGKILL');
  if (kind === 'refresh-statistics') throw new Error('no statistics today');
  // keeps the database busy for a moment, as a real job does
  await db.$queryRaw`SELECT pg_sleep(0.2)::text`;
  running.delete(name);
  print(`end ${name}`);
};
const handlers = Object.fromEntries(
  kindNames.map((kind) => [kind, (payload: object) => handle(kind, payload)]),
) as unknown as JobHandlers;

process.on('SIGTERM', async () => {
  await queue.stop();
  await db.$disconnect();
  process.exit(0);
});
await queue.work(handlers, {
  db,
  onDeadJob: async (job) => {
    if (await recordDeadLetter(job, jobs)) print(`given up ${job.kind}`);
  },
});
print('ready');
