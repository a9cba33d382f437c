import { describe, expect, test } from 'vitest';
import {
  groupedProjectShape,
  groupShape,
  masterFields,
  projectShape,
  refused,
} from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve', { isExternal: true });

const closed = await seed.group('closed', { owner: ada });
const inner = await seed.group('closed/inner');
const open = await seed.group('open', { reporter: bob }, { visibility: 'public' });
const shared = await seed.group('shared', {}, { visibility: 'internal' });
const app = await seed.project('closed/app');
const site = await seed.project('open/site', {}, { visibility: 'public' });
const plans = await seed.project('open/plans', { guest: eve }, { visibility: 'private' });
const hidden = await seed.project('closed/inner/lib', { guest: bob });

const shapes = {
  closed: groupShape(url, { id: closed.id, fullPath: 'closed' }),
  inner: groupShape(url, { id: inner.id, fullPath: 'closed/inner', parentId: closed.id }),
  open: groupShape(url, { id: open.id, fullPath: 'open', visibility: 'public' }),
  shared: groupShape(url, { id: shared.id, fullPath: 'shared', visibility: 'internal' }),
};
const traits = {
  app: { id: app.id, fullPath: 'closed/app', creatorId: root.id, namespaceId: closed.id },
  plans: { id: plans.id, fullPath: 'open/plans', creatorId: root.id, namespaceId: open.id },
  site: {
    id: site.id,
    fullPath: 'open/site',
    visibility: 'public',
    creatorId: root.id,
    namespaceId: open.id,
  },
};

const pathsOf = (body: unknown) =>
  (body as { full_path: string }[]).map((group) => group.full_path);
const projectsOf = (body: unknown) =>
  (body as { path_with_namespace: string }[]).map((project) => project.path_with_namespace);

describe('GET /groups', () => {
  test('an owner sees owned groups, their subgroups and visible groups', async () => {
    expect(await as(ada).get('/groups')).toEqual({
      status: 200,
      body: [shapes.closed, shapes.inner, shapes.open, shapes.shared],
    });
  });

  test('anonymous users see public groups', async () => {
    expect(await as(null).get('/groups')).toEqual({ status: 200, body: [shapes.open] });
  });

  test('internal groups are hidden from external users', async () => {
    expect(pathsOf((await as(eve).get('/groups')).body)).toEqual(['open']);
  });

  test('a group with a project of the user is visible', async () => {
    expect(pathsOf((await as(bob).get('/groups')).body)).toEqual([
      'closed/inner',
      'open',
      'shared',
    ]);
  });

  test('an expired membership shows no group', async () => {
    const expiredMember = await seed.user('past');
    const input = { user_id: expiredMember.id, access_level: 40, expires_at: '2001-01-01' };
    await as(root).post(`/projects/${hidden.id}/members`, input);
    expect(pathsOf((await as(expiredMember).get('/groups')).body)).toEqual(['open', 'shared']);
  });

  test('an administrator sees all groups', async () => {
    expect(pathsOf((await as(root).get('/groups')).body)).toEqual([
      'closed',
      'closed/inner',
      'open',
      'shared',
    ]);
  });

  test.each([
    ['owned=true', ['closed']],
    ['all_available=false', ['closed', 'closed/inner']],
    ['search=OP', ['open']],
    ['search=_', []],
    ['order_by=path&sort=desc', ['shared', 'open', 'closed/inner', 'closed']],
    ['order_by=id', ['closed', 'closed/inner', 'open', 'shared']],
    [`skip_groups[]=${open.id}&skip_groups[]=${closed.id}`, ['closed/inner', 'shared']],
    [`skip_groups=${open.id},${closed.id}`, ['closed/inner', 'shared']],
    ['per_page=2&page=2', ['open', 'shared']],
    ['page=9', []],
  ])('%s filters the list', async (query, paths) => {
    const { status, body } = await as(ada).get(`/groups?${query}`);
    expect({ status, paths: pathsOf(body).toSorted() }).toEqual({
      status: 200,
      paths: paths.toSorted(),
    });
  });

  test('sorts by the given order', async () => {
    const order = async (query: string) => pathsOf((await as(ada).get(`/groups?${query}`)).body);
    expect(await order('order_by=name&sort=desc')).toEqual([
      'shared',
      'open',
      'closed/inner',
      'closed',
    ]);
    expect(await order('order_by=id&sort=desc')).toEqual([
      'shared',
      'open',
      'closed/inner',
      'closed',
    ]);
  });

  test('owned=true lists nothing for an anonymous user', async () => {
    expect(await as(null).get('/groups?owned=true')).toEqual({ status: 200, body: [] });
  });

  test.each([
    ['owned=perhaps', 'owned is invalid'],
    ['order_by=size', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['skip_groups=1,x', 'skip_groups is invalid'],
    ['per_page=0', 'per_page does not have a valid value'],
    ['search=a%00', 'search is invalid'],
  ])('rejects %s: %s', async (query, text) => {
    expect(await as(ada).get(`/groups?${query}`)).toEqual(refused.parameter(text));
  });
});

describe('GET /groups/:id', () => {
  test('an owner sees the group with its projects', async () => {
    expect(await as(ada).get(`/groups/${closed.id}`)).toEqual({
      status: 200,
      body: {
        ...shapes.closed,
        projects: [{ ...groupedProjectShape(url, traits.app), import_error: null }],
        shared_projects: [],
      },
    });
  });

  test('is found by its path, case-insensitively', async () => {
    expect((await as(ada).get('/groups/Closed%2FINNER')).body).toMatchObject({ id: inner.id });
  });

  test('anonymous users see a public group with its public projects', async () => {
    expect(await as(null).get('/groups/open')).toEqual({
      status: 200,
      body: {
        ...shapes.open,
        projects: [groupedProjectShape(url, traits.site)],
        shared_projects: [],
      },
    });
  });

  test.each([
    ['another user', bob, 'closed'],
    ['an anonymous user', null, 'closed'],
    ['an anonymous user', null, 'shared'],
    ['an external user', eve, 'shared'],
    ['an owner', ada, 'nowhere'],
    ['an owner', ada, '99999999999'],
    ['an owner', ada, 'ada'],
    ['an owner', ada, 'closed%2Fapp'],
  ])('responds to %s (%#) with 404', async (_caller, person, group) => {
    expect(await as(person).get(`/groups/${group}`)).toEqual(refused.missing('Group'));
  });
});

describe('GET /groups/:id/projects', () => {
  test('a member sees the projects with their permissions, newest first', async () => {
    expect(await as(bob).get('/groups/open/projects')).toEqual({
      status: 200,
      body: [
        projectShape(url, traits.plans, [null, 20]),
        projectShape(url, traits.site, [null, 20]),
      ],
    });
  });

  test('an owner also sees the import error', async () => {
    expect(await as(ada).get(`/groups/${closed.id}/projects`)).toEqual({
      status: 200,
      body: [
        {
          ...projectShape(url, traits.app, [null, 50]),
          import_error: masterFields.import_error,
        },
      ],
    });
  });

  test('anonymous users see the basic form of public projects', async () => {
    const { status, body } = await as(null).get('/groups/open/projects');
    expect({ status, projects: projectsOf(body) }).toEqual({
      status: 200,
      projects: ['open/site'],
    });
    expect(body).toEqual((await as(ada).get('/groups/open/projects?simple=true')).body);
  });

  test.each([
    ['visibility=private', ['open/plans']],
    ['search=SIT', ['open/site']],
    ['search=open', ['open/plans', 'open/site']],
    ['order_by=name&sort=asc', ['open/plans', 'open/site']],
    ['order_by=id&sort=asc', ['open/site', 'open/plans']],
    ['archived=true', []],
    ['owned=true', []],
    ['per_page=1&page=2', ['open/site']],
  ])('%s filters the list', async (query, paths) => {
    const { status, body } = await as(bob).get(`/groups/open/projects?${query}`);
    expect({ status, paths: projectsOf(body) }).toEqual({ status: 200, paths });
  });

  test('projects of subgroups are not listed', async () => {
    expect(projectsOf((await as(root).get('/groups/closed/projects')).body)).toEqual([
      'closed/app',
    ]);
    expect((await as(bob).get('/groups/closed%2Finner/projects')).body).toMatchObject([
      { id: hidden.id },
    ]);
  });

  test('responds with 404 to another user', async () => {
    expect(await as(null).get('/groups/closed/projects')).toEqual(refused.missing('Group'));
    expect(await as(bob).get('/groups/closed/projects')).toEqual(refused.missing('Group'));
  });

  test('rejects an invalid order', async () => {
    expect(await as(bob).get('/groups/open/projects?order_by=size')).toEqual(
      refused.parameter('order_by does not have a valid value'),
    );
  });
});
