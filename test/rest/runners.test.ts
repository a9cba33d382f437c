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

const served = await world();
const { as, seed, db, root, url } = served;
const runners = runnersOf(served);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const eve = await seed.user('eve');
const { id: group } = await seed.group('acme', { master: cleo });
const { id: app } = await seed.project('acme/app', { master: ada, developer: bob });
const { id: tool } = await seed.project('acme/tool', { master: ada });
const { id: alien } = await seed.project('eve/alien');

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

const denied = (why: string) => ({ status: 403, body: { message: `403 Forbidden - ${why}` } });
const noAccess = denied('No access granted');
const isShared = denied('Runner is shared');
const badScope = refused.parameter('scope does not have a valid value');

const ids = ({ body }: { readonly body: unknown }) =>
  (body as readonly { readonly id: number }[]).map(({ id }) => id);

describe('GET /runners', () => {
  test('shows those of the projects whose master one is, whichever way, the oldest first', async () => {
    const dan = await seed.user('dan');
    const { id: own } = await seed.project('dan/own');
    const { id: shared } = await seed.project('eve/shared', { developer: dan });
    const { id: below } = await seed.group('dans', { master: dan });
    const { id: grouped } = await seed.project('dans/app');
    const share = { group_id: below, group_access: 30 };
    expect((await as(root).post(`/projects/${alien}/share`, share)).status).toBe(201);
    const both = await runners.specific([own, grouped], { description: 'both', info: runnerInfo });
    const inGroup = await runners.specific([grouped]);
    await runners.specific([shared]);
    await runners.specific([alien]);
    await runners.shared();
    expect(await as(dan).get('/runners')).toEqual({
      status: 200,
      body: [
        runnerShape(both.id, { description: 'both', name: 'gitlab-runner' }),
        runnerShape(inGroup.id),
      ],
    });
    await db.projectGroupLink.updateMany({
      where: { projectId: alien, namespaceId: below },
      data: { accessLevel: 40 },
    });
    const through = await runners.specific([alien]);
    expect(ids(await as(dan).get('/runners'))).toContain(through.id);
    await as(eve).delete(`/projects/${alien}/share/${below}`);
    expect(ids(await as(dan).get('/runners'))).toEqual([both.id, inGroup.id]);
  });

  test('an administrator sees those of their own projects, too, and no others', async () => {
    const { id } = await seed.project('root/own');
    const own = await runners.specific([id]);
    const other = await runners.specific([alien]);
    const shown = ids(await as(root).get('/runners'));
    expect([own.id, other.id].map((one) => shown.includes(one))).toEqual([true, false]);
  });

  test('what is of a removed project alone is not there', async () => {
    const { id } = await seed.project('ada/gone');
    const runner = await runners.specific([id]);
    expect(ids(await as(ada).get('/runners'))).toContain(runner.id);
    await as(ada).delete(`/projects/${id}`);
    expect(ids(await as(ada).get('/runners'))).not.toContain(runner.id);
  });

  test('a scope keeps some of them', async () => {
    const fay = await seed.user('fay');
    const { id } = await seed.project('fay/app');
    const { paused, silent, online } = await runnersByStatus(served, () => runners.specific([id]));
    for (const [scope, kept] of [
      ['active', [silent, online]],
      ['paused', [paused]],
      ['online', [online]],
      ['', [paused, silent, online]],
    ] as const) {
      const answer = await as(fay).get(`/runners?scope=${scope}`);
      expect([scope, answer.status, ids(answer)]).toEqual([scope, 200, kept]);
    }
    for (const scope of ['specific', 'shared', 'offline']) {
      expect(await as(fay).get(`/runners?scope=${scope}`)).toEqual(badScope);
    }
  });

  test('it comes in pages', async () => {
    const gil = await seed.user('gil');
    const { id } = await seed.project('gil/app');
    const made = [await runners.specific([id]), await runners.specific([id])];
    const response = await as(gil).fetch('/runners?per_page=1&page=2');
    expect(ids({ body: await response.json() })).toEqual([made[1]?.id]);
    const { headers } = response;
    expect([headers.get('X-Total'), headers.get('X-Prev-Page')]).toEqual(['2', '1']);
  });

  test('nobody is refused, a stranger has none', async () => {
    expect(await as(null).get('/runners')).toEqual(refused.anonymous);
    const hal = await seed.user('hal');
    expect(await as(hal).get('/runners')).toEqual({ status: 200, body: [] });
  });
});

describe('GET /runners/all', () => {
  test('an administrator sees all there are', async () => {
    const specific = await runners.specific([alien], { description: 'theirs' });
    const shared = await runners.shared({ info: runnerInfo });
    const { status, body } = await as(root).get('/runners/all?per_page=100');
    expect(status).toBe(200);
    const known = await db.runner.findMany({ orderBy: { id: 'asc' }, select: { id: true } });
    expect(ids({ body })).toEqual(known.map(({ id }) => id));
    expect(body).toContainEqual(runnerShape(specific.id, { description: 'theirs' }));
    expect(body).toContainEqual(runnerShape(shared.id, { is_shared: true, name: 'gitlab-runner' }));
  });

  test('a scope keeps some of them', async () => {
    await runnersByStatus(served, () => runners.specific([alien]));
    await runners.shared();
    const hour = new Date(Date.now() - 3_600_000);
    for (const [scope, where] of [
      ['specific', { isShared: false }],
      ['shared', { isShared: true }],
      ['active', { isActive: true }],
      ['paused', { isActive: false }],
      ['online', { contactedAt: { gt: hour } }],
    ] as const) {
      const kept = await db.runner.findMany({ where, orderBy: { id: 'asc' } });
      const answer = await as(root).get(`/runners/all?scope=${scope}&per_page=100`);
      expect([scope, ids(answer)]).toEqual([scope, kept.map(({ id }) => id)]);
      expect(kept.length).toBeGreaterThan(0);
    }
    expect(await as(root).get('/runners/all?scope=offline')).toEqual(badScope);
  });

  test('others do not', async () => {
    expect(await as(ada).get('/runners/all')).toEqual(refused.forbidden);
    expect(await as(null).get('/runners/all')).toEqual(refused.anonymous);
  });
});

describe('GET /runners/:id', () => {
  test('a master of one of its projects sees it whole, with the projects they belong to', async () => {
    const given = { description: 'builder', tag_list: ['a', 'b'], locked: true, info: runnerInfo };
    const { id, token } = await runners.specific([app, tool, alien], given);
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
    expect(third?.id).toBe(alien);
    expect((await as(eve).get(`/runners/${id}`)).body).toEqual({ ...shape, projects: [third] });
  });

  test('below a master nobody does', async () => {
    const { id } = await runners.specific([app]);
    for (const person of [bob, eve]) {
      expect(await as(person).get(`/runners/${id}`)).toEqual(noAccess);
    }
    expect(await as(null).get(`/runners/${id}`)).toEqual(refused.anonymous);
  });

  test('a shared one is shown to all who are signed in, its token to administrators', async () => {
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

  test('a project that is removed is not among its projects', async () => {
    const { id: gone } = await seed.project('ada/going');
    const { id } = await runners.specific([app, gone]);
    await as(ada).delete(`/projects/${gone}`);
    for (const person of [ada, root]) {
      const { body } = await as(person).get(`/runners/${id}`);
      expect((body as { projects: unknown }).projects).toEqual([appShape]);
    }
  });

  test('one of a removed project alone is left to administrators', async () => {
    const { id: gone } = await seed.project('ada/alone');
    const { id } = await runners.specific([gone]);
    await as(ada).delete(`/projects/${gone}`);
    expect(await as(ada).get(`/runners/${id}`)).toEqual(noAccess);
    expect((await as(root).get(`/runners/${id}`)).status).toBe(200);
  });

  test('one that is not there', async () => {
    for (const id of ['999999', '99999999999', '0']) {
      expect(await as(ada).get(`/runners/${id}`)).toEqual(refused.record);
    }
    expect(await as(ada).get('/runners/x')).toEqual(refused.parameter('id is invalid'));
  });
});

describe('PUT /runners/:id', () => {
  const nothing = refused.parameter(
    'description, active, tag_list, run_untagged, locked, access_level are missing, at least one parameter must be provided',
  );
  const untagged = refused.invalid({
    tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'],
  });

  test('a master changes what is given, and the rest stays', async () => {
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
    for (const [given, told] of steps) {
      shape = { ...shape, ...told };
      expect(await as(ada).put(`/runners/${id}`, given)).toEqual({ status: 200, body: shape });
    }
    expect(await as(ada).get(`/runners/${id}`)).toEqual({ status: 200, body: shape });
  });

  test('one that would take no job at all is refused', async () => {
    const { id } = await runners.specific([app], { tag_list: 'x', run_untagged: false });
    expect(await as(ada).put(`/runners/${id}`, { tag_list: [] })).toEqual(untagged);
    expect(await as(ada).put(`/runners/${id}`, { tag_list: [' '] })).toEqual(untagged);
    const free = await runners.specific([app]);
    expect(await as(ada).put(`/runners/${free.id}`, { run_untagged: false })).toEqual(untagged);
    expect(
      (await as(ada).put(`/runners/${free.id}`, { run_untagged: false, tag_list: 'x' })).status,
    ).toBe(200);
  });

  test('two at once do not make one together', async () => {
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

  test('what is missing or does not fit is told', async () => {
    const { id } = await runners.specific([app]);
    expect(await as(ada).put(`/runners/${id}`, {})).toEqual(nothing);
    expect(await as(ada).put(`/runners/${id}`, { active: null, name: 'x' })).toEqual(nothing);
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

  test('a shared one is changed by administrators', async () => {
    const { id, token } = await runners.shared();
    const given = { description: 'ours' };
    expect(await as(ada).put(`/runners/${id}`, given)).toEqual(isShared);
    expect(await as(root).put(`/runners/${id}`, given)).toEqual({
      status: 200,
      body: runnerDetailsShape(id, { ...given, is_shared: true, token }),
    });
  });

  test('others do not', async () => {
    const { id } = await runners.specific([app]);
    const given = { active: false };
    for (const person of [bob, eve]) {
      expect(await as(person).put(`/runners/${id}`, given)).toEqual(noAccess);
    }
    expect(await as(null).put(`/runners/${id}`, given)).toEqual(refused.anonymous);
    expect((await as(root).put(`/runners/${id}`, given)).status).toBe(200);
  });
});

describe('DELETE /runners/:id', () => {
  test('a master removes one of a single project', async () => {
    const { id } = await runners.specific([app]);
    expect(await as(ada).delete(`/runners/${id}`)).toEqual({ status: 204, body: null });
    expect(await as(ada).delete(`/runners/${id}`)).toEqual(refused.record);
    expect(await db.runnerProject.count({ where: { runnerId: id } })).toBe(0);
  });

  test('one of several projects, or a shared one, is left to administrators', async () => {
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

  test('a removed project counts no more', async () => {
    const { id: gone } = await seed.project('ada/counted');
    const { id } = await runners.specific([app, gone]);
    await as(ada).delete(`/projects/${gone}`);
    expect(await as(ada).delete(`/runners/${id}`)).toEqual({ status: 204, body: null });
  });

  test('others do not', async () => {
    const { id } = await runners.specific([app]);
    for (const person of [bob, eve]) {
      expect(await as(person).delete(`/runners/${id}`)).toEqual(noAccess);
    }
    expect(await as(null).delete(`/runners/${id}`)).toEqual(refused.anonymous);
    expect(await as(ada).delete('/runners/999999')).toEqual(refused.record);
    expect(await as(ada).delete('/runners/x')).toEqual(refused.parameter('id is invalid'));
  });

  test('one that was changed since stays', async () => {
    const { id } = await runners.specific([app]);
    const { status } = await as(ada).fetch(`/runners/${id}`, {
      method: 'DELETE',
      headers: { 'If-Unmodified-Since': '2017-01-01T00:00:00Z' },
    });
    expect(status).toBe(412);
    expect(await db.runner.count({ where: { id } })).toBe(1);
  });
});
