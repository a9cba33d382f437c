import process from 'node:process';
import { type BenchRequest, load, requestsFor } from './load.ts';
import type { Pace } from './measure.ts';
import { untilIdle } from './memory.ts';
import { median } from './table.ts';
import type { World } from './world.ts';

/** Milliseconds that a token may add to a request, the first one with it excepted. */
const goal = 0.3;

/**
 * What a token costs: the same small response without a token, with a private token and with an
 * OAuth access token. The tokens' user has many groups; the response is public.
 */
export async function measureAuthentication(
  { service, users }: World,
  { runs, seconds, warmUp, pids }: Pace,
): Promise<void> {
  const path = `/api/v4/users/${users.nonMember.id}`;
  const without: BenchRequest = { path, headers: {} };
  const withToken: BenchRequest = { path, headers: { 'Private-Token': users.member.token } };
  const withAccessToken: BenchRequest = {
    path,
    headers: { Authorization: `Bearer ${users.memberAccessToken}` },
  };
  const bodies = await Promise.all(
    [without, withToken, withAccessToken].map(async ({ headers }) =>
      (await fetch(`${service.url}${path}`, { headers })).text(),
    ),
  );
  if (new Set(bodies).size > 1) {
    throw new Error(`${path} differs for signed-in users`);
  }

  for (const connections of [1, 16]) {
    const slice = { seconds: sliceOf(seconds), connections };
    const amount = {
      connections,
      requests: await requestsFor(service.url, [without], slice),
    };
    const times = new Map<BenchRequest, number[]>([
      [without, []],
      [withToken, []],
      [withAccessToken, []],
    ]);
    for (const request of times.keys()) {
      await load(service.url, [request], { seconds: warmUp, connections });
    }
    await untilIdle(pids);
    for (let run = 0; run < runs * slices; run += 1) {
      const sides = [...times];
      for (const [request, values] of run % 2 === 0 ? sides : sides.toReversed()) {
        const { rate } = await load(service.url, [request], amount);
        values.push(1000 / rate);
      }
    }
    const timesOf = (request: BenchRequest) => times.get(request) ?? [];
    print(connections, 'a private token', timesOf(without), timesOf(withToken));
    print(connections, 'an access token', timesOf(without), timesOf(withAccessToken));
  }
}

/** A run is cut into alternating slices, as the difference is far smaller than the machine's noise. */
const slices = 8;
const sliceOf = (seconds: number) => seconds / slices;

function print(
  connections: number,
  token: string,
  without: readonly number[],
  withToken: readonly number[],
) {
  const cost = median(withToken) - median(without);
  process.stdout.write(
    `authentication, ${connections} at a time: a request takes ${median(without).toFixed(3)} ms without ` +
      `and ${median(withToken).toFixed(3)} ms with ${token}: ${cost.toFixed(3)} ms more, ` +
      `goal ≤ ${goal} ms ${cost <= goal ? 'ok' : 'short'}\n`,
  );
}
