import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { gitStore } from '../../../server/git/store.ts';
import { formOf } from '../../support/form.ts';
import { tryGit, workTree } from '../../support/git.ts';
import { world } from '../../support/world.ts';

const mounted: string[] = [];

/** Mounts a 2 MB file system at `folder`; false if this account cannot mount. */
function mountSmall(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
    mounted.push(folder);
    return true;
  } catch {
    return false;
  }
}

const { as, seed, db, dataFolder, remote } = await world();
afterAll(() => {
  for (const folder of mounted) execFileSync('umount', ['--lazy', folder]);
});

const uploads = join(dataFolder, 'uploads');
const repositories = join(dataFolder, 'repositories');
for (const folder of [uploads, repositories]) await mkdir(folder, { recursive: true });
const canMount = [uploads, repositories].every(mountSmall);

const ada = await seed.user('ada');
const app = await seed.project('ada/app', {}, { visibility: 'public' });
await seed.push('ada/app', { 'README.md': '# App\n' });

/** Fills the disk while `work` runs. */
async function whileFull<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const filler = join(folder, 'filler');
  await expect(writeFile(filler, Buffer.alloc(4 * 2 ** 20))).rejects.toThrow('ENOSPC');
  return work().finally(() => rm(filler));
}

/** Rejects every write to the disk while `work` runs, as after an error of the file system. */
async function whileReadOnly<T>(folder: string, work: () => Promise<T>): Promise<T> {
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  return work().finally(() => execFileSync('mount', ['-o', 'remount,rw', folder]));
}

const full = { status: 507, wait: '60', body: { message: '507 Insufficient Storage' } };
const summaryOf = async (response: Response) => ({
  status: response.status,
  wait: response.headers.get('Retry-After'),
  body: await response.json(),
});
const post = async (path: string, body: object) =>
  summaryOf(
    await as(ada).fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

const at = `/projects/${app.id}`;
const commit = () => ({
  branch: 'master',
  commit_message: 'Add',
  actions: [
    {
      action: 'create',
      file_path: `${randomBytes(4).toString('hex')}.bin`,
      encoding: 'base64',
      content: randomBytes(30_000).toString('base64'),
    },
  ],
});

describe.skipIf(!canMount)('a full disk', () => {
  test('of repositories rejects new projects, commits and pushes, and serves existing ones', async () => {
    const folder = await workTree({ 'a.bin': randomBytes(300_000) });
    await whileFull(repositories, async () => {
      expect(await post('/projects', { name: 'another' })).toEqual(full);
      expect(await post(`${at}/repository/commits`, commit())).toEqual(full);
      const push = await tryGit(folder, 'push', '-q', remote('ada/app', ada), 'master:other');
      expect(push.code).not.toBe(0);
      expect(push.stderr).toMatch(/No space left on device/);
      expect((await as(ada).get(`${at}/repository/tree`)).status).toBe(200);
      expect((await as(ada).get('/projects')).status).toBe(200);
    });
    expect((await post(`${at}/repository/commits`, commit())).status).toBe(201);
    expect((await post('/projects', { name: 'another' })).status).toBe(201);
    await rm(folder, { recursive: true });
  });

  test('of repositories is no fault of the source of an import', async () => {
    const storages = new Map([['default', repositories]]);
    const store = gitStore({ storages, allowsLocalRequests: true });
    const repository = store.place('default');
    await store.create(repository, async () => {});
    const { signal } = new AbortController();
    const importing = () => store.importFrom(repository, remote('ada/app', null), signal);
    await whileFull(repositories, () =>
      expect(importing()).rejects.toThrow('No space left on device'),
    );
    expect(await importing()).toMatchObject({ outcome: 'imported' });
    await store.close();
  });

  test('of uploads rejects new uploads, and serves existing ones', async () => {
    const upload = async () => {
      const body = formOf({ file: { name: 'a.txt', content: 'x'.repeat(50_000) } });
      return summaryOf(await as(ada).fetch(`${at}/uploads`, { method: 'POST', body }));
    };
    const { body } = await upload();
    await whileFull(uploads, async () => {
      expect(await upload()).toEqual(full);
      const address = `${new URL(remote('ada/app', null)).origin}/ada/app${(body as { url: string }).url}`;
      expect((await fetch(address)).status).toBe(200);
    });
    expect((await upload()).status).toBe(201);
  });

  test('of PostgreSQL rejects large writes, and serves existing rows', async () => {
    const [backend] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const { uid, gid } = await stat(`/proc/${backend?.pid}`);
    const folder = await mkdtemp(join(tmpdir(), 'millrace-tablespace-'));
    mountSmall(folder);
    await chown(folder, uid, gid);
    const name = `small_${randomBytes(4).toString('hex')}`;
    await db.$executeRawUnsafe(`CREATE TABLESPACE ${name} LOCATION '${folder}'`);
    await db.$executeRawUnsafe(`ALTER TABLE issue_texts SET TABLESPACE ${name}`);
    const create = (size: number) =>
      post(`${at}/issues`, { title: 'a', description: randomBytes(size / 2).toString('hex') });
    expect((await create(1000)).status).toBe(201);
    await whileFull(folder, async () => {
      expect(await create(500_000)).toEqual(full);
      expect((await as(ada).get(`${at}/issues`)).status).toBe(200);
    });
    expect((await create(500_000)).status).toBe(201);
    await db.$executeRawUnsafe('ALTER TABLE issue_texts SET TABLESPACE pg_default');
    await db.$executeRawUnsafe(`DROP TABLESPACE ${name}`);
  });
});

describe.skipIf(!canMount)('a read-only disk', () => {
  const statusesOf = async (requests: readonly (readonly [string, object])[]) => {
    const found: Record<string, readonly [number, string | null]> = {};
    for (const [path, body] of requests) {
      const { status, wait } = await post(path, body);
      found[path] = [status, wait];
    }
    return found;
  };

  test('of repositories rejects changes as an outage, and serves existing ones', async () => {
    const folder = await workTree({ 'a.bin': randomBytes(1_000) });
    const requests = [
      ['/projects', { name: 'refused' }],
      [`${at}/repository/commits`, commit()],
      [`${at}/repository/branches`, { branch: 'new', ref: 'master' }],
      [`${at}/repository/tags`, { tag_name: 'new', ref: 'master' }],
      [`${at}/wikis`, { title: 'home', content: 'text' }],
    ] as const;
    await whileReadOnly(repositories, async () => {
      expect(await statusesOf(requests)).toEqual(
        Object.fromEntries(requests.map(([path]) => [path, [503, '60']])),
      );
      const push = await tryGit(folder, 'push', '-q', remote('ada/app', ada), 'master:another');
      expect(push.code).not.toBe(0);
      expect(push.stderr).toMatch(
        /unable to create temporary object directory|Read-only file system/,
      );
      expect((await as(ada).get(`${at}/repository/tree`)).status).toBe(200);
    });
    expect(await statusesOf(requests)).toEqual(
      Object.fromEntries(requests.map(([path]) => [path, [201, null]])),
    );
    await rm(folder, { recursive: true });
  });

  test('of uploads rejects new uploads as an outage', async () => {
    const upload = async () => {
      const body = formOf({ file: { name: 'a.txt', content: 'text' } });
      return (await as(ada).fetch(`${at}/uploads`, { method: 'POST', body })).status;
    };
    expect(await whileReadOnly(uploads, upload)).toBe(503);
    expect(await upload()).toBe(201);
  });
});
