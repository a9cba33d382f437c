import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { openSession } from '../../../prisma/client.ts';
import { type EventResult, subscriberAt } from '../../support/event-stream.ts';
import { graphqlClientOf } from '../../support/graphql.ts';
import { pushBranches } from '../../support/merge-requests.ts';
import { visitorAt } from '../../support/visitor.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, url, db, databaseUrl, remote } = await world({ isOneProcess: true });
const ada = await seed.user('ada');
const eve = await seed.user('eve');
const headers = { 'Private-Token': eve.token };
const { id: project } = await seed.project('ada/app', {}, { visibility: 'public' });
const subscribe = subscriberAt(url);

const tooLarge = 'The response would be too large. Request fewer records at a time.';

/** The longest text that a note may have. */
const longNote = { authorId: ada.id, body: 'x'.repeat(2 ** 20) };

/** An issue with `count` such notes. */
async function longIssue(count: number) {
  const { body } = await as(ada).post(`/projects/${project}/issues`, { title: 'It' });
  const { id, iid } = body as { readonly id: number; readonly iid: number };
  const note = { ...longNote, issueId: id };
  await db.note.createMany({ data: Array.from({ length: count }, () => note) });
  return { iid, notes: `/projects/${project}/issues/${iid}/notes` };
}

/** Requests a large response, of which it reads the beginning only; gives what ends the request. */
async function hold(path: string): Promise<() => void> {
  const { status, end } = await begin(path, headers);
  expect(status).toBe(200);
  return end;
}

async function begin(path: string, from: Readonly<Record<string, string>>) {
  const request = get(`${url}/api/v4${path}`, { headers: from });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, end: () => void request.destroy() };
}

test('a page that is larger than a request may read is refused, a shorter one is not', async () => {
  const { iid, notes } = await longIssue(40);
  expect(await as(eve).get(`${notes}?per_page=40`)).toEqual({
    status: 400,
    body: { message: tooLarge },
  });
  const shorter = await as(eve).get(`${notes}?per_page=10`);
  expect(shorter.status).toBe(200);
  expect(shorter.body).toHaveLength(10);
  const query = `{ project(id: "ada/app") { issue(iid: ${iid}) { notes(perPage: 40) { nodes { body } } } } }`;
  expect(await graphqlClientOf(url)(eve, query)).toMatchObject({
    body: { errors: [{ message: tooLarge, extensions: { code: 'INVALID' } }] },
  });
});

test('what several statements of a request read counts together', async () => {
  const { iid } = await longIssue(13);
  const part = (name: string) =>
    `${name}: issue(iid: ${iid}) { notes(perPage: 13) { nodes { body } } }`;
  const query = `{ project(id: "ada/app") { ${part('a')} ${part('b')} } }`;
  const { body } = await graphqlClientOf(url)(eve, query);
  expect(body.errors?.at(-1)).toMatchObject({ message: tooLarge });
});

test('large responses that a user holds leave memory to the next one, and to others', async () => {
  const { iid, notes } = await longIssue(20);
  const path = `${notes}?per_page=20`;
  const release = await hold(path);
  const response = await fetch(`${url}/api/v4${path}`, { headers });
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  await response.body?.cancel();
  expect((await as(eve).get(`/projects/${project}/issues/${iid}`)).status).toBe(200);
  expect((await as(root).get(`${notes}?per_page=3`)).status).toBe(200);
  release();
  await expect.poll(async () => (await as(eve).get(path)).status).toBe(200);
});

test('large responses of new accounts and anonymous users leave memory to older accounts', async () => {
  const { notes } = await longIssue(20);
  const older = await seed.user('older');
  const createdAt = new Date('2020-01-01');
  await db.user.update({ where: { id: older.id }, data: { createdAt } });
  const ends: (() => void)[] = [];
  for (const size of [20, 20, 7]) {
    for (const from of [headers, {}])
      ends.push((await begin(`${notes}?per_page=${size}`, from)).end);
  }
  expect((await as(older).get(`${notes}?per_page=5`)).status).toBe(200);
  for (const end of ends) end();
});

test('a request whose client has disconnected reads no large result', async () => {
  const { notes } = await longIssue(40);
  const session = await openSession(databaseUrl);
  try {
    await session.query('BEGIN');
    await session.query('LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
    const request = get(`${url}/api/v4${notes}?per_page=40`, { headers });
    request.once('error', () => {});
    const [pid] = await expect.poll(waiting).toHaveLength(1).then(waiting);
    request.destroy();
    // the server has noticed it before it responds to a later request
    await as(root).get(`/projects/${project}`);
    await session.query('COMMIT');
    // the statement is ended with its connection, rather than read to its end
    await expect.poll(async () => stateOfConnection(pid)).not.toBe('active');
    expect(await stateOfConnection(pid)).toBeNull();
  } finally {
    await session.end();
  }
});

/** The processes of the database that wait for a lock. */
async function waiting(): Promise<readonly number[]> {
  const rows = await db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.map(({ pid }) => pid);
}

async function stateOfConnection(pid: number | undefined): Promise<string | null> {
  const [row] = await db.$queryRaw<{ state: string }[]>`
    SELECT state FROM pg_stat_activity WHERE pid = ${pid}`;
  return row?.state ?? null;
}

test('each event of a subscription is a request of its own', async () => {
  await pushBranches(remote('ada/app', ada), ['topic']);
  const { body } = await as(ada).post(`/projects/${project}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'master',
    title: 'It',
  });
  const { id, iid } = body as { readonly id: number; readonly iid: number };
  const note = { ...longNote, mergeRequestId: id };
  await db.note.createMany({ data: Array.from({ length: 10 }, () => note) });
  const query = `subscription {
    mergeRequestUpdated(id: "MergeRequest:${id}") { state notes(perPage: 10) { nodes { body } } }
  }`;
  const stream = await subscribe(query, { headers });
  for (const [change, state] of [
    [null, 'OPENED'],
    ['close', 'CLOSED'],
    ['reopen', 'OPENED'],
    ['close', 'CLOSED'],
  ] as const) {
    const path = `/projects/${project}/merge_requests/${iid}`;
    if (change) await as(ada).put(path, { state_event: change });
    const events = await stream.until((event) => stateOf(event) === state);
    expect(events.flatMap(({ errors = [] }) => errors)).toEqual([]);
  }
});

const stateOf = ({ data }: EventResult) =>
  (data?.mergeRequestUpdated as { readonly state: string } | undefined)?.state;

test('an issue whose comments are too long to be read together has a page all the same', async () => {
  const { iid } = await longIssue(30);
  const visitor = visitorAt(url);
  await visitor.signIn(ada);
  const page = await visitor.get(`/ada/app/issues/${iid}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('The comments are too long to be shown together.');
});
