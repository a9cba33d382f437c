import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { enterPush } from '../../../schema/repository/ledger.ts';
import { repositoryFolder } from '../../../server/git/address.ts';
import { commandsOf } from '../../support/commands.ts';
import { git, workTree } from '../../support/git.ts';
import { world } from '../../support/world.ts';

const root = await mkdtemp(join(tmpdir(), 'millrace-storages-'));
const storages = new Map([
  ['fast', join(root, 'fast')],
  ['large', join(root, 'large')],
]);
const variables = {
  MILLRACE_STORAGES: [...storages].map(([name, folder]) => `${name}=${folder}`).join(','),
};
const {
  as,
  seed,
  root: admin,
  db,
  databaseUrl,
  dataFolder,
  remote,
} = await world({
  variables,
  settings: { repositoryStorages: ['fast'] },
  limits: { settlement: { interval: 200 } },
});
const { run, start, json } = commandsOf({
  ...variables,
  DATABASE_URL: databaseUrl,
  MILLRACE_DATA: dataFolder,
});

await seed.group('acme');

const addressOf = (fullPath: string) =>
  db.project.findFirstOrThrow({
    where: { fullPath },
    select: { id: true, storage: true, diskPath: true },
  });

/** The folders of a project's repository and wiki in both storages that exist. */
async function foldersOf(fullPath: string): Promise<string[]> {
  const { diskPath } = await addressOf(fullPath);
  return [...storages.keys()].flatMap((storage) =>
    ['', '.wiki']
      .filter((end) =>
        existsSync(repositoryFolder(storages, { storage, diskPath: `${diskPath}${end}` })),
      )
      .map((end) => `${storage}${end}`),
  );
}

const marks = async () =>
  (
    await Promise.all(
      [...storages.values()].map((folder) => readdir(join(folder, '+creating')).catch(() => [])),
    )
  ).flat();

const encoded = (fullPath: string) => `/projects/${encodeURIComponent(fullPath)}`;

async function projectWithWiki(fullPath: string): Promise<string> {
  await seed.project(fullPath);
  const sha = await seed.push(fullPath, { 'a.txt': 'one\n' });
  const page = { title: 'Home', content: 'Welcome' };
  expect(await as(admin).post(`${encoded(fullPath)}/wikis`, page)).toMatchObject({ status: 201 });
  return sha;
}

describe('millrace project move-storage', () => {
  test('moves repository and wiki, with merge requests and HEAD', async () => {
    await projectWithWiki('acme/app');
    const app = encoded('acme/app');
    const ada = as(admin);
    await ada.post(`${app}/repository/branches`, { branch: 'feature', ref: 'master' });
    const commit = { branch: 'feature', commit_message: 'Change', content: 'two' };
    await ada.post(`${app}/repository/files/b.txt`, commit);
    const request = { title: 'Merge it', source_branch: 'feature', target_branch: 'master' };
    expect(await ada.post(`${app}/merge_requests`, request)).toMatchObject({ status: 201 });
    await ada.put(app, { default_branch: 'feature' });
    const { diskPath } = await addressOf('acme/app');

    expect(await json(['project', 'move-storage', 'acme/app', 'large'])).toEqual({
      path: 'acme/app',
      storage: 'large',
      folder: repositoryFolder(storages, { storage: 'large', diskPath }),
    });
    expect(await foldersOf('acme/app')).toEqual(['large', 'large.wiki']);
    expect(await marks()).toEqual([]);
    const folder = repositoryFolder(storages, { storage: 'large', diskPath });
    expect(await git(folder, 'symbolic-ref', 'HEAD')).toBe('refs/heads/feature');
    expect(await git(folder, 'for-each-ref', '--format=%(refname)')).toContain(
      'refs/merge-requests/1/head',
    );
    expect(await ada.get(`${app}/wikis/Home`)).toMatchObject({ body: { content: 'Welcome' } });
    expect(await ada.put(`${app}/merge_requests/1/merge`)).toMatchObject({ status: 200 });
  });

  test('loses no acknowledged push, commit or wiki edit of servers that run meanwhile', async () => {
    await projectWithWiki('acme/busy');
    const busy = encoded('acme/busy');
    const work = await workTree({ 'w.txt': 'w\n' });
    await git(work, 'push', '--quiet', remote('acme/busy', admin), 'HEAD:refs/heads/pushed-0');
    let isMoving = true;
    const done = { pushed: [] as string[], commits: [] as string[], pages: [] as string[] };
    const pushes = async () => {
      for (let number = 1; isMoving; number += 1) {
        const name = `pushed-${number}`;
        const target = [remote('acme/busy', admin), `HEAD:refs/heads/${name}`];
        const isPushed = git(work, 'push', '--quiet', ...target).then(
          () => true,
          // the only refusal that a move may cause
          (error: Error) => {
            expect(error.message).toContain('is being moved to another storage');
            return false;
          },
        );
        if (await isPushed) done.pushed.push(name);
      }
    };
    const writes = async (list: string[], path: (name: string) => string, body: object) => {
      for (let number = 1; isMoving; number += 1) {
        const name = `n${number}`;
        const { status } = await as(admin).post(path(name), { ...body, title: name });
        expect([201, 503]).toContain(status);
        if (status === 201) list.push(name);
      }
    };
    const commit = { branch: 'master', commit_message: 'Add', content: 'text' };
    const file = (name: string) => `${busy}/repository/files/${name}`;
    const clients = [
      pushes(),
      writes(done.commits, file, commit),
      writes(done.pages, () => `${busy}/wikis`, { content: 'text' }),
    ];
    for (const storage of ['large', 'fast', 'large']) {
      const count = done.commits.length + done.pushed.length;
      await json(['project', 'move-storage', 'acme/busy', storage]);
      await expect
        .poll(() => done.commits.length + done.pushed.length, { timeout: 10_000 })
        .toBeGreaterThan(count);
    }
    isMoving = false;
    await Promise.all(clients);

    const clone = await mkdtemp(join(tmpdir(), 'millrace-clone-'));
    await git(clone, 'clone', '--quiet', remote('acme/busy', admin), '.');
    const branches = await git(clone, 'branch', '--remotes', '--format=%(refname:lstrip=3)');
    expect(branches.split('\n')).toEqual(expect.arrayContaining(done.pushed));
    expect(await readdir(clone)).toEqual(expect.arrayContaining(done.commits));
    const { body: pages } = await as(admin).get(`${busy}/wikis`);
    const slugs = (pages as { slug: string }[]).map(({ slug }) => slug);
    expect(slugs).toEqual(expect.arrayContaining(done.pages));
    expect(await foldersOf('acme/busy')).toEqual(['large', 'large.wiki']);
    await git(clone, 'fsck', '--full');
    await rm(clone, { recursive: true });
  }, 60_000);

  test('a push that began before the move is refused at its end', async () => {
    await projectWithWiki('acme/slow');
    const before = await addressOf('acme/slow');
    // as a request that has read the address and not yet written
    await json(['project', 'move-storage', 'acme/slow', 'large']);
    const entry = { projectId: before.id, userId: admin.id, changes: [] };
    await expect(enterPush(entry, before, { db })).rejects.toThrow('is being moved');
    expect(await db.push.count({ where: { projectId: before.id } })).toBe(0);
  });

  test('a push whose check began before the move was stored is refused', async () => {
    await projectWithWiki('acme/close');
    const before = await addressOf('acme/close');
    const { promise: isStored, resolve: store } = Promise.withResolvers<void>();
    const { promise: isChanged, resolve: changed } = Promise.withResolvers<void>();
    // a move that has stored the new address, and not committed it
    const move = db.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE projects SET storage = 'large' WHERE id = ${before.id}`;
      changed();
      await isStored;
    });
    await isChanged;
    // its statement reads the row as it was before the move
    const entry = { projectId: before.id, userId: admin.id, changes: [] };
    const push = enterPush(entry, before, { db }).then(
      () => 'admitted',
      (error: Error) => error.message,
    );
    const waiting = async () => {
      const [row] = await db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row.count;
    };
    await expect.poll(waiting).toBe(1);
    store();
    await move;
    expect(await push).toContain('is being moved');
    await db.project.update({ where: { id: before.id }, data: { storage: 'fast' } });
  });

  test.each([
    ['an unknown storage', 'nowhere', 'There is no storage nowhere: it is one of fast, large.'],
    ['the storage that it is in', 'fast', 'acme/still is in fast already.'],
  ])('refuses %s', async (_, storage, message) => {
    if ((await db.project.count({ where: { fullPath: 'acme/still' } })) === 0) {
      await projectWithWiki('acme/still');
    }
    const { code, stderr } = await run(['project', 'move-storage', 'acme/still', storage]);
    expect([code, stderr]).toEqual([1, `${message}\n`]);
  });

  test('a damaged repository stays where it is', async () => {
    const sha = await projectWithWiki('acme/damaged');
    const { storage, diskPath } = await addressOf('acme/damaged');
    const folder = repositoryFolder(storages, { storage, diskPath });
    const objects = join(folder, 'objects');
    const packs = (await readdir(join(objects, 'pack'))).filter((name) => name.endsWith('.pack'));
    for (const pack of packs) await rm(join(objects, 'pack', pack));
    await rm(join(objects, sha.slice(0, 2)), { recursive: true, force: true });
    const { code } = await run(['project', 'move-storage', 'acme/damaged', 'large']);
    expect(code).toBe(1);
    expect(await foldersOf('acme/damaged')).toEqual(['fast', 'fast.wiki']);
    expect(await marks()).toEqual([]);
  });
});

describe('a move that was killed', () => {
  test.each(['before', 'after'] as const)(
    '%s the record has the new address leaves one copy, which is used',
    async (moment) => {
      const path = `acme/killed-${moment}`;
      const sha = await projectWithWiki(path);
      const { id, diskPath } = await addressOf(path);
      // a push that is not settled makes the move wait with pushes held
      const unsettled = await db.push.create({
        data: { projectId: id, changes: [], settleAt: null },
      });
      const { child, result } = start(['project', 'move-storage', path, 'large']);
      await expect.poll(() => foldersOf(path)).toHaveLength(4);
      const folder = repositoryFolder(storages, { storage: 'fast', diskPath });
      // as a clone that runs: the move waits for it with the record changed
      const reader = spawn('git', [`--git-dir=${folder}`, 'hash-object', '--stdin']);
      if (moment === 'after') {
        await db.push.delete({ where: { id: unsettled.id } });
        await expect.poll(async () => (await addressOf(path)).storage).toBe('large');
      }
      child.kill('SIGKILL');
      await result;
      reader.kill();
      await db.push.deleteMany({ where: { id: unsettled.id } });
      const storage = moment === 'after' ? 'large' : 'fast';
      // servers look for marks of processes that have ended
      await expect.poll(() => foldersOf(path)).toEqual([storage, `${storage}.wiki`]);
      await expect.poll(marks).toEqual([]);
      const branch = await as(admin).get(`${encoded(path)}/repository/branches/master`);
      expect(branch).toMatchObject({ body: { commit: { id: sha } } });
      await json(['project', 'move-storage', path, storage === 'fast' ? 'large' : 'fast']);
    },
    60_000,
  );
});
