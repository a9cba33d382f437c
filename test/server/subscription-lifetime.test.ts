import { expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { subscriberAt } from '../support/event-stream.ts';
import { projectWithJobs } from '../support/runner-jobs.ts';
import { world } from '../support/world.ts';

const server = await world({ limits: { subscriptions: { lifetimeMs: 500 } } });
const { seed, root, url } = server;
const ci = await ciOf(server);
const subscribe = subscriberAt(url);
await seed.group('acme');
const app = await projectWithJobs(server, ci, 'acme/app', 'unit: { script: make }\n');

test('a stream ends after its lifetime without `complete`, so that its client connects again', async () => {
  const id = await app.pipeline();
  const query = `subscription { pipelineUpdated(id: ${id}) { status } }`;
  const stream = await subscribe(query, { headers: { 'Private-Token': root.token } });
  expect(await stream.next()).toEqual({ data: { pipelineUpdated: { status: 'PENDING' } } });
  expect(await stream.next()).toBe('ended');
});
