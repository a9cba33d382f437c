/**
 * `node test/bench/password-guesser.ts <url> one|many`: tries wrong passwords at an even pace, each at another
 * account, from one address or from a new one for each guess, until its input ends; then prints how many
 * guesses got which status. It is a separate process so that it does not slow the measurement.
 */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const perSecond = 100;
const [, , url = '', kind = 'one'] = process.argv;
const counts: Record<number, number> = {};
const under = new Set<Promise<void>>();
let isOver = false;
process.stdin.resume().once('end', () => {
  isOver = true;
});

const addressOf = (number: number) =>
  kind === 'one'
    ? '10.0.0.1'
    : `10.${1 + (process.pid % 250)}.${(number >> 8) & 255}.${number & 255}`;

async function guess(number: number): Promise<void> {
  const response = await fetch(`${url}/api/v4/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': addressOf(number) },
    body: JSON.stringify({ login: `unknown-${process.pid}-${number}`, password: 'wrong' }),
  });
  await response.arrayBuffer();
  counts[response.status] = (counts[response.status] ?? 0) + 1;
}

const begin = performance.now();
for (let number = 1; !isOver; number += 1) {
  const pending = guess(number).finally(() => under.delete(pending));
  under.add(pending);
  await pause(Math.max(begin + (number * 1000) / perSecond - performance.now(), 0));
}
await Promise.all(under);
process.stdout.write(JSON.stringify(counts));
