import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { git, temporaryFolder } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, remote } = await world();
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
const roles = { developer: dan, reporter: rita, guest: gus };
await seed.group('acme', { owner: ada }, { visibility: 'public' });

const { id: app } = await seed.project('acme/app', roles);
const sha = await seed.push('acme/app', { 'README.md': '# App' });
const work = await temporaryFolder();
await git(work, 'clone', '--quiet', remote('acme/app', root), '.');
await git(work, 'tag', 'v1');
await git(work, 'push', '--quiet', 'origin', 'v1', 'master:refs/heads/topic');
await rm(work, { recursive: true });
const list = `/projects/${app}/pipelines`;

type Row = Parameters<typeof db.pipeline.create>[0]['data'];

/** The names of the pipelines in this test, by id. */
const names = new Map<number, string>();
async function add(name: string, settings: Partial<Row>) {
  const { id } = await db.pipeline.create({
    data: {
      projectId: app,
      source: 'push',
      ref: 'master',
      sha,
      beforeSha: '0'.repeat(40),
      ...settings,
    } as Row,
  });
  names.set(id, name);
}

await add('old', { status: 'success', userId: ada.id });
await add('wrong', { status: 'failed', userId: dan.id, yamlErrors: 'job: no' });
await add('deleted', { status: 'canceled', ref: 'deleted', userId: dan.id });
await add('tagged', { status: 'success', ref: 'v1', isTag: true, userId: ada.id });
await add('retagged', { status: 'pending', ref: 'v1', isTag: true, userId: ada.id });
await add('untagged', { status: 'success', ref: 'v0', isTag: true });
await add('topic', { status: 'skipped', ref: 'topic' });
await add('waiting', { status: 'manual', userId: dan.id });
await add('made', { status: 'created', userId: dan.id });
await add('new', { status: 'running', userId: dan.id });

/** The names of the pipelines on a page. */
async function listed(query = ''): Promise<string> {
  const { status, body } = await as(rita).get(`${list}?${query}`);
  expect(status).toBe(200);
  return (body as { id: number }[]).map(({ id }) => names.get(id)).join(' ');
}

describe('GET /projects/:id/pipelines', () => {
  test('lists four fields of each pipeline, the newest first', async () => {
    const { status, body } = await as(dan).get(`${list}?per_page=2`);
    const [newest = 0, before = 0] = [...names.keys()].toReversed();
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { id: newest, sha, ref: 'master', status: 'running' },
        { id: before, sha, ref: 'master', status: 'created' },
      ],
    });
  });

  test('is paginated', async () => {
    const response = await as(dan).fetch(`${list}?per_page=4&page=3`);
    expect(await response.json()).toHaveLength(2);
    expect(response.headers.get('X-Total')).toBe('10');
    expect(response.headers.get('X-Total-Pages')).toBe('3');
  });

  test('requires a signed-in user who can see the project', async () => {
    for (const person of [gus, rita, dan, ada, root]) {
      expect((await as(person).get(list)).status).toBe(200);
    }
    expect(await as(null).get(list)).toEqual(refused.anonymous);
    expect(await as(sam).get(list)).toEqual(refused.missing('Project'));
    expect(await as(sam).get('/projects/0/pipelines')).toEqual(refused.missing('Project'));
  });

  test('is forbidden for guests and non-members if jobs are not public', async () => {
    const settings = { visibility: 'public', public_jobs: false };
    const { id } = await seed.project('acme/closed', roles, settings);
    const path = `/projects/${id}/pipelines`;
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    expect(await as(sam).get(path)).toEqual(refused.forbidden);
    expect(await as(gus).get(path)).toEqual(refused.forbidden);
    expect(await as(rita).get(path)).toEqual({ status: 200, body: [] });
    await as(ada).put(`/projects/${id}`, { public_jobs: true });
    expect(await as(sam).get(path)).toEqual({ status: 200, body: [] });
  });

  test.each([
    ['scope=running', 'new'],
    ['scope=pending', 'retagged'],
    ['scope=finished', 'untagged tagged deleted wrong old'],
    ['scope=branches', 'new topic'],
    ['scope=tags', 'retagged'],
    ['status=running', 'new'],
    ['status=pending', 'retagged'],
    ['status=success', 'untagged tagged old'],
    ['status=failed', 'wrong'],
    ['status=canceled', 'deleted'],
    ['status=skipped', 'topic'],
    ['status=created', 'made'],
    ['status=manual', 'waiting'],
    ['ref=topic', 'topic'],
    ['ref=v1', 'retagged tagged'],
    ['ref=top', ''],
    ['ref=Topic', ''],
    ['yaml_errors=true', 'wrong'],
    ['yaml_errors=false&ref=master', 'new made waiting old'],
    ['name=Ada', 'retagged tagged old'],
    ['name=ada', ''],
    ['name=Ad', ''],
    ['username=ada', 'retagged tagged old'],
    ['username=ADA', 'retagged tagged old'],
    ['username=unknown', ''],
    ['name=Dan&username=ada', ''],
    ['scope=finished&username=dan', 'deleted wrong'],
    ['scope=branches&status=skipped', 'topic'],
    ['scope=branches&status=success', ''],
    ['scope=finished&status=running', ''],
  ])('filters by %s: %s', async (query, expected) => {
    expect(await listed(query)).toBe(expected);
  });

  test.each([
    ['', 'new made waiting topic untagged retagged tagged deleted wrong old'],
    ['sort=asc', 'old wrong deleted tagged retagged untagged topic waiting made new'],
    ['order_by=id&sort=desc', 'new made waiting topic untagged retagged tagged deleted wrong old'],
    // alphabetically: canceled, created, failed, manual, pending, running, skipped, success
    [
      'order_by=status&sort=asc',
      'deleted made wrong waiting retagged new topic old tagged untagged',
    ],
    ['order_by=status', 'untagged tagged old topic new retagged waiting wrong made deleted'],
    ['order_by=ref&sort=asc', 'deleted old wrong waiting made new topic untagged tagged retagged'],
    ['order_by=ref', 'retagged tagged untagged topic new made waiting wrong old deleted'],
    [
      'order_by=user_id&sort=asc',
      'old tagged retagged wrong deleted waiting made new untagged topic',
    ],
    ['order_by=user_id', 'topic untagged new made waiting deleted wrong retagged tagged old'],
  ])('sorts by %s as %s', async (query, order) => {
    expect(await listed(query)).toBe(order);
  });

  test.each([
    ['scope=all', 'scope does not have a valid value'],
    ['status=done', 'status does not have a valid value'],
    ['order_by=sha', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['yaml_errors=perhaps', 'yaml_errors is invalid'],
    ['page=x', 'page is invalid'],
  ])('rejects %s', async (query, text) => {
    expect(await as(dan).get(`${list}?${query}`)).toEqual(refused.parameter(text));
    expect(await as(null).get(`${list}?${query}`)).toEqual(refused.anonymous);
  });
});
