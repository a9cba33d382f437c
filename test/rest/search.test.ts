import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('needle-bob');
const gus = await seed.user('needle-gus');
const eve = await seed.user('eve', { isExternal: true });

const created = async (path: string, body: object) => {
  const response = await as(ada).post(path, { ...body });
  expect(response.status).toBe(201);
  return response.body as { readonly id: number };
};

/** A group with a subgroup and a project below it, with records that have `needle` in their texts. */
async function fill(name: string, visibility: string) {
  const group = await seed.group(name, { owner: ada, guest: gus }, { visibility });
  await seed.group(`${name}/sub`, {}, { visibility });
  const path = `${name}/sub/needle-${name}`;
  const project = await seed.project(path, {}, { visibility, snippets_enabled: true });
  await seed.push(path, { 'README.md': 'hello' });
  const at = `/projects/${project.id}`;
  await created(`${at}/repository/branches`, { branch: 'topic', ref: 'master' });
  await created(`${at}/issues`, { title: `Needle ${name}` });
  await created(`${at}/issues`, {
    title: `Secret ${name}`,
    description: 'needle',
    confidential: true,
  });
  await created(`${at}/issues`, { title: 'Hay' });
  await created(`${at}/merge_requests`, {
    title: `Needle ${name}`,
    source_branch: 'topic',
    target_branch: 'master',
  });
  await created(`${at}/milestones`, { title: `Needle ${name}` });
  await created(`${at}/milestones`, { title: 'Hay' });
  await created(`/groups/${group.id}/milestones`, { title: `Group needle ${name}` });
  await created(`${at}/snippets`, {
    title: `Needle ${name}`,
    file_name: 'a.txt',
    code: 'x',
    visibility: 'public',
  });
  return { group, project };
}

const open = await fill('open', 'public');
const closed = await fill('closed', 'private');

type Row = Readonly<Record<'title' | 'path' | 'username', string | undefined>>;

/** What the rows of a search are called. */
async function find(user: TestUser, path: string, scope: string, more = {}) {
  const query = new URLSearchParams({ scope, search: 'NEEDLE', ...more });
  const { status, body } = await as(user).get(`${path}?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body as Row[]).map(({ title, path, username }) => title ?? path ?? username);
}

const both = ['Needle closed', 'Needle open'];

describe('GET /search', () => {
  test.each([
    ['projects', ['needle-closed', 'needle-open'], ['needle-open']],
    ['issues', ['Secret closed', 'Needle closed', 'Secret open', 'Needle open'], ['Needle open']],
    ['merge_requests', both, ['Needle open']],
    [
      'milestones',
      ['Group needle closed', 'Needle closed', 'Group needle open', 'Needle open'],
      ['Group needle open', 'Needle open'],
    ],
    ['snippet_titles', both, ['Needle open']],
    ['users', ['needle-gus', 'needle-bob'], ['needle-gus', 'needle-bob']],
  ])('finds the %s that the user may see', async (scope, ofMember, ofStranger) => {
    expect(await find(ada, '/search', scope)).toEqual(ofMember);
    expect(await find(eve, '/search', scope)).toEqual(ofStranger);
  });

  test('shows rows as listings do', async () => {
    const { body: issues } = await as(eve).get('/search?scope=issues&search=needle');
    const { body: listed } = await as(eve).get(`/projects/${open.project.id}/issues?search=needle`);
    expect(issues).toEqual(listed);
    const { body: users } = await as(eve).get('/search?scope=users&search=needle-bob');
    expect(users).toEqual([basicUserShape(url, bob)]);
  });

  test('has pages', async () => {
    const page = { per_page: '1', page: '2' };
    expect(await find(ada, '/search', 'merge_requests', page)).toEqual(['Needle open']);
    const path = '/search?scope=issues&search=needle&per_page=1';
    const response = await as(ada).fetch(path);
    expect(response.headers.get('X-Total')).toBe('4');
    const byKeys = await as(ada).fetch(`${path}&pagination=keyset`);
    expect(byKeys.headers.get('Link')).toContain('rel="next"');
  });

  test('refuses anonymous users and invalid parameters', async () => {
    expect(await as(null).get('/search?scope=projects&search=needle')).toEqual(refused.anonymous);
    for (const [query, problem] of [
      ['search=needle', 'scope is missing'],
      ['scope=nothing&search=needle', 'scope does not have a valid value'],
      ['scope=nothing', 'search is missing, scope does not have a valid value'],
      ['scope=issues', 'search is missing'],
      ['scope=issues&search=', 'search is empty'],
      [`scope=issues&search=${'a'.repeat(256)}`, 'search is invalid'],
      ['scope=issues&search=needle&page=x', 'page is invalid'],
    ]) {
      expect(await as(ada).get(`/search?${query}`)).toEqual(refused.parameter(problem as string));
    }
    expect(await as(ada).get('/search?scope=issues&search=a')).toEqual(
      refused.invalid({ search: ['is too short (minimum is 2 characters)'] }),
    );
  });
});

describe.each(['search', '-/search'])('GET /groups/:id/%s', (end) => {
  test.each([
    ['projects', ['needle-closed']],
    ['issues', ['Secret closed', 'Needle closed'], ['Needle closed']],
    ['merge_requests', ['Needle closed'], []],
    ['milestones', ['Group needle closed', 'Needle closed']],
    ['users', ['needle-gus']],
  ])('finds the %s below the group', async (scope, ofOwner, ofGuest = ofOwner) => {
    const path = `/groups/${closed.group.id}/${end}`;
    expect(await find(ada, path, scope)).toEqual(ofOwner);
    expect(await find(gus, path, scope)).toEqual(ofGuest);
  });

  test('is for users who see the group', async () => {
    const path = `/groups/${closed.group.id}/${end}`;
    for (const scope of ['projects', 'issues', 'merge_requests', 'milestones', 'users']) {
      const query = `?scope=${scope}&search=needle`;
      expect(await as(null).get(`${path}${query}`)).toEqual(refused.anonymous);
      expect(await as(bob).get(`${path}${query}`)).toEqual(refused.missing('Group'));
      expect((await as(eve).get(`/groups/open/${end}${query}`)).status).toBe(200);
    }
    expect(await as(ada).get(`${path}?scope=snippet_titles&search=needle`)).toEqual(
      refused.parameter('scope does not have a valid value'),
    );
  });
});

describe('GET /groups/:id/search', () => {
  test('finds no milestones of projects and groups that the user may not see', async () => {
    await seed.group('mixed', {}, { visibility: 'public' });
    const inner = await seed.group('mixed/inner', { owner: ada });
    await seed.project('mixed/inner/app');
    await created(`/groups/${inner.id}/milestones`, { title: 'Needle of the group' });
    await created('/projects/mixed%2Finner%2Fapp/milestones', { title: 'Needle of the app' });
    expect(await find(ada, '/groups/mixed/search', 'milestones')).toHaveLength(2);
    expect(await find(eve, '/groups/mixed/search', 'milestones')).toEqual([]);
  });
});

describe.each(['search', '-/search'])('GET /projects/:id/%s', (end) => {
  test.each([
    ['issues', ['Secret closed', 'Needle closed'], ['Needle closed']],
    ['milestones', ['Needle closed']],
    ['users', ['needle-gus']],
  ])('finds the %s of the project', async (scope, ofOwner, ofGuest = ofOwner) => {
    const path = `/projects/${closed.project.id}/${end}`;
    expect(await find(ada, path, scope)).toEqual(ofOwner);
    expect(await find(gus, path, scope)).toEqual(ofGuest);
  });

  test('finds merge requests for users who can read the code', async () => {
    const path = `/projects/${closed.project.id}/${end}`;
    expect(await find(ada, path, 'merge_requests')).toEqual(['Needle closed']);
    expect(await as(gus).get(`${path}?scope=merge_requests&search=needle`)).toEqual(
      refused.forbidden,
    );
  });

  test('is for users who see the project', async () => {
    const path = `/projects/${closed.project.id}/${end}`;
    for (const scope of ['issues', 'merge_requests', 'milestones', 'users']) {
      const query = `?scope=${scope}&search=needle`;
      expect(await as(null).get(`${path}${query}`)).toEqual(refused.anonymous);
      expect(await as(bob).get(`${path}${query}`)).toEqual(refused.missing('Project'));
    }
    expect(await as(ada).get(`${path}?scope=projects&search=needle`)).toEqual(
      refused.parameter('scope does not have a valid value'),
    );
  });

  test('responds as the listings if a feature is disabled', async () => {
    const features = { issues_enabled: false, merge_requests_enabled: false };
    const { id } = await seed.project(`ada/bare-${end.length}`, {}, features);
    for (const scope of ['issues', 'merge_requests']) {
      const { status } = await as(ada).get(`/projects/${id}/${scope}`);
      expect(status).toBe(403);
      const query = `?scope=${scope}&search=needle`;
      expect((await as(ada).get(`/projects/${id}/${end}${query}`)).status).toBe(status);
    }
  });
});
