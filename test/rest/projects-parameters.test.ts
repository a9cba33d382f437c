import { describe, expect, test } from 'vitest';
import type { ApiResponse, Parameters } from '../support/client.ts';
import type { TestUser } from '../support/seed.ts';
import { masterFields, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const eve = await seed.user('eve', { isExternal: true });

const acme = await seed.group('acme', { owner: ada, master: bob }, { visibility: 'public' });

/** Every writable parameter with a new value and its default. */
const writable = {
  description: ['All of it', null],
  visibility: ['internal', 'private'],
  tag_list: [['a', 'b c'], []],
  issues_enabled: [false, true],
  merge_requests_enabled: [false, true],
  jobs_enabled: [false, true],
  wiki_enabled: [false, true],
  snippets_enabled: [false, true],
  container_registry_enabled: [false, true],
  shared_runners_enabled: [false, true],
  lfs_enabled: [false, true],
  request_access_enabled: [true, false],
  public_jobs: [false, true],
  resolve_outdated_diff_discussions: [true, false],
  only_allow_merge_if_pipeline_succeeds: [true, false],
  only_allow_merge_if_all_discussions_are_resolved: [true, false],
  printing_merge_request_link_enabled: [false, true],
  ci_config_path: ['ci/main.yml', null],
  build_timeout: [7200, 3600],
} as const;
type Name = keyof typeof writable;
const names = Object.keys(writable) as Name[];

const newValues = Object.fromEntries(names.map((name) => [name, writable[name][0]]));

/** How a parameter changes other fields of the response. */
const sideEffects: { readonly [name in Name]?: (body: Body) => Body } = {
  issues_enabled: ({ open_issues_count: _count, _links: { issues: _issues, ...links }, ...rest }) =>
    ({ ...rest, _links: links }) as Body,
  merge_requests_enabled: ({ _links: { merge_requests: _requests, ...links }, ...rest }) =>
    ({ ...rest, _links: links }) as Body,
  printing_merge_request_link_enabled: (body) => ({
    ...body,
    printing_merge_requests_link_enabled: false,
  }),
};

type Body = ReturnType<typeof projectShape>;

/** The project with the new values of the given parameters. */
const withNewValues = (shape: Body, names: readonly Name[]) =>
  names.reduce<Body>(
    (body, name) => ({ ...(sideEffects[name]?.(body) ?? body), [name]: writable[name][0] }),
    shape,
  );

/** A project in the group as its owner sees it. */
const shapeOf = (id: number, path: string, creator: TestUser, level: number | null = 50) => ({
  ...projectShape(
    url,
    {
      id,
      fullPath: `acme/${path}`,
      creatorId: creator.id,
      namespaceId: acme.id,
    },
    [null, level],
  ),
});

type Send = (
  person: TestUser,
  method: string,
  path: string,
  input: Parameters,
) => Promise<ApiResponse>;

async function answerOf(response: Response): Promise<ApiResponse> {
  return { status: response.status, body: await response.json() };
}

const fieldsOf = (input: Parameters) =>
  Object.entries(input).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((item): [string, string] => [`${name}[]`, String(item)])
      : [[name, String(value)] as [string, string]],
  );

const encodings: Readonly<Record<string, Send>> = {
  JSON: async (person, method, path, input) =>
    answerOf(
      await as(person).fetch(path, {
        method,
        body: JSON.stringify(input),
        headers: { 'Content-Type': 'application/json' },
      }),
    ),
  'a form': async (person, method, path, input) =>
    answerOf(await as(person).fetch(path, { method, body: new URLSearchParams(fieldsOf(input)) })),
  'a multipart form': async (person, method, path, input) => {
    const body = new FormData();
    for (const [name, value] of fieldsOf(input)) body.append(name, value);
    return answerOf(await as(person).fetch(path, { method, body }));
  },
  'the query': async (person, method, path, input) =>
    answerOf(await as(person).fetch(`${path}?${new URLSearchParams(fieldsOf(input))}`, { method })),
};

const idOf = (response: ApiResponse) => (response.body as { id: number }).id;

describe.each(Object.keys(encodings))('every parameter in %s', (encoding) => {
  const send = encodings[encoding] as Send;
  const path = encoding.replaceAll(' ', '-').toLowerCase();

  test('is accepted by POST /projects', async () => {
    const input = { ...newValues, path: `posted-${path}`, namespace_id: acme.id };
    const response = await send(ada, 'POST', '/projects', input);
    const shape = shapeOf(idOf(response), `posted-${path}`, ada);
    const body = { ...withNewValues(shape, names), ...masterFields };
    expect(response).toEqual({ status: 201, body });
    expect(await as(ada).get(`/projects/${idOf(response)}`)).toEqual({ status: 200, body });
  });

  test('is accepted by POST /projects/user/:user_id', async () => {
    const input = {
      ...newValues,
      name: `for-user-${path}`,
      namespace_id: acme.id,
      default_branch: 'main',
    };
    const response = await send(root, 'POST', `/projects/user/${ada.id}`, input);
    const shape = shapeOf(idOf(response), `for-user-${path}`, ada);
    const body = { ...withNewValues(shape, names), ...masterFields, default_branch: 'main' };
    expect(response).toEqual({ status: 201, body });
  });

  test('is accepted by PUT /projects/:id', async () => {
    const { id } = await seed.project(`acme/put-${path}`);
    const input = { ...newValues, name: 'Put', path: `moved-${path}`, default_branch: 'main' };
    const response = await send(ada, 'PUT', `/projects/${id}`, { ...input, name: `Put ${path}` });
    expect(response).toEqual({
      status: 200,
      body: {
        ...withNewValues(shapeOf(id, `moved-${path}`, root), names),
        ...masterFields,
        name: `Put ${path}`,
        name_with_namespace: `acme / Put ${path}`,
        default_branch: 'main',
      },
    });
  });
});

describe('PUT /projects/:id', async () => {
  const { id } = await seed.project('acme/single', { developer: carl, master: dora });
  const path = `/projects/${id}`;
  const shape = shapeOf(id, 'single', root);

  test.each(names)('%s alone changes nothing else and can be reset', async (name) => {
    const [newValue, back] = writable[name];
    expect(await as(ada).put(path, { [name]: newValue })).toEqual({
      status: 200,
      body: { ...withNewValues(shape, [name]), ...masterFields },
    });
    expect(await as(ada).put(path, { [name]: back ?? '' })).toEqual({
      status: 200,
      body: { ...shape, [name]: back, ...masterFields },
    });
    await db.project.update({ where: { id }, data: { description: null, ciConfigPath: null } });
  });

  test.each([
    [{ public_builds: 'no' }, { public_jobs: false }],
    [{ public_builds: true, public_jobs: false }, { public_jobs: false }],
    [
      { printing_merge_requests_link_enabled: 'off' },
      {
        printing_merge_request_link_enabled: false,
        printing_merge_requests_link_enabled: false,
      },
    ],
    [{ tag_list: ' x ,, y z ,' }, { tag_list: ['x', 'y z'] }],
    [{ tag_list: [] }, { tag_list: [] }],
    [{ tag_list: { 0: 'x', 1: 'y' } }, { tag_list: ['x', 'y'] }],
    [{ tag_list: [1, 'b'] }, { tag_list: ['1', 'b'] }],
    [{ ci_config_path: '.ci/a b.yml' }, { ci_config_path: '.ci/a b.yml' }],
    [{ ci_config_path: 'x'.repeat(255) }, { ci_config_path: 'x'.repeat(255) }],
    [{ build_timeout: 600 }, { build_timeout: 600 }],
    [{ build_timeout: '2629745' }, { build_timeout: 2_629_745 }],
    [{ description: 'ü☃\n<b>' }, { description: 'ü☃\n<b>' }],
    [{ description: 'x'.repeat(2000) }, { description: 'x'.repeat(2000) }],
    [{ wiki_enabled: 'F' }, { wiki_enabled: false }],
    [{ wiki_enabled: 1 }, { wiki_enabled: true }],
    [
      { issues_enabled: '', wiki_enabled: 'Y' },
      { issues_enabled: true, wiki_enabled: true },
    ],
  ])('accepts %j', async (input, fields) => {
    const { status, body } = await as(ada).put(path, input);
    expect({ status, body }).toMatchObject({ status: 200, body: fields });
  });

  test.each([
    [{ issues_enabled: 'maybe' }, 'issues_enabled is invalid'],
    [{ wiki_enabled: 2, jobs_enabled: [] }, 'jobs_enabled is invalid, wiki_enabled is invalid'],
    [{ visibility: 'secret' }, 'visibility does not have a valid value'],
    [{ visibility: 20 }, 'visibility does not have a valid value'],
    [{ build_timeout: '1h' }, 'build_timeout is invalid'],
    [{ build_timeout: 3600.5 }, 'build_timeout is invalid'],
    [{ build_timeout: 2 ** 31 }, 'build_timeout is invalid'],
    [{ tag_list: { a: 'x' } }, 'tag_list is invalid'],
    [{ tag_list: [['x']] }, 'tag_list is invalid'],
    [{ description: ['x'] }, 'description is invalid'],
    [{ description: 'a\0b' }, 'description is invalid'],
  ])('rejects %j: %s', async (input, text) => {
    expect(await as(ada).put(path, input)).toEqual(refused.parameter(text));
    expect(await as(ada).post('/projects', { name: 'fresh', ...input })).toEqual(
      refused.parameter(text),
    );
  });

  const timeout = ['needs to be between 10 minutes and 1 month'];
  const long = (most: number) => [`is too long (maximum is ${most} characters)`];
  test.each([
    [{ description: 'x'.repeat(2001) }, { description: long(2000) }],
    [{ ci_config_path: 'x'.repeat(256) }, { ci_config_path: long(255) }],
    [{ build_timeout: 599 }, { build_timeout: timeout }],
    [{ build_timeout: 0 }, { build_timeout: timeout }],
    [{ build_timeout: -600 }, { build_timeout: timeout }],
    [{ build_timeout: 2_629_746 }, { build_timeout: timeout }],
    [{ ci_config_path: 'a/../b' }, { ci_config_path: ['is invalid'] }],
    [{ ci_config_path: '/a' }, { ci_config_path: ['is invalid'] }],
    [
      { description: 'x'.repeat(2001), ci_config_path: '..' },
      { description: long(2000), ci_config_path: ['is invalid'] },
    ],
  ])('rejects %j with errors by field (%#)', async (input, faults) => {
    expect(await as(ada).put(path, input)).toEqual(refused.invalid(faults));
    expect(await as(ada).post('/projects', { name: 'fresh', ...input })).toEqual(
      refused.invalid(faults),
    );
    const forUser = await as(root).post(`/projects/user/${ada.id}`, { name: 'fresh', ...input });
    expect(forUser).toEqual(refused.invalid(faults));
  });

  test('masters change settings, owners also name and visibility', async () => {
    const { id: own } = await seed.project('dora/own', { master: bob });
    const sharedGroup = await seed.group('shared', { master: dora });
    const { id: shared } = await seed.project('acme/shared');
    const share = { group_id: sharedGroup.id, group_access: 40 };
    await as(root).post(`/projects/${shared}/share`, share);
    const statusOf = async (person: TestUser | null, target: number, change: Parameters) =>
      (await as(person).put(`/projects/${target}`, change)).status;
    const statuses = async (person: TestUser | null, target: number) => [
      await statusOf(person, target, { description: 'x' }),
      await statusOf(person, target, { path: `p-${target}` }),
      await statusOf(person, target, { name: `n-${target}` }),
      await statusOf(person, target, { visibility: 'private', description: 'y' }),
    ];
    expect(await statuses(null, own)).toEqual([401, 401, 401, 401]);
    expect(await statuses(eve, own)).toEqual([404, 404, 404, 404]);
    expect(await statuses(carl, id)).toEqual([403, 403, 403, 403]);
    expect(await statuses(bob, own)).toEqual([200, 200, 403, 403]);
    expect(await statuses(dora, shared)).toEqual([200, 200, 403, 403]);
    expect(await statuses(ada, shared)).toEqual([200, 200, 200, 200]);
    expect(await statuses(dora, own)).toEqual([200, 200, 200, 200]);
    expect(await statuses(root, own)).toEqual([200, 200, 200, 200]);
  });

  test('a request with one invalid parameter changes nothing', async () => {
    const { id: whole } = await seed.project('acme/whole');
    const before = (await as(ada).get(`/projects/${whole}`)).body;
    for (const change of [
      { description: 'x', name: '<b>' },
      { description: 'x', path: 'single' },
      { description: 'x', default_branch: 'a b' },
      { description: 'x', wiki_enabled: 'maybe' },
    ]) {
      expect((await as(ada).put(`/projects/${whole}`, change)).status).toBe(400);
    }
    const forbidden = await as(bob).put(`/projects/${whole}`, { description: 'x', name: 'x' });
    expect(forbidden).toEqual(refused.forbidden);
    expect((await as(ada).get(`/projects/${whole}`)).body).toEqual(before);
  });

  test('parameters are checked before the project is loaded', async () => {
    expect(await as(ada).put('/projects/0', { wiki_enabled: 'maybe' })).toEqual(
      refused.parameter('wiki_enabled is invalid'),
    );
    expect(await as(ada).put('/projects/0', { wiki_enabled: true })).toEqual(
      refused.missing('Project'),
    );
  });
});
