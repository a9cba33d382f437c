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
const { id: publicProject } = await seed.project('ada/open', {}, { visibility: 'public' });
const { id: otherOwnersProject } = await seed.project('eve/app');

const path = `/projects/${project}/deploy_keys`;
const alreadyTaken = refused.invalid({ fingerprint: ['has already been taken'] });

interface DeployKey {
  readonly id: number;
  readonly title: string;
  readonly key: string;
  readonly can_push: boolean;
}

const addKey = async (projectId = project, person = ada) => {
  const input = { title: 'Builder', key: newPublicKey() };
  const { body } = await as(person).post(`/projects/${projectId}/deploy_keys`, input);
  return body as DeployKey;
};

const unauthorized = [
  ['an anonymous user', null, project, refused.anonymous],
  ['another user', eve, project, refused.missing('Project')],
  ['another user', eve, publicProject, refused.forbidden],
  ['a developer', bob, project, refused.forbidden],
] as const;

describe('POST /projects/:id/deploy_keys', () => {
  test('a master adds a key with or without push access', async () => {
    for (const [input, can_push] of [
      [{}, false],
      [{ can_push: true }, true],
    ] as const) {
      const key = newPublicKey();
      expect(await as(ada).post(path, { title: 'Builder', key, ...input })).toEqual({
        status: 201,
        body: {
          id: expect.any(Number),
          title: 'Builder',
          key,
          created_at: instant,
          expires_at: null,
          last_used_at: null,
          can_push,
        },
      });
    }
  });

  test('adding the same key again returns the existing one', async () => {
    const key = await addKey();
    const again = { title: 'Another', key: key.key, can_push: true };
    expect(await as(ada).post(path, again)).toEqual({ status: 201, body: key });
  });

  test('a key of another project of the caller is shared', async () => {
    const key = await addKey();
    const input = { title: 'Another', key: key.key, can_push: true };
    expect(await as(ada).post(`/projects/${other}/deploy_keys`, input)).toEqual({
      status: 201,
      body: { ...key, can_push: true },
    });
    expect(await as(ada).get(`${path}/${key.id}`)).toEqual({ status: 200, body: key });
  });

  test('a key of a user or of a project of others is taken', async () => {
    const own = newPublicKey();
    await as(ada).post('/user/keys', { title: 'Mine', key: own });
    const foreigners = await addKey(otherOwnersProject, eve);
    for (const key of [own, foreigners.key]) {
      expect(await as(ada).post(path, { title: 'Builder', key })).toEqual(alreadyTaken);
    }
    const shared = await addKey();
    expect(await as(eve).post('/user/keys', { title: 'Found', key: shared.key })).toEqual(
      alreadyTaken,
    );
  });

  test('twenty concurrent requests add one key', async () => {
    const key = newPublicKey();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => as(ada).post(path, { title: 'Builder', key })),
    );
    expect(responses).toEqual(Array(20).fill({ status: 201, body: responses[0]?.body }));
    expect(await db.key.count({ where: { key } })).toBe(1);
  });

  test('rejects missing and invalid parameters', async () => {
    expect(await as(ada).post(path, {})).toEqual(
      refused.parameter('title is missing, key is missing'),
    );
    const input = { title: 'Builder', key: newPublicKey() };
    expect(await as(ada).post(path, { ...input, can_push: 'maybe' })).toEqual(
      refused.parameter('can_push is invalid'),
    );
    expect(await as(ada).post(path, { ...input, key: 'x' })).toEqual(
      refused.invalid({ key: ['is invalid'], fingerprint: ['cannot be generated'] }),
    );
    expect(await as(ada).post(path, { ...input, title: '' })).toEqual(
      refused.invalid({ title: ["can't be blank"] }),
    );
  });
});

describe('GET /projects/:id/deploy_keys and GET …/:key_id', () => {
  test('a master and an administrator list keys, oldest first', async () => {
    const { id } = await seed.project('ada/listed');
    const keys = [await addKey(id), await addKey(id)];
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

  test('a key of a user is not a deploy key', async () => {
    const { body } = await as(ada).post('/user/keys', { title: 'Mine', key: newPublicKey() });
    const { id } = body as DeployKey;
    expect(await as(ada).get(`${path}/${id}`)).toEqual(refused.missing('Deploy Key'));
    expect(await as(ada).delete(`${path}/${id}`)).toEqual(refused.missing('Deploy Key'));
  });
});

describe('PUT /projects/:id/deploy_keys/:key_id', () => {
  test('a master changes title and push access', async () => {
    const key = await addKey();
    const keyPath = `${path}/${key.id}`;
    const renamed = { ...key, title: 'Tester' };
    expect(await as(ada).put(keyPath, { title: 'Tester' })).toEqual({ status: 200, body: renamed });
    expect(await as(ada).put(keyPath, { can_push: true })).toEqual({
      status: 200,
      body: { ...renamed, can_push: true },
    });
    expect(await as(ada).put(keyPath, {})).toEqual(
      refused.parameter('title, can_push are missing, at least one parameter must be provided'),
    );
    expect(await as(ada).put(keyPath, { title: ' ' })).toEqual(
      refused.invalid({ title: ["can't be blank"] }),
    );
    expect(await as(ada).put(`${path}/999999`, { title: 'x' })).toEqual(
      refused.missing('Deploy Key'),
    );
  });
});

describe('POST /projects/:id/deploy_keys/:key_id/enable', () => {
  test('a key of another project of the caller is enabled without push access', async () => {
    const key = await addKey(other);
    for (const _ of ['once', 'and again']) {
      expect(await as(ada).post(`${path}/${key.id}/enable`)).toEqual({
        status: 201,
        body: key,
      });
    }
  });

  test('only administrators enable a key of a project of others', async () => {
    const key = await addKey(otherOwnersProject, eve);
    const enable = `${path}/${key.id}/enable`;
    expect(await as(ada).post(enable)).toEqual(refused.missing('Deploy Key'));
    expect(await as(root).post(enable)).toEqual({ status: 201, body: key });
    expect(await as(ada).post(`${path}/999999/enable`)).toEqual(refused.missing('Deploy Key'));
  });
});

describe('DELETE /projects/:id/deploy_keys/:key_id', () => {
  test('a key is deleted with its last project', async () => {
    const key = await addKey();
    await as(ada).post(`/projects/${other}/deploy_keys/${key.id}/enable`);
    expect(await as(ada).delete(`${path}/${key.id}`)).toEqual({ status: 204, body: null });
    expect(await as(ada).delete(`${path}/${key.id}`)).toEqual(refused.missing('Deploy Key'));
    expect(await as(ada).get(`/projects/${other}/deploy_keys/${key.id}`)).toEqual({
      status: 200,
      body: key,
    });
    await as(ada).delete(`/projects/${other}/deploy_keys/${key.id}`);
    expect(await db.key.count({ where: { id: key.id } })).toBe(0);
  });

  test('a key of a removed project can be added again', async () => {
    const { id } = await seed.project('eve/gone');
    const { key } = await addKey(id, eve);
    await as(eve).delete(`/projects/${id}`);
    expect((await as(bob).post('/user/keys', { title: 'Found', key })).status).toBe(201);
  });

  test('a concurrent enable keeps the key', async () => {
    const key = await addKey();
    const responses = await Promise.all([
      as(ada).delete(`${path}/${key.id}`),
      as(ada).post(`/projects/${other}/deploy_keys/${key.id}/enable`),
    ]);
    const isEnabled = responses[1]?.status === 201;
    expect(await db.key.count({ where: { id: key.id } })).toBe(isEnabled ? 1 : 0);
    expect(isEnabled ? responses[1]?.body : responses[1]).toEqual(
      isEnabled ? key : refused.missing('Deploy Key'),
    );
  });
});

test.each(unauthorized)('%s (%o) cannot manage deploy keys', async (_, person, id, response) => {
  const all = `/projects/${id}/deploy_keys`;
  const client = as(person);
  const input = { title: 'Builder', key: newPublicKey() };
  expect(await client.get(all)).toEqual(response);
  expect(await client.get(`${all}/1`)).toEqual(response);
  expect(await client.post(all, input)).toEqual(response);
  expect(await client.put(`${all}/1`, input)).toEqual(response);
  expect(await client.delete(`${all}/1`)).toEqual(response);
  expect(await client.post(`${all}/1/enable`)).toEqual(response);
});

describe('GET /deploy_keys', () => {
  test('an administrator lists all keys with push access in any project', async () => {
    const key = await addKey();
    await as(ada).put(`${path}/${key.id}`, { can_push: true });
    const { status, body } = await as(root).get('/deploy_keys?per_page=100');
    expect(status).toBe(200);
    expect(body).toContainEqual({ ...key, can_push: true });
    const ids = (body as DeployKey[]).map(({ id }) => id);
    const stored = await db.key.findMany({ where: { userId: null }, orderBy: { id: 'asc' } });
    expect(ids).toEqual(stored.map(({ id }) => id));
  });

  test('requires an administrator', async () => {
    expect(await as(ada).get('/deploy_keys')).toEqual(refused.forbidden);
    expect(await as(null).get('/deploy_keys')).toEqual(refused.anonymous);
  });
});
