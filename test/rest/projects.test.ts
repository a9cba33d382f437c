import { describe, expect, test } from 'vitest';
import { basicProjectShape, masterFields, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve', { isExternal: true });

const acme = await seed.group('acme', { master: ada }, { visibility: 'public' });
const own = await seed.project('ada/own', { guest: bob }, { description: 'For Friends' });
const app = await seed.project('acme/app', { developer: bob }, { visibility: 'public' });
const wiki = await seed.project('acme/wiki', {}, { visibility: 'internal', issues_enabled: false });
const old = await seed.project('acme/old', {}, { visibility: 'public' });
await db.project.update({ where: { id: old.id }, data: { isArchived: true } });
const { id: adaSpace } = await db.namespace.findUniqueOrThrow({ where: { ownerId: ada.id } });

const traits = {
  own: {
    id: own.id,
    fullPath: 'ada/own',
    creatorId: root.id,
    namespaceId: adaSpace,
    owner: ada,
  },
  app: {
    id: app.id,
    fullPath: 'acme/app',
    visibility: 'public',
    creatorId: root.id,
    namespaceId: acme.id,
  },
  wiki: {
    id: wiki.id,
    fullPath: 'acme/wiki',
    visibility: 'internal',
    creatorId: root.id,
    namespaceId: acme.id,
  },
};

const pathsOf = (body: unknown) =>
  (body as { path_with_namespace: string }[]).map((project) => project.path_with_namespace);

describe('GET /projects', () => {
  const { open_issues_count: _count, ...wikiShape } = projectShape(url, traits.wiki, [null, null]);
  const { issues: _issues, ...wikiLinks } = wikiShape._links;

  test('lists visible projects and those of the user, newest first', async () => {
    expect(await as(bob).get('/projects')).toEqual({
      status: 200,
      body: [
        { ...wikiShape, _links: wikiLinks, issues_enabled: false },
        projectShape(url, traits.app, [30, null]),
        { ...projectShape(url, traits.own, [10, null]), description: 'For Friends' },
      ],
    });
  });

  test('a master also sees the import error, but no runners token', async () => {
    const { body } = await as(ada).get('/projects?search=app');
    expect(body).toEqual([{ ...projectShape(url, traits.app, [null, 40]), import_error: null }]);
  });

  test('anonymous users see the basic form of public projects', async () => {
    expect(await as(null).get('/projects')).toEqual({
      status: 200,
      body: [basicProjectShape(url, traits.app)],
    });
  });

  test('internal projects are hidden from external users', async () => {
    expect(pathsOf((await as(eve).get('/projects')).body)).toEqual(['acme/app']);
  });

  test('an administrator sees all projects', async () => {
    expect(pathsOf((await as(root).get('/projects')).body)).toEqual([
      'acme/wiki',
      'acme/app',
      'ada/own',
    ]);
  });

  test.each([
    ['archived=true', ['acme/old']],
    ['archived=false', ['acme/wiki', 'acme/app', 'ada/own']],
    ['visibility=private', ['ada/own']],
    ['visibility=internal', ['acme/wiki']],
    ['membership=true', ['acme/app', 'ada/own']],
    ['owned=true', []],
    ['with_issues_enabled=true', ['acme/app', 'ada/own']],
    ['with_issues_enabled=false', ['acme/wiki', 'acme/app', 'ada/own']],
    ['with_merge_requests_enabled=true&search=APP', ['acme/app']],
    ['search=friends', ['ada/own']],
    ['search=acme', ['acme/wiki', 'acme/app']],
    ['search=%25', []],
    ['search=ap_', []],
    ['order_by=id&sort=asc', ['ada/own', 'acme/app', 'acme/wiki']],
    ['order_by=name&sort=asc', ['acme/app', 'ada/own', 'acme/wiki']],
    ['order_by=path', ['acme/wiki', 'ada/own', 'acme/app']],
    ['order_by=created_at&sort=asc', ['ada/own', 'acme/app', 'acme/wiki']],
    ['per_page=1&page=2', ['acme/app']],
    ['per_page=1000&page=-3', ['acme/wiki', 'acme/app', 'ada/own']],
    ['page=999999999', []],
  ])('%s filters the list', async (query, paths) => {
    const { status, body } = await as(bob).get(`/projects?${query}`);
    expect({ status, paths: pathsOf(body) }).toEqual({ status: 200, paths });
  });

  test('owned=true lists only owned projects', async () => {
    expect(pathsOf((await as(ada).get('/projects?owned=true')).body)).toEqual(['ada/own']);
    expect(pathsOf((await as(root).get('/projects?owned=true')).body)).toEqual([
      'acme/wiki',
      'acme/app',
    ]);
  });

  test('owned and membership list nothing for an anonymous user', async () => {
    for (const query of ['owned=true', 'membership=true']) {
      expect(await as(null).get(`/projects?${query}`)).toEqual({ status: 200, body: [] });
    }
  });

  test('simple=true lists the basic form', async () => {
    expect((await as(bob).get('/projects?simple=true&search=app')).body).toEqual([
      basicProjectShape(url, traits.app),
    ]);
  });

  test('statistics=true adds statistics', async () => {
    expect((await as(bob).get('/projects?statistics=true&search=app')).body).toEqual([
      {
        ...projectShape(url, traits.app, [30, null]),
        statistics: {
          commit_count: 0,
          storage_size: 0,
          repository_size: 0,
          lfs_objects_size: 0,
          job_artifacts_size: 0,
        },
      },
    ]);
  });

  test.each([
    ['archived=7', 'archived is invalid'],
    ['visibility=secret', 'visibility does not have a valid value'],
    ['order_by=secret', 'order_by does not have a valid value'],
    ['sort=secret', 'sort does not have a valid value'],
    ['search[]=a', 'search is invalid'],
    ['page=1.5&per_page=0', 'page is invalid'],
  ])('rejects %s: %s', async (query, text) => {
    expect(await as(bob).get(`/projects?${query}`)).toEqual(refused.parameter(text));
  });
});

describe('GET /projects/:id', () => {
  test('a member sees the project with their permissions', async () => {
    expect(await as(bob).get(`/projects/${app.id}`)).toEqual({
      status: 200,
      body: projectShape(url, traits.app, [30, null]),
    });
  });

  test('an owner also sees the runners token', async () => {
    expect(await as(ada).get('/projects/ada%2Fown')).toEqual({
      status: 200,
      body: {
        ...projectShape(url, traits.own, [40, null]),
        description: 'For Friends',
        ...masterFields,
      },
    });
  });

  test('anonymous users see the basic form of a public project', async () => {
    expect(await as(null).get(`/projects/${app.id}`)).toEqual({
      status: 200,
      body: basicProjectShape(url, traits.app),
    });
  });

  test.each(['ACME%2FApp', 'acme%2F%61pp', 'acme%2fapp'])(
    'is found by its path: %s',
    async (path) => {
      expect((await as(null).get(`/projects/${path}`)).body).toMatchObject({ id: app.id });
    },
  );

  test('statistics=true adds statistics', async () => {
    const { body } = await as(bob).get(`/projects/${app.id}?statistics=true`);
    expect(body).toEqual({
      ...projectShape(url, traits.app, [30, null]),
      statistics: {
        commit_count: 0,
        storage_size: 0,
        repository_size: 0,
        lfs_objects_size: 0,
        job_artifacts_size: 0,
      },
    });
  });

  test.each([
    ['an anonymous user', null, 'ada%2Fown'],
    ['an anonymous user', null, 'acme%2Fwiki'],
    ['an external user', eve, 'acme%2Fwiki'],
    ['an external user', eve, 'ada%2Fown'],
    ['a member', bob, 'acme%2Fnothing'],
    ['a member', bob, 'acme'],
    ['a member', bob, '0'],
    ['a member', bob, '99999999999999999999999'],
    ['a member', bob, '..%2Facme%2Fapp'],
    ['a member', bob, 'acme%2Fapp%0A'],
  ])('responds to %s with 404 (%#)', async (_caller, person, path) => {
    expect(await as(person).get(`/projects/${path}`)).toEqual(refused.missing('Project'));
  });

  test('rejects an invalid boolean', async () => {
    expect(await as(bob).get(`/projects/${app.id}?statistics=maybe`)).toEqual(
      refused.parameter('statistics is invalid'),
    );
  });
});

describe('DELETE /projects/:id', () => {
  const accepted = { status: 202, body: { message: '202 Accepted' } };

  test('an owner removes a project and can reuse its path immediately', async () => {
    const { id } = await seed.project('ada/doomed');
    expect(await as(ada).delete(`/projects/${id}`)).toEqual(accepted);
    expect(await as(ada).get(`/projects/${id}`)).toEqual(refused.missing('Project'));
    expect((await as(ada).post('/projects', { path: 'doomed' })).status).toBe(201);
  });

  test('an administrator removes a project of a group', async () => {
    const { id } = await seed.project('acme/doomed');
    expect(await as(root).delete(`/projects/${id}`)).toEqual(accepted);
  });

  test('is forbidden for a master', async () => {
    expect(await as(ada).delete(`/projects/${app.id}`)).toEqual(refused.forbidden);
  });

  test('is refused to anonymous and other users', async () => {
    expect(await as(null).delete(`/projects/${app.id}`)).toEqual(refused.anonymous);
    expect(await as(eve).delete(`/projects/${app.id}`)).toEqual(refused.forbidden);
    expect(await as(eve).delete(`/projects/${own.id}`)).toEqual(refused.missing('Project'));
  });
});
