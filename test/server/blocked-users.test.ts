import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, temporaryFolder, tryGit, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, remote } = await world();
const administrator = as(root);
const work = await workTree({ 'a.txt': 'one' });
const target = await temporaryFolder();
afterAll(() => Promise.all([work, target].map((folder) => rm(folder, { recursive: true }))));

await seed.group('acme');
const project = await seed.project('acme/app');

const enrol = ({ id }: TestUser) =>
  administrator.post(`/projects/${project.id}/members`, { user_id: id, access_level: 40 });
let clones = 0;

/** Whether a user can clone and push, with the token and with the password. */
async function canFetchAndPush(user: TestUser) {
  const outcomes: boolean[] = [];
  for (const secret of [user.token, user.password]) {
    const address = remote('acme/app', { ...user, token: secret });
    await commit(work, { 'a.txt': `${clones}` }, 'Next');
    clones += 1;
    const cloned = await tryGit(target, 'clone', '--quiet', address, join(target, `${clones}`));
    const pushed = await tryGit(work, 'push', '--quiet', address, `master:refs/heads/b${clones}`);
    for (const { code, stderr } of [cloned, pushed]) {
      if (code !== 0) expect(stderr).toContain('Authentication failed');
    }
    outcomes.push(cloned.code === 0, pushed.code === 0);
  }
  return outcomes;
}

const everything = [true, true, true, true];
const nothing = [false, false, false, false];

describe('git', () => {
  test('rejects a user immediately after blocking, and accepts them after unblocking', async () => {
    const ada = await seed.user('ada');
    await enrol(ada);
    expect(await canFetchAndPush(ada)).toEqual(everything);
    await administrator.post(`/users/${ada.id}/block`);
    expect(await canFetchAndPush(ada)).toEqual(nothing);
    await administrator.post(`/users/${ada.id}/unblock`);
    expect(await canFetchAndPush(ada)).toEqual(everything);
  });

  test('rejects a user immediately after deletion', async () => {
    const bob = await seed.user('bob');
    await enrol(bob);
    expect(await canFetchAndPush(bob)).toEqual(everything);
    await administrator.delete(`/users/${bob.id}`);
    expect(await canFetchAndPush(bob)).toEqual(nothing);
  });

  test('updates the last activity once a day, without changing the account', async () => {
    const cleo = await seed.user('cleo');
    await enrol(cleo);
    const before = await db.user.findUniqueOrThrow({ where: { id: cleo.id } });
    const address = remote('acme/app', cleo);
    await tryGit(target, 'ls-remote', address);
    const after = await db.user.findUniqueOrThrow({ where: { id: cleo.id } });
    const today = new Date(new Date().toISOString().slice(0, 10));
    expect(after).toEqual({ ...before, lastActivityOn: today });
    await db.user.update({ where: { id: cleo.id }, data: { lastActivityOn: null } });
    await tryGit(target, 'ls-remote', address);
    const { lastActivityOn } = await db.user.findUniqueOrThrow({ where: { id: cleo.id } });
    expect(lastActivityOn).toBeNull();
  });
});
