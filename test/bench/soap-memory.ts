import process from 'node:process';
import { soapClientOf } from '../support/soap.ts';
import { type BenchRequest, load } from './load.ts';
import type { Pace } from './measure.ts';
import { memoryOf, untilIdle } from './memory.ts';
import { posted, signIn, soapMemory } from './soap-cases.ts';
import { loginOf } from './users.ts';
import type { World } from './world.ts';

const first = 1_000;
const last = 10_000;
/** Relative to the memory after the first calls. */
const mostGrowth = 0.1;
const connections = 10;

/** Calls in turn, including sessions that are never ended. */
function callsOf(session: string): readonly BenchRequest[] {
  const { username, token } = loginOf(1);
  const list = ['project.list', [{ per_page: 20 }]];
  return [
    posted('login', username, token),
    posted('call', session, ...list),
    posted('call', session, 'user.current', null),
    posted('resources', session),
    posted('multiCall', session, [list, ['namespace.list'], ['none.at_all']], null),
  ];
}

/** Checks for leaks: the server's resident memory after many calls beside that after the first ones. */
export async function measureSoapMemory({ service }: World, { pids }: Pace): Promise<void> {
  const session = await signIn(soapClientOf(service.url), loginOf(1));
  const calls = callsOf(session);
  const after = async (requests: number): Promise<number> => {
    await load(service.url, calls, { connections, requests });
    await untilIdle(pids);
    return memoryOf(service.pid).server;
  };
  const before = await after(first);
  const afterwards = await after(last - first);
  const growth = afterwards / before - 1;
  process.stdout.write(
    `${soapMemory}: ${before.toFixed(0)} MB after ${first} calls, ${afterwards.toFixed(0)} MB after ` +
      `${last}: ${(growth * 100).toFixed(1)} % more, ` +
      `goal ≤ ${mostGrowth * 100} % ${growth <= mostGrowth ? 'ok' : 'short'}\n`,
  );
}
