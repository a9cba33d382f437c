import { describe, expect, test } from 'vitest';
import { instant, refused } from '../support/shapes.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve');
const { id: project } = await seed.project('ada/app', { developer: bob });
const { id: other } = await seed.project('ada/other');
const { id: open } = await seed.project('ada/open', {}, { visibility: 'public' });
const { id: foreign } = await seed.project('eve/app');

const path = `/projects/${project}/deploy_keys`;
const taken = refused.invalid({ fingerprint: ['has already been taken'] });

interface Shown {
  readonly id: number;
  readonly title: string;
  readonly key: string;
  readonly can_push: boolean;
}

const added = async (projectId = project, person = ada) => {
  const given = { title: 'Builder', key: newPublicKey() };
  const { body } = await as(person).post(`/projects/${projectId}/deploy_keys`, given);
  return body as Shown;
};

const unauthorized = [
  ['an anonymous user', null, project, refused.anonymous],
  ['another user', eve, project, refused.missing('Project')],
  ['another user', eve, open, refused.forbidden],
  ['a developer', bob, project, refused.forbidden],
] as const;

describe('POST /projects/:id/deploy_keys', () => {
  test('a master adds a key, which may push or not', async () => {
    for (const [given, can_push] of [
      [{}, false],
      [{ can_push: true }, true],
    ] as const) {
      const key = newPublicKey();
      expect(await as(ada).post(path, { title: 'Builder', key, ...given })).toEqual({
        status: 201,
        body: { id: expect.any(Number), title: 'Builder', key, created_at: instant, can_push },
      });
    }
  });

  test('the same key again is the one that is there', async () => {
    const shown = await added();
    const again = { title: 'Another', key: shown.key, can_push: true };
    expect(await as(ada).post(path, again)).toEqual({ status: 201, body: shown });
  });

  test('a key of another project of theirs is shared', async () => {
    const shown = await added();
    const given = { title: 'Another', key: shown.key, can_push: true };
    expect(await as(ada).post(`/projects/${other}/deploy_keys`, given)).toEqual({
      status: 201,
      body: { ...shown, can_push: true },
    });
    expect(await as(ada).get(`${path}/${shown.id}`)).toEqual({ status: 200, body: shown });
  });

  test("what is somebody's own, or of a project of others, is taken", async () => {
    const own = newPublicKey();
    await as(ada).post('/user/keys', { title: 'Mine', key: own });
    const foreigners = await added(foreign, eve);
    for (const key of [own, foreigners.key]) {
      expect(await as(ada).post(path, { title: 'Builder', key })).toEqual(taken);
    }
    const shared = await added();
    expect(await as(eve).post('/user/keys', { title: 'Found', key: shared.key })).toEqual(taken);
  });

  test('of twenty who add one key at once, all have the same', async () => {
    const key = newPublicKey();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => as(ada).post(path, { title: 'Builder', key })),
    );
    expect(answers).toEqual(Array(20).fill({ status: 201, body: answers[0]?.body }));
    expect(await db.key.count({ where: { key } })).toBe(1);
  });

  test('rejects missing and invalid parameters', async () => {
    expect(await as(ada).post(path, {})).toEqual(
      refused.parameter('title is missing, key is missing'),
    );
    const given = { title: 'Builder', key: newPublicKey() };
    expect(await as(ada).post(path, { ...given, can_push: 'maybe' })).toEqual(
      refused.parameter('can_push is invalid'),
    );
    expect(await as(ada).post(path, { ...given, key: 'x' })).toEqual(
      refused.invalid({ key: ['is invalid'], fingerprint: ['cannot be generated'] }),
    );
    expect(await as(ada).post(path, { ...given, title: '' })).toEqual(
      refused.invalid({ title: ["can't be blank"] }),
    );
  });
});

describe('GET /projects/:id/deploy_keys and GET …/:key_id', () => {
  test('a master and an administrator see them, oldest first', async () => {
    const { id } = await seed.project('ada/listed');
    const keys = [await added(id), await added(id)];
    for (const person of [ada, root]) {
      expect(await as(person).get(`/projects/${id}/deploy_keys`)).toEqual({
        status: 200,
        body: keys,
      });
    }
    const { headers } = await as(ada).fetch(`/projects/${id}/deploy_keys?per_page=1`);
    expect([headers.get('X-Total'), headers.get('X-Next-Page')]).toEqual(['2', '2']);
    expect(await as(ada).get(`${path}/${keys[0]?.id}`)).toEqual(refused.missing('Deploy Key'));
    expect(await as(ada).get(`${path}/x`)).toEqual(refused.parameter('key_id is invalid'));
  });

  test('a key of a person is none of a project', async () => {
    const { body } = await as(ada).post('/user/keys', { title: 'Mine', key: newPublicKey() });
    const { id } = body as Shown;
    expect(await as(ada).get(`${path}/${id}`)).toEqual(refused.missing('Deploy Key'));
    expect(await as(ada).delete(`${path}/${id}`)).toEqual(refused.missing('Deploy Key'));
  });
});

describe('PUT /projects/:id/deploy_keys/:key_id', () => {
  test('a master changes what it is called and whether it may push', async () => {
    const shown = await added();
    const one = `${path}/${shown.id}`;
    const renamed = { ...shown, title: 'Tester' };
    expect(await as(ada).put(one, { title: 'Tester' })).toEqual({ status: 200, body: renamed });
    expect(await as(ada).put(one, { can_push: true })).toEqual({
      status: 200,
      body: { ...renamed, can_push: true },
    });
    expect(await as(ada).put(one, {})).toEqual(
      refused.parameter('title, can_push are missing, at least one parameter must be provided'),
    );
    expect(await as(ada).put(one, { title: ' ' })).toEqual(
      refused.invalid({ title: ["can't be blank"] }),
    );
    expect(await as(ada).put(`${path}/999999`, { title: 'x' })).toEqual(
      refused.missing('Deploy Key'),
    );
  });
});

describe('POST /projects/:id/deploy_keys/:key_id/enable', () => {
  test('a key of another project of theirs is taken over, without the right to push', async () => {
    const shown = await added(other);
    for (const _ of ['once', 'and again']) {
      expect(await as(ada).post(`${path}/${shown.id}/enable`)).toEqual({
        status: 201,
        body: shown,
      });
    }
  });

  test('a key of a project of others is not found, but for administrators', async () => {
    const shown = await added(foreign, eve);
    const enable = `${path}/${shown.id}/enable`;
    expect(await as(ada).post(enable)).toEqual(refused.missing('Deploy Key'));
    expect(await as(root).post(enable)).toEqual({ status: 201, body: shown });
    expect(await as(ada).post(`${path}/999999/enable`)).toEqual(refused.missing('Deploy Key'));
  });
});

describe('DELETE /projects/:id/deploy_keys/:key_id', () => {
  test('a key goes with the last project that had it', async () => {
    const shown = await added();
    await as(ada).post(`/projects/${other}/deploy_keys/${shown.id}/enable`);
    expect(await as(ada).delete(`${path}/${shown.id}`)).toEqual({ status: 204, body: null });
    expect(await as(ada).delete(`${path}/${shown.id}`)).toEqual(refused.missing('Deploy Key'));
    expect(await as(ada).get(`/projects/${other}/deploy_keys/${shown.id}`)).toEqual({
      status: 200,
      body: shown,
    });
    await as(ada).delete(`/projects/${other}/deploy_keys/${shown.id}`);
    expect(await db.key.count({ where: { id: shown.id } })).toBe(0);
  });

  test('a key whose projects were removed may be used anew', async () => {
    const { id } = await seed.project('eve/gone');
    const { key } = await added(id, eve);
    await as(eve).delete(`/projects/${id}`);
    expect((await as(bob).post('/user/keys', { title: 'Found', key })).status).toBe(201);
  });

  test('one who lets go while others enable it leaves it to them', async () => {
    const shown = await added();
    const answers = await Promise.all([
      as(ada).delete(`${path}/${shown.id}`),
      as(ada).post(`/projects/${other}/deploy_keys/${shown.id}/enable`),
    ]);
    const isEnabled = answers[1]?.status === 201;
    expect(await db.key.count({ where: { id: shown.id } })).toBe(isEnabled ? 1 : 0);
    expect(isEnabled ? answers[1]?.body : answers[1]).toEqual(
      isEnabled ? shown : refused.missing('Deploy Key'),
    );
  });
});

test.each(unauthorized)('%s (%o) may not manage deploy keys', async (_, person, id, answer) => {
  const all = `/projects/${id}/deploy_keys`;
  const client = as(person);
  const given = { title: 'Builder', key: newPublicKey() };
  expect(await client.get(all)).toEqual(answer);
  expect(await client.get(`${all}/1`)).toEqual(answer);
  expect(await client.post(all, given)).toEqual(answer);
  expect(await client.put(`${all}/1`, given)).toEqual(answer);
  expect(await client.delete(`${all}/1`)).toEqual(answer);
  expect(await client.post(`${all}/1/enable`)).toEqual(answer);
});

describe('GET /deploy_keys', () => {
  test('an administrator sees all, and whether they may push anywhere', async () => {
    const key = await added();
    await as(ada).put(`${path}/${key.id}`, { can_push: true });
    const { status, body } = await as(root).get('/deploy_keys?per_page=100');
    expect(status).toBe(200);
    expect(body).toContainEqual({ ...key, can_push: true });
    const ids = (body as Shown[]).map(({ id }) => id);
    const stored = await db.key.findMany({ where: { userId: null }, orderBy: { id: 'asc' } });
    expect(ids).toEqual(stored.map(({ id }) => id));
  });

  test('others do not', async () => {
    expect(await as(ada).get('/deploy_keys')).toEqual(refused.forbidden);
    expect(await as(null).get('/deploy_keys')).toEqual(refused.anonymous);
  });
});
