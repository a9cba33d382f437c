import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, test } from 'vitest';
import { basicUserShape, memberShape, ownUserShape } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { seed, url, root } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const as = (person: typeof ada) => new Gitlab({ host: url, token: person.token });
const client = as(ada);

describe('Users', () => {
  test('the own record, another one, a list and a new one', async () => {
    expect(await client.Users.showCurrentUser()).toEqual(ownUserShape(url, ada));
    expect(await client.Users.show(bob.id)).toMatchObject(basicUserShape(url, bob));
    expect(await client.Users.all({ username: 'bob' })).toEqual([basicUserShape(url, bob)]);
    const cleo = { email: 'cleo@example.com', name: 'Cleo', username: 'cleo' };
    const made = await as(root).Users.create({ ...cleo, password: 'cleopatra' });
    expect(made).toMatchObject({ ...cleo, state: 'active' });
  });
});

describe('Groups', () => {
  test('are made, listed, shown, changed and removed', async () => {
    const made = await client.Groups.create('Acme Tools', 'acme', { visibility: 'public' });
    expect(made).toMatchObject({ name: 'Acme Tools', full_path: 'acme', visibility: 'public' });
    expect(await client.Groups.all({ search: 'acme' })).toEqual([
      expect.objectContaining({ id: made.id }),
    ]);
    expect(await client.Groups.show('acme')).toMatchObject({ id: made.id, projects: [] });
    expect(await client.Groups.edit(made.id, { description: 'Hammers' })).toMatchObject({
      description: 'Hammers',
    });
    await client.Groups.create('inner', 'inner', { parentId: made.id });
    expect(await client.Groups.show('acme/inner')).toMatchObject({ parent_id: made.id });
    const project = await client.Projects.create({ name: 'app', namespaceId: made.id });
    expect(await client.Groups.allProjects(made.id)).toEqual([
      expect.objectContaining({ id: project.id, path_with_namespace: 'acme/app' }),
    ]);
    await client.Groups.remove(made.id);
    await expect(client.Groups.show(made.id)).rejects.toThrow('404 Group Not Found');
  });

  test('pages are walked to the end', async () => {
    for (const path of ['one', 'two', 'three', 'four', 'five']) {
      await seed.group(path, { owner: ada });
    }
    const all = await client.Groups.all({ owned: true, perPage: 2 });
    expect(all.map(({ path }) => path)).toEqual(['five', 'four', 'one', 'three', 'two']);
    const page = await client.Groups.all({
      owned: true,
      perPage: 2,
      page: 2,
      showExpanded: true,
      pagination: 'offset',
    });
    expect(page.paginationInfo).toEqual({
      total: 5,
      next: 3,
      current: 2,
      previous: 1,
      perPage: 2,
      totalPages: 3,
    });
  });
});

describe('Projects', () => {
  test('are made, listed, shown, changed and removed', async () => {
    const made = await client.Projects.create({ name: 'Fine App', visibility: 'internal' });
    expect(made).toMatchObject({ path_with_namespace: 'ada/fine-app', visibility: 'internal' });
    expect(await client.Projects.all({ owned: true })).toEqual([
      expect.objectContaining({ id: made.id }),
    ]);
    expect(await client.Projects.show('ada/fine-app', { statistics: true })).toMatchObject({
      id: made.id,
      statistics: { commit_count: 0 },
    });
    expect(await client.Projects.edit(made.id, { description: 'new' })).toMatchObject({
      description: 'new',
    });
    await client.Projects.remove(made.id);
    await expect(client.Projects.show(made.id)).rejects.toThrow('404 Project Not Found');
  });

  test('a refusal reaches the caller with its text', async () => {
    await expect(client.Projects.create({ name: 'x', path: 'tree' })).rejects.toThrow(
      'tree is a reserved name',
    );
    await expect(as({ ...ada, token: 'not-a-token' }).Projects.all()).rejects.toThrow(
      '401 Unauthorized',
    );
  });
});

describe('members', () => {
  test('of a project are added, listed, shown, changed and removed', async () => {
    const { id } = await seed.project('ada/team');
    const { ProjectMembers } = client;
    expect(await ProjectMembers.add(id, 30, { userId: bob.id })).toEqual(memberShape(url, bob, 30));
    expect(await ProjectMembers.all(id)).toEqual([
      memberShape(url, ada, 40),
      memberShape(url, bob, 30),
    ]);
    expect(await ProjectMembers.show(id, bob.id)).toEqual(memberShape(url, bob, 30));
    expect(await ProjectMembers.edit(id, bob.id, 40, { expiresAt: '2999-01-01' })).toEqual({
      ...memberShape(url, bob, 40),
      expires_at: '2999-01-01',
    });
    await ProjectMembers.remove(id, bob.id);
    await expect(ProjectMembers.show(id, bob.id)).rejects.toThrow('404 Not found');
  });

  test('of a group are added, listed, shown, changed and removed', async () => {
    const { id } = await client.Groups.create('crew', 'crew');
    const { GroupMembers } = client;
    expect(await GroupMembers.add(id, 20, { userId: bob.id })).toEqual(memberShape(url, bob, 20));
    expect(await GroupMembers.all(id)).toEqual([
      memberShape(url, ada, 50),
      memberShape(url, bob, 20),
    ]);
    expect(await GroupMembers.show(id, bob.id)).toEqual(memberShape(url, bob, 20));
    expect(await GroupMembers.edit(id, bob.id, 50)).toEqual(memberShape(url, bob, 50));
    await GroupMembers.remove(id, bob.id);
    await expect(GroupMembers.show(id, bob.id)).rejects.toThrow('404 Not found');
  });
});

describe('Repositories', () => {
  test('trees and blobs are read', async () => {
    await seed.project('ada/code');
    await seed.push('ada/code', { 'README.md': '# Code\n', 'src/main.ts': 'export {};\n' });
    const tree = await client.Repositories.allRepositoryTrees('ada/code', { recursive: true });
    expect(tree.map(({ path, type, mode }) => [path, type, mode])).toEqual([
      ['src', 'tree', '040000'],
      ['README.md', 'blob', '100644'],
      ['src/main.ts', 'blob', '100644'],
    ]);
    const { id: sha } = tree[1] ?? { id: '' };
    expect(await client.Repositories.showBlob('ada/code', sha)).toEqual({
      size: 7,
      encoding: 'base64',
      content: Buffer.from('# Code\n').toString('base64'),
      sha,
    });
    const raw = await client.Repositories.showBlobRaw('ada/code', sha);
    expect(typeof raw === 'string' ? raw : await (raw as Blob).text()).toBe('# Code\n');
  });
});
