import { rm } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { commit, temporaryFolder, tryGit, workTree } from '../../support/git.ts';
import { gitWith, sshKeyPair } from '../../support/ssh.ts';
import { world } from '../../support/world.ts';

const sshPort = await freePort();
const { as, root, seed, db, remote } = await world({
  variables: { MILLRACE_SSH_PORT: String(sshPort) },
  limits: { pushRules: 500 },
  isOneProcess: true,
});
const { id } = await seed.project('root/app');
await seed.push('root/app', { 'a.txt': 'one\n' });
const folder = await temporaryFolder();
const work = await workTree({ 'b.txt': 'two\n' });
afterAll(async () => {
  for (const each of [folder, work]) await rm(each, { recursive: true });
});
const key = await sshKeyPair(folder);
await as(root).post('/user/keys', { title: 'laptop', key: key.publicKey });

const branchStatus = async (name: string) =>
  (await as(root).get(`/projects/${id}/repository/branches/${name}`)).status;

test.each([
  [
    'HTTP',
    (branch: string) => tryGit(work, 'push', remote('root/app', root), `HEAD:refs/heads/${branch}`),
  ],
  [
    'SSH',
    (branch: string) =>
      gitWith(
        key,
        work,
        'push',
        `ssh://git@localhost:${sshPort}/root/app.git`,
        `HEAD:refs/heads/${branch}`,
      ),
  ],
])('a push over %s whose rules are not checked in time is refused', async (protocol, push) => {
  const name = protocol.toLowerCase();
  await commit(work, { [`${name}.txt`]: 'new\n' }, 'Change');
  await db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT id FROM projects WHERE id = ${id} FOR UPDATE`;
      const { code, stderr } = await push(`late-${name}`);
      expect(stderr).toContain('The push could not be checked in time. Try again in a minute.');
      expect(code).not.toBe(0);
    },
    { timeout: 60_000 },
  );
  // the check ends after the refusal, and its entry in the ledger has no consequences
  await expect.poll(() => db.push.count()).toBe(0);
  expect(await branchStatus(`late-${name}`)).toBe(404);
  expect((await push(`next-${name}`)).code).toBe(0);
  expect(await branchStatus(`next-${name}`)).toBe(200);
});
