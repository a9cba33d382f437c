import { readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, type Files, git, temporaryFolder, tryGit, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db, dataFolder, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const dora = await seed.user('dora');
const eve = await seed.user('eve');

const roles = { developer: bob, reporter: cleo, guest: dora };
const { id: app } = await seed.project('ada/app', roles, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', roles, { visibility: 'private' });

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const wikiOf = (project: string, person: TestUser | null) => remote(`${project}.wiki`, person);

const clone = async (project: string, person: TestUser | null) => {
  const folder = await temporaryFolder();
  folders.push(folder);
  await git(folder, 'clone', '--quiet', wikiOf(project, person), 'it');
  return join(folder, 'it');
};

/** A work tree whose `master` is pushed to the wiki. */
const pushed = async (project: string, files: Files) => {
  const folder = await workTree(files);
  folders.push(folder);
  await git(folder, 'push', '--quiet', wikiOf(project, bob), 'master');
  return folder;
};

const titles = async (id: number) =>
  ((await as(null).get(`/projects/${id}/wikis`)).body as { title: string }[]).map(
    ({ title }) => title,
  );

const repositoryPath = async (id: number, ending = '') => {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return join(dataFolder, 'repositories', `${diskPath}${ending}.git`);
};

const isThere = (folder: string) =>
  readdir(folder).then(
    () => true,
    () => false,
  );

describe('the repository of a wiki', () => {
  test('is created once by concurrent first clones', async () => {
    expect(await isThere(await repositoryPath(app, '.wiki'))).toBe(false);
    await Promise.all([null, eve, bob, ada].map((person) => clone('ada/app', person)));
    expect(await isThere(await repositoryPath(app, '.wiki'))).toBe(true);
    expect(await readdir(join(dataFolder, 'repositories', '+making'))).toEqual([]);
  });

  test('shows pushed pages', async () => {
    const { id } = await seed.project('ada/pushed', roles, { visibility: 'public' });
    const folder = await workTree({
      'home.md': '# Home\r\n',
      'dir/My Page.rdoc': '= Mine',
      'dir/sub/x.asciidoc': '',
      'dir/My-Dash.markdown': 'later',
      'dir/My-Dash.md': 'earlier',
      'dir/My Dash.md': 'never',
      'other.adoc': 'an article',
      'logo.png': Buffer.from([0, 255]),
      'notes.txt': 'no page',
      '.md': 'no name',
      'latin.md': Buffer.from([0x66, 0xfc, 0x72]),
    });
    folders.push(folder);
    await symlink('home.md', join(folder, 'link.md'));
    await commit(folder, {}, 'A link');
    await git(folder, 'push', '--quiet', wikiOf('ada/pushed', bob), 'master', 'master:side');
    const pageShape = (format: string, slug: string, title: string, content: string) => ({
      format,
      slug,
      title,
      content,
    });
    expect(await as(null).get(`/projects/${id}/wikis?with_content=true`)).toEqual({
      status: 200,
      body: [
        pageShape('markdown', 'dir/My-Dash', 'My Dash', 'earlier'),
        pageShape('rdoc', 'dir/My-Page', 'My Page', '= Mine'),
        pageShape('asciidoc', 'dir/sub/x', 'x', ''),
        pageShape('markdown', 'home', 'home', '# Home\r\n'),
        pageShape('markdown', 'latin', 'latin', 'f\ufffdr'),
        pageShape('asciidoc', 'other', 'other', 'an article'),
      ],
    });
    const wiki = `/projects/${id}/wikis`;
    const existingPage = { title: 'dir/My page', content: 'x' };
    expect((await as(bob).post(wiki, { ...existingPage, title: 'dir/My Page' })).status).toBe(400);
    expect((await as(bob).post(wiki, existingPage)).status).toBe(201);
    expect((await as(bob).post(wiki, { title: 'link', content: 'x' })).status).toBe(400);
    // a page keeps its file name
    await as(bob).put(`${wiki}/dir%2FMy-Page`, { title: 'My Page', content: 'new' });
    await as(bob).put(`${wiki}/other`, { content: 'new' });
    await git(folder, 'pull', '--quiet', wikiOf('ada/pushed', bob), 'master');
    expect(await git(folder, 'show', 'HEAD:dir/My Page.rdoc', 'HEAD:other.adoc')).toBe('newnew');
  });

  test('has no default branch election, protection, ledger or releases', async () => {
    const { id } = await seed.project('ada/rules', roles, { visibility: 'public' });
    const before = await db.project.findUniqueOrThrow({ where: { id } });
    const folder = await pushed('ada/rules', { 'home.md': 'one' });
    await git(folder, 'commit', '--quiet', '--amend', '--message=Other');
    await git(folder, 'tag', 'v1');
    const address = wikiOf('ada/rules', bob);
    await git(folder, 'push', '--quiet', '--force', address, 'master', 'v1');
    await git(folder, 'push', '--quiet', address, ':master');
    expect(await titles(id)).toEqual([]);
    expect(await db.project.findUniqueOrThrow({ where: { id } })).toEqual(before);
    expect(await db.push.count()).toBe(0);
    expect(await db.protectedBranch.count()).toBe(0);
    expect((await as(bob).get(`/projects/${id}/repository/branches`)).body).toEqual([]);
  });

  test('has a commit by the author for each edit', async () => {
    const wiki = `/projects/${app}/wikis`;
    await as(bob).post(wiki, { title: 'A Page', content: 'one\r\n' });
    await as(ada).put(`${wiki}/A-Page`, { title: 'b/C' });
    await as(ada).delete(`${wiki}/b%2FC`);
    const folder = await clone('ada/app', null);
    expect((await git(folder, 'log', '--format=%an <%ae> %s')).split('\n')).toEqual([
      'Ada <ada@example.com> ada deleted page: C',
      'Ada <ada@example.com> ada updated page: C',
      'Bob <bob@example.com> bob created page: A Page',
    ]);
    expect(await git(folder, 'ls-tree', '-r', '--name-only', 'HEAD~1')).toBe('b/C.md');
    expect(await git(folder, 'cat-file', '-s', 'HEAD~1:b/C.md')).toBe('5');
    expect(await git(folder, 'ls-tree', '-r', 'HEAD')).toBe('');
    expect(await git(await repositoryPath(app, '.wiki'), 'fsck', '--strict')).toBe('');
  });

  test('rejects a push that an edit has overtaken', async () => {
    const { id } = await seed.project('ada/overtaken', roles, { visibility: 'public' });
    const folder = await pushed('ada/overtaken', { 'home.md': 'one' });
    await as(bob).post(`/projects/${id}/wikis`, { title: 'new', content: 'x' });
    await commit(folder, { 'home.md': 'two' }, 'Two');
    const address = wikiOf('ada/overtaken', bob);
    const { code, stderr } = await tryGit(folder, 'push', address, 'master');
    expect([code, stderr]).toEqual([1, expect.stringContaining('[rejected]')]);
    await git(folder, 'pull', '--quiet', '--rebase', address, 'master');
    await git(folder, 'push', '--quiet', address, 'master');
    expect(await titles(id)).toEqual(['home', 'new']);
  });
});

describe('fetch and push access', () => {
  const handshake = async (project: string, service: string, person: TestUser | null) => {
    const credentials = person && btoa(`${person.username}:${person.token}`);
    const headers = credentials ? { Authorization: `Basic ${credentials}` } : undefined;
    const address = `${url}/${project}.git/info/refs?service=git-${service}`;
    const response = await fetch(address, { redirect: 'manual', ...(headers && { headers }) });
    const text = await response.text();
    return response.status === 200 ? 200 : [response.status, text.trim()];
  };
  const challenge = [401, 'HTTP Basic: Access denied'];
  const missing = [404, 'The project you were looking for could not be found.'];
  const denied = [403, "You are not allowed to write to this project's wiki."];

  test.each([
    ['ada/app', null, 200, challenge],
    ['ada/app', eve, 200, denied],
    ['ada/app', cleo, 200, denied],
    ['ada/app', bob, 200, 200],
    ['ADA/App', ada, 200, 200],
    ['ada/closed', null, challenge, challenge],
    ['ada/closed', eve, missing, missing],
    ['ada/closed', dora, 200, denied],
    ['ada/closed', cleo, 200, denied],
    ['ada/closed', bob, 200, 200],
    ['ada/closed', root, 200, 200],
    ['ada/none', null, challenge, challenge],
    ['ada/none', bob, missing, missing],
  ])('to the wiki of %s, for %o', async (project, person, fetching, pushing) => {
    for (const ending of ['wiki', 'WIKI']) {
      expect(await handshake(`${project}.${ending}`, 'upload-pack', person)).toEqual(fetching);
      expect(await handshake(`${project}.${ending}`, 'receive-pack', person)).toEqual(pushing);
    }
  });

  test('is refused to all users if the wiki is disabled', async () => {
    await seed.project('ada/off', roles, { visibility: 'public', wiki_enabled: false });
    const unread = [403, "You are not allowed to read this project's wiki."];
    expect(await handshake('ada/off.wiki', 'upload-pack', null)).toEqual(challenge);
    for (const person of [bob, ada, root]) {
      expect(await handshake('ada/off.wiki', 'upload-pack', person)).toEqual(unread);
      expect(await handshake('ada/off.wiki', 'receive-pack', person)).toEqual(denied);
      expect(await handshake('ada/off', 'upload-pack', person)).toBe(200);
    }
  });

  test('to push is refused in an archived project', async () => {
    const { id } = await seed.project('ada/archived', roles, { visibility: 'public' });
    await pushed('ada/archived', { 'home.md': 'one' });
    await as(ada).post(`/projects/${id}/archive`);
    expect(await handshake('ada/archived.wiki', 'upload-pack', null)).toBe(200);
    expect(await handshake('ada/archived.wiki', 'receive-pack', ada)).toEqual(denied);
  });

  test('redirects a former path, and a path without .git', async () => {
    const { id } = await seed.project('ada/former', roles, { visibility: 'public' });
    await pushed('ada/former', { 'home.md': 'one' });
    expect((await as(ada).put(`/projects/${id}`, { path: 'latter' })).status).toBe(200);
    expect(await titles(id)).toEqual(['home']);
    const [status, text] = (await handshake('ada/former.wiki', 'upload-pack', bob)) as unknown[];
    expect([status, text]).toEqual([
      301,
      expect.stringContaining(`git remote set-url origin ${url}/ada/latter.wiki.git`),
    ]);
    const folder = await clone('ada/former', bob);
    expect(await readdir(folder)).toContain('home.md');
    const plain = `${url}/ada/latter.wiki/info/refs?service=git-upload-pack`;
    const response = await fetch(plain, { redirect: 'manual' });
    expect([response.status, response.headers.get('Location')]).toEqual([
      301,
      `${url}/ada/latter.wiki.git/info/refs?service=git-upload-pack`,
    ]);
  });
});

describe('the wiki of a project', () => {
  test('is removed with it', async () => {
    const { id } = await seed.project('ada/deleted', roles, { visibility: 'public' });
    await pushed('ada/deleted', { 'home.md': 'one' });
    const both = [await repositoryPath(id), await repositoryPath(id, '.wiki')];
    expect(await Promise.all(both.map(isThere))).toEqual([true, true]);
    await as(ada).delete(`/projects/${id}`);
    await expect.poll(() => db.project.count({ where: { id } })).toBe(0);
    expect(await Promise.all(both.map(isThere))).toEqual([false, false]);
  });

  test('is not copied into forks', async () => {
    await pushed('ada/closed', { 'home.md': 'one' });
    const { body } = await as(bob).post(`/projects/${closed}/fork`);
    const { id } = body as { id: number };
    expect(await as(bob).get(`/projects/${id}/wikis`)).toEqual({ status: 200, body: [] });
  });

  test('survives a transfer', async () => {
    const { id } = await seed.project('ada/moving', roles, { visibility: 'public' });
    await pushed('ada/moving', { 'home.md': 'one' });
    const { id: group } = await seed.group('acme', { owner: ada }, { visibility: 'public' });
    expect((await as(root).post(`/groups/${group}/projects/${id}`)).status).toBe(201);
    expect(await titles(id)).toEqual(['home']);
    expect(await readdir(await clone('acme/moving', null))).toContain('home.md');
  });
});
