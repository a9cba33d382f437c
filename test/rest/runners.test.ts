import { describe, expect, test } from 'vitest';
import {
  runnerDetailsShape,
  runnerInfo,
  runnerShape,
  runnersByStatus,
  runnersOf,
} from '../support/runners.ts';
import { basicProjectShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, root, url } = testWorld;
const runners = runnersOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const eve = await seed.user('eve');
const { id: group } = await seed.group('acme', { master: cleo });
const { id: app } = await seed.project('acme/app', { master: ada, developer: bob });
const { id: tool } = await seed.project('acme/tool', { master: ada });
const { id: otherProject } = await seed.project('eve/other');

const appShape = basicProjectShape(url, {
  id: app,
  fullPath: 'acme/app',
  creatorId: root.id,
  namespaceId: group,
});
const toolShape = basicProjectShape(url, {
  id: tool,
  fullPath: 'acme/tool',
  creatorId: root.id,
  namespaceId: group,
});

const denied = (reason: string) => ({
  status: 403,
  body: { message: `403 Forbidden - ${reason}` },
});
const noAccess = denied('No access granted');
const isShared = denied('Runner is shared');
const badScope = refused.parameter('scope does not have a valid value');

const ids = ({ body }: { readonly body: unknown }) =>
  (body as readonly { readonly id: number }[]).map(({ id }) => id);

describe('GET /runners', () => {
  test('lists the runners of projects in which the user is a master, oldest first', async () => {
    const dan = await seed.user('dan');
    const { id: own } = await seed.project('dan/own');
    const { id: shared } = await seed.project('eve/shared', { developer: dan });
    const { id: below } = await seed.group('dans', { master: dan });
    const { id: grouped } = await seed.project('dans/app');
    const share = { group_id: below, group_access: 30 };
    expect((await as(root).post(`/projects/${otherProject}/share`, share)).status).toBe(201);
    const both = await runners.specific([own, grouped], { description: 'both', info: runnerInfo });
    const inGroup = await runners.specific([grouped]);
    await runners.specific([shared]);
    await runners.specific([otherProject]);
    await runners.shared();
    expect(await as(dan).get('/runners')).toEqual({
      status: 200,
      body: [
        runnerShape(both.id, { description: 'both', name: 'gitlab-runner' }),
        runnerShape(inGroup.id),
      ],
    });
    await db.projectGroupLink.updateMany({
      where: { projectId: otherProject, namespaceId: below },
      data: { accessLevel: 40 },
    });
    const sharedRunner = await runners.specific([otherProject]);
    expect(ids(await as(dan).get('/runners'))).toContain(sharedRunner.id);
    await as(eve).delete(`/projects/${otherProject}/share/${below}`);
    expect(ids(await as(dan).get('/runners'))).toEqual([both.id, inGroup.id]);
  });

  test('an administrator sees only the runners of own projects here', async () => {
    const { id } = await seed.project('root/own');
    const own = await runners.specific([id]);
    const other = await runners.specific([otherProject]);
    const shown = ids(await as(root).get('/runners'));
    expect([own.id, other.id].map((id) => shown.includes(id))).toEqual([true, false]);
  });

  test('omits the runners of removed projects', async () => {
    const { id } = await seed.project('ada/deleted');
    const runner = await runners.specific([id]);
    expect(ids(await as(ada).get('/runners'))).toContain(runner.id);
    await as(ada).delete(`/projects/${id}`);
    expect(ids(await as(ada).get('/runners'))).not.toContain(runner.id);
  });

  test('filters by scope', async () => {
    const fay = await seed.user('fay');
    const { id } = await seed.project('fay/app');
    const { paused, silent, online } = await runnersByStatus(testWorld, () =>
      runners.specific([id]),
    );
    for (const [scope, expected] of [
      ['active', [silent, online]],
      ['paused', [paused]],
      ['online', [online]],
      ['', [paused, silent, online]],
    ] as const) {
      const response = await as(fay).get(`/runners?scope=${scope}`);
      expect([scope, response.status, ids(response)]).toEqual([scope, 200, expected]);
    }
    for (const scope of ['specific', 'shared', 'offline']) {
      expect(await as(fay).get(`/runners?scope=${scope}`)).toEqual(badScope);
    }
  });

  test('is paginated', async () => {
    const gil = await seed.user('gil');
    const { id } = await seed.project('gil/app');
    const created = [await runners.specific([id]), await runners.specific([id])];
    const response = await as(gil).fetch('/runners?per_page=1&page=2');
    expect(ids({ body: await response.json() })).toEqual([created[1]?.id]);
    const { headers } = response;
    expect([headers.get('X-Total'), headers.get('X-Prev-Page')]).toEqual(['2', '1']);
  });

  test('is refused to anonymous users, and empty for users without projects', async () => {
    expect(await as(null).get('/runners')).toEqual(refused.anonymous);
    const hal = await seed.user('hal');
    expect(await as(hal).get('/runners')).toEqual({ status: 200, body: [] });
  });
});

describe('GET /runners/all', () => {
  test('an administrator lists all runners', async () => {
    const specific = await runners.specific([otherProject], { description: 'theirs' });
    const shared = await runners.shared({ info: runnerInfo });
    const { status, body } = await as(root).get('/runners/all?per_page=100');
    expect(status).toBe(200);
    const all = await db.runner.findMany({ orderBy: { id: 'asc' }, select: { id: true } });
    expect(ids({ body })).toEqual(all.map(({ id }) => id));
    expect(body).toContainEqual(runnerShape(specific.id, { description: 'theirs' }));
    expect(body).toContainEqual(runnerShape(shared.id, { is_shared: true, name: 'gitlab-runner' }));
  });

  test('filters by scope', async () => {
    await runnersByStatus(testWorld, () => runners.specific([otherProject]));
    await runners.shared();
    const hour = new Date(Date.now() - 3_600_000);
    for (const [scope, where] of [
      ['specific', { isShared: false }],
      ['shared', { isShared: true }],
      ['active', { isActive: true }],
      ['paused', { isActive: false }],
      ['online', { contactedAt: { gt: hour } }],
    ] as const) {
      const expected = await db.runner.findMany({ where, orderBy: { id: 'asc' } });
      const response = await as(root).get(`/runners/all?scope=${scope}&per_page=100`);
      expect([scope, ids(response)]).toEqual([scope, expected.map(({ id }) => id)]);
      expect(expected.length).toBeGreaterThan(0);
    }
    expect(await as(root).get('/runners/all?scope=offline')).toEqual(badScope);
  });

  test('requires an administrator', async () => {
    expect(await as(ada).get('/runners/all')).toEqual(refused.forbidden);
    expect(await as(null).get('/runners/all')).toEqual(refused.anonymous);
  });
});

describe('GET /runners/:id', () => {
  test('a master of one of its projects sees all fields and the projects visible to them', async () => {
    const input = { description: 'builder', tag_list: ['a', 'b'], locked: true, info: runnerInfo };
    const { id, token } = await runners.specific([app, tool, otherProject], input);
    await db.runner.update({ where: { id }, data: { contactedAt: new Date() } });
    const shape = runnerDetailsShape(id, {
      ...runnerInfo,
      description: 'builder',
      tag_list: ['a', 'b'],
      locked: true,
      contacted_at: instant,
      token,
      projects: [appShape, toolShape],
    });
    expect(await as(ada).get(`/runners/${id}`)).toEqual({ status: 200, body: shape });
    expect(await as(cleo).get(`/runners/${id}`)).toEqual({ status: 200, body: shape });
    const { body } = await as(root).get(`/runners/${id}`);
    expect(body).toEqual({ ...shape, projects: [appShape, toolShape, expect.anything()] });
    const [, , third] = (body as { projects: readonly { id: number }[] }).projects;
    expect(third?.id).toBe(otherProject);
    expect((await as(eve).get(`/runners/${id}`)).body).toEqual({ ...shape, projects: [third] });
  });

  test('is refused to users below master', async () => {
    const { id } = await runners.specific([app]);
    for (const person of [bob, eve]) {
      expect(await as(person).get(`/runners/${id}`)).toEqual(noAccess);
    }
    expect(await as(null).get(`/runners/${id}`)).toEqual(refused.anonymous);
  });

  test('a signed-in user sees a shared runner, and an administrator also its token', async () => {
    const { id, token } = await runners.shared({ info: runnerInfo });
    const shape = runnerDetailsShape(id, { ...runnerInfo, is_shared: true });
    for (const person of [ada, eve]) {
      expect(await as(person).get(`/runners/${id}`)).toEqual({ status: 200, body: shape });
    }
    expect(await as(root).get(`/runners/${id}`)).toEqual({
      status: 200,
      body: { ...shape, token },
    });
    expect(await as(null).get(`/runners/${id}`)).toEqual(refused.anonymous);
  });

  test('omits removed projects', async () => {
    const { id: deleted } = await seed.project('ada/going');
    const { id } = await runners.specific([app, deleted]);
    await as(ada).delete(`/projects/${deleted}`);
    for (const person of [ada, root]) {
      const { body } = await as(person).get(`/runners/${id}`);
      expect((body as { projects: unknown }).projects).toEqual([appShape]);
    }
  });

  test('only administrators see a runner whose projects are removed', async () => {
    const { id: deleted } = await seed.project('ada/alone');
    const { id } = await runners.specific([deleted]);
    await as(ada).delete(`/projects/${deleted}`);
    expect(await as(ada).get(`/runners/${id}`)).toEqual(noAccess);
    expect((await as(root).get(`/runners/${id}`)).status).toBe(200);
  });

  test('an unknown runner gives 404', async () => {
    for (const id of ['999999', '99999999999', '0']) {
      expect(await as(ada).get(`/runners/${id}`)).toEqual(refused.record);
    }
    expect(await as(ada).get('/runners/x')).toEqual(refused.parameter('id is invalid'));
  });
});

describe('PUT /runners/:id', () => {
  const noParameters = refused.parameter(
    'description, active, tag_list, run_untagged, locked, access_level are missing, at least one parameter must be provided',
  );
  const untagged = refused.invalid({
    tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'],
  });

  test('a master changes the given fields only', async () => {
    const { id, token } = await runners.specific([app], { description: 'one', tag_list: 'x' });
    const steps = [
      [{ description: 'two' }, { description: 'two' }],
      [{ active: false }, { active: false }],
      [{ tag_list: ['b', 'a', ' b ', ''] }, { tag_list: ['b', 'a'] }],
      [{ run_untagged: false }, { run_untagged: false }],
      [{ locked: 'true' }, { locked: true }],
      [{ access_level: 'ref_protected' }, { access_level: 'ref_protected' }],
      [
        { tag_list: 'c, d', active: 1 },
        { tag_list: ['c', 'd'], active: true },
      ],
      [
        { tag_list: '', run_untagged: true, description: '' },
        { tag_list: [], run_untagged: true, description: null },
      ],
    ] as const;
    let shape: object = runnerDetailsShape(id, {
      description: 'one',
      tag_list: ['x'],
      token,
      projects: [appShape],
    });
    for (const [input, changes] of steps) {
      shape = { ...shape, ...changes };
      expect(await as(ada).put(`/runners/${id}`, input)).toEqual({ status: 200, body: shape });
    }
    expect(await as(ada).get(`/runners/${id}`)).toEqual({ status: 200, body: shape });
  });

  test('rejects a runner without tags that runs no untagged jobs', async () => {
    const { id } = await runners.specific([app], { tag_list: 'x', run_untagged: false });
    expect(await as(ada).put(`/runners/${id}`, { tag_list: [] })).toEqual(untagged);
    expect(await as(ada).put(`/runners/${id}`, { tag_list: [' '] })).toEqual(untagged);
    const free = await runners.specific([app]);
    expect(await as(ada).put(`/runners/${free.id}`, { run_untagged: false })).toEqual(untagged);
    expect(
      (await as(ada).put(`/runners/${free.id}`, { run_untagged: false, tag_list: 'x' })).status,
    ).toBe(200);
  });

  test('concurrent changes cannot remove both the tags and the untagged jobs', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const { id } = await runners.specific([app], { tag_list: 'x' });
      await Promise.all([
        as(ada).put(`/runners/${id}`, { tag_list: [] }),
        as(ada).put(`/runners/${id}`, { run_untagged: false }),
      ]);
      const { tags, runsUntagged } = await db.runner.findUniqueOrThrow({ where: { id } });
      expect(tags.length > 0 || runsUntagged).toBe(true);
    }
  });

  test('rejects missing and invalid parameters', async () => {
    const { id } = await runners.specific([app]);
    expect(await as(ada).put(`/runners/${id}`, {})).toEqual(noParameters);
    expect(await as(ada).put(`/runners/${id}`, { active: null, name: 'x' })).toEqual(noParameters);
    const odd = { active: 'x', tag_list: { a: 1 }, run_untagged: 3, locked: [], access_level: 'x' };
    expect(await as(ada).put(`/runners/${id}`, odd)).toEqual(
      refused.parameter(
        'active is invalid, tag_list is invalid, run_untagged is invalid, locked is invalid, access_level does not have a valid value',
      ),
    );
    expect(await as(ada).put(`/runners/${id}`, { description: 'x'.repeat(256) })).toEqual(
      refused.invalid({ description: ['is too long (maximum is 255 characters)'] }),
    );
    expect(await as(ada).put(`/runners/${id}`, { tag_list: ['x'.repeat(256)] })).toEqual(
      refused.invalid({ tag_list: ['is too long (maximum is 255 characters)'] }),
    );
    expect(await as(ada).put('/runners/999999', { active: true })).toEqual(refused.record);
    expect(await as(ada).put('/runners/x', { active: true })).toEqual(
      refused.parameter('id is invalid'),
    );
  });

  test('only administrators change a shared runner', async () => {
    const { id, token } = await runners.shared();
    const input = { description: 'ours' };
    expect(await as(ada).put(`/runners/${id}`, input)).toEqual(isShared);
    expect(await as(root).put(`/runners/${id}`, input)).toEqual({
      status: 200,
      body: runnerDetailsShape(id, { ...input, is_shared: true, token }),
    });
  });

  test('is refused to users below master', async () => {
    const { id } = await runners.specific([app]);
    const input = { active: false };
    for (const person of [bob, eve]) {
      expect(await as(person).put(`/runners/${id}`, input)).toEqual(noAccess);
    }
    expect(await as(null).put(`/runners/${id}`, input)).toEqual(refused.anonymous);
    expect((await as(root).put(`/runners/${id}`, input)).status).toBe(200);
  });
});

describe('DELETE /runners/:id', () => {
  test('a master removes a runner of a single project', async () => {
    const { id } = await runners.specific([app]);
    expect(await as(ada).delete(`/runners/${id}`)).toEqual({ status: 204, body: null });
    expect(await as(ada).delete(`/runners/${id}`)).toEqual(refused.record);
    expect(await db.runnerProject.count({ where: { runnerId: id } })).toBe(0);
  });

  test('only administrators remove shared runners and runners of several projects', async () => {
    const several = await runners.specific([app, tool]);
    expect(await as(ada).delete(`/runners/${several.id}`)).toEqual(
      denied('Runner associated with more than one project'),
    );
    const shared = await runners.shared();
    expect(await as(ada).delete(`/runners/${shared.id}`)).toEqual(isShared);
    for (const { id } of [several, shared]) {
      expect(await as(root).delete(`/runners/${id}`)).toEqual({ status: 204, body: null });
    }
  });

  test('removed projects do not count', async () => {
    const { id: deleted } = await seed.project('ada/counted');
    const { id } = await runners.specific([app, deleted]);
    await as(ada).delete(`/projects/${deleted}`);
    expect(await as(ada).delete(`/runners/${id}`)).toEqual({ status: 204, body: null });
  });

  test('is refused to users below master', async () => {
    const { id } = await runners.specific([app]);
    for (const person of [bob, eve]) {
      expect(await as(person).delete(`/runners/${id}`)).toEqual(noAccess);
    }
    expect(await as(null).delete(`/runners/${id}`)).toEqual(refused.anonymous);
    expect(await as(ada).delete('/runners/999999')).toEqual(refused.record);
    expect(await as(ada).delete('/runners/x')).toEqual(refused.parameter('id is invalid'));
  });

  test('If-Unmodified-Since keeps a runner that was changed later', async () => {
    const { id } = await runners.specific([app]);
    const { status } = await as(ada).fetch(`/runners/${id}`, {
      method: 'DELETE',
      headers: { 'If-Unmodified-Since': '2017-01-01T00:00:00Z' },
    });
    expect(status).toBe(412);
    expect(await db.runner.count({ where: { id } })).toBe(1);
  });
});
