import { expect, test } from 'vitest';
import { git, workTree } from '../support/git.ts';
import { type Received, receiver } from '../support/receiver.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote, db } = await world({
  variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' },
});
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });
const api = as(ada);

const listener = await receiver((response, { path }) => {
  if (path === '/hangs') return;
  if (path === '/endless') {
    response.writeHead(200);
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', pour);
    pour();
    return;
  }
  const status = { '/redirects': 302, '/refuses': 410, '/fails': 503 }[path] ?? 200;
  response.writeHead(status, { Location: `${url}/elsewhere` }).end(`this is ${path}`);
});

const all = {
  push_events: true,
  tag_push_events: true,
  issues_events: true,
  confidential_issues_events: true,
  note_events: true,
};

let count = 0;

/** Creates a project with a hook that sends to this path. */
async function projectWithHook(path: string, events: object = all) {
  count += 1;
  const fullPath = `acme/p${count}`;
  const { id } = await seed.project(fullPath);
  const address = path.startsWith('http') ? path : `${listener.url}${path}`;
  const created = await api.post(`/projects/${id}/hooks`, { url: address, ...events });
  expect(created.status).toBe(201);
  return { id, fullPath, hook: (created.body as { id: number }).id };
}

const requestsTo = (path: string) => listener.received.filter((request) => request.path === path);

const arrived = async (path: string, number = 1): Promise<readonly Received[]> => {
  await expect.poll(() => requestsTo(path).length).toBeGreaterThanOrEqual(number);
  return requestsTo(path);
};

const user = { name: 'Ada', username: 'ada', avatar_url: expect.stringContaining('gravatar') };

interface Deliveries {
  readonly total: number;
  readonly nodes: readonly Record<string, unknown>[];
}

async function deliveries(project: number, hook: number) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Private-Token': ada.token },
    body: JSON.stringify({
      query: `query ($project: ID!) { project(id: $project) { hooks(first: 3) { nodes { id deliveries {
        total nodes { id event state attempts requestBody responseStatus responseBody error }
      } } } } }`,
      variables: { project },
    }),
  });
  const { data } = (await response.json()) as {
    data: { project: { hooks: { nodes: { id: string; deliveries: Deliveries }[] } } };
  };
  const { nodes } = data.project.hooks;
  const deliveries = nodes.find(({ id }) => id === `Hook:${hook}`)?.deliveries;
  if (!deliveries) throw new Error('The project has no such hook.');
  return deliveries;
}

test('changing the URL of a hook clears its secrets unless they are given again', async () => {
  const { id, hook } = await projectWithHook(`${listener.url}/before`, { ...all, token: 's3cret' });
  await api.put(`/projects/${id}/hooks/${hook}`, { url: `${listener.url}/after` });
  await api.post(`/projects/${id}/issues`, { title: 'Leak' });
  const [received] = await arrived('/after');
  expect(received?.headers).not.toHaveProperty('x-gitlab-token');
});

test('sends an issue, its changes and its notes, with the token', async () => {
  const address = listener.url.replace('://', '://bob:p%40ss@');
  const { id, hook } = await projectWithHook(`${address}/issues`, { ...all, token: 's3cret' });
  const issue = { title: 'Leak', description: 'drip', labels: 'bug' };
  expect((await api.post(`/projects/${id}/issues`, issue)).status).toBe(201);
  await api.post(`/projects/${id}/issues/1/notes`, { body: 'I see' });
  await api.put(`/projects/${id}/issues/1`, { title: 'Leaks', state_event: 'close' });
  await api.put(`/projects/${id}/issues/1`, { confidential: true, state_event: 'reopen' });
  const payloads = await arrived('/issues', 4);
  const [opened] = payloads.filter(({ body }) => JSON.stringify(body).includes('"action":"open"'));
  expect(opened?.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(opened?.text ?? '')),
    'user-agent': 'Millrace',
    'x-gitlab-event': 'Issue Hook',
    'x-gitlab-token': 's3cret',
    authorization: `Basic ${Buffer.from('bob:p@ss').toString('base64')}`,
  });
  expect(opened?.text).toBe(JSON.stringify(opened?.body));
  expect(opened?.body).toMatchObject({
    object_kind: 'issue',
    user,
    project: {
      path_with_namespace: expect.stringMatching(/^acme\/p\d$/),
      visibility_level: 0,
      namespace: 'acme',
    },
    object_attributes: { iid: 1, title: 'Leak', description: 'drip', state: 'opened' },
    labels: [{ title: 'bug', type: 'ProjectLabel' }],
    changes: {},
  });
  const events = payloads.map(({ headers }) => headers['x-gitlab-event']).toSorted();
  expect(events).toEqual(['Confidential Issue Hook', 'Issue Hook', 'Issue Hook', 'Note Hook']);
  const changed = payloads.find(({ body }) => JSON.stringify(body).includes('"action":"close"'));
  expect(changed?.body).toMatchObject({
    changes: {
      title: { previous: 'Leak', current: 'Leaks' },
      state: { previous: 'opened', current: 'closed' },
    },
  });
  const note = payloads.find(({ body }) => body.object_kind === 'note');
  expect(note?.body).toMatchObject({
    user,
    project_id: id,
    object_attributes: { note: 'I see', noteable_type: 'Issue', system: false },
    issue: { iid: 1, title: expect.any(String) },
  });
  const states = async () => (await deliveries(id, hook)).nodes.map(({ state }) => state);
  await expect.poll(states).toEqual(Array(4).fill('DELIVERED'));
  const log = JSON.stringify(await deliveries(id, hook));
  for (const secret of ['s3cret', 'p@ss', 'p%40ss']) expect(log).not.toContain(secret);
});

test('sends pushes of branches and tags with their commits', async () => {
  const { id, fullPath } = await projectWithHook('/pushes');
  const folder = await workTree({ 'README.md': '# App' });
  const target = remote(fullPath, root);
  await git(folder, 'push', '--quiet', target, 'master');
  const first = await git(folder, 'rev-parse', 'HEAD');
  await git(folder, 'tag', '-a', 'v1', '-m', 'first');
  await git(folder, 'push', '--quiet', target, 'v1');
  await git(folder, 'mv', 'README.md', 'READ.md');
  await git(folder, 'commit', '--quiet', '-m', 'rename');
  await git(folder, 'push', '--quiet', target, 'master', 'master:topic');
  await git(folder, 'push', '--quiet', target, ':topic');
  const second = await git(folder, 'rev-parse', 'HEAD');
  const payloads = await arrived('/pushes', 5);
  const of = (ref: string, after: string) =>
    payloads.find(({ body }) => body.ref === ref && body.after === after)?.body;
  const zeros = '0'.repeat(40);
  expect(of('refs/heads/master', first)).toMatchObject({
    object_kind: 'push',
    before: zeros,
    checkout_sha: first,
    user_id: root.id,
    user_username: 'root',
    project_id: id,
    project: { default_branch: 'master' },
    commits: [{ id: first, added: ['README.md'], modified: [], removed: [] }],
    total_commits_count: 1,
    repository: { name: `p${count}` },
  });
  expect(of('refs/heads/master', second)).toMatchObject({
    before: first,
    commits: [{ id: second, message: 'rename\n', added: ['READ.md'], removed: ['README.md'] }],
    total_commits_count: 1,
  });
  expect(of('refs/heads/topic', second)).toMatchObject({ before: zeros });
  expect(of('refs/heads/topic', zeros)).toMatchObject({ before: second, checkout_sha: null });
  expect(payloads.find(({ body }) => body.object_kind === 'tag_push')).toMatchObject({
    headers: { 'x-gitlab-event': 'Tag Push Hook' },
    body: { ref: 'refs/tags/v1', before: zeros, checkout_sha: first, message: 'first' },
  });
});

test('truncates the payload of a very large push', async () => {
  const { fullPath } = await projectWithHook('/large');
  const deep = Array.from({ length: 5 }, (_, level) => String(level).repeat(250)).join('/');
  const names = Array.from({ length: 1000 }, (_, number) => `${deep}/${number}`);
  const folder = await workTree(Object.fromEntries(names.map((name) => [`a/${name}`, name])));
  await git(folder, 'mv', 'a', 'b');
  await git(folder, 'commit', '--quiet', '-m', 'move');
  await git(folder, 'rm', '--quiet', '-r', 'b');
  await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'remove');
  await git(folder, 'push', '--quiet', remote(fullPath, root), 'master');
  const [message] = await arrived('/large');
  const commits = message?.body.commits as readonly { readonly removed: readonly string[] }[];
  expect(commits[0]).toMatchObject({ added: names.map((name) => `a/${name}`).toSorted() });
  expect(commits[1]?.removed.length).toBeLessThan(1000);
  expect(commits[2]).toMatchObject({ message: 'remove\n', added: [], modified: [], removed: [] });
});

test('a redirect or an error is not retried automatically, and a delivery can be resent', async () => {
  const moved = await projectWithHook('/redirects');
  const refusing = await projectWithHook('/refuses');
  for (const { id } of [moved, refusing]) await api.post(`/projects/${id}/issues`, { title: 'x' });
  await arrived('/redirects');
  await arrived('/refuses');
  const state = async ({ id, hook }: typeof moved) => (await deliveries(id, hook)).nodes[0];
  await expect
    .poll(() => state(moved))
    .toMatchObject({ state: 'FAILED', attempts: 1, responseStatus: 302, error: null });
  await expect
    .poll(() => state(refusing))
    .toMatchObject({ state: 'FAILED', responseStatus: 410, responseBody: 'this is /refuses' });
  const { id } = (await state(refusing)) ?? {};
  const again = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Private-Token': ada.token },
    body: JSON.stringify({
      query: `mutation { resendHookDelivery(input: { id: "${id}" }) {
        hookDelivery { id }
      } }`,
    }),
  });
  expect(await again.json()).toEqual({
    data: { resendHookDelivery: { hookDelivery: { id } } },
  });
  const [once, twice] = await arrived('/refuses', 2);
  expect(twice?.text).toBe(once?.text);
  await expect.poll(() => state(refusing)).toMatchObject({ state: 'FAILED', attempts: 2 });
});

test('a hook endpoint that hangs, streams endlessly or fails delays no other hook', async () => {
  const hanging = await projectWithHook('/hangs');
  const pouring = await projectWithHook('/endless');
  const failing = await projectWithHook('/fails');
  const quick = await projectWithHook('/quick');
  for (let n = 0; n < 20; n += 1) await api.post(`/projects/${hanging.id}/issues`, { title: 'x' });
  for (const { id } of [pouring, failing, quick]) {
    await api.post(`/projects/${id}/issues`, { title: 'x' });
  }
  await arrived('/quick');
  expect(requestsTo('/hangs').length).toBeLessThan(20);
  const state = async ({ id, hook }: typeof quick) => (await deliveries(id, hook)).nodes.at(-1);
  await expect.poll(() => state(pouring)).toMatchObject({ state: 'DELIVERED' });
  expect(String((await state(pouring))?.responseBody)).toHaveLength(65_536);
  await expect.poll(() => state(failing)).toMatchObject({ state: 'PENDING', responseStatus: 503 });
  await expect
    .poll(() => state(hanging))
    .toMatchObject({
      state: 'PENDING',
      responseStatus: null,
      error: 'There was no answer in time',
    });
}, 60_000);

test('deliveries older than a week are deleted', async () => {
  const { id, hook } = await projectWithHook('/forgets');
  await api.post(`/projects/${id}/issues`, { title: 'old' });
  await arrived('/forgets');
  await expect
    .poll(async () => (await deliveries(id, hook)).nodes[0])
    .toMatchObject({ state: 'DELIVERED' });
  await db.hookDelivery.updateMany({ where: { hookId: hook }, data: { createdAt: new Date(0) } });
  await api.post(`/projects/${id}/issues`, { title: 'new' });
  await expect.poll(() => db.hookDelivery.count({ where: { hookId: hook } })).toBe(1);
});

test('metrics count the attempts by result', async () => {
  const attempts = async () => {
    const text = await (await fetch(`${url}/-/metrics`)).text();
    const counts = text.matchAll(/^millrace_webhook_attempts_total\{result="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...counts].map(([, result, count]) => [result, Number(count)]));
  };
  const before = await attempts();
  const paths = ['/counted', '/refuses', 'http://127.0.0.1:1/'];
  for (const path of paths) {
    const { id } = await projectWithHook(path);
    await api.post(`/projects/${id}/issues`, { title: 'Count' });
  }
  await expect
    .poll(async () => {
      const now = await attempts();
      const added = (result: string) => (now[result] ?? 0) - (before[result] ?? 0);
      return ['delivered', 'rejected', 'failed'].every((result) => added(result) > 0);
    })
    .toBe(true);
});
