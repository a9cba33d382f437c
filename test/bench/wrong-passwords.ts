import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type BenchRequest, load } from './load.ts';
import type { Pace } from './measure.ts';
import { median } from './table.ts';
import type { World } from './world.ts';

/** How many times longer another client's request may take. */
const goal = 1.5;

type Counts = Readonly<Record<string, number>>;

/**
 * What wrong passwords cost other clients: a small request while no client guesses, while a client
 * guesses a hundred times per second from one address, which is throttled by then, and from a new
 * address for each guess, so that each password is checked.
 */
export async function measureWrongPasswords(
  { service, users }: World,
  { runs, seconds, warmUp }: Pace,
): Promise<void> {
  const request: BenchRequest = { path: `/api/v4/users/${users.nonMember.id}`, headers: {} };
  const amount = { seconds, connections: 1 };
  await load(service.url, [request], { ...amount, seconds: warmUp });
  await spendAttempts(service.url);
  const times = { none: [] as number[], one: [] as number[], many: [] as number[] };
  const statusCounts: Record<string, Counts> = {};
  for (let run = 0; run < runs; run += 1) {
    times.none.push(1000 / (await load(service.url, [request], amount)).rate);
    for (const kind of ['one', 'many'] as const) {
      const stop = guess(service.url, kind);
      times[kind].push(1000 / (await load(service.url, [request], amount)).rate);
      statusCounts[kind] = await stop();
    }
  }
  const baseline = median(times.none);
  for (const kind of ['one', 'many'] as const) {
    const ratio = median(times[kind]) / baseline;
    const counts = Object.entries(statusCounts[kind] ?? {}).map(
      ([status, count]) => `${count} × ${status}`,
    );
    process.stdout.write(
      `wrong passwords from ${kind === 'one' ? 'one address' : 'many addresses'}: a request of another client ` +
        `takes ${median(times[kind]).toFixed(3)} ms, without ${baseline.toFixed(3)} ms: ` +
        `${ratio.toFixed(2)} times, goal ≤ ${goal} ${ratio <= goal ? 'ok' : 'short'}; ` +
        `in the last run the guesses got ${counts.join(', ')}\n`,
    );
  }
}

/** Guesses from one address before it is throttled. */
const perAddress = 100;

async function spendAttempts(url: string): Promise<void> {
  for (let number = 0; number <= perAddress; number += 1) {
    const response = await fetch(`${url}/api/v4/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '10.0.0.1' },
      body: JSON.stringify({ login: `early-${number}`, password: 'wrong' }),
    });
    await response.arrayBuffer();
  }
}

/** Starts guessing; the result stops it and gives the number of responses per status. */
function guess(url: string, kind: 'one' | 'many'): () => Promise<Counts> {
  const program = fileURLToPath(new URL('password-guesser.ts', import.meta.url));
  const child = spawn(process.execPath, [program, url, kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  return async () => {
    child.stdin.end();
    return JSON.parse(await output) as Counts;
  };
}
