import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { cloneDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { startProcess } from '../support/process.ts';
import type { TestUser } from '../support/seed.ts';
import { gitWith, type SshKeyPair, ssh, sshKeyPair } from '../support/ssh.ts';
import { world } from '../support/world.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-ssh-test-'));
afterAll(() => rm(folder, { recursive: true }));

const port = await freePort();
const { as, seed, root, db, url } = await world({
  variables: { MILLRACE_SSH_PORT: String(port) },
  isOneProcess: true,
});

const [master, developer, reporter, guest, outsider] = await Promise.all(
  ['mia', 'dev', 'rob', 'gus', 'otto'].map((name) => seed.user(name)),
);
const levels = { master, developer, reporter, guest } as Record<string, TestUser>;
await seed.group('acme', {}, { visibility: 'public' });
const app = await seed.project('acme/app', levels);
await seed.push('acme/app', { 'a.txt': 'one\n' });
await seed.project('acme/open', levels, { visibility: 'public' });
await seed.push('acme/open', { 'a.txt': 'open\n' });

async function keyOf(user: TestUser | undefined, type?: Parameters<typeof sshKeyPair>[1]) {
  if (!user) throw new Error('no user');
  const pair = await sshKeyPair(folder, type);
  const key = { title: 'laptop', key: pair.publicKey };
  expect(await as(user).post('/user/keys', key)).toMatchObject({ status: 201 });
  return pair;
}

const addressOf = (path: string) => `ssh://git@localhost:${port}/${path}.git`;
const clone = async (key: SshKeyPair, path: string, ...options: readonly string[]) => {
  const target = join(folder, crypto.randomUUID());
  const outcome = await gitWith(
    key,
    folder,
    'clone',
    '--quiet',
    ...options,
    addressOf(path),
    target,
  );
  return { ...outcome, target };
};

/** Commits in a clone and pushes to a branch. */
async function push(key: SshKeyPair, path: string, branch: string, ...options: readonly string[]) {
  const { target } = await clone(await keyOf(root), path);
  await writeFile(join(target, `${crypto.randomUUID()}.txt`), 'new\n');
  await gitWith(key, target, 'add', '.');
  await gitWith(key, target, 'commit', '--quiet', '-m', 'Change');
  return gitWith(
    key,
    target,
    'push',
    '--porcelain',
    ...options,
    'origin',
    `HEAD:refs/heads/${branch}`,
  );
}

describe('a user with a key', () => {
  test.each(['ed25519', 'rsa', 'ecdsa'] as const)('clones by a key of type %s', async (type) => {
    const { code, target } = await clone(await keyOf(reporter, type), 'acme/app');
    expect(code).toBe(0);
    expect(await readFile(join(target, 'a.txt'), 'utf8')).toBe('one\n');
  });

  test('pushes, and reads the consequences at once', async () => {
    const { code, stdout } = await push(await keyOf(developer), 'acme/app', 'feature');
    expect(code).toBe(0);
    expect(stdout).toContain('[new branch]');
    const branch = `/projects/${app.id}/repository/branches/feature`;
    expect(await as(developer ?? null).get(branch)).toMatchObject({ status: 200 });
    const author = await db.event.findFirst({
      orderBy: { id: 'desc' },
      select: { authorId: true },
    });
    expect(author).toEqual({ authorId: developer?.id });
  });

  test('gets protocol version 2, shallow and partial clones, and archives', async () => {
    const key = await keyOf(reporter);
    const { target } = await clone(key, 'acme/app', '--depth=1', '--filter=blob:none');
    expect((await gitWith(key, target, 'rev-parse', '--is-shallow-repository')).stdout).toBe(
      'true\n',
    );
    const traced = await gitWith(
      key,
      target,
      '-c',
      'protocol.version=2',
      'ls-remote',
      'origin',
      'HEAD',
    );
    expect(traced.code).toBe(0);
    const archive = await gitWith(
      key,
      folder,
      'archive',
      `--remote=${addressOf('acme/app')}`,
      'master',
    );
    expect(archive.stdout).toContain('a.txt');
  });

  test('clones and pushes the wiki', async () => {
    const page = { title: 'Home', content: 'Welcome' };
    await as(master ?? null).post(`/projects/${app.id}/wikis`, page);
    const key = await keyOf(developer);
    const { target } = await clone(key, 'acme/app.wiki');
    await writeFile(join(target, 'More.md'), 'more\n');
    await gitWith(key, target, 'add', '.');
    await gitWith(key, target, 'commit', '--quiet', '-m', 'More');
    expect((await gitWith(key, target, 'push', 'origin', 'HEAD')).code).toBe(0);
    expect(await as(master ?? null).get(`/projects/${app.id}/wikis/More`)).toMatchObject({
      body: { content: 'more\n' },
    });
  });

  test('gets a token for LFS, bound to what the key may do', async () => {
    const authenticate = (key: SshKeyPair, path: string, operation: string) =>
      ssh(port, key, 'git@localhost', `git-lfs-authenticate ${path} ${operation}`);
    const key = await keyOf(reporter);
    const { code, stdout } = await authenticate(key, 'acme/app.git', 'download');
    expect(code).toBe(0);
    const { href, header } = JSON.parse(stdout) as { href: string; header: Record<string, string> };
    expect(href).toBe(`${url}/acme/app.git/info/lfs`);
    const body = JSON.stringify({ operation: 'download', objects: [] });
    const type = 'application/vnd.git-lfs+json';
    const batch = await fetch(`${href}/objects/batch`, {
      method: 'POST',
      headers: { ...header, Accept: type, 'Content-Type': type },
      body,
    });
    expect(batch.status).toBe(200);
    const refused = await authenticate(key, 'acme/app.git', 'upload');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('You are not allowed to push code to this project.');
  });

  test('reaches a project by its former path, and learns the new one', async () => {
    const moved = await seed.project('acme/before', { reporter } as never);
    await seed.push('acme/before', { 'a.txt': 'moved\n' });
    await as(root).put(`/projects/${moved.id}`, { path: 'after' });
    const { code, stderr } = await clone(await keyOf(reporter), 'acme/before');
    expect(code).toBe(0);
    expect(stderr).toContain(`git remote set-url origin ${addressOf('acme/after')}`);
  });

  test('is greeted without a command', async () => {
    const { code, stdout } = await ssh(port, await keyOf(guest), '-T', 'git@localhost');
    expect([code, stdout]).toEqual([0, 'Welcome to Millrace, @gus!\n']);
  });

  test('the time of the last use of the key is recorded', async () => {
    const key = await keyOf(reporter);
    await clone(key, 'acme/app');
    const record = await db.key.findFirst({ where: { key: key.publicKey } });
    expect(record?.lastUsedAt).toBeInstanceOf(Date);
  });
});

describe('the rules are those of git over HTTP', () => {
  test.each([
    [
      'a guest may not fetch a private project',
      () => guest,
      'You are not allowed to download code',
    ],
    ['an outsider does not see it', () => outsider, 'could not be found'],
  ])('%s', async (_title, user, text) => {
    const { code, stderr } = await clone(await keyOf(user()), 'acme/app');
    expect(code).toBe(128);
    expect(stderr).toContain('fatal: remote error: ');
    expect(stderr).toContain(text);
  });

  test('an outsider clones a public project', async () => {
    expect((await clone(await keyOf(outsider), 'acme/open')).code).toBe(0);
  });

  test('a reporter may not push', async () => {
    const { code, stderr } = await push(await keyOf(reporter), 'acme/app', 'other');
    expect(code).not.toBe(0);
    expect(stderr).toContain('You are not allowed to push code to this project.');
  });

  test('a developer may not push to a protected branch', async () => {
    const { code, stderr } = await push(await keyOf(developer), 'acme/app', 'master');
    expect(code).not.toBe(0);
    expect(stderr).toContain('You are not allowed to push code to protected branches');
  });

  test('an administrator closes one of both protocols', async () => {
    const key = await keyOf(reporter);
    const set = (value: string) =>
      as(root).put('/application/settings', { enabled_git_access_protocol: value });
    await set('http');
    expect((await clone(key, 'acme/app')).stderr).toContain('Git access over SSH is not allowed');
    await set('ssh');
    expect((await clone(key, 'acme/app')).code).toBe(0);
    const { stderr } = await gitWith(key, folder, 'ls-remote', `${url}/acme/open.git`);
    expect(stderr).toContain('Git access over HTTP is not allowed');
    await set('');
  });
});

describe('no access', () => {
  const denied = 'git@localhost: Permission denied (publickey).';

  test('with an unknown key', async () => {
    const { code, stderr } = await ssh(port, await sshKeyPair(folder), '-T', 'git@localhost');
    expect([code, stderr.trim()]).toEqual([255, denied]);
  });

  test('with an expired key', async () => {
    const key = await keyOf(reporter);
    await db.key.updateMany({ where: { key: key.publicKey }, data: { expiresAt: new Date(0) } });
    expect((await ssh(port, key, '-T', 'git@localhost')).stderr.trim()).toBe(denied);
  });

  test('for a blocked user', async () => {
    const blocked = await seed.user('blocked');
    const key = await keyOf(blocked);
    await as(root).post(`/users/${blocked.id}/block`);
    expect((await ssh(port, key, '-T', 'git@localhost')).stderr.trim()).toBe(denied);
  });

  test('by another username than git', async () => {
    const { stderr } = await ssh(port, await keyOf(reporter), '-T', 'mia@localhost');
    expect(stderr).toContain('Permission denied (publickey)');
  });

  test('to a shell, other programs, other hosts and terminals', async () => {
    const key = await keyOf(master);
    for (const command of [
      'id',
      'git-shell',
      "git-upload-pack '../../etc'; id",
      "git-upload-pack 'acme/app.git' id",
      `git-upload-pack '${'a'.repeat(5_000)}'`,
    ]) {
      const { code, stdout, stderr } = await ssh(port, key, 'git@localhost', command);
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringContaining('Only git may be used'),
      ]);
    }
    const forwarded = await ssh(port, key, '-W', '127.0.0.1:1', 'git@localhost');
    expect(forwarded.code).toBe(255);
    const terminal = await ssh(port, key, '-tt', 'git@localhost');
    expect(terminal.stderr).toContain('PTY allocation request failed');
  });

  test.each(['acme/../app', '/etc/passwd', '--exec=id', 'acme', 'acme/none'])(
    'to %s',
    async (path) => {
      const { code, stderr } = await clone(await keyOf(master), path);
      expect(code).toBe(128);
      expect(stderr).toContain('could not be found');
    },
  );
});

describe('a deploy key', () => {
  async function deployKey(project: number, canPush: boolean) {
    const pair = await sshKeyPair(folder);
    const key = { title: 'deploy', key: pair.publicKey, can_push: canPush };
    const { status, body } = await as(master ?? null).post(`/projects/${project}/deploy_keys`, key);
    expect(status).toBe(201);
    return { ...pair, id: (body as { id: number }).id };
  }

  test('fetches its project and public ones, no other, and does not push', async () => {
    await seed.project('acme/hidden');
    await seed.push('acme/hidden', { 'a.txt': 'hidden\n' });
    const key = await deployKey(app.id, false);
    expect((await clone(key, 'acme/app')).code).toBe(0);
    expect((await clone(key, 'acme/open')).code).toBe(0);
    expect((await clone(key, 'acme/hidden')).stderr).toContain('could not be found');
    expect((await push(key, 'acme/app', 'by-key')).stderr).toContain('does not have write access');
    expect((await push(key, 'acme/open', 'by-key')).stderr).toContain('could not be found');
  });

  test('pushes as the user who allowed it, but not to protected branches', async () => {
    const key = await deployKey(app.id, true);
    expect((await push(key, 'acme/app', 'by-key')).code).toBe(0);
    const author = await db.event.findFirst({
      orderBy: { id: 'desc' },
      select: { authorId: true },
    });
    expect(author).toEqual({ authorId: master?.id });
    expect((await push(key, 'acme/app', 'master')).stderr).toContain('protected branches');
    await as(master ?? null).delete(`/projects/${app.id}/deploy_keys/${key.id}`);
    expect((await clone(key, 'acme/app')).stderr).toContain('Permission denied');
  });

  test('does not push once the user who allowed it may not, until another user allows it', async () => {
    const { id } = await seed.project('acme/lent', levels);
    await seed.push('acme/lent', { 'a.txt': 'one\n' });
    const key = await deployKey(id, true);
    const member = `/projects/${id}/members/${master?.id}`;
    const denied = 'does not have write access';
    expect((await push(key, 'acme/lent', 'as-master')).code).toBe(0);
    await as(root).put(member, { access_level: 20 });
    expect((await push(key, 'acme/lent', 'as-reporter')).stderr).toContain(denied);
    await as(root).put(member, { access_level: 30 });
    expect((await push(key, 'acme/lent', 'as-developer')).code).toBe(0);
    await as(root).post(`/users/${master?.id}/block`);
    const blocked = await push(key, 'acme/lent', 'blocked');
    await as(root).post(`/users/${master?.id}/unblock`);
    expect(blocked.stderr).toContain(denied);
    await as(root).delete(member);
    expect((await push(key, 'acme/lent', 'removed')).stderr).toContain(denied);
    expect((await clone(key, 'acme/lent')).code).toBe(0);
    await as(root).put(`/projects/${id}/deploy_keys/${key.id}`, { can_push: true });
    expect((await push(key, 'acme/lent', 'as-root')).code).toBe(0);
  });
});

describe('a start', () => {
  const startWith = async (variables: Record<string, string>) => {
    const database = await cloneDatabase(inject('databaseUrl'));
    const data = await mkdtemp(join(folder, 'data-'));
    const own = { DATABASE_URL: database.url, MILLRACE_DATA: data, ...variables };
    return { own, start: async () => startProcess(await freePort(), own), database };
  };

  test('makes host keys once', async () => {
    const { start, database, own } = await startWith({
      MILLRACE_SSH_PORT: String(await freePort()),
    });
    const fingerprints = async () => {
      const server = await start();
      await server.kill('SIGTERM');
      return readFile(join(own.MILLRACE_DATA, 'ssh/ssh_host_ed25519_key'), 'utf8');
    };
    expect(await fingerprints()).toBe(await fingerprints());
    await database.drop();
  });

  test('fails if the configured port is taken, and goes on without SSH if the default one is', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port: busy } = taken.address() as { port: number };
    const chosen = await startWith({ MILLRACE_SSH_PORT: String(busy) });
    await expect(chosen.start()).rejects.toThrow(`Git over SSH cannot listen on port ${busy}`);
    await chosen.database.drop();
    taken.close();
    const usual = createServer()
      .on('error', () => {})
      .listen(2222, '127.0.0.1');
    const other = await startWith({ MILLRACE_SSH_PORT: '' });
    const server = await other.start();
    expect(server.output()).toContain('git over SSH is not served');
    await server.kill('SIGTERM');
    await other.database.drop();
    usual.close();
  });
});
