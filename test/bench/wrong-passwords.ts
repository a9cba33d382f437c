import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Asked, load } from './load.ts';
import type { Pace } from './measure.ts';
import { median } from './table.ts';
import type { World } from './world.ts';

const perSecond = 100;

/** Answers to others may come so many times later. */
const goal = 1.5;

type Counts = Record<number, number>;

/** Guesses that are judged from one address, before it is told to wait. */
const perAddress = 100;

/**
 * What wrong passwords cost others: a small answer asked for while nobody guesses, while somebody
 * guesses a hundred times a second from one address, which is refused by then, and from as many
 * addresses as guesses, each of which is judged.
 */
export async function measureWrongPasswords(
  { service, people }: World,
  { runs, seconds, warmUp }: Pace,
): Promise<void> {
  const asked: Asked = { path: `/api/v4/users/${people.stranger.id}`, headers: {} };
  await load(service.url, [asked], { seconds: warmUp, connections: 1 });
  const sides = {
    nobody: { times: [] as number[], counts: {} as Counts, from: null },
    'one address': { times: [] as number[], counts: {} as Counts, from: oneAddress },
    'many addresses': { times: [] as number[], counts: {} as Counts, from: manyAddresses() },
  };
  for (let number = 0; number < perAddress; number += 1) {
    await attempt(`${service.url}/api/v4/session`, `early-${number}`, oneAddress());
  }
  for (let run = 0; run < runs; run += 1) {
    for (const { times, counts, from } of Object.values(sides)) {
      const stop = from ? guess(service.url, from, counts) : null;
      const { rate } = await load(service.url, [asked], { seconds, connections: 1 });
      await stop?.();
      times.push(1000 / rate);
    }
  }
  const usual = median(sides.nobody.times);
  for (const [who, { times, counts }] of Object.entries(sides)) {
    const ratio = median(times) / usual;
    const told = Object.entries(counts).map(([status, count]) => `${count} × ${status}`);
    process.stdout.write(
      `wrong passwords, from ${who}: a request of others takes ${median(times).toFixed(3)} ms, ` +
        `${ratio.toFixed(2)} times as long, goal ≤ ${goal} ${ratio <= goal ? 'ok' : 'short'}` +
        `${told.length > 0 ? `; guesses were answered ${told.join(', ')}` : ''}\n`,
    );
  }
}

const oneAddress = () => '10.0.0.1';

function manyAddresses(): () => string {
  let number = 0;
  return () => {
    number += 1;
    return `10.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
  };
}

/** Guesses at an even pace, each time at another account, until it is stopped. */
function guess(url: string, from: () => string, counts: Counts): () => Promise<void> {
  let isOver = false;
  let number = 0;
  const under = new Set<Promise<void>>();
  const begin = performance.now();
  const guessing = (async () => {
    while (!isOver) {
      number += 1;
      const answer = attempt(`${url}/api/v4/session`, `somebody-${number}`, from()).then(
        (status) => {
          counts[status] = (counts[status] ?? 0) + 1;
        },
      );
      under.add(answer);
      answer.finally(() => under.delete(answer));
      await pause(Math.max(begin + (number * 1000) / perSecond - performance.now(), 0));
    }
  })();
  return async () => {
    isOver = true;
    await guessing;
    await Promise.all(under);
  };
}

async function attempt(url: string, login: string, from: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: JSON.stringify({ login, password: 'wrong' }),
  });
  await response.arrayBuffer();
  return response.status;
}
