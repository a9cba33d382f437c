import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { git, workTree } from '../../support/git.ts';
import type { TestUser } from '../../support/seed.ts';
import { gitWith, sshKeyPair, startCommand } from '../../support/ssh.ts';
import { world } from '../../support/world.ts';

const folder = await mkdtemp('/tmp/millrace-ssh-');
afterAll(() => rm(folder, { recursive: true }));

/** One place for commands, which is free again when a command has ended. */
const streams = { total: 1, perAddress: 1, waiting: 10, waitingPerAddress: 10, waitMs: 0 };
const stall = { windowMs: 900, leastBytes: 10_000 };
const port = await freePort();
const { as, seed, db, dataFolder } = await world({
  limits: { http: { streams, stall } },
  variables: { MILLRACE_SSH_PORT: String(port) },
});

const ada = await seed.user('ada');
const { id } = await seed.project('ada/app', {}, { visibility: 'public' });

async function keyOf(user: TestUser) {
  const pair = await sshKeyPair(folder);
  const key = { title: 'laptop', key: pair.publicKey };
  expect((await as(user).post('/user/keys', key)).status).toBe(201);
  return pair;
}
const key = await keyOf(ada);

// not over the network: the window is short for a push on a busy machine
const work = await workTree({ 'large.bin': randomBytes(24 * 2 ** 20) });
afterAll(() => rm(work, { recursive: true }));
const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
const repository = join(dataFolder, 'repositories', `${diskPath}.git`);
await git(work, 'push', '--quiet', repository, 'master');
const head = await git(work, 'rev-parse', 'HEAD');

const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
const start = (service: string, ...options: readonly string[]) =>
  startCommand(port, key, ...options, 'git@localhost', `${service} 'ada/app.git'`);
const remote = `ssh://git@localhost:${port}/ada/app.git`;
const listing = async () => (await gitWith(key, folder, 'ls-remote', remote)).code;
const closed = 'The connection was closed: no data was transferred for too long.\n';

describe('a command whose client is silent', () => {
  const version2 = ['-o', 'SetEnv=GIT_PROTOCOL=version=2'];
  test.each([
    ['git-upload-pack', 'refs/heads/master', []],
    ['git-upload-pack', 'ls-refs', version2],
    ['git-upload-archive', '', []],
  ] as const)('%s (%s) ends', async (service, greeting, options) => {
    const command = start(service, ...options);
    await expect.poll(command.output).toContain(greeting);
    await expect.poll(command.isRunning).toBe(false);
    expect(await command.result()).toEqual({ code: 1, stderr: closed });
    await expect.poll(listing).toBe(0);
  });

  test('ends although it sends a byte now and then', async () => {
    const command = start('git-upload-pack');
    await expect.poll(command.output).toContain('refs/heads/master');
    const text = line(`want ${head}\n`) + line(`have ${head}\n`).repeat(100);
    let sent = 0;
    const timer = setInterval(() => {
      command.stdin.write(text.charAt(sent));
      sent += 1;
    }, 100);
    onTestFinished(() => clearInterval(timer));
    await expect.poll(command.isRunning).toBe(false);
    expect(await command.result()).toEqual({ code: 1, stderr: closed });
  });

  test('ends when it does not read', async () => {
    const command = start('git-upload-pack');
    await expect.poll(command.output).toContain('refs/heads/master');
    command.stdout.pause();
    command.stdin.write(`${line(`want ${head}\n`)}0000${line('done\n')}`);
    await expect.poll(listing).toBe(0);
  });
});

test('a clone for which git works long without output is not ended', async () => {
  // without deltas: git searches for them at each clone
  const base = randomBytes(150_000).toString('base64');
  const texts = Array.from({ length: 150 }, (_, index) => [
    `${index}.txt`,
    `${base.slice(index * 1_000)}${randomBytes(2_000).toString('base64')}`,
  ]);
  const many = await workTree(Object.fromEntries(texts));
  onTestFinished(() => rm(many, { recursive: true }));
  await git(many, '-c', 'pack.window=0', 'push', '--quiet', repository, 'master:refs/heads/many');
  const clone = ['clone', '--quiet', '--single-branch', '--branch', 'many', remote];
  const outcome = await gitWith(key, folder, ...clone, join(folder, crypto.randomUUID()));
  expect(outcome).toMatchObject({ code: 0 });
});

test('a push whose hook runs long leaves its place to others, and is finished', async () => {
  const target = join(folder, crypto.randomUUID());
  await git(folder, 'clone', '--quiet', repository, target);
  await gitWith(key, target, 'commit', '--quiet', '--allow-empty', '-m', 'Change');
  const signal = join(target, 'go-on');
  const hook = join(target, '.git/hooks/pre-push');
  await mkdir(dirname(hook), { recursive: true });
  await writeFile(hook, `#!/bin/sh\nuntil [ -e '${signal}' ]; do sleep 0.1; done\n`);
  await chmod(hook, 0o755);
  const push = gitWith(key, target, 'push', '--quiet', remote, 'HEAD:refs/heads/late');
  await expect.poll(listing).not.toBe(0);
  await expect.poll(listing).toBe(0);
  await writeFile(signal, '');
  expect(await push).toMatchObject({ code: 0 });
  const branch = `/projects/${id}/repository/branches/late`;
  expect(await as(ada).get(branch)).toMatchObject({ status: 200 });
});
