import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type SshKeyPair, ssh, sshKeyPair, startCommand } from '../support/ssh.ts';
import { world } from '../support/world.ts';

const folder = await mkdtemp('/tmp/millrace-ssh-');
afterAll(() => rm(folder, { recursive: true }));

const port = await freePort();
const { as, seed } = await world({
  limits: {
    ssh: { connections: 10, unauthenticated: 4, unauthenticatedPerAddress: 2, silentPushMs: 1_500 },
    http: { stall: { windowMs: 600, leastBytes: 10_000 } },
  },
  variables: { MILLRACE_SSH_PORT: String(port) },
});
/** Those that have authenticated, in all. */
const authenticated = 6;

async function keyOf(name: string): Promise<SshKeyPair> {
  const user = await seed.user(name);
  const pair = await sshKeyPair(folder);
  const key = { title: 'laptop', key: pair.publicKey };
  expect((await as(user).post('/user/keys', key)).status).toBe(201);
  return pair;
}
const [ada, bob] = await Promise.all([keyOf('ada'), keyOf('bob')]);
await seed.project('ada/app');
await seed.push('ada/app', { 'a.txt': 'one\n' });
const greeting = (key: SshKeyPair) => ssh(port, key, '-T', 'git@127.0.0.1');

test('connections that never authenticate keep no other client out', async () => {
  const addresses = ['127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.3'];
  const sockets = addresses.map((localAddress) =>
    connect({ port, host: '127.0.0.1', localAddress }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.on('error', () => undefined);
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));
  for (const socket of sockets) socket.resume();
  expect((await greeting(ada)).stdout).toContain('@ada!');
  // the oldest made room
  await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true, false, false, false]);
});

test('idle connections of one user keep no other user out', async () => {
  for (let count = 0; count < authenticated; count += 1) {
    const socket = join(folder, crypto.randomUUID().slice(0, 8));
    startCommand(port, ada, '-M', '-N', '-S', socket, 'git@127.0.0.1');
    const check = () => ssh(port, ada, '-S', socket, '-O', 'check', 'git@127.0.0.1');
    await expect.poll(async () => (await check()).code).toBe(0);
  }
  expect((await greeting(bob)).stdout).toContain('@bob!');
});

test('a push whose client is silent for very long ends', async () => {
  const command = startCommand(port, ada, 'git@127.0.0.1', "git-receive-pack 'ada/app.git'");
  await expect.poll(command.output).toContain('refs/heads/master');
  await expect.poll(command.isRunning).toBe(false);
  expect(await command.result()).toEqual({
    code: 1,
    stderr: 'The connection was closed: no data was transferred for too long.\n',
  });
});
