import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root } = await world({
  settings: { restrictedVisibilityLevels: ['public'], defaultGroupVisibility: 'internal' },
});
const ada = await seed.user('ada');

const restricted = 'public has been restricted by your administrator';
const aboveParent = (childLevel: string, parentLevel: string) =>
  `${childLevel} is not allowed since the parent group has a ${parentLevel} visibility.`;
const visibilityOf = (body: unknown) => (body as { visibility: string }).visibility;

describe('POST /groups', () => {
  test('only administrators use a restricted level', async () => {
    const input = { name: 'open', path: 'open', visibility: 'public' };
    expect(await as(ada).post('/groups', input)).toEqual({
      status: 400,
      body: { message: `Failed to save group {:visibility_level=>["${restricted}"]}` },
    });
    expect((await as(root).post('/groups', input)).status).toBe(201);
  });

  test('the default is that of the settings or of the parent', async () => {
    const { body } = await as(ada).post('/groups', { name: 'usual', path: 'usual' });
    expect(visibilityOf(body)).toBe('internal');
    const narrow = await seed.group('narrow', { owner: ada }, { visibility: 'private' });
    const below = { name: 'below', path: 'below', parent_id: narrow.id };
    expect(visibilityOf((await as(ada).post('/groups', below)).body)).toBe('private');
  });
});

describe('PUT /groups/:id', () => {
  test('only administrators use a restricted level, unless the group already has it', async () => {
    const { id } = await seed.group('levels', { owner: ada }, { visibility: 'private' });
    expect(await as(ada).put(`/groups/${id}`, { visibility: 'public' })).toEqual(
      refused.invalid({ visibility_level: [restricted] }),
    );
    expect((await as(root).put(`/groups/${id}`, { visibility: 'public' })).status).toBe(200);
    const same = await as(ada).put(`/groups/${id}`, { visibility: 'public', name: 'Levels' });
    expect(same.status).toBe(200);
  });

  test('a group cannot be more visible than its parent', async () => {
    const top = await seed.group('top', { owner: ada }, { visibility: 'internal' });
    const { id } = await seed.group('top/below', {}, { visibility: 'private' });
    expect(await as(root).put(`/groups/${id}`, { visibility: 'public' })).toEqual(
      refused.invalid({ visibility_level: [aboveParent('public', 'internal')] }),
    );
    expect((await as(ada).put(`/groups/${id}`, { visibility: 'internal' })).status).toBe(200);
    expect((await as(ada).put(`/groups/${top.id}`, { visibility: 'internal' })).status).toBe(200);
  });

  test('removed content does not restrict the visibility', async () => {
    const { id } = await seed.group('emptied', { owner: ada }, { visibility: 'internal' });
    const below = await seed.group('emptied/below', {}, { visibility: 'internal' });
    const app = await seed.project('emptied/app', {}, { visibility: 'internal' });
    const narrow = () => as(ada).put(`/groups/${id}`, { visibility: 'private' });
    expect((await narrow()).status).toBe(400);
    await as(ada).delete(`/projects/${app.id}`);
    expect((await narrow()).status).toBe(400);
    await as(ada).delete(`/groups/${below.id}`);
    expect((await narrow()).status).toBe(200);
  });
});
