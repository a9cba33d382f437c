import { open, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openSession, type Session } from '../../prisma/client.ts';

const pageSize = 8_192;

const nameOf = (databaseUrl: string): string => /\/([^/?]+)(?:\?|$)/.exec(databaseUrl)?.[1] ?? '';

/** Runs statements as the superuser, in a database of the same server that stays as it is. */
export async function administer<Result>(
  work: (session: Session) => Promise<Result>,
  url = inject('databaseUrl'),
): Promise<Result> {
  const session = await openSession(url);
  return work(session).finally(() => session.end());
}

/** Ends all sessions of a database, or those of one account, as a restart or a failover does. */
const endSessions = (session: Session, databaseUrl: string, account: string | null = null) =>
  session.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = $1 AND pid <> pg_backend_pid() AND usename = coalesce($2, usename)`,
    [nameOf(databaseUrl), account],
  );

/**
 * Makes a database read-only, as after a failover to a standby: its sessions end, and new ones cannot write. The
 * result makes it writable again for new sessions; those that exist still cannot write, as those to a former primary.
 */
export async function makeReadOnly(databaseUrl: string): Promise<() => Promise<void>> {
  const name = nameOf(databaseUrl);
  const setting = 'default_transaction_read_only';
  await administer(async (session) => {
    await session.query(`ALTER DATABASE ${name} SET ${setting} = on`);
    await endSessions(session, databaseUrl);
  });
  return () =>
    administer(async (session) => {
      await session.query(`ALTER DATABASE ${name} RESET ${setting}`);
    });
}

/**
 * Damages the first page of a table on the disk, so that reading it fails with XX001; the result mends it. Its copy in
 * the memory of PostgreSQL is dropped.
 */
export async function damagePage(databaseUrl: string, table: string): Promise<() => Promise<void>> {
  const evict = (session: Session) =>
    session.query('SELECT * FROM pg_buffercache_evict_relation($1::regclass)', [table]);
  const path = await administer(async (session) => {
    await session.query('CREATE EXTENSION IF NOT EXISTS pg_buffercache');
    await session.query('CHECKPOINT');
    const { rows } = await session.query<{ pid: number; file: string }>(
      `SELECT pg_backend_pid() AS pid, pg_relation_filepath($1) AS file`,
      [table],
    );
    await evict(session);
    const [{ pid, file } = { pid: 0, file: '' }] = rows;
    // PostgreSQL runs in the folder of its data
    return join(await readlink(`/proc/${pid}/cwd`), file);
  }, databaseUrl);
  const page = Buffer.alloc(pageSize);
  const write = async (bytes: Buffer) => {
    const file = await open(path, 'r+');
    await file.write(bytes, 0, pageSize, 0);
    await file.close();
  };
  const file = await open(path, 'r');
  await file.read(page, 0, pageSize, 0);
  await file.close();
  const garbled = Buffer.from(page);
  garbled.fill(0x5a, pageSize / 2);
  await write(garbled);
  return async () => {
    await write(page);
    await administer(evict, databaseUrl);
  };
}

/** An account without the rights of a superuser, and what changes how many connections it may have. */
export async function ordinaryAccount(databaseUrl: string) {
  const name = `${nameOf(databaseUrl)}_account`;
  const database = nameOf(databaseUrl);
  await administer(async (session) => {
    await session.query(`CREATE ROLE ${name} LOGIN IN ROLE millrace`);
    await session.query(`GRANT ALL ON DATABASE ${database} TO ${name}`);
  });
  return {
    url: databaseUrl.replace(/^postgresql:\/\/[^@/]*@/, `postgresql://${name}@`),
    /** -1 is no limit; at 0 its sessions end, too. */
    limit: (connections: number) =>
      administer(async (session) => {
        await session.query(`ALTER ROLE ${name} CONNECTION LIMIT ${connections}`);
        if (connections === 0) await endSessions(session, databaseUrl, name);
      }),
    drop: () =>
      administer(async (session) => {
        await endSessions(session, databaseUrl, name);
        await session.query(`REVOKE ALL ON DATABASE ${database} FROM ${name}`);
        await session.query(`DROP ROLE ${name}`);
      }),
  };
}
