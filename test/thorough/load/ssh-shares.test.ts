import { mkdtemp, rm } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder, tryGit } from '../../support/git.ts';
import type { TestUser } from '../../support/seed.ts';
import { sshKeyPair, startCommand } from '../../support/ssh.ts';
import { world } from '../../support/world.ts';

const folder = await mkdtemp('/tmp/millrace-ssh-');
afterAll(() => rm(folder, { recursive: true }));

const streams = { total: 6, perAddress: 2, waiting: 0, waitingPerAddress: 0, waitMs: 0 };
const port = await freePort();
const { as, seed, remote } = await world({
  limits: { http: { streams } },
  variables: { MILLRACE_SSH_PORT: String(port) },
});
const [ada, bob] = (await Promise.all([seed.user('ada'), seed.user('bob')])) as [
  TestUser,
  TestUser,
];
// git sends credentials only where they are required
await seed.project('ada/app', { developer: bob });
await seed.push('ada/app', { 'a.txt': 'one\n' });

async function keyOf(user: TestUser) {
  const pair = await sshKeyPair(folder);
  const key = { title: 'laptop', key: pair.publicKey };
  expect((await as(user).post('/user/keys', key)).status).toBe(201);
  return pair;
}
const key = await keyOf(ada);

const fetchOver = async (user: TestUser) =>
  tryGit(await temporaryFolder(), 'ls-remote', remote('ada/app', user));

test('a user has one share, from all addresses, over SSH and HTTP', async () => {
  const from = (address: string) =>
    startCommand(port, key, '-b', address, 'git@127.0.0.1', "git-upload-pack 'ada/app.git'");
  for (const address of ['127.0.0.2', '127.0.0.3']) {
    await expect.poll(from(address).output).toContain('refs/heads/master');
  }
  const third = from('127.0.0.4');
  await expect.poll(third.output).toContain('There are too many git requests.');
  expect((await third.result()).code).toBe(1);
  expect((await fetchOver(ada)).stderr).toContain('429');
  expect(await fetchOver(bob)).toMatchObject({ code: 0 });
});
