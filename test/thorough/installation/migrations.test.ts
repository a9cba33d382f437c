import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { connect, type Database, openSession, type Session } from '../../../prisma/client.ts';
import { type EmbeddedDatabase, startEmbedded } from '../../../prisma/embedded.ts';
import { listen } from '../../../prisma/listen.ts';
import { applyMigrations } from '../../../prisma/migrate.ts';
import { readMigrations } from '../../../prisma/migration-files.ts';
import { modelChanges, writeMigration } from '../../../prisma/new-migration.ts';

let folder: string;
let embedded: EmbeddedDatabase;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-test-'));
  embedded = await startEmbedded({ folder, log: () => {} });
});

afterAll(async () => {
  await embedded.stop();
  await rm(folder, { recursive: true });
});

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Other suites run beside this one. */
const patiently = { timeout: 20_000 };

async function emptyDatabase(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const session = await openSession(embedded.url);
  await session.query(`CREATE DATABASE ${name}`).finally(() => session.end());
  return embedded.url.replace('/millrace?', `/${name}?`);
}

async function session(url: string): Promise<Session> {
  const opened = await openSession(url);
  undo.push(() => opened.end());
  return opened;
}

async function migrated(): Promise<{ url: string; db: Database }> {
  const url = await emptyDatabase();
  await applyMigrations(url);
  const db = connect(url, { poolSize: 2 });
  undo.push(() => db.$disconnect());
  return { url, db };
}

const userRow = (username: string) => ({
  username,
  usernameKey: username,
  email: `${username}@example.com`,
  emailKey: `${username}@example.com`,
  name: username,
  projectsLimit: 10,
});

const group = (path: string) => ({
  kind: 'group' as const,
  name: path,
  path,
  fullName: path,
  fullPath: path,
});

test('the migrations and the models agree', async () => {
  expect(await modelChanges()).toBe('');
}, 60_000);

test.each(['', 'Add_Labels', '../up', 'add labels', '1st'])(
  'rejects the migration name %j',
  async (name) => {
    await expect(writeMigration(name)).rejects.toThrow('A migration is named');
  },
);

test('a second run applies nothing', async () => {
  const url = await emptyDatabase();
  const names = (await readMigrations()).map(({ name }) => name);
  expect(await applyMigrations(url)).toEqual(names);
  expect(await applyMigrations(url)).toEqual([]);
});

test('one of several simultaneous processes applies the migrations, and all continue', async () => {
  const url = await emptyDatabase();
  const names = (await readMigrations()).map(({ name }) => name);
  const runs = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(url)));
  expect(runs.flat()).toEqual(names);
});

test('a failed migration leaves no changes and can be applied after a fix', async () => {
  const url = await emptyDatabase();
  const history = await readMigrations();
  const name = '29990101000000_sketches';
  const broken = 'CREATE TABLE sketches (id int); SELECT 1 / 0;';
  await expect(applyMigrations(url, [...history, { name, sql: broken }])).rejects.toThrow(
    'division by zero',
  );
  const database = await session(url);
  const { rows } = await database.query(`SELECT to_regclass('sketches') AS sketches`);
  expect(rows).toEqual([{ sketches: null }]);
  const mended = 'CREATE TABLE sketches (id int);';
  expect(await applyMigrations(url, [...history, { name, sql: mended }])).toEqual([name]);
  expect(await applyMigrations(url, [...history, { name, sql: mended }])).toEqual([]);
});

test('an upgrade lists the names that several top-level groups share, and renames none', async () => {
  const url = await emptyDatabase();
  const history = await readMigrations();
  const upgrade = history.findIndex(({ name }) => name.endsWith('_case_and_names'));
  await applyMigrations(url, history.slice(0, upgrade));
  const database = await session(url);
  const insert = (name: string, path: string) =>
    database.query(
      `INSERT INTO namespaces (kind, name, path, full_name, full_path, ancestor_ids, updated_at)
       VALUES ('group', $1, $2, $1, $2, '{}', now())`,
      [name, path],
    );
  await insert('Tools', 'tools');
  await insert('Tools', 'more-tools');
  await insert('Plans', 'plans');
  await expect(applyMigrations(url)).rejects.toThrow(
    'all but one of: "Tools" (/tools, /more-tools)',
  );
  await database.query(`UPDATE namespaces SET name = 'More Tools' WHERE path = 'more-tools'`);
  expect(await applyMigrations(url)).toEqual(history.slice(upgrade).map(({ name }) => name));
});

test('an upgrade writes the colours of labels in six digits', async () => {
  const url = await emptyDatabase();
  const history = await readMigrations();
  // the client knows the current columns, so only this migration is missing
  const older = history.filter(({ name }) => !name.endsWith('_rows_of_before'));
  expect(older).toHaveLength(history.length - 1);
  await applyMigrations(url, older);
  const db = connect(url, { poolSize: 1 });
  undo.push(() => db.$disconnect());
  const { id: namespaceId } = await db.namespace.create({ data: group('tools') });
  const colors = ['#fA0', '#123456'];
  await db.label.createMany({
    data: colors.map((color) => ({ namespaceId, name: color, color })),
  });
  await applyMigrations(url);
  const labels = await db.label.findMany({ orderBy: { id: 'asc' }, select: { color: true } });
  expect(labels).toEqual([{ color: '#ffAA00' }, { color: '#123456' }]);
});

test('a kill during a migration rolls it back, and the next start applies it', async () => {
  const url = await emptyDatabase();
  await applyMigrations(url);
  const history = await readMigrations();
  const name = '29990101000000_sketches';
  const holder = await session(url);
  await holder.query('SELECT pg_advisory_lock(1)');
  const sql = 'CREATE TABLE sketches (id int); SELECT pg_advisory_lock(1);';
  const interrupted = expect(applyMigrations(url, [...history, { name, sql }])).rejects.toThrow();
  const waiting = `FROM pg_stat_activity WHERE wait_event = 'advisory' AND query LIKE '%sketches%'`;
  await vi.waitUntil(
    async () => (await holder.query(`SELECT 1 ${waiting}`)).rows.length === 1,
    patiently,
  );
  await holder.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
  await interrupted;
  const again = { name, sql: 'CREATE TABLE sketches (id int);' };
  expect(await applyMigrations(url, [...history, again])).toEqual([name]);
});

test('a fresh database holds its one row of settings and understands substring search', async () => {
  const { db } = await migrated();
  expect(await db.applicationSettings.findMany({ select: { id: true } })).toEqual([{ id: 1 }]);
  const trigrams = await db.$queryRawUnsafe(`SELECT cardinality(show_trgm('мост')) AS trigrams`);
  expect(trigrams).toEqual([{ trigrams: 5 }]);
});

test('a membership belongs to a group or a project, never to both or neither', async () => {
  const { db } = await migrated();
  const { id: userId } = await db.user.create({ data: userRow('ada') });
  await expect(db.member.create({ data: { userId, accessLevel: 10 } })).rejects.toThrow(
    'members_one_source',
  );
  await expect(db.route.create({ data: { key: 'nowhere' } })).rejects.toThrow('routes_one_source');
});

test('the database notifies exactly the users to invalidate', async () => {
  const { url, db } = await migrated();
  const notified: string[] = [];
  const listener = await listen(url, ['millrace_viewers'], (_, payload) => notified.push(payload), {
    onGap: () => {},
  });
  undo.push(() => listener.close());
  // this notification arrives after all earlier ones
  const notifications = async () => {
    await db.$executeRawUnsafe(`NOTIFY millrace_viewers, 'end'`);
    await vi.waitUntil(() => notified.includes('end'), patiently);
    return notified.splice(0).slice(0, -1);
  };

  const ada = await db.user.create({ data: userRow('ada') });
  const where = { id: ada.id };
  await db.user.update({ where, data: { name: 'Ada', currentSignInAt: new Date() } });
  expect(await notifications()).toEqual([]);
  for (const data of [
    { state: 'blocked' as const },
    { isAdmin: true },
    { isExternal: true },
    { canCreateGroup: false },
    { username: 'lovelace' },
    { emailKey: 'lovelace@example.com' },
  ]) {
    await db.user.update({ where, data });
    expect(await notifications()).toEqual([`${ada.id}`]);
  }

  const token = await db.accessToken.create({
    data: { userId: ada.id, kind: 'personal', name: 'laptop', digest: Buffer.from('digest') },
  });
  expect(await notifications()).toEqual([]);
  await db.accessToken.update({ where: { id: token.id }, data: { revokedAt: new Date() } });
  expect(await notifications()).toEqual([`${ada.id}`]);
  await db.accessToken.delete({ where: { id: token.id } });
  expect(await notifications()).toEqual([`${ada.id}`]);

  const key = { title: 'laptop', key: 'ssh-ed25519 AAAA' };
  const { id: keyId } = await db.key.create({
    data: { ...key, userId: ada.id, fingerprint: Buffer.from('of a user') },
  });
  const ofKey = { id: keyId };
  await db.key.update({ where: ofKey, data: { lastUsedAt: new Date(), title: 'old laptop' } });
  expect(await notifications()).toEqual([]);
  await db.key.update({ where: ofKey, data: { expiresAt: new Date() } });
  expect(await notifications()).toEqual([`${ada.id}`]);
  await db.key.delete({ where: ofKey });
  expect(await notifications()).toEqual([`${ada.id}`]);
  const deployKey = await db.key.create({ data: { ...key, fingerprint: Buffer.from('of none') } });
  await db.key.delete({ where: { id: deployKey.id } });
  // of a credential without a user
  expect(await notifications()).toEqual(['']);

  const tools = await db.namespace.create({ data: group('tools') });
  expect(await notifications()).toEqual([]);
  const member = await db.member.create({
    data: { userId: ada.id, namespaceId: tools.id, accessLevel: 30 },
  });
  expect(await notifications()).toEqual([`${ada.id}`]);
  await db.member.update({ where: { id: member.id }, data: { accessLevel: 40 } });
  expect(await notifications()).toEqual([`${ada.id}`]);
  await db.namespace.update({ where: { id: tools.id }, data: { name: 'Tools' } });
  expect(await notifications()).toEqual([]);
  await db.namespace.update({ where: { id: tools.id }, data: { ancestorIds: [tools.id] } });
  expect(await notifications()).toEqual(['*']);

  const project = await db.project.create({
    data: {
      namespaceId: tools.id,
      name: 'mill',
      path: 'mill',
      fullName: 'tools / mill',
      fullPath: 'tools/mill',
      namespaceName: 'tools',
      visibility: 'private',
      storage: 'default',
      diskPath: 'mill.git',
      runnersTokenDigest: Buffer.from('digest'),
      runnersTokenSealed: '',
      members: { create: { userId: ada.id, accessLevel: 40 } },
    },
  });
  expect(await notifications()).toEqual([`${ada.id}`]);
  const link = { projectId: project.id, namespaceId: tools.id, accessLevel: 30 };
  await db.projectGroupLink.create({ data: link });
  expect(await notifications()).toEqual(['*']);
  await db.project.delete({ where: { id: project.id } });
  expect((await notifications()).toSorted()).toEqual(['*', `${ada.id}`]);
  await db.namespace.update({ where: { id: tools.id }, data: { isRemoved: true } });
  expect(await notifications()).toEqual(['*']);
  await db.namespace.delete({ where: { id: tools.id } });
  expect(await notifications()).toEqual([`${ada.id}`]);
  await db.user.delete({ where });
  expect(await notifications()).toEqual([`${ada.id}`]);
});

test('a listener reconnects after a lost connection and reports the gap', async () => {
  const url = await emptyDatabase();
  const database = await session(url);
  const onNotification = vi.fn();
  const onGap = vi.fn();
  const listener = await listen(url, ['first', 'second'], onNotification, { onGap });
  undo.push(() => listener.close());
  await database.query(`NOTIFY first, 'one'`);
  await vi.waitFor(
    () => expect(onNotification).toHaveBeenCalledExactlyOnceWith('first', 'one'),
    patiently,
  );
  expect(onGap).not.toHaveBeenCalled();
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await vi.waitFor(() => expect(onGap).toHaveBeenCalledOnce(), patiently);
  await database.query(`NOTIFY second`);
  await vi.waitFor(() => expect(onNotification).toHaveBeenLastCalledWith('second', ''), patiently);
  await listener.close();
  await database.query(`NOTIFY first, 'after'`);
  expect(onNotification).toHaveBeenCalledTimes(2);
});

test('a database with the migrations of a newer version is refused', async () => {
  const { url } = await migrated();
  const open = await session(url);
  await open.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     VALUES ('later', '', '29991231000000_later', now())`,
  );
  await expect(applyMigrations(url)).rejects.toThrow(
    'The database has migrations of a newer Millrace (29991231000000_later)',
  );
});
