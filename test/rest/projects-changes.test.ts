import { describe, expect, test } from 'vitest';
import type { Parameters } from '../support/client.ts';
import { masterFields, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const limitZero = await seed.user('poor', { projectsLimit: 0 });
const limitOne = await seed.user('scarce', { projectsLimit: 1 });
const { id: adaSpace } = await db.namespace.findUniqueOrThrow({ where: { ownerId: ada.id } });
const acme = await seed.group('acme', { master: ada, developer: bob });

const allSettings = {
  description: 'All of it',
  tag_list: ['a', 'b c'],
  issues_enabled: false,
  merge_requests_enabled: false,
  jobs_enabled: false,
  wiki_enabled: false,
  snippets_enabled: true,
  container_registry_enabled: false,
  shared_runners_enabled: false,
  lfs_enabled: false,
  request_access_enabled: true,
  public_jobs: false,
  resolve_outdated_diff_discussions: true,
  only_allow_merge_if_pipeline_succeeds: true,
  only_allow_merge_if_all_discussions_are_resolved: true,
  printing_merge_request_link_enabled: false,
  ci_config_path: 'ci/main.yml',
  build_timeout: 7200,
};

/** The project with `everything` applied: disabled features have no links. */
const withAllSettings = (shape: ReturnType<typeof projectShape>) => {
  const { open_issues_count: _count, _links, ...rest } = shape;
  const { issues: _issues, merge_requests: _requests, ...links } = _links;
  return {
    ...rest,
    ...allSettings,
    _links: links,
    printing_merge_requests_link_enabled: false,
    ...masterFields,
  };
};

const idOf = (body: unknown) => (body as { id: number }).id;

describe('POST /projects', () => {
  test('a name is sufficient: the path is derived from it', async () => {
    const { status, body } = await as(ada).post('/projects', { name: 'Über Tool  2.0' });
    const id = idOf(body);
    const shape = projectShape(
      url,
      { id, fullPath: 'ada/uber-tool-2-0', creatorId: ada.id, namespaceId: adaSpace, owner: ada },
      [40, null],
    );
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...shape,
        name: 'Über Tool  2.0',
        name_with_namespace: 'ada / Über Tool  2.0',
        ...masterFields,
      },
    });
  });

  test('a path is sufficient: it becomes the name', async () => {
    const { status, body } = await as(ada).post('/projects', { path: 'Only-Path' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'Only-Path', path: 'Only-Path' },
    });
  });

  test('accepts all settings at once, in a group', async () => {
    const input = { ...allSettings, name: 'full', path: 'full', namespace_id: acme.id };
    const { status, body } = await as(ada).post('/projects', input);
    const id = idOf(body);
    const traits = { id, fullPath: 'acme/full', creatorId: ada.id, namespaceId: acme.id };
    expect({ status, body }).toEqual({
      status: 201,
      body: withAllSettings(projectShape(url, traits, [null, 40])),
    });
    expect(await as(ada).get(`/projects/${id}`)).toEqual({ status: 200, body });
  });

  test('accepts alternative spellings of parameters and values', async () => {
    const { body } = await as(ada).post('/projects', {
      path: 'spelled',
      public_builds: 'no',
      printing_merge_requests_link_enabled: '0',
      tag_list: 'x, y,,',
    });
    expect(body).toMatchObject({
      public_jobs: false,
      printing_merge_request_link_enabled: false,
      printing_merge_requests_link_enabled: false,
      tag_list: ['x', 'y'],
    });
  });

  test('a form is equivalent to JSON', async () => {
    const form = new URLSearchParams({ path: 'formed', 'tag_list[]': 'x', visibility: 'public' });
    const response = await as(ada).fetch('/projects', { method: 'POST', body: form });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 201,
      body: { path: 'formed', tag_list: ['x'], visibility: 'public' },
    });
  });

  test('is refused to an anonymous user', async () => {
    expect(await as(null).post('/projects', { name: 'x' })).toEqual(refused.anonymous);
  });

  test.each([
    ['a group in which the caller is a developer', bob, () => acme.id],
    ['the personal namespace of another user', bob, () => adaSpace],
    ['an unknown namespace', ada, () => 999_999],
  ])('%s is not a valid namespace', async (_name, person, place) => {
    expect(await as(person).post('/projects', { name: 'x', namespace_id: place() })).toEqual(
      refused.invalid({ namespace: ['is not valid'] }),
    );
  });

  test('name or path is required', async () => {
    expect(await as(ada).post('/projects', { description: 'x' })).toEqual(
      refused.parameter('name, path are missing, at least one parameter must be provided'),
    );
  });

  test('the limit applies to personal projects, not to projects of groups', async () => {
    expect(await as(limitZero).post('/projects', { name: 'x' })).toEqual({
      status: 403,
      body: {
        error: [
          'Personal project creation is not allowed. Please contact your administrator with questions',
        ],
      },
    });
    expect((await as(limitOne).post('/projects', { name: 'one' })).status).toBe(201);
    expect(await as(limitOne).post('/projects', { name: 'two' })).toEqual({
      status: 403,
      body: {
        error: [
          'Your project limit is 1 projects! Please contact your administrator to increase it',
        ],
      },
    });
    const group = await seed.group('works', { master: limitZero });
    expect(
      (await as(limitZero).post('/projects', { name: 'x', namespace_id: group.id })).status,
    ).toBe(201);
  });

  const alreadyTaken = { name: ['has already been taken'], path: ['has already been taken'] };
  const shape =
    "can contain only letters, digits, '_', '-' and '.'. " +
    "Cannot start with '-' or end in '.', '.git' or '.atom'.";
  const invalid: [Parameters, Readonly<Record<string, string[]>>][] = [
    [{ path: 'TAKEN' }, { path: alreadyTaken.path }],
    [{ name: 'taken', path: 'other' }, { name: alreadyTaken.name }],
    [{ name: 'taken', path: 'taken' }, alreadyTaken],
    [{ path: 'x.git' }, { path: [shape] }],
    [{ path: '.hidden' }, { path: [shape] }],
    [{ path: 'tree' }, { path: ['tree is a reserved name'] }],
    [{ path: 'x.wiki' }, { path: ['x.wiki is a reserved name'] }],
    [{ name: '<b>' }, { name: ["can contain only letters, digits, '_', '.', dash and space."] }],
    [{ name: '' }, { name: ["can't be blank"] }],
    [
      { description: 'x'.repeat(2001) },
      { description: ['is too long (maximum is 2000 characters)'] },
    ],
    [{ tag_list: ['x'.repeat(256)] }, { tag_list: ['is too long (maximum is 255 characters)'] }],
    [
      { tag_list: Array.from({ length: 101 }, (_, n) => `tag-${n}`) },
      { tag_list: ['is too long (maximum is 100 tags)'] },
    ],
    [{ ci_config_path: '../secrets.yml' }, { ci_config_path: ['is invalid'] }],
    [{ ci_config_path: '/etc/passwd' }, { ci_config_path: ['is invalid'] }],
  ];
  test.each(invalid)('rejects %o', async (input, faults) => {
    await seed.project('ada/taken').catch(() => undefined);
    expect(await as(ada).post('/projects', { name: 'fresh', path: 'fresh', ...input })).toEqual(
      refused.invalid(faults),
    );
  });

  test('a project cannot be more visible than its group', async () => {
    const publicProject = { name: 'wide', namespace_id: acme.id, visibility: 'public' };
    expect(await as(ada).post('/projects', publicProject)).toEqual(
      refused.invalid({ visibility_level: ['public is not allowed in a private group.'] }),
    );
  });

  test('rejects an unknown visibility', async () => {
    expect(await as(ada).post('/projects', { name: 'x', visibility: 'secret' })).toEqual(
      refused.parameter('visibility does not have a valid value'),
    );
  });
});

describe('PUT /projects/:id', () => {
  test('a master changes settings, and omitted settings stay', async () => {
    const { id } = await seed.project('acme/settings', {}, { tag_list: ['kept'] });
    const traits = { id, fullPath: 'acme/settings', creatorId: root.id, namespaceId: acme.id };
    const shape = projectShape(url, traits, [null, 40]);
    expect(await as(ada).put(`/projects/${id}`, { description: 'new' })).toEqual({
      status: 200,
      body: { ...shape, tag_list: ['kept'], description: 'new', ...masterFields },
    });
    expect(await as(ada).put(`/projects/${id}`, allSettings)).toEqual({
      status: 200,
      body: withAllSettings(shape),
    });
  });

  test('only owners change name and visibility', async () => {
    const { id } = await seed.project('acme/owned');
    for (const change of [{ name: 'mine' }, { visibility: 'private' }]) {
      expect(await as(ada).put(`/projects/${id}`, change)).toEqual(refused.forbidden);
    }
    const own = await seed.project('ada/owned');
    const { status, body } = await as(ada).put(`/projects/${own.id}`, {
      name: 'Renamed',
      visibility: 'public',
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { name: 'Renamed', path: 'owned', visibility: 'public' },
    });
  });

  test('a new path moves the project and frees the old path', async () => {
    const { id } = await seed.project('ada/before');
    const { status, body } = await as(ada).put(`/projects/${id}`, { path: 'after' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { path_with_namespace: 'ada/after', http_url_to_repo: `${url}/ada/after.git` },
    });
    expect(await as(ada).get('/projects/ada%2Fbefore')).toEqual(refused.missing('Project'));
    expect(await as(ada).post('/projects', { path: 'before' })).toEqual(
      refused.invalid({ name: ['has already been taken'] }),
    );
    const next = { path: 'before', name: 'Before again' };
    expect((await as(ada).post('/projects', next)).status).toBe(201);
  });

  test('an empty repository can have any default branch', async () => {
    const { id } = await seed.project('ada/empty');
    expect((await as(ada).put(`/projects/${id}`, { default_branch: 'main' })).body).toMatchObject({
      default_branch: 'main',
    });
  });

  test.each(['a b', 'a..b', '-a', 'a.lock', '/a', 'a~1', '@'])(
    'rejects %j as the default branch',
    async (name) => {
      const { id } = await seed.project(`ada/odd-${Buffer.from(name).toString('hex')}`);
      expect(await as(ada).put(`/projects/${id}`, { default_branch: name })).toEqual(
        refused.invalid({ default_branch: ['is invalid'] }),
      );
    },
  );

  test('the default branch of a repository with commits must exist', async () => {
    const { id } = await seed.project('ada/coded');
    await seed.push('ada/coded', { 'README.md': '# Coded' });
    expect(await as(ada).put(`/projects/${id}`, { default_branch: 'main' })).toEqual(
      refused.invalid({ default_branch: ['does not exist'] }),
    );
    const { status, body } = await as(ada).put(`/projects/${id}`, { default_branch: 'master' });
    expect({ status, body }).toMatchObject({ status: 200, body: { default_branch: 'master' } });
  });

  test('is forbidden for a developer', async () => {
    const { id } = await seed.project('ada/guarded', { developer: bob });
    expect(await as(bob).put(`/projects/${id}`, { description: 'x' })).toEqual(refused.forbidden);
  });

  test('is refused to anonymous and other users', async () => {
    const { id } = await seed.project('ada/hidden');
    expect(await as(null).put(`/projects/${id}`, { description: 'x' })).toEqual(refused.anonymous);
    expect(await as(bob).put(`/projects/${id}`, { description: 'x' })).toEqual(
      refused.missing('Project'),
    );
  });

  test('at least one parameter is required', async () => {
    const { id } = await seed.project('ada/still');
    expect(await as(ada).put(`/projects/${id}`, { unknown: 'x' })).toEqual(
      refused.parameter(
        'name, path, description, visibility, tag_list, issues_enabled, merge_requests_enabled, ' +
          'jobs_enabled, wiki_enabled, snippets_enabled, container_registry_enabled, ' +
          'shared_runners_enabled, lfs_enabled, request_access_enabled, public_jobs, ' +
          'public_builds, resolve_outdated_diff_discussions, ' +
          'only_allow_merge_if_pipeline_succeeds, ' +
          'only_allow_merge_if_all_discussions_are_resolved, ' +
          'printing_merge_request_link_enabled, printing_merge_requests_link_enabled, ' +
          'ci_config_path, build_timeout, import_url, avatar, default_branch are missing, at least one parameter must be provided',
      ),
    );
  });

  test('rejects names that are taken or invalid', async () => {
    const { id } = await seed.project('ada/first');
    await seed.project('ada/second');
    const put = (change: Parameters) => as(ada).put(`/projects/${id}`, change);
    expect(await put({ path: 'SECOND' })).toEqual(
      refused.invalid({ path: ['has already been taken'] }),
    );
    expect(await put({ name: 'second' })).toEqual(
      refused.invalid({ name: ['has already been taken'] }),
    );
    expect(await put({ path: 'raw' })).toEqual(
      refused.invalid({ path: ['raw is a reserved name'] }),
    );
    expect((await as(ada).get(`/projects/${id}`)).body).toMatchObject({ path: 'first' });
  });
});
