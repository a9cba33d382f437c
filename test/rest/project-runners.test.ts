import { describe, expect, test } from 'vitest';
import { runnerShape, runnersByStatus, runnersOf } from '../support/runners.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, root } = testWorld;
const runners = runnersOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const eve = await seed.user('eve');
await seed.group('acme', { master: cleo });
const { id: app } = await seed.project('acme/app', { master: ada, developer: bob });
const { id: tool } = await seed.project('acme/tool', { master: ada });
const { id: otherProject } = await seed.project('eve/alien');

const denied = (reason: string) => ({
  status: 403,
  body: { message: `403 Forbidden - ${reason}` },
});
const noAccess = denied('No access granted');
const isShared = denied('Runner is shared');
const badScope = refused.parameter('scope does not have a valid value');

const ids = ({ body }: { readonly body: unknown }) =>
  (body as readonly { readonly id: number }[]).map(({ id }) => id);

const unauthorized = [
  ['an anonymous user', null, refused.anonymous],
  ['another user', eve, refused.missing('Project')],
  ['a developer', bob, refused.forbidden],
] as const;

test.each(unauthorized)(
  '%s cannot manage the runners of a project',
  async (_, person, response) => {
    const { id } = await runners.specific([app, tool]);
    const path = `/projects/${app}/runners`;
    expect(await as(person).get(path)).toEqual(response);
    // permissions are checked before parameters
    expect(await as(person).get(`${path}?scope=x`)).toEqual(response);
    expect(await as(person).post(path, { runner_id: id })).toEqual(response);
    expect(await as(person).post(path)).toEqual(response);
    expect(await as(person).delete(`${path}/${id}`)).toEqual(response);
    expect(await as(person).delete(`${path}/x`)).toEqual(response);
  },
);

describe('GET /projects/:id/runners', () => {
  test('a master sees specific runners, and shared runners if enabled', async () => {
    const { id } = await seed.project('acme/listed', { master: ada });
    const own = await runners.specific([id], { description: 'own' });
    await runners.specific([otherProject]);
    const shared = await db.runner.findMany({ where: { isShared: true } });
    const last = await runners.shared();
    const expectedIds = [own.id, last.id, ...shared.map((runner) => runner.id)].toSorted(
      (a, b) => a - b,
    );
    for (const person of [ada, cleo, root]) {
      const response = await as(person).get(`/projects/${id}/runners?per_page=100`);
      expect(response.status).toBe(200);
      expect(ids(response)).toEqual(expectedIds);
      expect(response.body).toContainEqual(runnerShape(own.id, { description: 'own' }));
      expect(response.body).toContainEqual(runnerShape(last.id, { is_shared: true }));
    }
    await as(ada).put(`/projects/${id}`, { shared_runners_enabled: false });
    expect(await as(ada).get('/projects/acme%2Flisted/runners')).toEqual({
      status: 200,
      body: [runnerShape(own.id, { description: 'own' })],
    });
  });

  test('filters by scope', async () => {
    const settings = { shared_runners_enabled: false };
    const { id: spare } = await seed.project('acme/spare', {}, settings);
    const { paused, silent, online } = await runnersByStatus(testWorld, () =>
      runners.specific([spare]),
    );
    for (const [scope, expectedIds] of [
      ['active', [silent, online]],
      ['paused', [paused]],
      ['online', [online]],
      ['specific', [paused, silent, online]],
      ['shared', []],
    ] as const) {
      const response = await as(cleo).get(`/projects/${spare}/runners?scope=${scope}`);
      expect([scope, response.status, ids(response)]).toEqual([scope, 200, expectedIds]);
    }
    const { id } = await runners.shared();
    const shared = await as(ada).get(`/projects/${app}/runners?scope=shared&per_page=100`);
    expect(ids(shared)).toContain(id);
    expect(await as(ada).get(`/projects/${app}/runners?scope=offline`)).toEqual(badScope);
  });
});

describe('POST /projects/:id/runners', () => {
  const enable = (person: typeof ada, projectId: number, runner_id: unknown) =>
    as(person).post(`/projects/${projectId}/runners`, { runner_id });

  test('a master of both projects enables a runner once', async () => {
    const { id } = await runners.specific([app], { description: 'both' });
    const body = runnerShape(id, { description: 'both' });
    expect(await enable(ada, tool, id)).toEqual({ status: 201, body });
    expect(await enable(ada, tool, id)).toEqual(
      refused.conflict('Runner was already enabled for this project'),
    );
    expect(await db.runnerProject.count({ where: { runnerId: id } })).toBe(2);
  });

  test('one of twenty concurrent requests succeeds', async () => {
    const { id } = await runners.specific([app]);
    const responses = await Promise.all(Array.from({ length: 20 }, () => enable(ada, tool, id)));
    expect(responses.filter(({ status }) => status === 201)).toEqual([
      { status: 201, body: runnerShape(id) },
    ]);
    expect(responses.filter(({ status }) => status !== 201)).toEqual(
      Array(19).fill(refused.conflict('Runner was already enabled for this project')),
    );
  });

  test('only administrators enable a runner of other projects', async () => {
    const { id } = await runners.specific([otherProject]);
    expect(await enable(ada, app, id)).toEqual(noAccess);
    expect(await enable(root, app, id)).toEqual({ status: 201, body: runnerShape(id) });
  });

  test('shared and locked runners cannot be enabled', async () => {
    const shared = await runners.shared();
    const locked = await runners.specific([app], { locked: true });
    for (const person of [ada, root]) {
      expect(await enable(person, tool, shared.id)).toEqual(isShared);
      expect(await enable(person, tool, locked.id)).toEqual(denied('Runner is locked'));
    }
  });

  test('rejects a missing, invalid or unknown runner', async () => {
    expect(await as(ada).post(`/projects/${app}/runners`)).toEqual(
      refused.parameter('runner_id is missing'),
    );
    expect(await enable(ada, app, 'x')).toEqual(refused.parameter('runner_id is invalid'));
    expect(await enable(ada, app, 999_999)).toEqual(refused.record);
  });
});

describe('DELETE /projects/:id/runners/:runner_id', () => {
  const last = denied(
    'Only one project associated with the runner. Please remove the runner instead',
  );

  test('a master disables a runner unless it is in one project only', async () => {
    const { id } = await runners.specific([app, tool]);
    expect(await as(ada).delete(`/projects/${tool}/runners/${id}`)).toEqual({
      status: 204,
      body: null,
    });
    expect(await as(ada).delete(`/projects/${tool}/runners/${id}`)).toEqual(
      refused.missing('Runner'),
    );
    for (const person of [ada, root]) {
      expect(await as(person).delete(`/projects/${app}/runners/${id}`)).toEqual(last);
    }
  });

  test('a removed project does not count', async () => {
    const { id: removedId } = await seed.project('ada/former');
    const { id } = await runners.specific([app, removedId]);
    await as(ada).delete(`/projects/${removedId}`);
    expect(await as(ada).delete(`/projects/${app}/runners/${id}`)).toEqual(last);
  });

  test('concurrent requests leave the runner in one project', async () => {
    const { id } = await runners.specific([app, tool]);
    const responses = await Promise.all([
      as(ada).delete(`/projects/${app}/runners/${id}`),
      as(ada).delete(`/projects/${tool}/runners/${id}`),
    ]);
    expect(responses.toSorted((a, b) => a.status - b.status)).toEqual([
      { status: 204, body: null },
      last,
    ]);
  });

  test('a runner that is not enabled, shared or unknown gives 404', async () => {
    const other = await runners.specific([otherProject]);
    const shared = await runners.shared();
    for (const id of [other.id, shared.id, 999_999]) {
      expect(await as(ada).delete(`/projects/${app}/runners/${id}`)).toEqual(
        refused.missing('Runner'),
      );
    }
    expect(await as(ada).delete(`/projects/${app}/runners/x`)).toEqual(
      refused.parameter('runner_id is invalid'),
    );
  });
});
