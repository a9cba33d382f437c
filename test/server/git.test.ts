import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db, remote } = await world();
const owner = await seed.user('owner');
const guest = await seed.user('guest');
const reporter = await seed.user('reporter');
const developer = await seed.user('developer');
const outsider = await seed.user('outsider');
const external = await seed.user('external', { isExternal: true });
const blocked = await seed.user('blocked');
await db.user.update({ where: { id: blocked.id }, data: { state: 'blocked' } });

await seed.group('acme', {}, { visibility: 'public' });
const roles = { guest, reporter, developer };
await seed.project('acme/public', roles, { visibility: 'public' });
await seed.project('acme/internal', roles, { visibility: 'internal' });
await seed.project('acme/private', roles);
const archived = await seed.project('acme/archived', roles, { visibility: 'public' });
await db.project.update({ where: { id: archived.id }, data: { isArchived: true } });

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'millrace-git-'));
});
afterAll(() => rm(scratch, { recursive: true }));

const users: Readonly<Record<string, TestUser | null>> = {
  anonymous: null,
  guest,
  reporter,
  developer,
  outsider,
  external,
  blocked,
  'a wrong password': { ...developer, token: 'not-the-password-at-all' },
  'an empty password': { ...developer, token: '' },
  'an administrator': root,
};

const authorization = (user: TestUser) =>
  `Basic ${Buffer.from(`${user.username}:${user.token}`).toString('base64')}`;

/** The first request of git. */
async function handshake(path: string, service: string, user: TestUser | null) {
  const response = await fetch(`${url}/${path}.git/info/refs?service=git-${service}-pack`, {
    headers: user ? { Authorization: authorization(user) } : {},
    redirect: 'manual',
  });
  const text = await response.text();
  return {
    status: response.status,
    // the content of a successful response is tested with git itself
    text: response.status === 200 ? '' : text,
    challenge: response.headers.get('WWW-Authenticate'),
  };
}

const texts: Readonly<Record<number, string>> = { 200: '', 401: 'HTTP Basic: Access denied\n' };
const download = 'You are not allowed to download code from this project.\n';
const push = 'You are not allowed to push code to this project.\n';
const missing = 'The project you were looking for could not be found.\n';

describe('access to fetch and push', () => {
  test.each([
    // project, caller, fetch, push, error texts
    ['public', 'anonymous', 200, 401],
    ['public', 'outsider', 200, 403, '', push],
    ['public', 'external', 200, 403, '', push],
    ['public', 'guest', 200, 403, '', push],
    ['public', 'developer', 200, 200],
    ['public', 'a wrong password', 401, 401],
    ['public', 'an empty password', 401, 401],
    ['public', 'blocked', 401, 401],
    ['internal', 'anonymous', 401, 401],
    ['internal', 'outsider', 200, 403, '', push],
    ['internal', 'external', 404, 404, missing, missing],
    ['internal', 'developer', 200, 200],
    ['private', 'anonymous', 401, 401],
    ['private', 'outsider', 404, 404, missing, missing],
    ['private', 'guest', 403, 403, download, push],
    ['private', 'reporter', 200, 403, '', push],
    ['private', 'developer', 200, 200],
    ['private', 'an administrator', 200, 200],
    ['private', 'blocked', 401, 401],
    ['archived', 'anonymous', 200, 401],
    ['archived', 'developer', 200, 403, '', push],
    ['archived', 'an administrator', 200, 403, '', push],
    ['nothing', 'anonymous', 401, 401],
    ['nothing', 'developer', 404, 404, missing, missing],
    ['nothing', 'a wrong password', 401, 401],
  ] as const)(
    '%s project, %s: fetch %i, push %i',
    async (project, username, fetches, pushes, ...messages) => {
      const [toFetch = '', toPush = ''] = messages as readonly string[];
      const user = users[username] ?? null;
      const challenge = (status: number) => (status === 401 ? 'Basic realm="Millrace"' : null);
      expect(await handshake(`acme/${project}`, 'upload', user)).toEqual({
        status: fetches,
        text: texts[fetches] ?? toFetch,
        challenge: challenge(fetches),
      });
      expect(await handshake(`acme/${project}`, 'receive', user)).toEqual({
        status: pushes,
        text: texts[pushes] ?? toPush,
        challenge: challenge(pushes),
      });
    },
  );

  test('a username or e-mail address with its password works like a token', async () => {
    const { password } = developer;
    for (const username of ['developer', 'DEVELOPER', developer.email]) {
      const caller = { ...developer, username, token: password };
      expect((await handshake('acme/private', 'receive', caller)).status).toBe(200);
    }
  });

  test('a token works with any username', async () => {
    const caller = { ...developer, username: 'oauth2' };
    expect((await handshake('acme/private', 'receive', caller)).status).toBe(200);
  });

  test('a user with two-factor authentication needs a token', async () => {
    const two = await seed.user('two');
    await db.user.update({ where: { id: two.id }, data: { isTwoFactorEnabled: true } });
    expect((await handshake('acme/internal', 'upload', two)).status).toBe(200);
    const byPassword = { ...two, token: two.password };
    expect((await handshake('acme/internal', 'upload', byPassword)).status).toBe(401);
  });

  test('a push to an unknown project does not create it', async () => {
    const folder = await workTree({ 'a.txt': 'a' });
    const { code, stderr } = await tryGit(folder, 'push', remote('owner/new', owner), 'master');
    expect(code).not.toBe(0);
    expect(stderr).toContain('not found');
    expect(await db.project.count({ where: { path: 'later' } })).toBe(0);
    await rm(folder, { recursive: true });
  });
});

describe('clone and push', () => {
  test('a clone equals the push, byte for byte', async () => {
    const content = Buffer.alloc(300_000, 'millrace');
    await seed.project('owner/round', {});
    const sha = await seed.push('owner/round', { 'a/b.bin': content, 'ü.txt': 'ü' });
    await git(scratch, 'clone', '--quiet', remote('owner/round', owner), 'round');
    expect(await git(join(scratch, 'round'), 'rev-parse', 'HEAD')).toBe(sha);
    expect(await git(join(scratch, 'round'), 'branch', '--show-current')).toBe('master');
    expect(await readFile(join(scratch, 'round', 'a/b.bin'))).toEqual(content);
    expect(await git(join(scratch, 'round'), 'fsck')).toBe('');
  });

  test('an empty repository is cloned', async () => {
    await seed.project('owner/bare');
    const { code, stderr } = await tryGit(scratch, 'clone', remote('owner/bare', owner), 'bare');
    expect(code).toBe(0);
    expect(stderr).toContain('empty repository');
  });

  test.each(['0', '2'])('protocol version %s fetches new commits', async (version) => {
    const name = `protocol-${version}`;
    await seed.project(`owner/${name}`);
    const folder = await workTree({ 'a.txt': '1' });
    const address = remote(`owner/${name}`, owner);
    await git(folder, 'push', '--quiet', address, 'master');
    const fetching = ['-c', `protocol.version=${version}`];
    await git(scratch, ...fetching, 'clone', '--quiet', address, name);
    const sha = await commit(folder, { 'a.txt': '2' }, 'Second');
    await git(folder, 'push', '--quiet', address, 'master');
    await git(join(scratch, name), ...fetching, 'pull', '--quiet');
    expect(await git(join(scratch, name), 'rev-parse', 'HEAD')).toBe(sha);
    await git(scratch, ...fetching, 'clone', '--quiet', '--depth=1', address, `${name}-shallow`);
    expect(await git(join(scratch, `${name}-shallow`), 'rev-list', '--count', 'HEAD')).toBe('1');
    await rm(folder, { recursive: true });
  });

  test('project paths are case-insensitive', async () => {
    expect((await handshake('ACME/Private', 'upload', developer)).status).toBe(200);
  });

  test('the handshake without .git is redirected, a push is not', async () => {
    const query = '/info/refs?service=git-upload-pack';
    const response = await fetch(`${url}/acme/public${query}`, { redirect: 'manual' });
    expect(response.status).toBe(301);
    expect(response.headers.get('Location')).toBe(`${url}/acme/public.git${query}`);
    const pushed = await fetch(`${url}/acme/public/git-receive-pack`, { method: 'POST' });
    expect(pushed.status).toBe(404);
  });
});

describe('after a push', () => {
  test('statistics, activity and the default branch follow', async () => {
    const { id } = await seed.project('owner/followed');
    const before = await db.project.findUniqueOrThrow({ where: { id } });
    const folder = await workTree({ 'a.txt': 'a' });
    await commit(folder, { 'b.txt': 'b' }, 'Second');
    await git(folder, 'push', '--quiet', remote('owner/followed', owner), 'master:main');
    const read = async () => (await as(owner).get(`/projects/${id}?statistics=true`)).body;
    expect(await read()).toMatchObject({ default_branch: 'main' });
    const after = await db.project.findUniqueOrThrow({ where: { id } });
    expect(after.lastActivityAt.getTime()).toBeGreaterThan(before.lastActivityAt.getTime());
    expect(await db.push.count({ where: { projectId: id } })).toBe(0);
    await expect.poll(read).toMatchObject({ statistics: { commit_count: 2, lfs_objects_size: 0 } });
    const { statistics } = (await read()) as { statistics: Record<string, number> };
    expect(statistics.repository_size).toBeGreaterThan(0);
    expect(statistics.storage_size).toBe(statistics.repository_size);
    await rm(folder, { recursive: true });
  });

  test('master becomes the default of several first branches', async () => {
    const { id } = await seed.project('owner/several');
    const folder = await workTree({ 'a.txt': 'a' });
    const address = remote('owner/several', owner);
    await git(folder, 'push', '--quiet', address, 'master:alpha', 'master:master', 'master:beta');
    expect((await as(owner).get(`/projects/${id}`)).body).toMatchObject({
      default_branch: 'master',
    });
    await rm(folder, { recursive: true });
  });

  test('a default branch missing from the first push is replaced by the first branch', async () => {
    const folder = await workTree({ 'a.txt': 'a' });
    const preset = async (path: string) => {
      const created = await as(owner).post('/projects', { path });
      const { id } = created.body as { id: number };
      await as(owner).put(`/projects/${id}`, { default_branch: 'trunk' });
      return { id, address: remote(`owner/${path}`, owner) };
    };
    const projectOf = async (id: number) => (await as(owner).get(`/projects/${id}`)).body;

    const { id, address } = await preset('trunkless');
    expect(await projectOf(id)).toMatchObject({ default_branch: 'trunk' });
    await git(folder, 'push', '--quiet', address, 'master:alpha', 'master:topic');
    expect(await projectOf(id)).toMatchObject({ default_branch: 'alpha' });
    await git(scratch, 'clone', '--quiet', address, 'trunkless');
    expect(await git(join(scratch, 'trunkless'), 'branch', '--show-current')).toBe('alpha');
    const { body } = await as(owner).get(`/projects/${id}/repository/branches/alpha`);
    expect(body).toMatchObject({ protected: true });
    await git(folder, 'push', '--quiet', address, 'master:trunk');
    expect(await projectOf(id)).toMatchObject({ default_branch: 'alpha' });

    const other = await preset('trunkful');
    await git(folder, 'push', '--quiet', other.address, 'master:alpha', 'master:trunk');
    expect(await projectOf(other.id)).toMatchObject({ default_branch: 'trunk' });
    const tagged = await preset('tagged');
    await git(folder, 'push', '--quiet', tagged.address, 'master:refs/tags/v1');
    expect(await projectOf(tagged.id)).toMatchObject({ default_branch: 'trunk' });

    const written = await preset('written');
    const file = { branch: 'made', content: 'x', commit_message: 'First' };
    const path = `/projects/${written.id}/repository/files/x.txt`;
    expect((await as(owner).post(path, file)).status).toBe(201);
    expect(await projectOf(written.id)).toMatchObject({ default_branch: 'made' });
    const head = await git(scratch, 'ls-remote', '--symref', written.address, 'HEAD');
    expect(head).toContain('ref: refs/heads/made');
    await rm(folder, { recursive: true });
  });

  test('a developer cannot create a protected default branch with another name', async () => {
    const { id } = await seed.project('owner/guarded', { developer });
    await as(owner).put(`/projects/${id}`, { default_branch: 'trunk' });
    const folder = await workTree({ 'a.txt': 'a' });
    for (const branch of ['topic', 'trunk']) {
      const refs = `master:${branch}`;
      const { stderr } = await tryGit(folder, 'push', remote('owner/guarded', developer), refs);
      expect(stderr).toContain('You are not allowed to push code to protected branches');
    }
    await git(folder, 'push', '--quiet', remote('owner/guarded', owner), 'master:trunk');
    await git(folder, 'push', '--quiet', remote('owner/guarded', developer), 'master:topic');
    await rm(folder, { recursive: true });
  });

  test('a clone checks out the new default branch', async () => {
    const { id } = await seed.project('owner/switched');
    const folder = await workTree({ 'a.txt': 'a' });
    await git(folder, 'push', '--quiet', remote('owner/switched', owner), 'master', 'master:next');
    await as(owner).put(`/projects/${id}`, { default_branch: 'next' });
    await git(scratch, 'clone', '--quiet', remote('owner/switched', owner), 'switched');
    expect(await git(join(scratch, 'switched'), 'branch', '--show-current')).toBe('next');
    await rm(folder, { recursive: true });
  });
});

describe('a project that was moved', () => {
  test('a user with access is redirected to the new path', async () => {
    const { id } = await seed.project('owner/here', { developer });
    await as(owner).put(`/projects/${id}`, { path: 'there' });
    const expected =
      "Project 'owner/here' was moved to 'owner/there'.\n\n" +
      `Please update your Git remote:\n\n  git remote set-url origin ${url}/owner/there.git\n`;
    for (const service of ['upload', 'receive']) {
      expect(await handshake('owner/here', service, developer)).toEqual({
        status: 301,
        text: expected,
        challenge: null,
      });
      expect((await handshake('owner/here', service, outsider)).text).toBe(missing);
      expect((await handshake('owner/here', service, null)).status).toBe(401);
    }
  });

  test('an anonymous user is redirected only to the code of a public project', async () => {
    const visibilities = { open: 'public', inner: 'internal', closed: 'private' };
    for (const [path, visibility] of Object.entries(visibilities)) {
      const { id } = await seed.project(`acme/${path}`, { guest }, { visibility });
      await as(root).put(`/projects/${id}`, { path: `${path}-moved` });
    }
    expect(await handshake('acme/open', 'upload', null)).toEqual({
      status: 301,
      text:
        "Project 'acme/open' was moved to 'acme/open-moved'.\n\n" +
        `Please update your Git remote:\n\n  git remote set-url origin ${url}/acme/open-moved.git\n`,
      challenge: null,
    });
    expect((await handshake('acme/open.wiki', 'upload', null)).status).toBe(301);
    const challenged = await handshake('acme/nothing-here', 'upload', null);
    expect(challenged.status).toBe(401);
    expect(await handshake('acme/open', 'receive', null)).toEqual(challenged);
    for (const path of ['inner', 'closed', 'inner.wiki', 'closed.wiki']) {
      expect(await handshake(`acme/${path}`, 'upload', null)).toEqual(challenged);
    }
    expect((await handshake('acme/inner', 'upload', outsider)).status).toBe(301);
    expect((await handshake('acme/closed', 'upload', guest)).status).toBe(301);
    expect((await handshake('acme/closed', 'upload', outsider)).status).toBe(404);
  });

  test('an anonymous clone follows the redirect of a public project', async () => {
    const { id } = await seed.project('acme/followed', {}, { visibility: 'public' });
    const sha = await seed.push('acme/followed', { 'README.md': 'moved' });
    await as(root).put(`/projects/${id}`, { path: 'follower' });
    const folder = join(scratch, 'followed');
    await git(scratch, 'clone', '--quiet', remote('acme/followed', null), folder);
    expect(await git(folder, 'rev-parse', 'HEAD')).toBe(sha);
  });

  test('a new project at the former path ends the redirect', async () => {
    const { id } = await seed.project('acme/reused', {}, { visibility: 'public' });
    await as(root).put(`/projects/${id}`, { path: 'reused-before' });
    await seed.project('acme/reused', {}, { visibility: 'public', name: 'Reused again' });
    expect((await handshake('acme/reused', 'upload', null)).status).toBe(200);
  });

  test('git follows the redirect for fetch and push', async () => {
    const { id } = await seed.project('owner/old', { developer });
    await seed.push('owner/old', { 'README.md': 'old' });
    const folder = join(scratch, 'moved');
    await git(scratch, 'clone', '--quiet', remote('owner/old', developer), folder);
    await as(owner).put(`/projects/${id}`, { path: 'later' });
    const sha = await commit(folder, { 'a.txt': 'a' }, 'After the move');
    await git(folder, 'push', '--quiet', 'origin', 'HEAD:refs/heads/topic');
    await git(folder, 'fetch', '--quiet');
    expect(await git(folder, 'rev-parse', 'origin/topic')).toBe(sha);
    const body = { method: 'POST', headers: { Authorization: authorization(developer) } };
    const type = { 'Content-Type': 'application/x-git-upload-pack-request' };
    const posted = await fetch(`${url}/owner/old.git/git-upload-pack`, {
      ...body,
      headers: { ...body.headers, ...type },
    });
    expect({ status: posted.status, text: await posted.text() }).toEqual({
      status: 404,
      text: expect.stringContaining("was moved to 'owner/later'"),
    });
  });

  test('the former path of a moved group also redirects', async () => {
    const group = await seed.group('moving', { owner });
    await seed.project('moving/app');
    await as(owner).put(`/groups/${group.id}`, { path: 'moved' });
    expect((await handshake('moving/app', 'upload', owner)).text).toContain(
      `git remote set-url origin ${url}/moved/app.git\n`,
    );
  });
});
