import process from 'node:process';
import { expect, test } from 'vitest';
import { childOf, helperFailuresAt, isRunning, sendSignal } from '../../support/helpers.ts';
import { world } from '../../support/world.ts';

const { url } = await world({
  variables: { MILLRACE_RUNNER: 'shell' },
  settings: { signupEnabled: false },
  limits: { helpers: { intervalMs: 200, silentMs: 600 } },
  isOneProcess: true,
});
const runnerPid = () => childOf(process.pid, 'runner/main.ts run');

test.each([
  ['SIGSTOP', 'silent'],
  ['SIGKILL', 'exited'],
] as const)('a shell runner is replaced after %s', async (signal, reason) => {
  const pid = await runnerPid();
  const failures = await helperFailuresAt(url, 'runner', reason);
  sendSignal(pid, signal);
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect.poll(runnerPid).not.toBe(pid);
  expect(await helperFailuresAt(url, 'runner', reason)).toBe(failures + 1);
});
