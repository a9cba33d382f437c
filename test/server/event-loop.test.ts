import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { watchEventLoop } from '../../server/http/event-loop.ts';
import { world } from '../support/world.ts';

/** Blocks the event loop. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const lines: { stalledMs: number; underWay: { name: string; count: number }[] }[] = [];
const registry = new Registry();
let isWatched = true;
const watch = watchEventLoop({
  log: { warn: (line: unknown) => lines.push(line as (typeof lines)[number]) },
  registry,
  isWatched: () => isWatched,
  shortestMs: 250,
});
const activity = (name: string, startedMsAgo = 0) => ({
  start: performance.now() - startedMsAgo,
  name: () => name,
});

test('a stall is logged with the active work, the latest first', async () => {
  const oldest = activity('POST /api/v4/jobs/request', 40_000);
  const sameName = activity('POST /api/v4/jobs/request', 30_000);
  const culprit = activity('GET /api/v4/projects/:id');
  for (const activity of [oldest, sameName, culprit]) watch.begin(activity);
  block(400);
  // the work may end in the same turn of the event loop
  watch.end(culprit);
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect(lines[0]).toMatchObject({
    underWay: [
      { name: 'GET /api/v4/projects/:id', count: 1 },
      { name: 'POST /api/v4/jobs/request', count: 2 },
    ],
  });
  expect(lines[0]?.stalledMs).toBeGreaterThan(250);
  expect(await registry.metrics()).toMatch(/millrace_event_loop_stalls_total [1-9]/);
  isWatched = false;
});

test('the delay of the event loop is among the metrics', async () => {
  const { url } = await world();
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  expect(metrics).toMatch(/nodejs_eventloop_lag_p99_seconds [\d.e-]+/);
  expect(metrics).toMatch(/nodejs_eventloop_lag_max_seconds [\d.e-]+/);
  expect(metrics).toMatch(/millrace_event_loop_stalls_total \d+/);
});
