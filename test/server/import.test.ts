import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { commandsOf } from '../support/commands.ts';
import type { TestUser } from '../support/seed.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

// the source and the target are two servers with their own databases and folders
const source = await world();
const target = await world();

const commands = commandsOf({
  DATABASE_URL: target.databaseUrl,
  MILLRACE_DATA: target.dataFolder,
});
const { run, json } = commands;

const shop = `/projects/${encodeURIComponent('acme/shop')}`;
const theirs = source.as(source.root);
const ours = target.as(target.root);

/** The target has a user with the e-mail address of Ada, and none with that of Bob. */
let ada: TestUser;
let bob: TestUser;

const created = async <Body>(answer: Promise<{ status: number; body: unknown }>): Promise<Body> => {
  const { status, body } = await answer;
  expect([status, body]).toEqual([201, body]);
  return body as Body;
};

const fromShop = [
  ...['--url', source.url, '--token', source.root.token],
  ...['--project', 'acme/shop', '--to', 'moved'],
];

beforeAll(async () => {
  ada = await source.seed.user('ada');
  bob = await source.seed.user('bob');
  // another name here, and other ids
  await target.seed.user('first');
  const { id } = await target.seed.user('ada-here');
  await ours.put(`/users/${id}`, { email: ada.email });
  await target.seed.group('moved', {}, { visibility: 'public' });
  await source.seed.group('acme', { owner: ada }, { visibility: 'public' });
  await source.seed.project(
    'acme/shop',
    { developer: bob },
    {
      description: 'Sells things',
      visibility: 'internal',
    },
  );
  await fillRepository();
  await fillPlanning();
});

async function fillRepository() {
  await source.seed.push('acme/shop', { 'README.md': 'shop\n', 'a.txt': 'one\n' });
  const asAda = source.as(ada);
  for (const branch of ['feature', 'finished']) {
    await created(asAda.post(`${shop}/repository/branches`, { branch, ref: 'master' }));
    const commit = { branch, commit_message: `Change ${branch}`, content: branch };
    await created(asAda.post(`${shop}/repository/files/${branch}.txt`, commit));
  }
  const tag = { tag_name: 'v1', ref: 'master', release_description: 'The first' };
  await created(asAda.post(`${shop}/repository/tags`, tag));
  await created(asAda.post(`${shop}/wikis`, { title: 'Home', content: 'Welcome' }));
}

async function fillPlanning() {
  const [asAda, asBob] = [source.as(ada), source.as(bob)];
  const label = { name: 'bug', color: '#ff0000', description: 'Broken', priority: 1 };
  await created(asAda.post(`${shop}/labels`, label));
  const due = { title: 'v1', description: 'Soon', due_date: '2027-01-31' };
  const milestone = await created<{ id: number }>(asAda.post(`${shop}/milestones`, due));
  const adas = { title: 'Opened by Ada', description: 'See #2 and !1', labels: 'bug,new' };
  const assigned = { ...adas, milestone_id: milestone.id, assignee_ids: [ada.id, bob.id] };
  await created(asAda.post(`${shop}/issues`, { ...assigned, created_at: '2019-05-06T07:08:09Z' }));
  await created(asBob.post(`${shop}/issues`, { title: 'Opened by Bob', confidential: true }));
  await created(asBob.post(`${shop}/issues/1/notes`, { body: 'A note of Bob' }));
  await created(asAda.post(`${shop}/issues/1/notes`, { body: 'A note of Ada' }));
  await asAda.put(`${shop}/issues/1`, { state_event: 'close' });
  for (const source_branch of ['feature', 'finished']) {
    const request = { title: `Merge ${source_branch}`, source_branch, target_branch: 'master' };
    await created(asAda.post(`${shop}/merge_requests`, request));
  }
  await created(asBob.post(`${shop}/merge_requests/1/notes`, { body: 'Please test it' }));
  const merged = await asAda.put(`${shop}/merge_requests/2/merge`);
  expect(merged).toMatchObject({ status: 200, body: { state: 'merged' } });
  const snippet = { title: 'Run it', file_name: 'run.sh', code: 'echo', visibility: 'internal' };
  await created(asBob.post(`${shop}/snippets`, snippet));
}

/** What a resource is on both servers. */
const both = async (path: string) => {
  const moved = path.replace('acme', 'moved');
  const [there, here] = await Promise.all([theirs.get(path), ours.get(moved)]);
  expect([there.status, here.status]).toEqual([200, 200]);
  return { there: there.body, here: here.body };
};

/** Null: the record does not exist. */
type Change = (path: string, record: Record<string, unknown>) => object | null;

/** A server that answers as the one at `to`, with changed records. */
async function changingProxy(to: string, change: Change): Promise<{ readonly url: string }> {
  const server = createServer(async (request, response) => {
    const { url = '', method = 'GET', headers } = request;
    const { host: _, connection: _connection, ...sent } = headers;
    const answer = await fetch(`${to}${url}`, {
      method,
      headers: Object.entries(sent).map(([name, value]) => [name, String(value)] as const),
      ...(method === 'POST' && { body: await buffer(request) }),
    });
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) {
      if (!/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name)) {
        response.setHeader(name, value);
      }
    }
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    if (!isJson || !answer.ok) return response.end(bytes);
    const path = url.split('?')[0] ?? '';
    const json: unknown = JSON.parse(bytes.toString());
    const records = [json].flat() as Record<string, unknown>[];
    const changed = records.map((record) => change(path, record));
    if (changed.includes(null)) return response.writeHead(404).end('{}');
    return response.end(JSON.stringify(Array.isArray(json) ? changed : changed[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const withoutIds = (record: unknown, ids: readonly string[]) =>
  Object.fromEntries(
    Object.entries(record as object).filter(([name]) => !ids.includes(name) && name !== 'id'),
  );

describe('millrace import --project', () => {
  let printed: unknown;

  beforeAll(async () => {
    printed = await json(['import', ...fromShop]);
  });

  test('prints how much it added', () => {
    expect(printed).toMatchObject({ path: 'moved/shop', issues: 2, merge_requests: 2 });
  });

  test('brings the project with its settings', async () => {
    const { there, here } = await both(shop);
    for (const name of ['name', 'description', 'visibility', 'default_branch', 'created_at']) {
      expect(here).toHaveProperty(name, (there as Record<string, unknown>)[name]);
    }
  });

  test.each(['repository/branches', 'repository/tags', 'repository/commits', 'wikis'])(
    'brings the same %s',
    async (path) => {
      const { there, here } = await both(`${shop}/${path}`);
      expect(here).toEqual(there);
      expect(here).not.toHaveLength(0);
    },
  );

  test('brings issues with their numbers, times, labels and milestones', async () => {
    const { there, here } = await both(`${shop}/issues?order_by=created_at&sort=asc`);
    const plain = ['project_id', 'author', 'assignee', 'assignees', 'milestone', 'web_url'];
    const comparable = (list: unknown) =>
      (list as object[]).map((issue) => withoutIds(issue, [...plain, 'description', '_links']));
    expect(comparable(here)).toEqual(comparable(there));
    expect(here).toMatchObject([
      {
        iid: 1,
        description: 'See #2 and !1',
        author: { username: 'ada-here' },
        assignees: [{ username: 'ada-here' }],
        milestone: { title: 'v1', iid: 1, due_date: '2027-01-31' },
      },
      { iid: 2, confidential: true, author: { username: 'root' } },
    ]);
  });

  test('names authors who are no users here in the texts', async () => {
    const { here } = await both(`${shop}/issues/2`);
    expect(here).toMatchObject({ description: `*Created by ${bob.name} (bob)*` });
    const { here: notes } = await both(`${shop}/issues/1/notes?order_by=created_at&sort=asc`);
    expect(notes).toMatchObject([
      { body: '*Created by Bob (bob)*\n\nA note of Bob', author: { username: 'root' } },
      { body: 'A note of Ada', author: { username: 'ada-here' } },
      { body: 'closed', system: true, author: { username: 'ada-here' } },
    ]);
  });

  test('brings merge requests with their changes, merged or not', async () => {
    const { there, here } = await both(`${shop}/merge_requests?order_by=created_at&sort=asc`);
    const same = ['iid', 'title', 'state', 'sha', 'merge_commit_sha', 'created_at'];
    for (const name of same) {
      const values = (list: unknown) => (list as Record<string, unknown>[]).map((one) => one[name]);
      expect(values(here)).toEqual(values(there));
    }
    for (const iid of [1, 2]) {
      const changes = await both(`${shop}/merge_requests/${iid}/changes`);
      const { changes: files, merge_status } = changes.there as Record<string, unknown>;
      expect(files).toHaveLength(1);
      expect(changes.here).toMatchObject({ changes: files, merge_status });
    }
  });

  test('brings members, labels, milestones, releases and snippets', async () => {
    const { here: members } = await both(`${shop}/members`);
    // Ada is a member of the group, which is not imported, and Bob is no user here
    expect(members).toEqual([]);
    const labels = await both(`${shop}/labels`);
    const facts = (list: unknown) =>
      (list as object[]).map((label) => withoutIds(label, ['subscribed']));
    expect(facts(labels.here)).toEqual(facts(labels.there));
    const { here: snippets } = await both(`${shop}/snippets`);
    expect(snippets).toMatchObject([{ title: 'Run it', file_name: 'run.sh' }]);
    const [{ id }] = snippets as [{ id: number }];
    const raw = await ours.get(`${shop.replace('acme', 'moved')}/snippets/${id}/raw`);
    expect(raw).toEqual({ status: 200, body: 'echo' });
    const { here: tag } = await both(`${shop}/repository/tags/v1`);
    expect(tag).toMatchObject({ release: { description: 'The first' } });
  });

  test('gives new issues the next number, and lets members push', async () => {
    const moved = shop.replace('acme', 'moved');
    const issue = await ours.post(`${moved}/issues`, { title: 'After the import' });
    expect(issue).toMatchObject({ status: 201, body: { iid: 3 } });
    const commit = { branch: 'master', commit_message: 'Later', content: 'later' };
    expect(await ours.post(`${moved}/repository/files/later.txt`, commit)).toMatchObject({
      status: 201,
    });
    expect((await ours.get(`${moved}/repository/files/later.txt?ref=master`)).status).toBe(200);
  });

  test('changes nothing when it is repeated', async () => {
    const moved = shop.replace('acme', 'moved');
    const before = await ours.get(`${moved}/issues`);
    expect(await json(['import', ...fromShop])).toEqual({ path: 'moved/shop', left_out: 0 });
    expect(await ours.get(`${moved}/issues`)).toEqual(before);
  });

  test('is an event of the audit log, without the token', async () => {
    const events = await target.db.auditEvent.findMany({ where: { name: 'command' } });
    expect(events[0]?.details).toEqual({ command: 'import', subject: `${source.url} acme/shop` });
    expect(JSON.stringify(events)).not.toContain(source.root.token);
  });
});

describe('millrace import --project, killed on the way', () => {
  test('continues when it is repeated, and adds nothing twice', async () => {
    await source.seed.project('acme/long');
    const long = `/projects/${encodeURIComponent('acme/long')}`;
    for (let number = 1; number <= 150; number += 1) {
      await created(theirs.post(`${long}/issues`, { title: `Issue ${number}` }));
      if (number % 3 > 0) continue;
      await created(theirs.post(`${long}/issues/${number}/notes`, { body: `Note ${number}` }));
    }
    const from = ['--url', source.url, '--token', '-', '--project', 'acme/long', '--to', 'moved'];
    const { child, result } = commands.start(['import', ...from], `${source.root.token}\n`);
    const counted = () => target.db.issue.count({ where: { project: { fullPath: 'moved/long' } } });
    await expect.poll(counted).toBeGreaterThan(10);
    child.kill('SIGKILL');
    await result;
    const remaining = 150 - (await counted());
    expect(remaining).toBeGreaterThan(0);
    // until it is complete, users see no project that lacks issues, and cannot push to it
    const { body } = await ours.get(long.replace('acme', 'moved'));
    expect(body).toMatchObject({ import_status: 'started', visibility: 'private' });

    const again = await json(['import', ...from], `${source.root.token}\n`);
    expect(again).toMatchObject({ path: 'moved/long', issues: remaining, left_out: 0 });
    expect(await counted()).toBe(150);
    const notes = { issue: { project: { fullPath: 'moved/long' } } };
    expect(await target.db.note.count({ where: notes })).toBe(50);
  });
});

describe('millrace import from GitLab, which has more rights', () => {
  test('shows to no reader what only some could see, and leaves out what was deleted meanwhile', async () => {
    await source.seed.project('acme/inner', {}, { visibility: 'public' });
    await source.seed.push('acme/inner', { 'a.txt': 'a' });
    const inner = `/projects/${encodeURIComponent('acme/inner')}`;
    await created(theirs.post(`${inner}/issues`, { title: 'Open' }));
    await created(theirs.post(`${inner}/issues`, { title: 'Deleted since it was listed' }));
    await created(theirs.post(`${inner}/issues`, { title: 'The last' }));
    await created(theirs.post(`${inner}/issues/2/notes`, { body: 'deleted' }));
    for (const body of ['for all', 'internal']) {
      await created(theirs.post(`${inner}/issues/1/notes`, { body }));
    }
    const { url } = await changingProxy(source.url, (path, record) => {
      if (path.endsWith('/issues/2/notes')) return null;
      if (path.endsWith('/notes')) return { ...record, internal: record.body === 'internal' };
      return path.endsWith('/projects/acme%2Finner')
        ? { ...record, wiki_access_level: 'private' }
        : record;
    });
    const from = ['--url', url, '--token', source.root.token, '--project', 'acme/inner'];
    const { code, stderr } = await run(['import', ...from, '--to', 'moved']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/1 internal notes$/m)]);
    expect(stderr).toContain('moved/inner: it is private here, not public');
    const moved = inner.replace('acme', 'moved');
    expect((await ours.get(moved)).body).toMatchObject({ visibility: 'private' });
    const { body: notes } = await ours.get(`${moved}/issues/1/notes`);
    expect(notes).toMatchObject([{ body: 'for all' }]);
    expect(notes).toHaveLength(1);
    const { body: issues } = await ours.get(`${moved}/issues?sort=asc`);
    expect(issues).toMatchObject([{ iid: 1 }, { iid: 3 }]);
    expect(stderr).toContain('left out: moved/inner#2: ');
  });
});

describe('millrace import --group', () => {
  test('gives nothing to a user who signed up with the address of a member', async () => {
    const owner = await source.seed.user('zoe');
    await source.seed.group('vault', { owner }, { visibility: 'private' });
    await source.seed.project('vault/keys', { master: owner });
    const impostor = visitorAt(target.url);
    const person = { username: 'impostor', name: 'I', email: owner.email, password: 'long enough' };
    expect(await impostor.submitFrom('/users/sign_in', '/users/sign_up', person)).toMatchObject({
      status: 303,
    });
    const { id } = await target.db.user.findFirstOrThrow({ where: { username: 'impostor' } });
    const from = ['--url', source.url, '--token', source.root.token, '--group', 'vault'];
    await json(['import', ...from]);
    expect(await target.db.member.count({ where: { userId: id } })).toBe(0);
    expect((await impostor.get('/vault')).status).toBe(404);
  });

  test('brings the group with its members, subgroups and projects', async () => {
    await source.seed.group('tools', { owner: ada });
    await source.seed.group('tools/deep', { master: bob });
    await source.seed.project('tools/one', { reporter: ada });
    await source.seed.project('tools/deep/two');
    await created(source.as(ada).post('/groups/tools/labels', { name: 'all', color: '#00ff00' }));
    await created(source.as(ada).post('/groups/tools/milestones', { title: 'year' }));
    const from = ['--url', source.url, '--token', source.root.token, '--group', 'tools'];
    expect(await json(['import', ...from])).toEqual({
      path: 'tools',
      groups: 2,
      projects: 2,
      members: 2,
      labels: 1,
      milestones: 1,
      left_out: 0,
    });
    const members = await ours.get('/groups/tools/members');
    expect(members.body).toMatchObject([
      { username: 'root', access_level: 50 },
      { username: 'ada-here', access_level: 50 },
    ]);
    const project = await ours.get(`/projects/${encodeURIComponent('tools/deep/two')}`);
    expect(project).toMatchObject({ status: 200, body: { import_status: 'finished' } });
    expect((await ours.get('/groups/tools/labels')).body).toMatchObject([{ name: 'all' }]);
    expect(await json(['import', ...from])).toEqual({ path: 'tools', left_out: 0 });
  });
});

describe('millrace import fails with a message', () => {
  const token = ['--token', source.root.token];

  test.each([
    ['a wrong token', ['--url', source.url, '--token', 'wrong', '--project', 'acme/shop'], '401'],
    ['an unknown project', ['--url', source.url, ...token, '--project', 'acme/none'], '404'],
    [
      'a namespace that does not exist here',
      ['--url', source.url, ...token, '--project', 'acme/shop'],
      'There is no group or user acme: name one with --to.',
    ],
    [
      'a project that exists and was not imported',
      ['--url', source.url, ...token, '--project', 'acme/shop', '--to', 'taken'],
      'taken/shop exists and is no import of',
    ],
    [
      'an address with credentials',
      ['--url', 'http://a:b@host', ...token, '--group', 'a'],
      '--url',
    ],
    ['neither project nor group', ['--url', source.url, ...token], 'either a --project'],
    ['an unknown owner', ['--url', source.url, ...token, '--group', 'a', '--owner', 'no'], 'no.'],
  ])('for %s', async (_, args, message) => {
    if ((await ours.get('/groups/taken')).status === 404) {
      await target.seed.group('taken');
      await target.seed.project('taken/shop');
    }
    const { code, stdout, stderr } = await run(['import', ...args]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(source.root.token);
  });
});
