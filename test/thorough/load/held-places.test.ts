import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ciOf } from '../../support/ci.ts';
import { subscriberAt } from '../../support/event-stream.ts';
import { pushBranches } from '../../support/merge-requests.ts';
import { runnerClient } from '../../support/runner-client.ts';
import { projectWithJobs } from '../../support/runner-jobs.ts';
import { runnersOf } from '../../support/runners.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

/*
 * What callers hold for long: subscriptions, connections, bodies and files of requests, waits of runners.
 * Neither one caller nor one class of callers takes all of them.
 */

const connections = 200;
const server = await world({
  limits: {
    subscriptions: { total: 6, perUser: 6, perAddress: 6 },
    http: { connections },
    runnerWaits: { perAddress: 1 },
  },
  // connections from other addresses of loopback are those of clients
  variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.1,::1' },
});
const { as, seed, root, url, db, remote } = server;
const port = Number(new URL(url).port);
const ci = await ciOf(server);
const subscribe = subscriberAt(url);
const users = await Promise.all(['ada', 'bob', 'cleo'].map((name) => seed.user(name)));
const [ada] = users as [TestUser];
const older = await seed.user('older');
await db.user.update({ where: { id: older.id }, data: { createdAt: new Date('2020-01-01') } });
await seed.group('acme', {}, { visibility: 'public' });

/** Opens a connection that the test leaves open, and sends a text. */
function open(text: string | Buffer, localAddress?: string) {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  socket.on('error', () => undefined).write(text);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** The status of the response on a connection; null while there is none. */
function statusOn(socket: Socket): () => number | null {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  return () => {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
    return status === undefined ? null : Number(status);
  };
}

describe('subscriptions', async () => {
  const { id: project } = await seed.project('ada/open', {}, { visibility: 'public' });
  await pushBranches(remote('ada/open', ada), ['topic']);
  const { body } = await as(ada).post(`/projects/${project}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'master',
    title: 'It',
  });
  const { id } = body as { id: number };
  const query = `subscription { mergeRequestUpdated(id: "MergeRequest:${id}") { title } }`;
  /** The status of the response, once the first event has arrived. */
  const status = async (user: TestUser | null, address: string) => {
    const token = user && { 'Private-Token': user.token };
    const stream = await subscribe(query, { headers: { ...token, 'X-Forwarded-For': address } });
    if (stream.status === 200) expect(await stream.next()).toMatchObject({ data: {} });
    return stream.status;
  };
  const addresses = Array.from({ length: 6 }, (_, index) => `192.0.2.${index}`);

  test('of anonymous users leave places to signed-in users', async () => {
    const anonymous = await Promise.all(addresses.map((address) => status(null, address)));
    expect(anonymous.toSorted()).toEqual([200, 200, 200, 200, 200, 503]);
    expect(await status(ada, '192.0.2.99')).toBe(200);
  });

  test('of new accounts leave places to older accounts and to anonymous users', async () => {
    const signedIn = addresses.map((address, index) => status(users[index % 3] ?? null, address));
    expect(await Promise.all(signedIn)).toEqual(Array(6).fill(200));
    expect(await status(ada, '192.0.2.99')).toBe(503);
    expect(await status(null, '192.0.2.99')).toBe(200);
    expect(await status(older, '192.0.2.0')).toBe(200);
  });

  test('of a network that holds several end when one without a place needs it', async () => {
    const [busy, other] = ['192.0.2.0', '192.0.2.1'];
    const signedIn = addresses.map((_, index) => status(users[index % 3] ?? null, busy ?? ''));
    expect(await Promise.all(signedIn)).toEqual(Array(6).fill(200));
    expect(await status(ada, other ?? '')).toBe(200);
    expect(await status(ada, other ?? '')).toBe(503);
  });

  test('of anonymous users leave places to users who sign in from the same network', async () => {
    const [office] = addresses;
    const anonymous = addresses.map(() => status(null, office ?? ''));
    expect((await Promise.all(anonymous)).filter((each) => each === 200)).toHaveLength(5);
    const signedIn = [1, 2, 3].map(() => status(older, office ?? ''));
    expect(await Promise.all(signedIn)).toEqual([200, 200, 200]);
  });
});

test('connections that send nothing keep no other client out', async () => {
  const idle = Array.from({ length: connections }, () => open('GET / HTTP/1.1\r\n', '127.0.0.2'));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  expect((await fetch(`${url}/api/v4/projects`, { headers: { Connection: 'close' } })).status).toBe(
    200,
  );
  await expect.poll(() => idle.some(({ destroyed }) => destroyed)).toBe(true);
});

const megabyte = 2 ** 20;

/** A request of whose body one byte is missing. */
function unfinished(address: string, size = 4 * megabyte): Buffer {
  const head = [
    'POST /api/v4/projects HTTP/1.1',
    'Host: x',
    `X-Forwarded-For: ${address}`,
    'Content-Type: application/json',
    `Content-Length: ${size}`,
    '\r\n',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), Buffer.alloc(size - 1, ' ')]);
}

test('bodies that one address holds leave memory to others', async () => {
  const body = unfinished('192.0.2.1');
  const statuses = Array.from({ length: 17 }, () => statusOn(open(body)));
  await expect.poll(() => statuses.some((status) => status() === 503)).toBe(true);
  const name = 'x'.repeat(200);
  expect(await as(root).post('/projects', { name })).toMatchObject({ status: 201 });
});

test('bodies that many networks hold leave memory to users who sign in', async () => {
  let network = 0;
  for (const size of [4, 4, 1, 0.5].map((megabytes) => megabytes * megabyte)) {
    const bodies = Array.from({ length: 12 }, () => {
      network += 1;
      return unfinished(`198.51.100.${network}`, size);
    });
    const statuses = bodies.map((body) => statusOn(open(body)));
    if (network > 12) await expect.poll(() => statuses.some((each) => each() === 503)).toBe(true);
  }
  const { id } = await seed.project('older/long');
  const long = { title: 'Long', description: 'x'.repeat(900_000) };
  expect((await as(older).post(`/projects/${id}/issues`, long)).status).toBe(201);
});

test('files that one address is sending leave places to others', async () => {
  const form = (address: string) =>
    [
      `POST /api/v4/projects/1/uploads HTTP/1.1`,
      'Host: x',
      `X-Forwarded-For: ${address}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 1000',
      '',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
    ].join('\r\n');
  const statuses = Array.from({ length: 51 }, () => statusOn(open(form('192.0.2.1'))));
  await expect.poll(() => statuses.filter((status) => status() === 503).length).toBe(1);
  const { id } = await seed.project('ada/texts');
  const upload = new FormData();
  upload.append('file', new Blob(['text']), 'b.txt');
  const response = await as(ada).fetch(`/projects/${id}/uploads`, { method: 'POST', body: upload });
  expect(response.status).toBe(201);
});

test('a runner that finds no place to wait gets its response at once', async () => {
  const app = await projectWithJobs(server, ci, 'acme/ci', 'unit: { script: make }\n');
  await db.job.updateMany({ data: { status: 'success' } });
  const runners = runnersOf(server);
  const clients = await Promise.all(
    [1, 2].map(async () => runnerClient(url, (await runners.specific([app.id])).token)),
  );
  const seen = await Promise.all(clients.map(async (each) => (await each.request('')).lastUpdate));
  // those of one address: one of them waits
  const waits = clients.map((each, index) => each.request(seen[index] ?? ''));
  expect(await Promise.race(waits)).toMatchObject({ status: 204 });
  await db.$executeRaw`SELECT pg_notify('millrace_jobs', '')`;
  expect(await Promise.all(waits)).toMatchObject([{ status: 204 }, { status: 204 }]);
});
