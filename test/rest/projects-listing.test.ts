import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { basicProjectShape, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const eve = await seed.user('eve', { isExternal: true });
await seed.user('idle');

const red = await seed.group('red', { owner: ada, reporter: bob }, { visibility: 'public' });
await seed.group('red/deep', { guest: carl });
await seed.group('blue', {}, { visibility: 'internal', name: 'Indigo Works' });
await seed.group('club');

const internal = { visibility: 'internal' };
const publicVisibility = { visibility: 'public' };
const noIssues = { issues_enabled: false };
const noRequests = { merge_requests_enabled: false };

/** Projects in the order of creation, with the days of creation, update and last activity. */
const table = [
  ['red/alpha', { ...publicVisibility, description: 'First Light' }, 9, 3, 5],
  ['red/beta', { ...internal, ...noIssues, name: 'second' }, 8, 4, 5],
  ['red/gamma', noRequests, 7, 5, 5],
  ['red/deep/delta', {}, 9, 6, 4],
  ['red/deep/epsilon', { description: 'second to none' }, 5, 3, 4],
  ['blue/zeta', internal, 4, 8, 4],
  ['blue/eta', {}, 3, 9, 3],
  ['ada/theta', { tag_list: ['light'] }, 2, 1, 3],
  ['ada/iota', { ...publicVisibility, ...noIssues, ...noRequests }, 1, 2, 3],
  ['ada/kappa', internal, 9, 3, 2],
  ['bob/lambda', {}, 8, 4, 2],
  ['bob/mu', publicVisibility, 7, 5, 2],
  ['club/nu', {}, 6, 6, 1],
  ['club/xi', {}, 5, 7, 1],
  ['club/omicron', {}, 9, 9, 1],
] as const;

const archived: readonly string[] = ['ada/kappa', 'bob/mu'];

const day = (number: number) => new Date(Date.UTC(2017, 5, number, 12));

interface Row {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_activity_at: number;
}

const rows: Row[] = [];
for (const [fullPath, settings, created_at, updated_at, last_activity_at] of table) {
  const { id } = await seed.project(fullPath, {}, settings);
  const { path, name } = await db.project.update({
    where: { id },
    data: {
      createdAt: day(created_at),
      updatedAt: day(updated_at),
      lastActivityAt: day(last_activity_at),
      isArchived: archived.includes(fullPath),
    },
  });
  rows.push({ id, path, name, created_at, updated_at, last_activity_at });
}

const idOf = (path: string) => rows.find((row) => row.path === path)?.id ?? 0;

await as(root).post(`/projects/${idOf('theta')}/members`, { user_id: bob.id, access_level: 10 });
// adding a member updates the last activity
for (const { id, last_activity_at, updated_at } of rows) {
  const dates = { lastActivityAt: day(last_activity_at), updatedAt: day(updated_at) };
  await db.project.update({ where: { id }, data: dates });
}
const deep = await db.namespace.findFirstOrThrow({ where: { path: 'deep' } });
for (const [path, group_id] of [
  ['nu', red.id],
  ['xi', deep.id],
] as const) {
  await as(root).post(`/projects/${idOf(path)}/share`, { group_id, group_access: 20 });
}
for (const [person, ...paths] of [
  [bob, 'alpha', 'mu', 'nu', 'lambda'],
  [dora, 'alpha', 'zeta'],
] as const) {
  for (const path of paths) await as(person).post(`/projects/${idOf(path)}/star`);
}

const pathsOf = (body: unknown) => (body as { path: string }[]).map(({ path }) => path);

/** The paths of the listed projects, ordered by id. */
async function listPaths(person: TestUser | null, listing: string, query = '') {
  const { status, body } = await as(person).get(
    `${listing}?order_by=id&sort=asc&per_page=100&${query}`,
  );
  return status === 200 ? pathsOf(body).join(' ') : status;
}

const allPaths = 'alpha beta gamma delta epsilon zeta eta theta iota lambda nu xi omicron';
const pathsOfBob = 'alpha beta gamma delta epsilon zeta theta iota lambda nu xi';

describe('GET /projects', () => {
  test.each([
    ['an anonymous user', null, 'alpha iota'],
    ['an external user', eve, 'alpha iota'],
    ['another user', dora, 'alpha beta zeta iota'],
    ['a guest of the subgroup', carl, 'alpha beta delta epsilon zeta iota xi'],
    ['a reporter of the group', bob, pathsOfBob],
    ['an owner of the group', ada, 'alpha beta gamma delta epsilon zeta theta iota nu xi'],
    ['an administrator', root, allPaths],
  ])('lists the projects visible to %s', async (_viewer, person, paths) => {
    expect(await listPaths(person, '/projects')).toBe(paths);
  });

  test.each([
    ['archived=', pathsOfBob],
    ['archived=false', pathsOfBob],
    ['archived=true', 'kappa mu'],
    ['visibility=public', 'alpha iota'],
    ['visibility=internal', 'beta zeta'],
    ['visibility=private', 'gamma delta epsilon theta lambda nu xi'],
    ['visibility=public&archived=yes', 'mu'],
    ['search=', pathsOfBob],
    ['search=ALPH', 'alpha'],
    ['search=light', 'alpha'],
    ['search=second', 'beta epsilon'],
    ['search=beta', 'beta'],
    ['search=indigo', 'zeta'],
    ['search=blue', ''],
    ['search=red', 'alpha beta gamma'],
    ['search=red%2Falpha', ''],
    ['search=%25', ''],
    ['search=_', ''],
    ['search=%5C', ''],
    ['search=a%00b', 400],
    ['owned=true', 'lambda'],
    ['owned=false', pathsOfBob],
    ['membership=true', 'alpha beta gamma delta epsilon theta lambda nu xi'],
    ['membership=true&archived=true', 'mu'],
    ['starred=true', 'alpha lambda nu'],
    ['starred=true&archived=true', 'mu'],
    ['starred=false', pathsOfBob],
    ['with_issues_enabled=true', 'alpha gamma delta epsilon zeta theta lambda nu xi'],
    ['with_issues_enabled=false', pathsOfBob],
    ['with_merge_requests_enabled=true', 'alpha beta delta epsilon zeta theta lambda nu xi'],
    ['with_merge_requests_enabled=false', pathsOfBob],
    [
      'with_issues_enabled=1&with_merge_requests_enabled=1',
      'alpha delta epsilon zeta theta lambda nu xi',
    ],
    ['starred=true&membership=true&visibility=private&search=l', 'lambda nu'],
    ['unknown=true', pathsOfBob],
  ])('%s filters the list', async (query, paths) => {
    expect(await listPaths(bob, '/projects', query)).toBe(paths);
  });

  test('owned projects are personal or in a group that the user owns', async () => {
    expect(await listPaths(ada, '/projects', 'owned=true')).toBe(
      'alpha beta gamma delta epsilon theta iota',
    );
    expect(await listPaths(ada, '/projects', 'owned=true&archived=true')).toBe('kappa');
    expect(await listPaths(carl, '/projects', 'owned=true')).toBe('');
  });

  test('membership includes memberships by groups and shares', async () => {
    expect(await listPaths(carl, '/projects', 'membership=true')).toBe('delta epsilon xi');
    expect(await listPaths(dora, '/projects', 'membership=true')).toBe('');
    expect(await listPaths(dora, '/projects', 'starred=true')).toBe('alpha zeta');
  });

  test.each(['owned', 'membership', 'starred'])(
    '%s=true lists nothing for an anonymous user',
    async (filter) => {
      expect(await as(null).get(`/projects?${filter}=true`)).toEqual({ status: 200, body: [] });
      expect(await listPaths(null, '/projects', `${filter}=false`)).toBe('alpha iota');
    },
  );

  const orders = ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'] as const;
  const visibleRows = rows.filter(({ path }) => allPaths.split(' ').includes(path));
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

  test.each(orders)('order_by=%s sorts in both directions, ties by id', async (column) => {
    const ascending = visibleRows
      .toSorted((a, b) => compare(a[column], b[column]) || a.id - b.id)
      .map(({ id }) => id);
    const idsOf = async (query: string) =>
      ((await as(root).get(`/projects?${query}`)).body as { id: number }[]).map(({ id }) => id);
    expect(await idsOf(`order_by=${column}&sort=asc`)).toEqual(ascending);
    expect(await idsOf(`order_by=${column}&sort=desc`)).toEqual(ascending.toReversed());
    expect(await idsOf(`order_by=${column}`)).toEqual(ascending.toReversed());
    const pages: number[] = [];
    for (const page of [1, 2, 3, 4]) {
      pages.push(...(await idsOf(`order_by=${column}&sort=asc&per_page=4&page=${page}`)));
    }
    expect(pages).toEqual(ascending);
  });

  test('the newest projects are first by default', async () => {
    expect(pathsOf((await as(root).get('/projects?per_page=6')).body)).toEqual([
      'omicron',
      'delta',
      'alpha',
      'lambda',
      'beta',
      'gamma',
    ]);
  });

  test('headers describe the page', async () => {
    const { headers } = await as(root).fetch('/projects?search=a&per_page=2&page=2&simple=true');
    const link = (page: number, relation: string) =>
      `<${url}/api/v4/projects?page=${page}&per_page=2&search=a&simple=true>; rel="${relation}"`;
    expect({
      total: headers.get('X-Total'),
      pages: headers.get('X-Total-Pages'),
      size: headers.get('X-Per-Page'),
      page: headers.get('X-Page'),
      next: headers.get('X-Next-Page'),
      previous: headers.get('X-Prev-Page'),
      link: headers.get('Link'),
    }).toEqual({
      total: '9',
      pages: '5',
      size: '2',
      page: '2',
      next: '3',
      previous: '1',
      link: [link(1, 'prev'), link(3, 'next'), link(1, 'first'), link(5, 'last')].join(', '),
    });
  });

  test('a page after the last is empty, and per_page=0 is rejected', async () => {
    const response = await as(bob).fetch('/projects?page=99');
    expect({
      total: response.headers.get('X-Total'),
      page: response.headers.get('X-Page'),
      next: response.headers.get('X-Next-Page'),
      previous: response.headers.get('X-Prev-Page'),
      body: await response.json(),
    }).toEqual({ total: '11', page: '99', next: '', previous: '', body: [] });
    expect(await as(bob).get('/projects?per_page=0')).toEqual(
      refused.parameter('per_page does not have a valid value'),
    );
  });
});

const emptyStatistics = {
  commit_count: 0,
  storage_size: 0,
  repository_size: 0,
  lfs_objects_size: 0,
  job_artifacts_size: 0,
};

describe('GET /users/:user_id/projects', async () => {
  const listing = `/users/${ada.id}/projects`;
  const space = await db.namespace.findUniqueOrThrow({ where: { ownerId: ada.id } });
  const theta = {
    id: idOf('theta'),
    fullPath: 'ada/theta',
    creatorId: root.id,
    namespaceId: space.id,
    owner: ada,
  };

  test.each([
    ['an anonymous user', null, 'iota'],
    ['an external user', eve, 'iota'],
    ['another user', dora, 'iota'],
    ['a guest of a project', bob, 'theta iota'],
    ['the user', ada, 'theta iota'],
    ['an administrator', root, 'theta iota'],
  ])('lists the personal projects visible to %s', async (_viewer, person, paths) => {
    expect(await listPaths(person, listing)).toBe(paths);
    expect(await listPaths(person, '/users/ADA/projects')).toBe(paths);
  });

  test.each([
    ['archived=true', 'kappa'],
    ['visibility=public', 'iota'],
    ['visibility=internal', ''],
    ['search=thet', 'theta'],
    ['search=alpha', ''],
    ['search=ada', 'theta iota'],
    ['owned=true', ''],
    ['membership=true', 'theta'],
    ['starred=true', ''],
    ['with_issues_enabled=true', 'theta'],
    ['with_merge_requests_enabled=true', 'theta'],
  ])('%s filters the list', async (query, paths) => {
    expect(await listPaths(bob, listing, query)).toBe(paths);
  });

  test('shows each project as in GET /projects', async () => {
    const shape = { ...projectShape(url, theta, [10, null]), tag_list: ['light'] };
    expect(await as(bob).get(`${listing}?search=theta`)).toEqual({ status: 200, body: [shape] });
    expect((await as(bob).get(`${listing}?search=theta&statistics=true`)).body).toEqual([
      { ...shape, statistics: emptyStatistics },
    ]);
    expect((await as(bob).get(`${listing}?search=theta&statistics=1&simple=1`)).body).toEqual([
      { ...basicProjectShape(url, theta), tag_list: ['light'] },
    ]);
    expect((await as(null).get(`${listing}?statistics=true`)).body).toEqual([
      basicProjectShape(url, { ...theta, id: idOf('iota'), fullPath: 'ada/iota' }),
    ]);
  });

  test('is sorted and paginated as GET /projects', async () => {
    expect(pathsOf((await as(ada).get(listing)).body)).toEqual(['theta', 'iota']);
    expect(pathsOf((await as(ada).get(`${listing}?order_by=updated_at`)).body)).toEqual([
      'iota',
      'theta',
    ]);
    const response = await as(ada).fetch(`${listing}?per_page=1&page=2`);
    expect(response.headers.get('X-Total')).toBe('2');
    expect(pathsOf(await response.json())).toEqual(['iota']);
  });

  test('is empty for a user without projects, and 404 for an unknown user', async () => {
    expect(await as(null).get('/users/idle/projects')).toEqual({ status: 200, body: [] });
    for (const username of ['0', 'unknown', '99999999999', 'red', 'ada%2Ftheta']) {
      expect(await as(root).get(`/users/${username}/projects`)).toEqual(refused.missing('User'));
    }
  });

  test('rejects invalid parameters', async () => {
    expect(await as(bob).get(`${listing}?order_by=stars&starred=maybe`)).toEqual(
      refused.parameter('order_by does not have a valid value, starred is invalid'),
    );
  });
});

describe('GET /groups/:id/projects', () => {
  const listing = `/groups/${red.id}/projects`;

  test.each([
    ['an anonymous user', null, 'alpha'],
    ['an external user', eve, 'alpha'],
    ['another user', dora, 'alpha beta'],
    ['a guest of the subgroup', carl, 'alpha beta'],
    ['a reporter', bob, 'alpha beta gamma nu'],
    ['an owner', ada, 'alpha beta gamma nu'],
    ['an administrator', root, 'alpha beta gamma nu'],
  ])('lists the projects of the group visible to %s', async (_viewer, person, paths) => {
    expect(await listPaths(person, listing)).toBe(paths);
  });

  test.each([
    ['archived=true', ''],
    ['visibility=private', 'gamma nu'],
    ['visibility=public', 'alpha'],
    ['search=second', 'beta'],
    ['owned=true', ''],
    ['starred=true', 'alpha nu'],
    ['starred=true&visibility=private', 'nu'],
  ])('%s filters the list', async (query, paths) => {
    expect(await listPaths(bob, listing, query)).toBe(paths);
  });

  test('is sorted as GET /projects', async () => {
    expect(pathsOf((await as(bob).get(listing)).body)).toEqual(['alpha', 'beta', 'gamma', 'nu']);
    const query = 'order_by=updated_at&sort=desc&per_page=2';
    expect(pathsOf((await as(bob).get(`${listing}?${query}`)).body)).toEqual(['nu', 'gamma']);
  });
});
