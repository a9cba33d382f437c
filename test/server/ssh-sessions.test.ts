import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { lfsClient, randomContent } from '../support/lfs.ts';
import type { TestUser } from '../support/seed.ts';
import {
  gitWith,
  type SshKeyPair,
  ssh,
  sshKeyPair,
  sshOptions,
  startCommand,
} from '../support/ssh.ts';
import { world } from '../support/world.ts';

/*
 * What a key has opened ends with the key, or with the right of its holder: connections of OpenSSH that
 * several commands share (`ssh -M`), running commands, and tokens of Git LFS.
 */

// the paths of sockets are short
const folder = await mkdtemp('/tmp/millrace-ssh-');
afterAll(() => rm(folder, { recursive: true }));

const port = await freePort();
const { as, seed, root, db, url } = await world({
  variables: { MILLRACE_SSH_PORT: String(port) },
  isOneProcess: true,
});
await seed.group('acme', {}, { visibility: 'public' });
const app = await seed.project('acme/app', {});
await seed.push('acme/app', { 'a.txt': 'one\n' });

/** A key with its id. */
interface StoredKey extends SshKeyPair {
  readonly id: number;
}

interface Member {
  readonly user: TestUser;
  readonly key: StoredKey;
}

async function keyOf(user: TestUser, more: object = {}): Promise<StoredKey> {
  const pair = await sshKeyPair(folder);
  const key = { title: 'laptop', key: pair.publicKey, ...more };
  const { status, body } = await as(user).post('/user/keys', key);
  expect(status).toBe(201);
  return { ...pair, id: (body as { id: number }).id };
}

/** A developer of the project with a key. */
async function member(): Promise<Member> {
  const user = await seed.user(`u${crypto.randomUUID().slice(0, 8)}`);
  const developer = { user_id: user.id, access_level: 30 };
  await as(root).post(`/projects/${app.id}/members`, developer);
  return { user, key: await keyOf(user) };
}

async function deployKey(projectId: number, canPush = false): Promise<StoredKey> {
  const pair = await sshKeyPair(folder);
  const key = { title: 'deploy', key: pair.publicKey, can_push: canPush };
  const { status, body } = await as(root).post(`/projects/${projectId}/deploy_keys`, key);
  expect(status).toBe(201);
  return { ...pair, id: (body as { id: number }).id };
}

const destination = ['-p', String(port), 'git@localhost'];

/** An open connection of OpenSSH, and commands that share it. */
async function master(key: SshKeyPair) {
  const socket = join(folder, crypto.randomUUID().slice(0, 8));
  const args = [...sshOptions(key), '-M', '-N', '-S', socket, ...destination];
  const program = spawn('ssh', args, { stdio: 'ignore' });
  onTestFinished(() => void program.kill());
  const exit = once(program, 'exit');
  const run = (...command: readonly string[]) => ssh(port, key, '-S', socket, ...command);
  await expect.poll(async () => (await run('-O', 'check', 'git@localhost')).code).toBe(0);
  return { exit, isOpen: () => program.exitCode === null, run };
}

/** A command that runs: git has sent its references and waits for the client. */
async function running(key: SshKeyPair, service: string, path: string) {
  const command = startCommand(port, key, 'git@localhost', `${service} '${path}.git'`);
  await expect.poll(command.output).toContain('refs/heads/master');
  /** Ends the conversation as a client that wants nothing. */
  return { ...command, finish: () => command.stdin.end('0000') };
}

const ended = { code: 1, stderr: 'Your access to the project has ended.\n' };

describe('an open connection', () => {
  const fetches = ['git@localhost', "git-upload-archive 'acme/app.git'"];

  test('serves several commands, each with the rights of that moment', async () => {
    const { user, key } = await member();
    const { run } = await master(key);
    const lfs = ['git@localhost', 'git-lfs-authenticate acme/app.git upload'];
    expect((await run(...lfs)).code).toBe(0);
    await as(root).put(`/projects/${app.id}/members/${user.id}`, { access_level: 10 });
    expect(await run(...lfs)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('You are not allowed to push code to this project.'),
    });
    expect((await run('-T', 'git@localhost')).stdout).toContain(`@${user.username}!`);
  });

  test.each<[string, (of: Member) => Promise<unknown>]>([
    ['its key is deleted', ({ user, key }) => as(user).delete(`/user/keys/${key.id}`)],
    [
      'an administrator deletes its key',
      ({ user, key }) => as(root).delete(`/users/${user.id}/keys/${key.id}`),
    ],
    [
      'its key expires',
      ({ key }) =>
        db.key.update({ where: { id: key.id }, data: { expiresAt: new Date(Date.now() + 500) } }),
    ],
    ['its user is blocked', ({ user }) => as(root).post(`/users/${user.id}/block`)],
    ['its user is deleted', ({ user }) => as(root).delete(`/users/${user.id}`)],
  ])('is closed when %s', async (_title, change) => {
    const holder = await member();
    const connection = await master(holder.key);
    expect((await connection.run('-T', 'git@localhost')).code).toBe(0);
    await change(holder);
    await expect.poll(connection.isOpen).toBe(false);
    await connection.exit;
    expect((await ssh(port, holder.key, ...fetches)).stderr).toContain('Permission denied');
  });

  test('of a deploy key is closed when the key is removed from its last project', async () => {
    const key = await deployKey(app.id);
    const connection = await master(key);
    expect((await connection.run('-T', 'git@localhost')).code).toBe(0);
    await as(root).delete(`/projects/${app.id}/deploy_keys/${key.id}`);
    await expect.poll(connection.isOpen).toBe(false);
  });

  test('stays open when another key of its user is deleted', async () => {
    const { user, key } = await member();
    const other = await keyOf(user);
    const [connection, closed] = [await master(key), await master(other)];
    await as(user).delete(`/user/keys/${other.id}`);
    await expect.poll(closed.isOpen).toBe(false);
    expect((await connection.run('-T', 'git@localhost')).code).toBe(0);
  });
});

describe('a running command', () => {
  const projectOf = async (visibility = 'private') => {
    const path = `acme/p${crypto.randomUUID().slice(0, 8)}`;
    const project = await seed.project(path, {}, { visibility });
    await seed.push(path, { 'a.txt': 'one\n' });
    return { ...project, path };
  };
  type Project = Awaited<ReturnType<typeof projectOf>>;
  const addMember = (project: Project, user: TestUser, level = 30) =>
    as(root).post(`/projects/${project.id}/members`, { user_id: user.id, access_level: level });

  test.each<[string, 'upload' | 'receive', (project: Project, of: Member) => Promise<unknown>]>([
    [
      'its user is no longer a member',
      'upload',
      ({ id }, { user }) => as(root).delete(`/projects/${id}/members/${user.id}`),
    ],
    [
      'its user may no longer push',
      'receive',
      ({ id }, { user }) =>
        as(root).put(`/projects/${id}/members/${user.id}`, { access_level: 20 }),
    ],
    [
      'its membership expires',
      'upload',
      ({ id }, { user }) =>
        db.member.updateMany({
          where: { projectId: id, userId: user.id },
          data: { expiresAt: new Date(Date.now() + 500) },
        }),
    ],
    ['its project is deleted', 'upload', ({ id }) => as(root).delete(`/projects/${id}`)],
    ['its project is archived', 'receive', ({ id }) => as(root).post(`/projects/${id}/archive`)],
  ])('ends when %s', async (_title, kind, change) => {
    const [project, holder] = [await projectOf(), await member()];
    await addMember(project, holder.user);
    const command = await running(holder.key, `git-${kind}-pack`, project.path);
    await change(project, holder);
    await expect.poll(command.isRunning).toBe(false);
    expect(await command.result()).toEqual(ended);
  });

  test('ends with its key', async () => {
    const { user, key } = await member();
    const command = await running(key, 'git-upload-pack', 'acme/app');
    await as(user).delete(`/user/keys/${key.id}`);
    await expect.poll(command.isRunning).toBe(false);
    expect((await command.result()).code).not.toBe(0);
  });

  test('of a user who is no member ends when the project is no longer public', async () => {
    const project = await projectOf('public');
    const { key } = await member();
    const command = await running(key, 'git-upload-pack', project.path);
    await as(root).put(`/projects/${project.id}`, { visibility: 'private' });
    await expect.poll(command.isRunning).toBe(false);
    expect(await command.result()).toEqual(ended);
  });

  test.each<[string, boolean, (project: Project, key: StoredKey) => Promise<unknown>]>([
    [
      'is disabled for the project',
      false,
      ({ id }, key) => as(root).delete(`/projects/${id}/deploy_keys/${key.id}`),
    ],
    [
      'may no longer push',
      true,
      ({ id }, key) => as(root).put(`/projects/${id}/deploy_keys/${key.id}`, { can_push: false }),
    ],
  ])('of a deploy key ends when the key %s', async (_title, canPush, change) => {
    const [project, other] = [await projectOf(), await projectOf()];
    const key = await deployKey(project.id, canPush);
    // the key itself remains
    await as(root).post(`/projects/${other.id}/deploy_keys/${key.id}/enable`);
    const service = canPush ? 'git-receive-pack' : 'git-upload-pack';
    const command = await running(key, service, project.path);
    await change(project, key);
    await expect.poll(command.isRunning).toBe(false);
    expect(await command.result()).toEqual(ended);
  });

  test('goes on when its project is renamed and moved to another group', async () => {
    const [project, holder] = [await projectOf(), await member()];
    const other = await seed.group(`g${crypto.randomUUID().slice(0, 8)}`, {});
    await addMember(project, holder.user);
    const command = await running(holder.key, 'git-upload-pack', project.path);
    await as(root).put(`/projects/${project.id}`, { path: 'renamed' });
    await as(root).post(`/groups/${other.id}/projects/${project.id}`);
    // a change that is checked, of another membership
    await as(root).delete(`/projects/${app.id}/members/${holder.user.id}`);
    await addMember(project, root, 40);
    command.finish();
    expect((await command.result()).code).toBe(0);
  });

  test('of another user goes on', async () => {
    const [one, other] = [await member(), await member()];
    const [closed, command] = [
      await running(one.key, 'git-upload-pack', 'acme/app'),
      await running(other.key, 'git-upload-pack', 'acme/app'),
    ];
    await as(root).post(`/users/${one.user.id}/block`);
    await expect.poll(closed.isRunning).toBe(false);
    command.finish();
    expect((await command.result()).code).toBe(0);
  });

  test('pushes nothing after its key was deleted', async () => {
    const { user, key } = await member();
    const target = join(folder, crypto.randomUUID());
    const address = `ssh://git@localhost:${port}/acme/app.git`;
    expect((await gitWith(key, folder, 'clone', '--quiet', address, target)).code).toBe(0);
    await gitWith(key, target, 'commit', '--quiet', '--allow-empty', '-m', 'Change');
    const connection = await master(key);
    await as(user).delete(`/user/keys/${key.id}`);
    await expect.poll(connection.isOpen).toBe(false);
    const pushed = await gitWith(key, target, 'push', 'origin', 'HEAD:refs/heads/late');
    expect(pushed.code).not.toBe(0);
    const branch = `/projects/${app.id}/repository/branches/late`;
    expect(await as(root).get(branch)).toMatchObject({ status: 404 });
  });
});

describe('a token of Git LFS', () => {
  const { batch } = lfsClient(url);

  /** The header that git-lfs gets over SSH. */
  async function tokenOf(key: SshKeyPair) {
    const command = 'git-lfs-authenticate acme/app.git download';
    const { stdout } = await ssh(port, key, 'git@localhost', command);
    const { header } = JSON.parse(stdout) as { header: { Authorization: string } };
    return header.Authorization;
  }
  const statusOf = async (token: string) =>
    (await batch(token, 'acme/app', 'download', [randomContent(1)])).status;

  test.each<[string, (of: Member) => Promise<unknown>]>([
    ['deleted', ({ user, key }) => as(user).delete(`/user/keys/${key.id}`)],
    [
      'expired',
      ({ key }) => db.key.update({ where: { id: key.id }, data: { expiresAt: new Date() } }),
    ],
  ])('ends with a key that is %s, at once', async (_title, change) => {
    const holder = await member();
    const token = await tokenOf(holder.key);
    expect(await statusOf(token)).toBe(200);
    await change(holder);
    expect(await statusOf(token)).toBe(401);
  });

  test('ends with a deploy key, also in a public project', async () => {
    const { id } = await seed.project('acme/open', {}, { visibility: 'public' });
    const key = await deployKey(id);
    const command = 'git-lfs-authenticate acme/open.git download';
    const { stdout } = await ssh(port, key, 'git@localhost', command);
    const token = (JSON.parse(stdout) as { header: { Authorization: string } }).header;
    const status = async () =>
      (await batch(token.Authorization, 'acme/open', 'download', [randomContent(1)])).status;
    expect(await status()).toBe(200);
    await as(root).delete(`/projects/${id}/deploy_keys/${key.id}`);
    expect(await status()).toBe(404);
  });
});
