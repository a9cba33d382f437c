import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { openSession } from '../../prisma/client.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import { readMigrations } from '../../prisma/migration-files.ts';
import { readDescription } from '../../server/backup/archive-reader.ts';
import { cloneDatabase } from '../support/database.ts';

/*
 * Users work while a migration runs, on tables with millions of rows. Those after a release may do
 * nothing that takes longer the more rows there are: rewrite a table, read all of it, build an index.
 */

const releases = 'test/fixtures/releases';
const [oldest = ''] = (await readdir(releases)).toSorted();
const released = new Set((await readDescription(join(releases, oldest))).migrations);
const all = await readMigrations();
const later = all.filter(({ name }) => !released.has(name));

const database = await cloneDatabase(inject('databaseUrl'), 'template0');
await applyMigrations(
  database.url,
  all.filter(({ name }) => released.has(name)),
);
const session = await openSession(database.url);
afterAll(async () => {
  await session.end();
  await database.drop();
});

/** Tables with a number that grows when they are rewritten, get an index or are read. */
const facts = {
  rewrites: `
    SELECT oid::regclass::text AS name, pg_relation_filenode(oid)::text AS number FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  'builds an index of': `
    SELECT relid::regclass::text AS name, count(indexrelid)::text AS number
    FROM pg_stat_user_indexes GROUP BY relid`,
  'reads all of': `
    SELECT relid::regclass::text AS name, seq_scan::text AS number
    FROM pg_stat_xact_user_tables`,
};

type Facts = ReadonlyMap<string, number>;

async function look(): Promise<Facts> {
  const tables = new Map<string, number>();
  for (const [verb, query] of Object.entries(facts)) {
    for (const { name, number } of (await session.query(query)).rows) {
      tables.set(`${verb} ${name}`, Number(number));
    }
  }
  return tables;
}

/** What a migration does to the tables that existed before it; it is undone unless `isKept`. */
async function slowParts(sql: string, isKept = false): Promise<readonly string[]> {
  const before = await look();
  await session.query('BEGIN');
  try {
    await session.query(sql);
    const after = await look();
    if (isKept) await session.query('COMMIT');
    return [...before.keys()].filter((fact) => (after.get(fact) ?? 0) > (before.get(fact) ?? 0));
  } finally {
    await session.query('ROLLBACK');
  }
}

describe('what takes long is noticed', () => {
  test.each([
    ['a computed default', 'ALTER TABLE issues ADD COLUMN a uuid DEFAULT gen_random_uuid()'],
    ['another type', 'ALTER TABLE issues ALTER COLUMN time_estimate TYPE bigint'],
    ['an index', 'CREATE INDEX a ON issues (due_date)'],
    ['a column that must be set', 'ALTER TABLE issues ALTER COLUMN author_id SET NOT NULL'],
    ['a check of all rows', 'ALTER TABLE issues ADD CONSTRAINT a CHECK (iid > 0)'],
    ['a change of all rows', 'UPDATE issues SET is_confidential = false'],
  ])('%s', async (_, sql) => {
    expect(await slowParts(sql)).not.toEqual([]);
  });

  test.each([
    ['a new table', 'CREATE TABLE a (id int PRIMARY KEY, issue_id int REFERENCES issues (id))'],
    ['a new column', 'ALTER TABLE issues ADD COLUMN a text'],
    ['a constant default', 'ALTER TABLE issues ADD COLUMN a boolean NOT NULL DEFAULT false'],
    ['a check of new rows', 'ALTER TABLE issues ADD CONSTRAINT a CHECK (iid > 0) NOT VALID'],
  ])('but not %s', async (_, sql) => {
    expect(await slowParts(sql)).toEqual([]);
  });
});

test.each(later)('$name does nothing that takes long on large tables', async ({ sql }) => {
  expect(await slowParts(sql, true)).toEqual([]);
});
