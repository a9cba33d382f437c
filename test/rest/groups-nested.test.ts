import { describe, expect, test } from 'vitest';
import { groupShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve', { isExternal: true });
const max = await seed.user('max');

const acme = await seed.group('acme', { owner: ada }, { visibility: 'public' });
const open = await seed.group('acme/open', {}, { visibility: 'public' });
const staff = await seed.group('acme/staff', {}, { visibility: 'internal' });
const plans = await seed.group('acme/plans', { owner: bob });
const vault = await seed.group('acme/vault');
const deep = await seed.group('acme/plans/deep');
const site = await seed.project('acme/site');
const app = await seed.project('acme/vault/app', { guest: max });
await seed.project('acme/plans/deep/lib');

const shape = (id: number, fullPath: string, visibility: string, parentId: number) =>
  groupShape(url, { id, fullPath, visibility, parentId });
const shapes = {
  open: shape(open.id, 'acme/open', 'public', acme.id),
  plans: shape(plans.id, 'acme/plans', 'private', acme.id),
  staff: shape(staff.id, 'acme/staff', 'internal', acme.id),
  vault: shape(vault.id, 'acme/vault', 'private', acme.id),
  deep: shape(deep.id, 'acme/plans/deep', 'private', plans.id),
};

const pathsOf = (body: unknown) =>
  (body as { full_path: string }[]).map(({ full_path }) => full_path);

describe('GET /groups/:id/subgroups', () => {
  test('an owner lists the direct subgroups by name', async () => {
    expect(await as(ada).get(`/groups/${acme.id}/subgroups`)).toEqual({
      status: 200,
      body: [shapes.open, shapes.plans, shapes.staff, shapes.vault],
    });
  });

  test('anonymous users see public subgroups', async () => {
    expect(await as(null).get('/groups/acme/subgroups')).toEqual({
      status: 200,
      body: [shapes.open],
    });
  });

  test.each([
    ['an external user', eve, ['acme/open']],
    ['an owner of a subgroup', bob, ['acme/open', 'acme/plans', 'acme/staff']],
    ['a member of a project in a subgroup', max, ['acme/open', 'acme/staff', 'acme/vault']],
    ['an administrator', root, ['acme/open', 'acme/plans', 'acme/staff', 'acme/vault']],
  ])('lists the subgroups visible to %s', async (_caller, person, paths) => {
    const { status, body } = await as(person).get('/groups/acme/subgroups');
    expect({ status, paths: pathsOf(body) }).toEqual({ status: 200, paths });
  });

  test('lists the subgroups of a subgroup', async () => {
    expect(await as(bob).get('/groups/acme%2Fplans/subgroups')).toEqual({
      status: 200,
      body: [shapes.deep],
    });
    expect(await as(bob).get(`/groups/${deep.id}/subgroups`)).toEqual({ status: 200, body: [] });
  });

  test.each([
    ['order_by=path&sort=desc', ['acme/staff', 'acme/plans', 'acme/open']],
    ['search=PLA', ['acme/plans']],
    ['search=acme', []],
    ['owned=true', ['acme/plans']],
    ['all_available=false', ['acme/plans']],
    ['all_available=true', ['acme/open', 'acme/plans', 'acme/staff']],
    [`skip_groups[]=${open.id}&skip_groups[]=${staff.id}`, ['acme/plans']],
    [`skip_groups[0]=${open.id}&skip_groups[1]=${staff.id}`, ['acme/plans']],
    [`skip_groups=${open.id},%20${staff.id}`, ['acme/plans']],
    ['skip_groups=', ['acme/open', 'acme/plans', 'acme/staff']],
    ['per_page=2&page=2', ['acme/staff']],
  ])('%s filters the list', async (query, paths) => {
    const { status, body } = await as(bob).get(`/groups/acme/subgroups?${query}`);
    expect({ status, paths: pathsOf(body) }).toEqual({ status: 200, paths });
  });

  test('owned=true lists nothing for an anonymous user', async () => {
    expect(await as(null).get('/groups/acme/subgroups?owned=true')).toEqual({
      status: 200,
      body: [],
    });
  });

  test('responds with 404 to another user', async () => {
    expect(await as(null).get('/groups/acme%2Fplans/subgroups')).toEqual(refused.missing('Group'));
    expect(await as(max).get(`/groups/${plans.id}/subgroups`)).toEqual(refused.missing('Group'));
  });

  test.each([
    ['skip_groups[]=x', 'skip_groups is invalid'],
    ['order_by=size', 'order_by does not have a valid value'],
    ['statistics=perhaps', 'statistics is invalid'],
  ])('rejects %s', async (query, text) => {
    expect(await as(ada).get(`/groups/acme/subgroups?${query}`)).toEqual(refused.parameter(text));
  });
});

describe('statistics of groups', async () => {
  const sizes = { repositorySize: 5_000_000_000n, lfsObjectsSize: 20n, jobArtifactsSize: 3n };
  await db.projectStatistics.update({ where: { projectId: site.id }, data: sizes });
  await db.projectStatistics.update({ where: { projectId: app.id }, data: { repositorySize: 7n } });
  const zeros = {
    storage_size: 0,
    repository_size: 0,
    lfs_objects_size: 0,
    job_artifacts_size: 0,
  };

  test('statistics=true adds sums of direct projects for administrators', async () => {
    const { body } = await as(root).get('/groups?statistics=true&search=a&order_by=id');
    expect(body).toEqual([
      {
        ...groupShape(url, { id: acme.id, fullPath: 'acme', visibility: 'public' }),
        statistics: {
          storage_size: 5_000_000_023,
          repository_size: 5_000_000_000,
          lfs_objects_size: 20,
          job_artifacts_size: 3,
        },
      },
      { ...shapes.staff, statistics: zeros },
      { ...shapes.plans, statistics: zeros },
      { ...shapes.vault, statistics: { ...zeros, storage_size: 7, repository_size: 7 } },
    ]);
  });

  test('are shown for subgroups', async () => {
    expect(await as(root).get(`/groups/${plans.id}/subgroups?statistics=1`)).toEqual({
      status: 200,
      body: [{ ...shapes.deep, statistics: zeros }],
    });
  });

  test('are omitted for other callers and without statistics=true', async () => {
    expect(await as(bob).get(`/groups/${plans.id}/subgroups?statistics=true`)).toEqual({
      status: 200,
      body: [shapes.deep],
    });
    expect(await as(root).get(`/groups/${plans.id}/subgroups`)).toEqual({
      status: 200,
      body: [shapes.deep],
    });
    const [first] = (await as(null).get('/groups?statistics=true')).body as object[];
    expect(first).not.toHaveProperty('statistics');
  });
});

describe('POST /groups below others', () => {
  test('works at any depth, with the names of all ancestors', async () => {
    let parent_id = plans.id;
    let fullPath = 'acme/plans';
    for (const path of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const { status, body } = await as(bob).post('/groups', { name: path, path, parent_id });
      const { id } = body as { id: number };
      fullPath = `${fullPath}/${path}`;
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          ...shape(id, fullPath, 'private', parent_id),
          projects: [],
          shared_projects: [],
        },
      });
      parent_id = id;
    }
    expect((await as(bob).get(`/groups/${encodeURIComponent(fullPath)}`)).status).toBe(200);
  });

  test.each([
    [{ path: 'projects' }, '{:path=>["projects is a reserved name"]}'],
    [{ path: 'DEEP' }, '{:path=>["has already been taken"]}'],
    [
      { description: 'x'.repeat(256) },
      '{:description=>["is too long (maximum is 255 characters)"]}',
    ],
  ])('rejects %o', async (input, text) => {
    const fresh = { name: 'fresh', path: 'fresh', parent_id: plans.id, ...input };
    expect(await as(bob).post('/groups', fresh)).toEqual({
      status: 400,
      body: { message: `Failed to save group ${text}` },
    });
  });

  test('paths are unique within one parent only', async () => {
    const again = { name: 'deep', path: 'deep', parent_id: acme.id, description: 'x'.repeat(255) };
    expect((await as(ada).post('/groups', again)).status).toBe(201);
  });
});
