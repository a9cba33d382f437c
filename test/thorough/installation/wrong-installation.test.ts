import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, describe, expect, test } from 'vitest';
import { openSession } from '../../../prisma/client.ts';
import { programVersion } from '../../../prisma/program-version.ts';
import { commandsOf } from '../../support/commands.ts';
import { cloneDatabase, databaseAt } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { world } from '../../support/world.ts';

const { databaseUrl, dataFolder, db } = await world();
const folder = await mkdtemp(join(tmpdir(), 'millrace-wrong-'));
afterAll(() => rm(folder, { recursive: true }));

/** A command of each group that opens the service. */
const commands = [
  ['user', 'list'],
  ['user', 'create', 'ada', '--email', 'ada@example.com'],
  ['project', 'list'],
  ['settings', 'get'],
  ['job', 'failed'],
  ['oauth', 'rotate-key'],
  ['runner', 'token'],
  ['audit', 'export'],
  ['backup', 'create', '--to', folder],
  ['objects', 'move'],
  ['import', '--url', 'http://127.0.0.1:1', '--token', 'x', '--group', 'acme'],
  ['doctor'],
  ['doctor', '--fix'],
  ['migrate', 'status'],
  ['migrate', 'run'],
] as const;
/** Commands that open the database in different ways. */
const few = [
  ['user', 'list'],
  ['doctor', '--fix'],
  ['migrate', 'run'],
] as const;
const further = [...few, ['migrate', 'status'], ['backup', 'create', '--to', folder]];

const limit = pLimit(3);

/** The exit codes and messages of commands with these variables. */
const messagesOf = (
  variables: Readonly<Record<string, string>>,
  lists: readonly (readonly string[])[] = few,
) => {
  const { run } = commandsOf(variables);
  return Promise.all(
    lists.map((args) =>
      limit(async () => {
        const { code, stdout, stderr } = await run(args);
        return { args, code, text: stdout + stderr };
      }),
    ),
  );
};

const filesIn = async (path: string) => (await readdir(path, { recursive: true })).sort();

describe('a command with the wrong MILLRACE_DATA', () => {
  test('creates nothing in a folder that does not exist', async () => {
    const missing = join(folder, 'missing', 'data');
    const before = await filesIn(folder);
    const results = [
      ...(await messagesOf({ MILLRACE_DATA: missing }, commands)),
      ...(await messagesOf({ MILLRACE_DATA: missing, DATABASE_URL: databaseUrl })),
    ];
    for (const { args, code, text } of results) {
      expect([args, code, text]).toEqual([
        args,
        1,
        `There is no Millrace in ${missing}: the folder does not exist. Set MILLRACE_DATA to the data folder of the server, and check that its disk is mounted.\n`,
      ]);
    }
    expect(await filesIn(folder)).toEqual(before);
  });

  test('says what the path is instead, and creates nothing', async () => {
    const places = {
      empty: 'the folder is empty',
      other: 'the folder has other files',
      file: 'it is not a folder',
      'file/data': 'it is below a file',
    };
    await mkdir(join(folder, 'empty'));
    await mkdir(join(folder, 'other', 'uploads'), { recursive: true });
    await mkdir(join(folder, 'other', 'postgres'));
    await writeFile(join(folder, 'other', 'index.html'), '');
    await writeFile(join(folder, 'file'), 'text');
    const before = await filesIn(folder);
    for (const [name, reason] of Object.entries(places)) {
      const path = join(folder, name);
      for (const { args, code, text } of await messagesOf({ MILLRACE_DATA: path }, [
        ['migrate', 'run'],
      ])) {
        const isNamed = text.startsWith(`There is no Millrace in ${path}: ${reason}.`);
        expect([name, args, code, isNamed]).toEqual([name, args, 1, true]);
      }
    }
    expect(await filesIn(folder)).toEqual(before);
  });

  test('of a server with its own PostgreSQL asks for DATABASE_URL, and starts no other database', async () => {
    const copy = join(folder, 'copy');
    await mkdir(copy);
    await cp(join(dataFolder, 'secret.key'), join(copy, 'secret.key'));
    for (const { code, text } of await messagesOf({ MILLRACE_DATA: copy })) {
      expect([code, text]).toEqual([
        1,
        `There is no database of Millrace in ${copy}: set DATABASE_URL as for the server.\n`,
      ]);
    }
    expect(await filesIn(copy)).toEqual(['secret.key']);
  });

  test('is an error in the JSON of doctor, too', async () => {
    const { run } = commandsOf({ MILLRACE_DATA: join(folder, 'nowhere') });
    const { code, stdout } = await run(['doctor', '--json']);
    const problem = expect.stringMatching(/^There is no Millrace in /);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      [{ check: 'installation', result: 'error', problem, advice: null, items: [] }],
    ]);
  });
});

describe('a command with the wrong DATABASE_URL', () => {
  const withUrl = (url: string) => ({ DATABASE_URL: url, MILLRACE_DATA: dataFolder });

  test('says why there is no connection, without the password', async () => {
    const port = await freePort();
    const closed = `postgresql://millrace:secret-word@localhost:${port}/millrace`;
    const absent = databaseAt(databaseUrl, 'absent');
    for (const { args, code, text } of await messagesOf(withUrl(closed), further)) {
      expect([args, code]).toEqual([args, 1]);
      expect(text).toMatch(/The database of DATABASE_URL cannot be used: .*ECONNREFUSED/);
      expect(text).not.toContain('secret-word');
    }
    for (const { text } of await messagesOf(withUrl(absent), [['user', 'list']]))
      expect(text).toContain('cannot be used: database "absent" does not exist');
  });

  test('changes nothing in the database of another program', async () => {
    const other = await cloneDatabase(databaseUrl, 'template0');
    const session = await openSession(other.url);
    const relations = async () => {
      const { rows } = await session.query(
        `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`,
      );
      return rows;
    };
    await session.query('CREATE TABLE articles (id int)');
    const before = await relations();
    for (const { args, code, text } of await messagesOf(withUrl(other.url), further)) {
      expect([args, code]).toEqual([args, 1]);
      expect(text).toContain('The database belongs to another program');
    }
    // Prisma names the history of every program so
    await session.query(
      `CREATE TABLE _prisma_migrations (migration_name text, finished_at timestamptz, rolled_back_at timestamptz);
       INSERT INTO _prisma_migrations VALUES ('20200101000000_articles', now(), NULL)`,
    );
    for (const { text } of await messagesOf(withUrl(other.url), [['migrate', 'run']]))
      expect(text).toContain('The database belongs to another program');
    await session.query('DROP TABLE _prisma_migrations');
    expect(await relations()).toEqual(before);
    const server = spawnSync(process.execPath, ['server/main.ts'], {
      env: { ...process.env, ...withUrl(other.url), PORT: '0', MILLRACE_SSH_PORT: 'off' },
      encoding: 'utf8',
    });
    expect([server.status, server.stderr]).toEqual([
      1,
      'The database belongs to another program: give Millrace a database of its own (DATABASE_URL).\n',
    ]);
    expect(await relations()).toEqual(before);
    await session.end();
    await other.drop();
  });

  test('says that the database is empty, and creates no table', async () => {
    const empty = await cloneDatabase(databaseUrl, 'template0');
    const reading = [['user', 'list'], ['oauth', 'rotate-key'], further.at(-1) ?? []];
    for (const { args, code, text } of await messagesOf(withUrl(empty.url), reading)) {
      expect([args, code]).toEqual([args, 1]);
      expect(text).toMatch(/^There is no Millrace in the database: it is empty\./);
    }
    const [doctor] = await messagesOf(withUrl(empty.url), [['doctor']]);
    expect(doctor).toMatchObject({ code: 1, text: expect.stringContaining('database is empty') });
    const session = await openSession(empty.url);
    const { rows } = await session.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    );
    await session.end();
    expect(rows).toEqual([]);
    await empty.drop();
  });
});

describe('the database of a newer version', () => {
  test('is refused by each command and by the server, which name both versions', async () => {
    await db.$executeRaw`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('later', '', '29991231000000_later', now())`;
    const [{ comment }] = await db.$queryRaw<[{ comment: string }]>`
      SELECT obj_description('_prisma_migrations'::regclass) AS comment`;
    expect(comment).toBe(`Millrace ${programVersion}`);
    await db.$executeRaw`COMMENT ON TABLE _prisma_migrations IS 'Millrace 9.1.0'`;
    const before = await filesIn(dataFolder);
    const variables = { DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder };
    const server = spawnSync(process.execPath, ['server/main.ts'], {
      env: { ...process.env, ...variables, PORT: '0', MILLRACE_SSH_PORT: 'off' },
      encoding: 'utf8',
    });
    const results = await messagesOf(variables, further);
    for (const { args, code, text } of [
      ...results,
      { args: ['serve'], code: server.status, text: server.stderr },
    ]) {
      expect([args, code]).toEqual([args, 1]);
      expect(text).toMatch(/newer (?:Millrace|version).*29991231000000_later/);
      expect(text).toContain(
        `This is Millrace ${programVersion}: install Millrace 9.1.0, or restore the backup of before its start.`,
      );
    }
    expect(await filesIn(dataFolder)).toEqual(before);
    expect(await filesIn(folder)).not.toContain(expect.stringMatching(/\.tar|\.partial/));
    const audit = await db.auditEvent.count({ where: { name: 'command' } });
    expect(audit).toBe(0);
  });
});
