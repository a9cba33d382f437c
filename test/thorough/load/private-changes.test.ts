import { expect, test } from 'vitest';
import { routes } from '../../../rest-facade/index.ts';
import { fieldsOf } from '../../../rest-facade/kernel/parameter-schema.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { as, seed, root } = await world();
const ada = await seed.user('ada');
const eve = await seed.user('eve');
const gus = await seed.user('gus');
const ext = await seed.user('ext', { isExternal: true });
const group = await seed.group('acme', { owner: ada }, { visibility: 'public' });
const app = await seed.project('acme/app', { guest: gus }, { visibility: 'public' });
const at = `/projects/${app.id}`;
const sha = await seed.push('acme/app', { 'README.md': '# App\n' });

async function create(path: string, body: object, user: TestUser = ada) {
  const response = await as(user).post(path, { ...body });
  if (response.status !== 201) throw new Error(`${path}: ${JSON.stringify(response)}`);
  return response.body as { readonly id: number; readonly iid: number };
}
const label = await create(`${at}/labels`, { name: 'bug', color: '#ff0000' });
const milestone = await create(`${at}/milestones`, { title: 'v1' });
const planned = { labels: 'bug', milestone_id: milestone.id, assignee_ids: [ada.id] };
const issue = await create(`${at}/issues`, { title: 'Open', ...planned });
await create(`${at}/repository/branches`, { branch: 'topic', ref: 'master' });
const merge = await create(`${at}/merge_requests`, {
  ...{ title: 'Merge', source_branch: 'topic', target_branch: 'master', ...planned },
});
await create(`${at}/issues/${issue.iid}/notes`, { body: 'A note' });
const snippet = await create(`${at}/snippets`, {
  ...{ title: 'Code', file_name: 'a.txt', code: 'x', visibility: 'public' },
});

/** Values of path parameters; a route with another one is left out. */
const inPath: Readonly<Record<string, unknown>> = {
  ...{ user_id: ada.id, issue_iid: issue.iid, merge_request_iid: merge.iid, sha },
  ...{ milestone_id: milestone.id, snippet_id: snippet.id, label_id: label.id, branch: 'master' },
};
const idOf = (path: string) =>
  path.startsWith('/projects/') ? app.id : path.startsWith('/groups/') ? group.id : ada.id;

/** Filters by what the private records have, and orders. */
const queries: readonly Readonly<Record<string, unknown>>[] = [
  { search: 'zebra', scope: 'issues' },
  ...['projects', 'milestones', 'merge_requests', 'notes', 'snippet_titles', 'users'].map(
    (scope) => ({ search: 'zebra', scope }),
  ),
  { search: 'ada' },
  { search: 'zebra@example.com' },
  { labels: 'zebra' },
  { labels: 'bug', scope: 'all' },
  { labels: 'Any Label' },
  { milestone: 'zebra' },
  { milestone: 'v1', scope: 'all' },
  { author_username: 'ada', scope: 'all' },
  { author_id: ada.id, scope: 'all' },
  { assignee_id: ada.id, scope: 'all' },
  { order_by: 'updated_at', sort: 'asc', scope: 'all' },
  { order_by: 'last_activity_at', pagination: 'keyset' },
  { with_counts: true },
  { statistics: true },
  { all_available: true, per_page: 1 },
];

const paths = routes.flatMap(({ method, path, operation, send }) => {
  if (method !== 'get' || send) return [];
  const names = [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name);
  if (!names.every((name) => name === 'id' || name in inPath)) return [];
  const filled = path.replace(/[:*](\w+)/g, (_, name: string) =>
    String(name === 'id' ? idOf(path) : inPath[name]),
  );
  const fields = Object.keys(fieldsOf(operation.params));
  const fitting = queries.map((query) =>
    new URLSearchParams(
      Object.entries(query)
        .filter(([name]) => fields.includes(name))
        .map(([name, value]) => [name, String(value)]),
    ).toString(),
  );
  return [...new Set(['', ...fitting])].map((query) => `${filled}?${query}`);
});

/** A private fork is counted, and any issue is an activity of its project (docs/security.md). */
const counted = /"(forks_count|last_activity_at)":("[^"]*"|\d+)/g;

/** What each path responds with, for each user. */
async function readAll(users: readonly (TestUser | null)[]) {
  const seen: Record<string, string> = {};
  for (const user of users) {
    const read = async (path: string) => {
      const response = await as(user).fetch(path);
      const total = response.headers.get('X-Total');
      const text = (await response.text()).replaceAll(counted, '"$1":0');
      seen[`${user?.username ?? 'anonymous'} ${path}`] = `${response.status} ${total} ${text}`;
    };
    const waiting = [...paths];
    const readers = Array.from({ length: 8 }, async () => {
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) await read(path);
    });
    await Promise.all(readers);
  }
  return seen;
}

/** Creates records that only ada and administrators may see. */
async function createPrivateRecords() {
  await seed.group('hush', { owner: ada }, { visibility: 'private' });
  await seed.group('acme/zebras', { owner: ada }, { visibility: 'private' });
  for (const path of ['hush/zebra', 'acme/zebra', 'acme/zebras/zebra', 'ada/zebra']) {
    const secret = await seed.project(path, {}, { visibility: 'private', snippets_enabled: true });
    await seed.push(path, { 'zebra.txt': 'zebra\n' });
    const place = `/projects/${secret.id}`;
    const by = path.startsWith('acme/zebra') || path.startsWith('hush') ? ada : root;
    await create(`${place}/labels`, { name: 'zebra', color: '#00ff00' }, by);
    const { id } = await create(`${place}/milestones`, { title: 'zebra' }, by);
    const hidden = await create(
      `${place}/issues`,
      { title: 'zebra', labels: 'zebra', milestone_id: id, description: 'See acme/app#1' },
      by,
    );
    const note = { body: 'zebra: acme/app#1, acme/app!1 and @eve' };
    await create(`${place}/issues/${hidden.iid}/notes`, note, by);
    await create(`${place}/repository/branches`, { branch: 'zebra', ref: 'master' }, by);
  }
  await create(`${at}/fork`, { namespace: 'ada' });
  const [fork] = (await as(ada).get('/users/ada/projects?search=app')).body as { id: number }[];
  await as(ada).put(`/projects/${fork?.id}`, { visibility: 'private' });
  const confidential = { title: 'zebra', confidential: true, ...planned };
  const hidden = await create(`${at}/issues`, confidential);
  const path = `${at}/issues/${hidden.iid}`;
  await create(`${path}/notes`, { body: 'zebra acme/app#1 acme/app!1 @eve' });
  await create(`${path}/award_emoji`, { name: 'horse' });
  await create(`${path}/add_spent_time`, { duration: '2h' });
  await as(ada).put(path, { state_event: 'close' });
  const code = { title: 'zebra', file_name: 'zebra', content: 'zebra', visibility: 'private' };
  await create('/snippets', code);
  await create(`${at}/variables`, { key: 'ZEBRA', value: 'zebra' });
  await create(`${at}/triggers`, { description: 'zebra' });
  await create(`${at}/hooks`, { url: 'http://zebra.example.com' });
  await create('/user/emails', { email: 'zebra@example.com' });
  await as(ada).post(`${path}/todo`);
}

test('private records change no response to other users', async () => {
  const users = [null, eve, ext, gus];
  // what a first request computes, such as languages
  await readAll([null]);
  const before = await readAll(users);
  await createPrivateRecords();
  const after = await readAll(users);
  const changed = Object.keys(before).filter((key) => before[key] !== after[key]);
  expect(changed.map((key) => ({ key, before: before[key], after: after[key] }))).toEqual([]);
  expect(paths.length).toBeGreaterThan(200);
  const ofOwner = await readAll([ada]);
  expect(Object.values(ofOwner).filter((text) => text.includes('zebra')).length).toBeGreaterThan(
    20,
  );
}, 300_000);
