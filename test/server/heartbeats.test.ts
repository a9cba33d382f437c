import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { watchHeartbeat } from '../../server/helpers/heartbeat.ts';

const program = fileURLToPath(new URL('../fixtures/helper-program.ts', import.meta.url));
const limits = { intervalMs: 50, silentMs: 150, patienceMs: 300 };

/** A helper that answers pings, and its heartbeat. */
async function helper() {
  const child: ChildProcess = fork(program, { execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let silences = 0;
  let answers = 0;
  await once(child, 'message');
  const heartbeat = watchHeartbeat({
    pid: () => child.pid,
    ping: () => void child.send('ping'),
    onSilent: () => {
      silences += 1;
    },
    limits,
  });
  onTestFinished(heartbeat.stop);
  child.on('message', () => {
    answers += 1;
    heartbeat.answered();
  });
  await expect.poll(() => answers).toBeGreaterThan(1);
  return {
    child,
    isSilent: heartbeat.isSilent,
    silences: () => silences,
    answers: () => answers,
    /** Waits for more answers. */
    next: () => {
      const before = answers;
      return expect.poll(() => answers).toBeGreaterThan(before + 2);
    },
  };
}

test.each(['stop', 'loop', 'wait'] as const)(
  'a helper that does not answer because of "%s" is hung, once',
  async (fault) => {
    const { child, silences, next, isSilent } = await helper();
    await next();
    expect(isSilent()).toBe(false);
    if (fault === 'stop') process.kill(child.pid ?? 0, 'SIGSTOP');
    else child.send(fault);
    await expect.poll(silences).toBe(1);
    expect(isSilent()).toBe(true);
    // longer than another limit
    const other = await helper();
    for (let round = 0; round < 4; round += 1) await other.next();
    expect(silences()).toBe(1);
  },
);

test('a helper that answers late is not hung', async () => {
  const { child, silences, next } = await helper();
  child.send('pause');
  await next();
  expect(silences()).toBe(0);
});

test('the time in which this process could not read the answer does not count', async () => {
  const { silences, next } = await helper();
  for (let round = 0; round < 5; round += 1) {
    const end = performance.now() + 10 * limits.silentMs;
    while (performance.now() < end);
    await next();
  }
  expect(silences()).toBe(0);
});

test('a helper that was stopped together with this process is not hung', async () => {
  const { child, silences, next } = await helper();
  const pid = child.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  // as in a machine that is suspended: this process reads nothing meanwhile
  const end = performance.now() + 10 * limits.silentMs;
  while (performance.now() < end);
  process.kill(pid, 'SIGCONT');
  await next();
  expect(silences()).toBe(0);
});
