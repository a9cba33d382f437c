import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ciOf } from '../../support/ci.ts';
import { subscriberAt } from '../../support/event-stream.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../../support/runner-jobs.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const limits = { total: 6, perUser: 2, perAddress: 4, keepAliveMs: 100, checkMs: 100 };
const server = await world({
  limits: {
    subscriptions: limits,
    http: { stall: { windowMs: 600, leastBytes: 30 * 1024 } },
  },
  variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1' },
});
const { as, seed, root, url, db } = server;
const ci = await ciOf(server);
const hold = await jobAssigner(server, ci);
const { append } = jobClient(url);
const subscribe = subscriberAt(url);

const people = await Promise.all(['ada', 'bob', 'cleo', 'dan'].map((name) => seed.user(name)));
const [ada, bob, cleo, dan] = people as [TestUser, TestUser, TestUser, TestUser];
await seed.group('acme', { developer: people });
const app = await projectWithJobs(server, ci, 'acme/app', 'unit: { script: make }\n');
const pipelineId = await app.pipeline();
const job = await hold(pipelineId, 'unit');

const query = `subscription { pipelineUpdated(id: ${pipelineId}) { status } }`;
const first = { data: { pipelineUpdated: { status: 'RUNNING' } } };
const tooMany = {
  errors: [
    expect.objectContaining({
      extensions: { code: 'FORBIDDEN', reason: 'throttled', retryAfter: 30 },
    }),
  ],
};

const open = (user: TestUser, address: string) =>
  subscribe(query, { headers: { 'Private-Token': user.token, 'X-Forwarded-For': address } });
const firstOf = async (user: TestUser, address: string) => (await open(user, address)).next();

const openStreams = async () => {
  const text = await (await fetch(`${url}/-/metrics`)).text();
  return Number(/^millrace_subscriptions (\d+)$/m.exec(text)?.[1]);
};

describe('the number of open streams', () => {
  test('is limited per user', async () => {
    const stream = await open(ada, '192.0.2.1');
    expect(await stream.next()).toEqual(first);
    expect(await firstOf(ada, '192.0.2.2')).toEqual(first);
    expect(await firstOf(ada, '192.0.2.3')).toMatchObject(tooMany);
    expect(await firstOf(bob, '192.0.2.3')).toEqual(first);
    stream.close();
    await expect.poll(() => firstOf(ada, '192.0.2.1')).toEqual(first);
  });

  test('is limited per address and in all', async () => {
    await expect.poll(openStreams).toBe(0);
    for (const user of [ada, ada, bob, bob]) {
      expect(await firstOf(user, '192.0.2.9')).toEqual(first);
    }
    expect(await firstOf(cleo, '192.0.2.9')).toMatchObject(tooMany);
    expect(await firstOf(cleo, '192.0.2.1')).toEqual(first);
    expect(await firstOf(cleo, '192.0.2.1')).toEqual(first);
    const stream = await open(dan, '192.0.2.1');
    expect(stream.status).toBe(503);
  });
});

describe('an open stream', () => {
  test('gets a comment while nothing happens', async () => {
    const response = await fetch(`${url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { Accept: 'text/event-stream', 'Private-Token': ada.token },
    });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (/"RUNNING".*(?:\n\n:){3}/s.test(text)) break;
    }
    expect(text).toMatch(/^:\n\nevent: next\ndata: \{.*\}\n\n(?::\n\n)*:\n\n:/);
  });

  test('ends when its token expires', async () => {
    await db.accessToken.updateMany({
      where: { userId: dan.id },
      data: { expiresAt: new Date(Date.now() + 1_500) },
    });
    const stream = await open(dan, '192.0.2.1');
    expect(await stream.next()).toEqual(first);
    expect(await stream.next()).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect(await stream.next()).toBe('complete');
  });

  test('of a client that does not read is cut, and released', async () => {
    // more than the buffers of two sockets hold
    const piece = 'x'.repeat(2 * 2 ** 20);
    for (let place = 0; place < 8; place += 1) {
      expect((await append(job, place * piece.length, piece)).status).toBe(202);
    }
    const trace = `subscription { jobTraceAppended(jobId: ${job.id}) { text } }`;
    const socket = connect(Number(new URL(url).port), 'localhost').on('error', () => undefined);
    socket.write(
      [
        `GET /graphql?query=${encodeURIComponent(trace)} HTTP/1.1`,
        'Host: x',
        'Accept: text/event-stream',
        `Private-Token: ${ada.token}`,
        '\r\n',
      ].join('\r\n'),
    );
    await once(socket, 'readable');
    expect(String(socket.read(12))).toBe('HTTP/1.1 200');
    await expect.poll(openStreams).toBe(1);
    await expect.poll(openStreams).toBe(0);
    socket.destroy();
  });
});

describe('when notifications may be lost', () => {
  /** Cuts the connections that listen, as a restart of the database does. */
  const interrupt = () => db.$queryRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'millrace session'`;

  test('the trace is read again, and notes are reported as incomplete', async () => {
    const { body } = await as(root).post(`/projects/${app.id}/issues`, { title: 'One' });
    const { id } = body as { readonly id: number };
    const notes = await subscribe(
      `subscription { noteChanged(noteableId: "Issue:${id}") { noteId } }`,
      { headers: { 'Private-Token': ada.token } },
    );
    const pipeline = await open(bob, '192.0.2.1');
    expect(await pipeline.next()).toEqual(first);
    await interrupt();
    expect(await notes.next()).toMatchObject({
      errors: [{ extensions: { code: 'UNAVAILABLE', retryAfter: 1 } }],
    });
    expect(await notes.next()).toBe('complete');
    expect(await pipeline.next()).toEqual(first);
  });
});
