import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { receiver, selfSigned } from '../support/receiver.ts';
import { type World, world } from '../support/world.ts';

const open = await world({ variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' } });
const closed = await world();
for (const { seed } of [open, closed]) await seed.group('acme');

let count = 0;

/** The state of the delivery that a new issue sends to a hook at this address. */
async function deliveryTo({ as, seed, root, db }: World, options: object) {
  count += 1;
  const { id } = await seed.project(`acme/p${count}`);
  const api = as(root);
  const created = await api.post(`/projects/${id}/hooks`, { issues_events: true, ...options });
  expect(created.status).toBe(201);
  expect((await api.post(`/projects/${id}/issues`, { title: 'Leak' })).status).toBe(201);
  const delivery = () =>
    db.hookDelivery.findFirst({
      where: { hook: { projectId: id } },
      select: { state: true, attempts: true, error: true, responseStatus: true },
    });
  await expect.poll(delivery).not.toMatchObject({ attempts: 0 });
  return delivery();
}

describe('a receiver with a self-signed certificate', () => {
  test('gets deliveries only if the hook does not verify TLS', async () => {
    const listener = await receiver(undefined, await selfSigned());
    const send = (path: string, flags: object) =>
      deliveryTo(open, { url: `${listener.url}${path}`, ...flags });
    expect(await send('/trusting', { enable_ssl_verification: false })).toEqual({
      state: 'delivered',
      attempts: 1,
      error: null,
      responseStatus: 200,
    });
    for (const flags of [{}, { enable_ssl_verification: true }]) {
      expect(await send('/careful', flags)).toEqual({
        state: 'pending',
        attempts: 1,
        error: 'The request failed: DEPTH_ZERO_SELF_SIGNED_CERT',
        responseStatus: null,
      });
    }
    expect(listener.received.map(({ path }) => path)).toEqual(['/trusting']);
  });
});

describe('a host name that resolves to this machine', () => {
  test('is resolved at delivery, and the delivery is blocked', async () => {
    const listener = await receiver();
    const url = listener.url.replace('127.0.0.1', hostname());
    expect(await deliveryTo(closed, { url })).toEqual({
      state: 'failed',
      attempts: 1,
      error: 'The URL leads to an address that requests are not allowed to',
      responseStatus: null,
    });
    expect(listener.received).toEqual([]);
    expect(await deliveryTo(open, { url })).toMatchObject({ state: 'delivered' });
  });
});
