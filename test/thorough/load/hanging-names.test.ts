import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { destinationOf } from '../../../server/outgoing/destination.ts';

/** The names that a name server was asked for, which does not respond. */
const names = new Set<string>();
const nameServer = createSocket('udp4').on('message', (query) => {
  const length = query[12] ?? 0;
  names.add(query.toString('latin1', 13, 13 + length));
});
nameServer.bind(0, '127.0.0.1');
await once(nameServer, 'listening');
const servers = dns.getServers();
dns.setServers([`127.0.0.1:${nameServer.address().port}`]);
afterAll(() => {
  dns.setServers(servers);
  nameServer.close();
});

const rules = { ports: new Map([['https:', 443]]), allowsLocal: false };

test('a name server that does not respond holds no lookup of the operating system', async () => {
  const hosts = Array.from({ length: 8 }, (_, index) => `hang-${index}`);
  const pending = hosts.map((host) =>
    destinationOf(`https://${host}.example.org`, rules).catch((error: Error) => error.message),
  );
  // all at the same time, and before the first one has ended
  await expect.poll(() => names.size).toBe(hosts.length);
  expect(await destinationOf('https://192.0.2.1', { ...rules, allowsLocal: true })).toMatchObject({
    address: '192.0.2.1',
  });
  expect(await Promise.all(pending)).toEqual(
    hosts.map((host) => `The host ${host}.example.org could not be resolved`),
  );
});
