import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, temporaryFolder, tryGit, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, db, seed, root, remote, dataFolder } = await world();
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');

await seed.group('acme', {}, { visibility: 'public' });
const roles = { master: ada, developer: dev, reporter: bob, guest: carl };
const { id: app } = await seed.project('acme/app', roles, { visibility: 'public' });
const { id: closed } = await seed.project('acme/closed', roles);
const { id: empty } = await seed.project('acme/empty', roles);
const { id: old } = await seed.project('acme/old', roles);
const tags = `/projects/${app}/repository/tags`;

const folder = await workTree({ 'README.md': '# App\n' });
const first = await git(folder, 'rev-parse', 'HEAD');
const second = await commit(folder, { 'a.txt': 'a' }, 'Second\n\nWith a body');
await git(folder, 'branch', 'feature/x', first);
await git(folder, 'tag', 'v1.0', first);
await git(folder, 'tag', '--annotate', 'v2.0', '--message=Two\n\nmore', second);
for (const path of ['app', 'closed', 'old']) {
  await git(folder, 'push', '--quiet', remote(`acme/${path}`, root), '--all');
  await git(folder, 'push', '--quiet', remote(`acme/${path}`, root), '--tags');
}
await as(root).post(`/projects/${old}/archive`);
afterAll(() => rm(folder, { recursive: true }));

const date = '2017-10-01T12:00:00.000Z';
const author = { author_name: 'Ada', author_email: 'ada@example.com', authored_date: date };
const signed = {
  ...author,
  committer_name: 'Ada',
  committer_email: 'ada@example.com',
  committed_date: date,
  created_at: date,
};
const shortOf = (id: string) => ({ id, short_id: id.slice(0, 8) });
const initial = {
  ...shortOf(first),
  ...signed,
  title: 'Initial commit',
  message: 'Initial commit\n',
  parent_ids: [],
};
const newest = {
  ...shortOf(second),
  ...signed,
  title: 'Second',
  message: 'Second\n\nWith a body\n',
  parent_ids: [first],
};
const tagShape = (name: string, target: typeof initial | typeof newest = initial) => ({
  name,
  message: null as string | null,
  commit: target,
  protected: false,
  release: null as { tag_name: string; description: string } | null,
});

const failed = (message: string) => ({ status: 405, body: { message } });
const nameOf = (name: string) => encodeURIComponent(name);
const create = (tag_name: string, more: object = {}) =>
  as(dev).post(tags, { tag_name, ref: 'master', ...more });
const removeTag = (name: string) => as(ada).delete(`${tags}/${nameOf(name)}`);
const push = (...args: string[]) => tryGit(folder, 'push', remote('acme/app', root), ...args);
const repositoryPath = async () => {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id: app } });
  return join(dataFolder, 'repositories', `${diskPath}.git`);
};

describe('GET /projects/:id/repository/tags', () => {
  const two = [
    { ...tagShape('v2.0', newest), message: 'Two\n\nmore' },
    { ...tagShape('v1.0', initial), message: null },
  ];

  test.each([null, eve, bob])('lists tags by name in descending order', async (person) => {
    expect(await as(person).get(tags)).toEqual({ status: 200, body: two });
  });

  test('is paginated and sorted by bytes', async () => {
    const names = ['B', 'a', 'Z/1', 'v10', 'é'];
    await push(...names.map((name) => `${first}:refs/tags/${name}`));
    const response = await as(null).fetch(`${tags}?per_page=4&page=2`);
    const listed = (await response.json()) as { name: string }[];
    expect([response.headers.get('X-Total'), listed.map(({ name }) => name)]).toEqual([
      '7',
      ['a', 'Z/1', 'B'],
    ]);
    expect(await as(null).get(`${tags}?page=9`)).toEqual({ status: 200, body: [] });
    await push('--delete', ...names);
    expect((await as(null).get(tags)).body).toEqual(two);
  });

  test('an empty repository has no tags', async () => {
    expect(await as(ada).get(`/projects/${empty}/repository/tags`)).toEqual({
      status: 200,
      body: [],
    });
  });

  test('shows a tag of a blob and a tag of a tag', async () => {
    const blob = await git(folder, 'rev-parse', 'HEAD:README.md');
    await git(folder, 'tag', '--annotate', 'twice', '--message=Again', 'v2.0');
    await push(`${blob}:refs/tags/blob`, 'refs/tags/twice');
    expect(await as(null).get(`${tags}/blob`)).toEqual({
      status: 200,
      body: { name: 'blob', message: null, protected: false, commit: null, release: null },
    });
    expect(await as(null).get(`${tags}/twice`)).toEqual({
      status: 200,
      body: { ...tagShape('twice', newest), message: 'Again' },
    });
    await push('--delete', 'blob', 'twice');
  });

  test('requires access to the code', async () => {
    for (const path of ['tags', 'tags/v1.0', 'tags?page=x']) {
      const address = `/projects/${closed}/repository/${path}`;
      expect(await as(carl).get(address)).toEqual(refused.forbidden);
      expect(await as(null).get(address)).toEqual(refused.missing('Project'));
      expect(await as(eve).get(address)).toEqual(refused.missing('Project'));
    }
    expect(await as(null).get(`${tags}?page=x`)).toEqual(refused.parameter('page is invalid'));
  });
});

describe('GET /projects/:id/repository/tags/:tag_name', () => {
  test.each(['v1.0', 'v1%2E0'])('shows a tag: %s', async (name) => {
    expect(await as(null).get(`${tags}/${name}`)).toEqual({ status: 200, body: tagShape('v1.0') });
  });

  test.each(['v1', 'master', 'V1.0', first, '--all', 'a b', 'v1.0^{}', '..', 'é', '%', '.json'])(
    '%s gives 404',
    async (name) => {
      // `fetch` would resolve a path of dots
      const encoded = nameOf(name).replace('..', '%2E%2E%2F');
      expect(await as(null).get(`${tags}/${encoded}`)).toEqual(refused.missing('Tag'));
    },
  );
});

describe('POST /projects/:id/repository/tags', () => {
  test.each([
    ['a branch', 'feature/x'],
    ['a tag', 'v1.0'],
    ['an id', first],
    ['a short id', first.slice(0, 8)],
    ['a full reference', 'refs/heads/feature/x'],
  ])('creates a tag from %s', async (_label, ref) => {
    expect(await create('made', { ref })).toEqual({ status: 201, body: tagShape('made') });
    expect(await git(await repositoryPath(), 'cat-file', '-t', 'refs/tags/made')).toBe('commit');
    expect(await removeTag('made')).toEqual({ status: 204, body: null });
  });

  test.each(['with/slash', 'v1.2.3-rc.1+build', 'é😀', 'n'.repeat(250), "it's", '100%', 'a#b'])(
    'accepts the name %s',
    async (name) => {
      expect(await create(name)).toEqual({ status: 201, body: tagShape(name, newest) });
      expect(await as(null).get(`${tags}/${nameOf(name)}`)).toEqual({
        status: 200,
        body: tagShape(name, newest),
      });
      expect(await removeTag(name)).toEqual({ status: 204, body: null });
    },
  );

  test.each(['One', '# not a comment\n\n  two\nthree 😀', '-- \n<x>', 'a\r\nb'])(
    'a message creates an annotated tag that git accepts: %j',
    async (message) => {
      const { status, body } = await create('noted', { ref: 'v2.0', message: ` ${message}\n\n` });
      expect({ status, body }).toEqual({
        status: 201,
        body: { ...tagShape('noted', newest), message: message.trim() },
      });
      const clone = await temporaryFolder();
      await git(clone, 'clone', '--quiet', remote('acme/app', null), '.');
      expect(await git(clone, 'cat-file', '-t', 'noted')).toBe('tag');
      expect(await git(clone, 'rev-parse', 'noted^{}')).toBe(second);
      const text = await git(clone, 'cat-file', 'tag', 'noted');
      const [head = '', ...paragraphs] = text.split('\n\n');
      expect(head.replace(/> \d+ /, '> … ')).toBe(
        `object ${second}\ntype commit\ntag noted\ntagger Dev <dev@example.com> … +0000`,
      );
      expect(paragraphs.join('\n\n')).toBe(message.trim());
      await git(clone, 'fsck', '--strict');
      await git(await repositoryPath(), 'fsck', '--strict');
      await rm(clone, { recursive: true });
      await removeTag('noted');
    },
  );

  test('a blank message creates no annotated tag, a blank description no release', async () => {
    const more = { message: ' \n', release_description: '' };
    expect(await create('blank', more)).toEqual({ status: 201, body: tagShape('blank', newest) });
    await removeTag('blank');
  });

  test('creates a tag together with a release', async () => {
    const description = '# Notes\n\n- one 😀';
    const created = await create('released', { message: 'm', release_description: description });
    const release = { tag_name: 'released', description };
    const body = { ...tagShape('released', newest), message: 'm', release };
    expect(created).toEqual({ status: 201, body });
    expect(await as(null).get(`${tags}/released`)).toEqual({ status: 200, body });
    expect((await as(null).get(tags)).body).toContainEqual(body);
    expect(await db.push.count({ where: { projectId: app } })).toBe(0);
    await removeTag('released');
  });

  test.each([
    '',
    '-x',
    'a..b',
    'a b',
    '.a',
    'a.',
    'a/',
    '/a',
    'a//b',
    'a.lock',
    'a@{1}',
    '@',
    'HEAD',
    'a~1',
    'a\\b',
    'a*',
    'a\nb',
    'refs/heads/master',
    'n'.repeat(251),
    'n'.repeat(256),
    'é'.repeat(126),
    'v1.0/below',
  ])('%j is rejected as a name', async (name) => {
    expect(await create(name)).toEqual(failed('Tag name invalid'));
  });

  test.each(['nothing', '-x', '--all', 'a..b', 'master^', 'master:README.md', '0'.repeat(40), ''])(
    '%j is rejected as a target',
    async (ref) => {
      expect(await create('made', { ref })).toEqual(failed(`Target ${ref} is invalid`));
    },
  );

  test('an empty repository has no target', async () => {
    expect(
      await as(ada).post(`/projects/${empty}/repository/tags`, { tag_name: 'v1', ref: 'master' }),
    ).toEqual(failed('Target master is invalid'));
  });

  test('an existing tag is not changed', async () => {
    const again = { message: 'x', release_description: 'x' };
    expect(await as(ada).post(tags, { tag_name: 'v1.0', ref: 'master', ...again })).toEqual(
      failed('Tag v1.0 already exists'),
    );
    expect(await as(null).get(`${tags}/v1.0`)).toEqual({ status: 200, body: tagShape('v1.0') });
  });

  test('one of twelve concurrent requests creates the tag with its release', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => create('race', { release_description: `by ${n}` })),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 405)).toEqual(
      Array(11).fill(failed('Tag race already exists')),
    );
    expect((await as(null).get(`${tags}/race`)).body).toEqual(created[0]?.body);
    expect(created[0]?.body).toMatchObject({ release: { tag_name: 'race' } });
    expect(await db.push.count({ where: { projectId: app } })).toBe(0);
    await removeTag('race');
  });

  test('requires a developer', async () => {
    const input = { tag_name: 'x', ref: 'master' };
    expect(await as(null).post(tags, input)).toEqual(refused.anonymous);
    for (const person of [eve, carl, bob]) {
      expect(await as(person).post(tags, input)).toEqual(refused.forbidden);
      expect(await as(person).post(tags, {})).toEqual(refused.forbidden);
    }
    const hidden = `/projects/${closed}/repository/tags`;
    expect(await as(eve).post(hidden, input)).toEqual(refused.missing('Project'));
    const archived = `/projects/${old}/repository/tags`;
    expect(await as(ada).post(archived, input)).toEqual(refused.forbidden);
  });

  test.each([
    [{}, 'tag_name is missing, ref is missing'],
    [{ tag_name: 'x' }, 'ref is missing'],
    [{ tag_name: 'a\0b', ref: 'master' }, 'tag_name is invalid'],
    [{ tag_name: 'x', ref: ['master'] }, 'ref is invalid'],
    [{ tag_name: 'x', ref: 'master', message: 'a\0' }, 'message is invalid'],
  ])('%j is rejected: %s', async (input, text) => {
    expect(await as(dev).post(tags, input)).toEqual(refused.parameter(text));
  });
});

describe('DELETE /projects/:id/repository/tags/:tag_name', () => {
  test('deletes the release too, and a new tag of that name has no release', async () => {
    await create('deleted', { release_description: 'old' });
    expect(await removeTag('deleted')).toEqual({ status: 204, body: null });
    expect(await db.release.count({ where: { projectId: app } })).toBe(0);
    expect(await removeTag('deleted')).toEqual(refused.missing('Tag'));
    expect(await create('deleted')).toEqual({ status: 201, body: tagShape('deleted', newest) });
    await removeTag('deleted');
  });

  test('a tag deleted by git loses its release', async () => {
    await create('pushed/away', { release_description: 'old' });
    expect((await push('--delete', 'pushed/away')).code).toBe(0);
    expect(await db.release.count({ where: { projectId: app } })).toBe(0);
  });

  test('requires a master', async () => {
    expect(await as(null).delete(`${tags}/v1.0`)).toEqual(refused.anonymous);
    for (const person of [eve, carl, bob]) {
      expect(await as(person).delete(`${tags}/v1.0`)).toEqual(refused.forbidden);
    }
    expect(await as(dev).delete(`${tags}/v1.0`)).toEqual({
      status: 400,
      body: { message: 'You are not allowed to change existing tags on this project.' },
    });
    expect(await as(dev).delete(`${tags}/nothing`)).toEqual(refused.missing('Tag'));
    expect(await as(ada).delete(`/projects/${old}/repository/tags/v1.0`)).toEqual(
      refused.forbidden,
    );
    expect(await as(null).get(`${tags}/v1.0`)).toEqual({ status: 200, body: tagShape('v1.0') });
  });

  test('If-Unmodified-Since keeps a tag with a newer commit', async () => {
    await create('young');
    const deleteTag = (since: string) =>
      as(ada).fetch(`${tags}/young`, {
        method: 'DELETE',
        headers: { 'If-Unmodified-Since': since },
      });
    const response = await deleteTag('Sun, 01 Oct 2017 11:59:59 GMT');
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect((await deleteTag('Sun, 01 Oct 2017 12:00:00 GMT')).status).toBe(204);
  });

  test('one of several concurrent deletions succeeds', async () => {
    await create('race', { release_description: 'x' });
    const responses = await Promise.all(Array.from({ length: 8 }, () => removeTag('race')));
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 204)).toEqual(
      Array(7).fill(refused.missing('Tag')),
    );
    expect(await db.release.count({ where: { projectId: app } })).toBe(0);
  });
});
