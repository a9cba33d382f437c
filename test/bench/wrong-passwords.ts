import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type BenchRequest, load } from './load.ts';
import type { Pace } from './measure.ts';
import { median } from './table.ts';
import type { World } from './world.ts';

/** Answers to others may come so many times later. */
const goal = 1.5;

type Counts = Readonly<Record<string, number>>;

/**
 * What wrong passwords cost others: a small answer asked for while nobody guesses, while somebody
 * guesses a hundred times a second from one address, which is refused by then, and from as many
 * addresses as guesses, each of which is judged.
 */
export async function measureWrongPasswords(
  { service, people }: World,
  { runs, seconds, warmUp }: Pace,
): Promise<void> {
  const asked: BenchRequest = { path: `/api/v4/users/${people.stranger.id}`, headers: {} };
  const amount = { seconds, connections: 1 };
  await load(service.url, [asked], { ...amount, seconds: warmUp });
  await spendAttempts(service.url);
  const times = { nobody: [] as number[], one: [] as number[], many: [] as number[] };
  const answers: Record<string, Counts> = {};
  for (let run = 0; run < runs; run += 1) {
    times.nobody.push(1000 / (await load(service.url, [asked], amount)).rate);
    for (const kind of ['one', 'many'] as const) {
      const stop = guess(service.url, kind);
      times[kind].push(1000 / (await load(service.url, [asked], amount)).rate);
      answers[kind] = await stop();
    }
  }
  const usual = median(times.nobody);
  for (const kind of ['one', 'many'] as const) {
    const ratio = median(times[kind]) / usual;
    const told = Object.entries(answers[kind] ?? {}).map(
      ([status, count]) => `${count} × ${status}`,
    );
    process.stdout.write(
      `wrong passwords from ${kind === 'one' ? 'one address' : 'many addresses'}: a request of others ` +
        `takes ${median(times[kind]).toFixed(3)} ms, without ${usual.toFixed(3)} ms: ` +
        `${ratio.toFixed(2)} times, goal ≤ ${goal} ${ratio <= goal ? 'ok' : 'short'}; ` +
        `in the last run the guesses were answered ${told.join(', ')}\n`,
    );
  }
}

/** Guesses that are judged from one address, before it is told to wait. */
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

/** Begins to guess; gives what ends it and tells how the guesses were answered. */
function guess(url: string, kind: 'one' | 'many'): () => Promise<Counts> {
  const program = fileURLToPath(new URL('guesser.ts', import.meta.url));
  const child = spawn(process.execPath, [program, url, kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const told = text(child.stdout);
  return async () => {
    child.stdin.end();
    return JSON.parse(await told) as Counts;
  };
}
