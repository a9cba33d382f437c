import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openSession, type Session } from '../../prisma/client.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import { readMigrations } from '../../prisma/migration-files.ts';
import { copyTarget, qualifiedName, queueSchema } from './database-copy.ts';
import type { Description, Table } from './format.ts';

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Throws if the backup has migrations that this program lacks. */
export async function requireKnownMigrations({ migrations, version }: Description): Promise<void> {
  const available = new Set((await readMigrations()).map(({ name }) => name));
  if (migrations.every((name) => available.has(name))) return;
  throw new Error(
    `The backup was made by Millrace ${version}, which is newer: install that version.`,
  );
}

/** Throws if the database at `url` has tables. */
export async function requireEmptyDatabase(url: string): Promise<void> {
  const session = await openSession(url);
  try {
    const { rows } = await session.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_class
       WHERE relkind = 'r' AND relnamespace IN (current_schema()::regnamespace, to_regnamespace($1))`,
      [queueSchema],
    );
    if (rows[0]?.count !== 0) throw new Error('The database is not empty: give an empty one.');
  } finally {
    await session.end();
  }
}

/** Brings an empty database to the schema that the backup had. */
export async function createSchema(url: string, { migrations }: Description): Promise<void> {
  const names = new Set(migrations);
  await applyMigrations(
    url,
    (await readMigrations()).filter(({ name }) => names.has(name)),
  );
}

/** An owner who is no superuser can drop the checks between tables, not disable them. */
async function dropForeignKeys(session: Session): Promise<readonly ForeignKey[]> {
  const { rows } = await session.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0`,
  );
  for (const { table, name } of rows) {
    await session.query(`ALTER TABLE ${table} DROP CONSTRAINT ${escapeIdentifier(name)}`);
  }
  return rows;
}

/** Triggers compute what the copied rows contain already, and announce changes. */
const switchTriggers = async (session: Session, tables: readonly Table[], state: string) => {
  for (const table of tables) {
    await session.query(`ALTER TABLE ${qualifiedName(table)} ${state} TRIGGER USER`);
  }
};

/** Begins the one transaction in which all tables are restored: until `commit` the database is empty. */
export async function openLoad(url: string, { tables, sequences }: Description) {
  const session = await openSession(url);
  const own = tables.filter(({ schema }) => schema !== queueSchema);
  await session.query('BEGIN');
  const foreignKeys = await dropForeignKeys(session);
  await switchTriggers(session, own, 'DISABLE');
  // migrations insert first rows
  await session.query(`TRUNCATE ${own.map(qualifiedName).join(', ')}`);
  return {
    /** Inserts the rows of a table. */
    fill: async (table: Table, rows: AsyncIterable<Buffer>): Promise<void> => {
      const copy = session.query(copyFrom(`COPY ${copyTarget(table)} FROM STDIN`));
      await pipeline(Readable.from(rows, { objectMode: false }), copy);
    },
    /** Sets sequences, and checks that the tables fit each other. */
    complete: async (): Promise<void> => {
      for (const { name, value } of sequences) {
        await session.query('SELECT setval($1::regclass, $2)', [escapeIdentifier(name), value]);
      }
      await switchTriggers(session, own, 'ENABLE');
      for (const { table, name, definition } of foreignKeys) {
        await session.query(
          `ALTER TABLE ${table} ADD CONSTRAINT ${escapeIdentifier(name)} ${definition}`,
        );
      }
    },
    commit: async (): Promise<void> => {
      await session.query('COMMIT');
      await session.query('ANALYZE');
    },
    /** Rolls back what is not committed. */
    close: () => session.end(),
  };
}
