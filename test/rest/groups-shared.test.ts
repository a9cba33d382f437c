import { describe, expect, test } from 'vitest';
import { groupedProjectShape, groupShape, projectShape } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const acme = await seed.group('acme', { owner: ada, reporter: bob }, { visibility: 'public' });
const lab = await seed.group('lab', {}, { visibility: 'public' });
const old = await seed.project('acme/old', {}, { visibility: 'public' });
const site = await seed.project('acme/site', {}, { visibility: 'public' });
const tool = await seed.project('lab/tool', {}, { visibility: 'public' });
const secret = await seed.project('lab/secret');
const ended = await seed.project('lab/ended', {}, { visibility: 'public' });
await as(root).post(`/projects/${old.id}/archive`);

const share = (id: number, group_access: number, input = {}) =>
  as(root).post(`/projects/${id}/share`, { group_id: acme.id, group_access, ...input });
await share(tool.id, 30);
await share(secret.id, 20);
await share(ended.id, 40, { expires_at: '2001-01-01' });

const traits = (id: number, fullPath: string, namespaceId: number, visibility = 'public') => ({
  id,
  fullPath,
  visibility,
  namespaceId,
  creatorId: root.id,
});
const own = {
  old: traits(old.id, 'acme/old', acme.id),
  site: traits(site.id, 'acme/site', acme.id),
};
const otherGroups = {
  tool: traits(tool.id, 'lab/tool', lab.id),
  secret: traits(secret.id, 'lab/secret', lab.id, 'private'),
};
const withAcme = (group_access_level: number) => ({
  shared_with_groups: [{ group_id: acme.id, group_name: 'acme', group_access_level }],
});
const group = groupShape(url, { id: acme.id, fullPath: 'acme', visibility: 'public' });

const pathsOf = (body: unknown) =>
  (body as { path_with_namespace: string }[]).map((project) => project.path_with_namespace);

describe('GET /groups/:id with shared projects', () => {
  test('members see all projects of the group and shared projects', async () => {
    expect(await as(bob).get('/groups/acme')).toEqual({
      status: 200,
      body: {
        ...group,
        projects: [
          groupedProjectShape(url, own.site),
          { ...groupedProjectShape(url, own.old), archived: true },
        ],
        shared_projects: [
          { ...groupedProjectShape(url, otherGroups.secret), ...withAcme(20) },
          { ...groupedProjectShape(url, otherGroups.tool), ...withAcme(30) },
        ],
      },
    });
  });

  test('anonymous users see public projects of both kinds', async () => {
    expect(await as(null).get('/groups/acme')).toEqual({
      status: 200,
      body: {
        ...group,
        projects: [
          groupedProjectShape(url, own.site),
          { ...groupedProjectShape(url, own.old), archived: true },
        ],
        shared_projects: [{ ...groupedProjectShape(url, otherGroups.tool), ...withAcme(30) }],
      },
    });
  });
});

describe('PUT /groups/:id with shared projects', () => {
  test('each project has `public`', async () => {
    const { status, body } = await as(ada).put('/groups/acme', { request_access_enabled: false });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...group,
        projects: [
          { ...groupedProjectShape(url, own.site), import_error: null, public: true },
          {
            ...groupedProjectShape(url, own.old),
            archived: true,
            import_error: null,
            public: true,
          },
        ],
        shared_projects: [
          { ...groupedProjectShape(url, otherGroups.secret), ...withAcme(20), public: false },
          { ...groupedProjectShape(url, otherGroups.tool), ...withAcme(30), public: true },
        ],
      },
    });
  });
});

describe('GET /groups/:id/projects with shared projects', () => {
  test('lists own and shared projects, newest first, without archived ones', async () => {
    expect(await as(bob).get('/groups/acme/projects')).toEqual({
      status: 200,
      body: [
        { ...projectShape(url, otherGroups.secret, [null, null]), ...withAcme(20) },
        { ...projectShape(url, otherGroups.tool, [null, null]), ...withAcme(30) },
        projectShape(url, own.site, [null, 20]),
      ],
    });
  });

  test.each([
    ['archived=true', ['acme/old']],
    ['visibility=private', ['lab/secret']],
    ['search=lab', ['lab/secret', 'lab/tool']],
    ['order_by=name&sort=asc', ['lab/secret', 'acme/site', 'lab/tool']],
    ['per_page=1&page=2', ['lab/tool']],
    ['simple=true', ['lab/secret', 'lab/tool', 'acme/site']],
  ])('%s filters the list', async (query, paths) => {
    const { status, body } = await as(bob).get(`/groups/acme/projects?${query}`);
    expect({ status, paths: pathsOf(body) }).toEqual({ status: 200, paths });
  });

  test('anonymous users see public projects', async () => {
    const response = await as(null).fetch('/groups/acme/projects');
    expect(pathsOf(await response.json())).toEqual(['lab/tool', 'acme/site']);
    expect(response.headers.get('X-Total')).toBe('2');
  });

  test('a share with a subgroup does not apply to the parent group', async () => {
    expect(pathsOf((await as(root).get('/groups/lab/projects')).body)).toEqual([
      'lab/ended',
      'lab/secret',
      'lab/tool',
    ]);
    expect((await as(root).get('/groups/lab')).body).toMatchObject({ shared_projects: [] });
  });

  test('a removed share or project disappears immediately', async () => {
    const passing = await seed.project('lab/passing', {}, { visibility: 'public' });
    const deleted = await seed.project('lab/deleted', {}, { visibility: 'public' });
    await share(passing.id, 30);
    await share(deleted.id, 30);
    const listed = async () => pathsOf((await as(bob).get('/groups/acme/projects')).body);
    expect(await listed()).toEqual(expect.arrayContaining(['lab/passing', 'lab/deleted']));
    await as(root).delete(`/projects/${passing.id}/share/${acme.id}`);
    await as(root).delete(`/projects/${deleted.id}`);
    expect(await listed()).toEqual(['lab/secret', 'lab/tool', 'acme/site']);
  });
});
