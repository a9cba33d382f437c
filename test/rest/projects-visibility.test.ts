import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const visibilities = ['private', 'internal', 'public'] as const;
const rank = { private: 0, internal: 1, public: 2 };
type Visibility = keyof typeof rank;

const idOf = ({ body }: ApiResponse) => (body as { id: number }).id;

describe('the visibility of a project and of its group', async () => {
  const { as, seed, db } = await world();
  const ada = await seed.user('ada');
  const groups = {
    private: await seed.group('closed', { owner: ada }, { visibility: 'private' }),
    internal: await seed.group('inner', { owner: ada }, { visibility: 'internal' }),
    public: await seed.group('open', { owner: ada }, { visibility: 'public' }),
  };
  const cases = visibilities.flatMap((above) =>
    visibilities.map((own) => [own, above, rank[own] <= rank[above]] as const),
  );
  const tooVisible = (own: Visibility, above: Visibility) =>
    refused.invalid({ visibility_level: [`${own} is not allowed in a ${above} group.`] });

  test.each(cases)('a %s project in a group that is %s: %s', async (own, above, allowed) => {
    const input = { path: `made-${own}`, namespace_id: groups[above].id, visibility: own };
    const response = await as(ada).post('/projects', input);
    if (allowed) expect(response).toMatchObject({ status: 201, body: { visibility: own } });
    else expect(response).toEqual(tooVisible(own, above));
  });

  test.each(cases)('a change to %s in a group that is %s: %s', async (own, above, allowed) => {
    const path = `changed-${own}`;
    const created = await as(ada).post('/projects', { path, namespace_id: groups[above].id });
    const response = await as(ada).put(`/projects/${idOf(created)}`, { visibility: own });
    if (allowed) expect(response).toMatchObject({ status: 200, body: { visibility: own } });
    else expect(response).toEqual(tooVisible(own, above));
  });

  test('a project that already exceeds the visibility of its group can keep it', async () => {
    const { id } = await seed.project('open/wide', {}, { visibility: 'public' });
    await db.namespace.update({ where: { id: groups.public.id }, data: { visibility: 'private' } });
    expect((await as(ada).put(`/projects/${id}`, { visibility: 'public' })).status).toBe(200);
    expect(await as(ada).put(`/projects/${id}`, { visibility: 'internal' })).toEqual(
      tooVisible('internal', 'private'),
    );
    await db.namespace.update({ where: { id: groups.public.id }, data: { visibility: 'public' } });
  });

  test('a personal project can have any visibility', async () => {
    for (const visibility of visibilities) {
      const response = await as(ada).post('/projects', { path: visibility, visibility });
      expect(response).toMatchObject({ status: 201, body: { visibility } });
    }
  });

  test('the default is private', async () => {
    const response = await as(ada).post('/projects', { path: 'silent' });
    expect(response.body).toMatchObject({ visibility: 'private' });
  });

  test('a lower visibility takes effect immediately', async () => {
    const bob = await seed.user('bob');
    const { id } = await seed.project('ada/closing', {}, { visibility: 'public' });
    const isVisible = async (person: TestUser | null) =>
      (await as(person).get(`/projects/${id}`)).status === 200;
    expect([await isVisible(null), await isVisible(bob)]).toEqual([true, true]);
    await as(ada).put(`/projects/${id}`, { visibility: 'internal' });
    expect([await isVisible(null), await isVisible(bob)]).toEqual([false, true]);
    await as(ada).put(`/projects/${id}`, { visibility: 'private' });
    expect([await isVisible(null), await isVisible(bob)]).toEqual([false, false]);
  });
});

describe('restricted visibilities', async () => {
  const { as, seed, db } = await world({
    settings: {
      restrictedVisibilityLevels: ['public', 'private'],
      defaultProjectVisibility: 'internal',
    },
  });
  const ada = await seed.user('ada');
  const administrator = await seed.user('chief', { isAdmin: true });
  const restricted = (visibility: Visibility) =>
    refused.invalid({
      visibility_level: [`${visibility} has been restricted by your administrator`],
    });

  test.each(['public', 'private'] as const)(
    'only administrators can use %s',
    async (visibility) => {
      const input = { path: visibility, visibility };
      expect(await as(ada).post('/projects', input)).toEqual(restricted(visibility));
      expect((await as(administrator).post('/projects', input)).body).toMatchObject({ visibility });
      const { id } = await seed.project(`ada/now-${visibility}`, {}, { visibility: 'internal' });
      expect(await as(ada).put(`/projects/${id}`, { visibility })).toEqual(restricted(visibility));
      expect((await as(ada).get(`/projects/${id}`)).body).toMatchObject({ visibility: 'internal' });
      expect((await as(administrator).put(`/projects/${id}`, { visibility })).status).toBe(200);
    },
  );

  test('the default is the configured default visibility', async () => {
    const response = await as(ada).post('/projects', { path: 'silent' });
    expect(response).toMatchObject({ status: 201, body: { visibility: 'internal' } });
  });

  test('a project keeps a restricted visibility when other settings change', async () => {
    const { id } = await seed.project('ada/shown', {}, { visibility: 'public' });
    const change = { visibility: 'public', name: 'Shown', description: 'x' };
    expect((await as(ada).put(`/projects/${id}`, change)).body).toMatchObject(change);
    expect((await as(ada).put(`/projects/${id}`, { wiki_enabled: false })).status).toBe(200);
  });

  test('the default is lowered to the visibility of the group and then checked for restrictions', async () => {
    const group = await seed.group('closed', { owner: ada }, { visibility: 'private' });
    const input = { path: 'x', namespace_id: group.id };
    expect(await as(ada).post('/projects', input)).toEqual(restricted('private'));
    expect((await as(administrator).post('/projects', input)).body).toMatchObject({
      visibility: 'private',
    });
    expect(await db.project.count({ where: { namespaceId: group.id } })).toBe(1);
  });
});
