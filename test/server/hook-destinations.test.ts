import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { receiver, selfSigned } from '../support/receiver.ts';
import { type World, world } from '../support/world.ts';

const open = await world({ variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' } });
const closed = await world();
for (const { seed } of [open, closed]) await seed.group('acme');

let count = 0;

/** What became of the message that a new issue sends to a hook at this address. */
async function sentTo({ as, seed, root, db }: World, given: object) {
  count += 1;
  const { id } = await seed.project(`acme/p${count}`);
  const api = as(root);
  const made = await api.post(`/projects/${id}/hooks`, { issues_events: true, ...given });
  expect(made.status).toBe(201);
  expect((await api.post(`/projects/${id}/issues`, { title: 'Leak' })).status).toBe(201);
  const delivery = () =>
    db.hookDelivery.findFirst({
      where: { hook: { projectId: id } },
      select: { state: true, attempts: true, error: true, responseStatus: true },
    });
  await expect.poll(delivery).not.toMatchObject({ attempts: 0 });
  return delivery();
}

describe('a receiver whose certificate nobody has signed', () => {
  test('is told where the hook does not verify it, and not where it does', async () => {
    const listener = await receiver(undefined, await selfSigned());
    const send = (path: string, flags: object) =>
      sentTo(open, { url: `${listener.url}${path}`, ...flags });
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

describe('a name that leads to this machine', () => {
  test('is asked for an address when a message is sent, and then nothing is', async () => {
    const listener = await receiver();
    const url = listener.url.replace('127.0.0.1', hostname());
    expect(await sentTo(closed, { url })).toEqual({
      state: 'failed',
      attempts: 1,
      error: 'The URL leads to an address that requests are not allowed to',
      responseStatus: null,
    });
    expect(listener.received).toEqual([]);
    expect(await sentTo(open, { url })).toMatchObject({ state: 'delivered' });
  });
});
