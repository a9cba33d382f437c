import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, inject, test } from 'vitest';
import { connect } from '../../../prisma/client.ts';
import { openQueue } from '../../../server/jobs/queue.ts';
import { cloneDatabase } from '../../support/database.ts';

const database = await cloneDatabase(inject('databaseUrl'));
const db = connect(database.url, { poolSize: 2 });
const queue = await openQueue(database.url, { onError: () => {} });
const program = fileURLToPath(new URL('../../support/job-process.ts', import.meta.url));

const start = () => {
  const child = spawn(process.execPath, [program, database.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return { child, exit: once(child, 'exit'), lines: () => output.split('\n').filter(Boolean) };
};
type Worker = ReturnType<typeof start>;
const workers: Worker[] = [];

afterAll(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await queue.stop();
  await db.$disconnect();
  await database.drop();
});

/** Restarts a worker whenever it dies, as a supervisor does, until `isDone`. */
async function keepRunning(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) {
    const worker = start();
    workers.push(worker);
    const isOver = worker.exit.then(() => true);
    for (let exited = false; !exited && !(await isDone()); ) {
      // make retries due at once, as their delay does not matter here
      await db.$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`;
      exited = await Promise.race([
        isOver,
        db.$queryRaw`SELECT pg_sleep(0.2)::text`.then(() => false),
      ]);
    }
    // a dead process sends no heartbeats: expire the last ones immediately
    await db.$executeRaw`UPDATE pgboss.job SET heartbeat_on = now() - interval '1 minute'
      WHERE state = 'active'`;
  }
}

const started = (name: string) =>
  workers.flatMap((worker) => worker.lines()).filter((line) => line.startsWith(`start ${name},`));

test('a job that kills its process is retried twice alone, then fails; other jobs are not affected', async () => {
  const innocent = Array.from({ length: 6 }, (_, index) => index + 1);
  await db.$transaction(async (tx) => {
    await queue.enqueueAll(
      'deliver-hook',
      innocent.map((id) => ({ deliveryId: id, hookId: id })),
      tx,
    );
    await queue.enqueue('remove-project', { projectId: 666 }, tx);
    await queue.enqueue('remove-project', { projectId: 7 }, tx);
  });
  await keepRunning(async () => (await db.deadLetter.count()) > 0);

  expect(await db.deadLetter.findMany()).toMatchObject([
    { kind: 'remove-project', payload: { projectId: 666 }, attempts: 3, isFatal: true },
  ]);
  const [first, ...alone] = started('remove-project 666');
  expect(first).toMatch(/beside \d+$/);
  expect(alone).toEqual(Array(2).fill('start remove-project 666, beside 0'));
  const deaths = workers.filter(({ child }) => child.signalCode === 'SIGKILL');
  expect(deaths).toHaveLength(3);

  // the process that failed the job continues with the others
  const outputLines = () => workers.flatMap((worker) => worker.lines());
  const expected = [
    ...innocent.map((id) => `end deliver-hook ${id} ${id}`),
    'end remove-project 7',
  ];
  await expect
    .poll(() => expected.filter((line) => !outputLines().includes(line)), { timeout: 60_000 })
    .toEqual([]);
  await expect.poll(() => db.interruptedJob.count()).toBe(0);
  expect(await db.deadLetter.count()).toBe(1);
  const last = workers.at(-1);
  last?.child.kill('SIGTERM');
  expect(await last?.exit).toEqual([0, null]);
}, 300_000);

test('a suspected job runs alone from its first attempt', async () => {
  await db.$transaction((tx) => queue.enqueue('settle-push', { pushId: '1', projectId: 666 }, tx));
  await keepRunning(async () => (await db.deadLetter.count()) > 1);
  expect(started('settle-push 1 666')).toEqual(Array(2).fill('start settle-push 1 666, beside 0'));
  expect(await db.deadLetter.findFirst({ where: { kind: 'settle-push' } })).toMatchObject({
    payload: { pushId: '1', projectId: 666 },
    isFatal: true,
  });
  workers.at(-1)?.child.kill('SIGTERM');
}, 300_000);
