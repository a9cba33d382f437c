import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { thisProcessIdentity } from '../../../server/git/process/process-identity.ts';
import { tryGit, workTree } from '../../support/git.ts';
import { world } from '../../support/world.ts';

const { as, seed, db, dataFolder, remote } = await world({ limits: { lockWait: 300 } });
const ada = await seed.user('ada');
const app = await seed.project('ada/app', {}, { visibility: 'public' });
await seed.push('ada/app', { 'README.md': '# App\n' });
const { diskPath } = await db.project.findUniqueOrThrow({ where: { id: app.id } });
const storage = join(dataFolder, 'repositories');
const bare = join(storage, `${diskPath}.git`);
const folder = await workTree({ 'a.txt': 'a' });
afterAll(() => rm(folder, { recursive: true }));

const minutes = 60_000;
/** Creates a stale lock, as of a killed git process. */
const createLock = async (name: string, age: number, repository = bare) => {
  const lock = join(repository, name);
  await mkdir(dirname(lock), { recursive: true });
  await writeFile(lock, '');
  const then = new Date(Date.now() - age);
  await utimes(lock, then, then);
  return lock;
};
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

let count = 0;
const fresh = () => {
  count += 1;
  return `branch-${count}`;
};
const createBranch = (branch: string) =>
  as(ada).post(`/projects/${app.id}/repository/branches`, { branch, ref: 'master' });
const push = (branch: string) =>
  tryGit(folder, 'push', '--quiet', remote('ada/app', ada), `HEAD:refs/heads/${branch}`);

const locked = {
  status: 503,
  body: { message: '503 The repository is locked by another process' },
};

describe.each([
  ['of the reference', (branch: string) => `refs/heads/${branch}.lock`],
  ['of the packed references', () => 'packed-refs.lock'],
  ['of HEAD', () => 'HEAD.lock'],
])('a lock %s', (_which, nameOf) => {
  test('that a killed git left is removed by the next write', async () => {
    const branch = fresh();
    const lock = await createLock(nameOf(branch), 2 * minutes);
    expect((await createBranch(branch)).status).toBe(201);
    expect(await isThere(lock)).toBe(false);
  });

  test('that a killed git left is removed by the next push', async () => {
    const branch = fresh();
    const lock = await createLock(nameOf(branch), 2 * minutes);
    expect(await push(branch)).toMatchObject({ code: 0 });
    expect(await isThere(lock)).toBe(false);
  });

  test('that is held refuses a write with 503 and a push with its reason', async () => {
    const branch = fresh();
    const lock = await createLock(nameOf(branch), 0);
    expect(await createBranch(branch)).toEqual(locked);
    const { code, stderr } = await push(branch);
    expect(code).not.toBe(0);
    expect(stderr).toContain('The repository is locked by another process.');
    expect(stderr).not.toContain(dataFolder);
    await rm(lock);
    expect((await createBranch(branch)).status).toBe(201);
  });
});

test('a lock is left alone while git writes to the repository, and not while it only reads', async () => {
  const lock = await createLock('packed-refs.lock', 2 * minutes);
  const start = async (...args: string[]) => {
    const child = spawn('git', [`--git-dir=${bare}`, ...args], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    await once(child, 'spawn');
    return async () => {
      child.stdin.end();
      await once(child, 'exit');
    };
  };
  const endReader = await start('cat-file', '--batch');
  const endWriter = await start('update-ref', '--stdin');
  expect(await createBranch(fresh())).toEqual(locked);
  await endWriter();
  expect((await createBranch(fresh())).status).toBe(201);
  await endReader();
  expect(await isThere(lock)).toBe(false);
});

test('while a server on another machine shares the storage, only a lock of an hour is removed', async () => {
  const other = join(storage, '+servers', 'other');
  await writeFile(other, (await thisProcessIdentity()).replace(/^\S+/, 'elsewhere'));
  const lock = await createLock('packed-refs.lock', 2 * minutes);
  expect(await createBranch(fresh())).toEqual(locked);
  await createLock('packed-refs.lock', 61 * minutes);
  expect((await createBranch(fresh())).status).toBe(201);
  expect(await isThere(lock)).toBe(false);
  await rm(other);
});

test('a lock in the repository of a wiki is removed by the next edit', async () => {
  const create = (title: string) =>
    as(ada).post(`/projects/${app.id}/wikis`, { title, content: 'text' });
  expect((await create('Home')).status).toBe(201);
  const lock = await createLock(
    'refs/heads/master.lock',
    2 * minutes,
    join(storage, `${diskPath}.wiki.git`),
  );
  expect((await create('Second')).status).toBe(201);
  expect(await isThere(lock)).toBe(false);
});
