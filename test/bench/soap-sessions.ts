import process from 'node:process';
import { soapClientOf } from '../support/soap.ts';
import type { Pace } from './measure.ts';
import { untilIdle } from './memory.ts';
import { signIn, soapSessions } from './soap-cases.ts';
import { median } from './table.ts';
import { type Login, loginOf, userCount } from './users.ts';
import type { World } from './world.ts';

const sessionCount = 1_000;

/** One active user for each session. */
const activeLogins = (): readonly Login[] =>
  Array.from({ length: userCount }, (_, index) => index + 1)
    .filter((number) => number % 50 !== 0)
    .slice(0, sessionCount)
    .map(loginOf);

/**
 * A thousand users sign in at once, then all request `user.current` at once, each on its own
 * connection. Throws if a response names another user.
 */
export async function measureSoapSessions({ service }: World, { runs, pids }: Pace): Promise<void> {
  const soap = soapClientOf(service.url);
  const users = activeLogins();
  const begin = performance.now();
  const sessions = await Promise.all(users.map((account) => signIn(soap, account)));
  const signingIn = (performance.now() - begin) / 1_000;
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await untilIdle(pids);
    const start = performance.now();
    const results = await Promise.all(
      sessions.map((session) => soap.invoke('call', session, 'user.current', null)),
    );
    times.push((performance.now() - start) / 1_000);
    const names = results.map(({ result }) => (result as Partial<Login> | undefined)?.username);
    const wrong = users.filter(({ username }, index) => names[index] !== username);
    if (wrong.length > 0) throw new Error(`${wrong.length} of ${sessionCount} got another user`);
  }
  process.stdout.write(
    `${soapSessions}: ${sessionCount} signed in at once within ${signingIn.toFixed(1)} s, ` +
      `${sessionCount} calls at once completed within ${median(times).toFixed(2)} s ` +
      `(${Math.min(...times).toFixed(2)}–${Math.max(...times).toFixed(2)}), ` +
      `goal: each call as its own user ok\n`,
  );
}
