import { describe, expect, test } from 'vitest';
import { openSession } from '../../prisma/client.ts';
import { ciOf } from '../support/ci.ts';
import { type EventResult, subscriberAt } from '../support/event-stream.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../support/runner-jobs.ts';
import type { TestUser } from '../support/seed.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { as, seed, root, url, db } = server;
const ci = await ciOf(server);
const hold = await jobAssigner(server, ci);
const { append } = jobClient(url);
const subscribe = subscriberAt(url);

const ada = await seed.user('ada');
const bob = await seed.user('bob');
await seed.group('acme', { owner: ada });
const app = await projectWithJobs(server, ci, 'acme/app', 'unit: { script: make }\n');
await as(ada).post(`/projects/${app.id}/members`, { user_id: bob.id, access_level: 30 });

const tokenOf = (user: TestUser) => ({ 'Private-Token': user.token });

/** A running job in a new pipeline. */
const running = async () => {
  const pipelineId = await app.pipeline();
  return { ...(await hold(pipelineId, 'unit')), pipelineId };
};

const traceQuery = `subscription ($job: ID!, $offset: Int) {
  jobTraceAppended(jobId: $job, offset: $offset) {
    jobId status offset text nextOffset isComplete
  }
}`;
const pipelineQuery = `subscription ($id: ID!) {
  pipelineUpdated(id: $id) { status jobs(orderBy: STAGE) { nodes { name status } } }
}`;

interface Piece {
  readonly status: string;
  readonly offset: number;
  readonly text: string;
  readonly nextOffset: number;
  readonly isComplete: boolean;
}

const pieceOf = ({ data }: EventResult) => data?.jobTraceAppended as Piece;
const statusOf = ({ data }: EventResult) =>
  (data?.pipelineUpdated as { readonly status: string } | undefined)?.status;

const followTrace = (user: TestUser, job: number, offset = 0) =>
  subscribe(traceQuery, {
    variables: { job, offset },
    headers: tokenOf(user),
  });
const followPipeline = (user: TestUser, id: number) =>
  subscribe(pipelineQuery, { variables: { id }, headers: tokenOf(user) });

/** The values of the two metrics of subscriptions. */
const metrics = async () => {
  const text = await (await fetch(`${url}/-/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return [metric('millrace_subscriptions'), metric('millrace_subscription_listeners')];
};

describe('jobTraceAppended', () => {
  test('sends the stored trace, then each new piece, and ends with the job', async () => {
    const job = await running();
    await append(job, 0, 'first line\n');
    const stream = await followTrace(bob, job.id);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('Content-Type')).toBe('text/event-stream');
    expect(stream.headers.get('Content-Encoding')).toBeNull();
    expect(stream.headers.get('Cache-Control')).toBe('no-store');
    expect(await stream.next()).toEqual({
      data: {
        jobTraceAppended: {
          jobId: `Job:${job.id}`,
          status: 'RUNNING',
          offset: 0,
          text: 'first line\n',
          nextOffset: 11,
          isComplete: false,
        },
      },
    });
    await append(job, 11, 'second line\n');
    const pieces = await stream.until((result) => pieceOf(result).nextOffset === 23);
    expect(pieces.map((result) => pieceOf(result).text).join('')).toBe('second line\n');
    await ci.move(job.pipelineId, 'unit', 'success');
    const [last] = (await stream.until((result) => pieceOf(result).isComplete)).slice(-1);
    expect(last && pieceOf(last)).toMatchObject({ status: 'SUCCESS', offset: 23, text: '' });
    expect(await stream.next()).toBe('complete');
    expect(await stream.next()).toBe('ended');
  });

  test('continues at a byte, and never splits a character', async () => {
    const job = await running();
    const text = 'aé€😀';
    const bytes = Buffer.from(text);
    const stream = await followTrace(bob, job.id, 1);
    expect(pieceOf((await stream.next()) as EventResult)).toMatchObject({ offset: 1, text: '' });
    let received = '';
    for (let end = 1; end <= bytes.length; end += 1) {
      await append(job, end - 1, bytes.subarray(end - 1, end));
    }
    const pieces = await stream.until((result) => pieceOf(result).nextOffset === bytes.length);
    for (const piece of pieces) received += pieceOf(piece).text;
    expect(received).toBe('é€😀');
  });

  test('sends a long trace in pieces of at most 64 KiB', async () => {
    const job = await running();
    const text = '€'.repeat(60_000);
    await append(job, 0, text);
    const stream = await followTrace(bob, job.id);
    const pieces = (await stream.until((result) => pieceOf(result).nextOffset === 180_000)).map(
      pieceOf,
    );
    expect(pieces.map(({ text }) => text).join('')).toBe(text);
    expect(pieces.every(({ offset, nextOffset }) => nextOffset - offset <= 65_536)).toBe(true);
    expect(pieces.length).toBe(3);
  });

  test('combines a hundred appends into few events', async () => {
    const job = await running();
    const stream = await followTrace(bob, job.id);
    await stream.next();
    for (let piece = 0; piece < 100; piece += 1) await append(job, piece * 10, 'a new line');
    const events = await stream.until((result) => pieceOf(result).nextOffset === 1000);
    expect(events.map((result) => pieceOf(result).text).join('')).toBe('a new line'.repeat(100));
    expect(events.length).toBeLessThan(50);
  });

  test('a negative offset is rejected', async () => {
    const stream = await followTrace(bob, (await running()).id, -1);
    expect(await stream.next()).toMatchObject({
      errors: [
        { extensions: { code: 'BAD_USER_INPUT', fields: { offset: [expect.any(String)] } } },
      ],
    });
  });
});

describe('pipelineUpdated', () => {
  test('sends the pipeline at once, and after each change of a job', async () => {
    const id = await app.pipeline();
    const stream = await followPipeline(bob, id);
    expect(await stream.next()).toEqual({
      data: {
        pipelineUpdated: {
          status: 'PENDING',
          jobs: { nodes: [{ name: 'unit', status: 'PENDING' }] },
        },
      },
    });
    await ci.move(id, 'unit', 'running');
    await stream.until((result) => statusOf(result) === 'RUNNING');
    await ci.move(id, 'unit', 'failed');
    const events = await stream.until((result) => statusOf(result) === 'FAILED');
    expect(events.at(-1)).toMatchObject({
      data: { pipelineUpdated: { jobs: { nodes: [{ status: 'FAILED' }] } } },
    });
  });
});

describe('jobUpdated', () => {
  test('sends the job after each change of its status', async () => {
    const job = await running();
    const query = `subscription { jobUpdated(id: ${job.id}) { name status } }`;
    const stream = await subscribe(query, { headers: tokenOf(bob) });
    expect(await stream.next()).toEqual({
      data: { jobUpdated: { name: 'unit', status: 'RUNNING' } },
    });
    await ci.move(job.pipelineId, 'unit', 'success');
    expect(await stream.next()).toEqual({
      data: { jobUpdated: { name: 'unit', status: 'SUCCESS' } },
    });
  });
});

describe('mergeRequestUpdated', () => {
  test('sends the merge request after a change of its state', async () => {
    const at = `/projects/${app.id}`;
    await as(ada).post(`${at}/repository/branches`, { branch: 'topic', ref: 'master' });
    const { body } = await as(ada).post(`${at}/merge_requests`, {
      source_branch: 'topic',
      target_branch: 'master',
      title: 'Topic',
    });
    const { id, iid } = body as { id: number; iid: number };
    const query = `subscription { mergeRequestUpdated(id: ${id}) { title state } }`;
    const stream = await subscribe(query, { headers: tokenOf(bob) });
    expect(await stream.next()).toEqual({
      data: { mergeRequestUpdated: { title: 'Topic', state: 'OPENED' } },
    });
    await as(ada).put(`${at}/merge_requests/${iid}`, { state_event: 'close' });
    await stream.until(
      ({ data }) =>
        (data?.mergeRequestUpdated as { state: string } | undefined)?.state === 'CLOSED',
    );
  });
});

describe('noteChanged', () => {
  test('sends notes that are created, edited and deleted', async () => {
    const { body: issue } = await as(ada).post(`/projects/${app.id}/issues`, { title: 'Broken' });
    const { id: issueId, iid } = issue as { id: number; iid: number };
    const query = `subscription { noteChanged(noteableId: "Issue:${issueId}") {
      noteId note { body author { username } } } }`;
    const stream = await subscribe(query, { headers: tokenOf(bob) });
    const notes = `/projects/${app.id}/issues/${iid}/notes`;
    const { body: note } = await as(ada).post(notes, { body: 'Yes' });
    const { id } = note as { id: number };
    const changed = (note: object | null) => ({
      data: { noteChanged: { noteId: `Note:${id}`, note } },
    });
    const author = { username: 'ada' };
    expect(await stream.next()).toEqual(changed({ body: 'Yes', author }));
    await as(ada).put(`${notes}/${id}`, { body: 'No' });
    expect(await stream.next()).toEqual(changed({ body: 'No', author }));
    await as(ada).delete(`${notes}/${id}`);
    expect(await stream.next()).toEqual(changed(null));
  });
});

describe('permissions', () => {
  const refused = (code: string) => ({
    errors: [expect.objectContaining({ extensions: expect.objectContaining({ code }) })],
  });

  test.each([
    ['an anonymous user', null, 'UNAUTHENTICATED'],
    ['a user who cannot see the project', 'cleo', 'NOT_FOUND'],
  ])('%s cannot subscribe', async (_who, username, code) => {
    const user = username === null ? null : await seed.user(username);
    const id = await app.pipeline();
    const stream = await subscribe(pipelineQuery, {
      variables: { id },
      headers: user ? tokenOf(user) : {},
    });
    expect(await stream.next()).toMatchObject(refused(code));
    expect(await stream.next()).toBe('complete');
  });

  test('a removed member gets no further event', async () => {
    const dan = await seed.user('dan');
    await as(ada).post(`/projects/${app.id}/members`, { user_id: dan.id, access_level: 30 });
    const job = await running();
    const stream = await followTrace(dan, job.id);
    await stream.next();
    await as(ada).delete(`/projects/${app.id}/members/${dan.id}`);
    await append(job, 0, 'a secret');
    expect(await stream.next()).toMatchObject({
      data: { jobTraceAppended: null },
      ...refused('NOT_FOUND'),
    });
    expect(await stream.next()).toBe('complete');
  });

  test('a project made private sends no further event to others', async () => {
    const eve = await seed.user('eve');
    await seed.project('ada/open', {}, { visibility: 'public' });
    const { body: issue } = await as(ada).post('/projects/ada%2Fopen/issues', { title: 'One' });
    const { id, iid } = issue as { id: number; iid: number };
    const query = `subscription { noteChanged(noteableId: "Issue:${id}") {
      note { body } } }`;
    const stream = await subscribe(query, { headers: tokenOf(eve) });
    const notes = `/projects/ada%2Fopen/issues/${iid}/notes`;
    await as(ada).post(notes, { body: 'for all' });
    expect(await stream.next()).toEqual({ data: { noteChanged: { note: { body: 'for all' } } } });
    await as(ada).put('/projects/ada%2Fopen', { visibility: 'private' });
    await as(ada).post(notes, { body: 'for members' });
    expect(await stream.next()).toMatchObject({ data: { noteChanged: null } });
    expect(await stream.next()).toBe('complete');
  });

  test.each([
    ['the user is blocked', ({ id }: TestUser) => as(root).post(`/users/${id}/block`)],
    [
      'the token is revoked',
      ({ id }: TestUser) =>
        db.accessToken.updateMany({ where: { userId: id }, data: { revokedAt: new Date() } }),
    ],
  ])('the stream ends when %s, without a further event', async (what, withdraw) => {
    const user = await seed.user(what.includes('user') ? 'fred' : 'gina');
    await as(ada).post(`/projects/${app.id}/members`, { user_id: user.id, access_level: 30 });
    const job = await running();
    const stream = await followTrace(user, job.id);
    await stream.next();
    await withdraw(user);
    expect(await stream.next()).toEqual(refused('UNAUTHENTICATED'));
    expect(await stream.next()).toBe('complete');
  });

  test('the stream of a browser ends with its session', async () => {
    const visitor = visitorAt(url);
    await visitor.signIn(bob);
    const stream = await subscribe(pipelineQuery, {
      method: 'GET',
      variables: { id: await app.pipeline() },
      headers: { Cookie: `_millrace_session=${visitor.cookie}`, 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(statusOf((await stream.next()) as EventResult)).toBe('PENDING');
    await visitor.submit('/users/sign_out');
    expect(await stream.next()).toEqual(refused('UNAUTHENTICATED'));
    expect(await stream.next()).toBe('complete');
  });

  test('the cookie of a request from another site does not count', async () => {
    const visitor = visitorAt(url);
    await visitor.signIn(bob);
    const stream = await subscribe(pipelineQuery, {
      method: 'GET',
      variables: { id: await app.pipeline() },
      headers: { Cookie: `_millrace_session=${visitor.cookie}`, 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(await stream.next()).toMatchObject(refused('UNAUTHENTICATED'));
  });
});

describe('requests', () => {
  test.each(['application/json', '*/*', 'multipart/mixed'])(
    'a subscription that accepts %s gets 406',
    async (accept) => {
      const id = await app.pipeline();
      const stream = await subscribe(pipelineQuery, {
        variables: { id },
        headers: { ...tokenOf(bob), Accept: accept },
      });
      expect(stream.status).toBe(406);
      expect(await metrics()).toEqual([0, 0]);
    },
  );

  test('a document that costs more than an event may is rejected', async () => {
    const names = Array.from({ length: 60 }, (_name, place) => `a${place}: name`).join(' ');
    const jobs = `jobs(orderBy: STAGE, perPage: 100) { nodes { ${names} } }`;
    const query = `subscription { pipelineUpdated(id: 1) { ${jobs} } }`;
    const stream = await subscribe(query, { headers: tokenOf(bob) });
    expect(await stream.next()).toMatchObject({
      errors: [{ message: expect.stringContaining('more than the limit of 5000') }],
    });
  });

  test('a mutation by GET stays rejected', async () => {
    const stream = await subscribe('mutation { deleteProject(input: { id: 1 }) { id } }', {
      method: 'GET',
      headers: tokenOf(bob),
    });
    expect(stream.status).toBe(405);
  });
});

describe('a transaction that began before a subscription', () => {
  const isWaiting = async () => {
    const [{ count }] = await db.$queryRaw<[{ count: number }]>`
      SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    return count;
  };

  /** Runs `during` while a transaction has changed a pipeline, and then commits it. */
  async function whileChanging<T>(id: number, during: () => Promise<T>): Promise<T> {
    const session = await openSession(server.databaseUrl);
    try {
      await session.query('BEGIN');
      await session.query(`UPDATE pipelines SET status = 'canceled' WHERE id = ${id}`);
      const result = await during();
      await session.query('COMMIT');
      return result;
    } finally {
      await session.end();
    }
  }

  test('is in its first event', async () => {
    const id = await app.pipeline();
    const opening = await whileChanging(id, async () => {
      const stream = followPipeline(bob, id);
      await expect.poll(isWaiting).toBe(1);
      return { stream };
    });
    expect(statusOf((await (await opening.stream).next()) as EventResult)).toBe('CANCELED');
  });

  test('makes it unavailable if it takes long', async () => {
    const id = await app.pipeline();
    const stream = await whileChanging(id, () => followPipeline(bob, id));
    expect(stream.status).toBe(503);
    expect(statusOf((await (await followPipeline(bob, id)).next()) as EventResult)).toBe(
      'CANCELED',
    );
  });
});

describe('a record that no subscription waits for', () => {
  test('is not announced', async () => {
    const session = await openSession(server.databaseUrl);
    const payloads: (string | undefined)[] = [];
    session.on('notification', ({ payload }) => payloads.push(payload));
    await session.query('LISTEN millrace_records');
    const [watched, other] = [await app.pipeline(), await app.pipeline()];
    const stream = await followPipeline(bob, watched);
    await stream.next();
    for (const id of [other, watched]) await ci.move(id, 'unit', 'running');
    await stream.until((result) => statusOf(result) === 'RUNNING');
    await expect.poll(() => payloads).toContain(`pipeline ${watched}`);
    expect(payloads).not.toContain(`pipeline ${other}`);
    await session.end();
  });
});

describe('a client that disconnects', () => {
  test('releases the stream and all that it waits for', async () => {
    const job = await running();
    const streams = await Promise.all([
      followTrace(bob, job.id),
      followTrace(bob, job.id),
      followPipeline(bob, job.pipelineId),
    ]);
    await expect.poll(metrics).toEqual([3, 5]);
    for (const stream of streams) stream.close();
    await expect.poll(metrics).toEqual([0, 0]);
  });
});
