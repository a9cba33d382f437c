import { afterAll, describe, expect, inject, test } from 'vitest';
import { openSession, Prisma } from '../../prisma/client.ts';
import { columnsByTable } from '../../prisma/data-model.ts';
import { recordedTablesOf, watchedTables } from '../../schema/listing/watched-columns.ts';
import { cloneDatabase } from '../support/database.ts';

const database = await cloneDatabase(inject('databaseUrl'));
const session = await openSession(database.url);
afterAll(async () => {
  await session.end();
  await database.drop();
});

const recorded = (sql: string) => recordedTablesOf(Prisma.raw(sql))?.toSorted() ?? null;

describe('the tables that a total depends on', () => {
  test('are those that its query names', () => {
    expect(
      recorded(`issues WHERE NOT is_confidential AND id IN (SELECT issue_id FROM issue_labels
      JOIN labels ON labels.id = label_id WHERE labels.name = $1)`),
    ).toEqual(['issues', 'labels']);
  });

  test('can have conditions that change at midnight', () => {
    expect(
      recorded(`members WHERE expires_at > (now() AT TIME ZONE 'UTC')::date AND user_id = 1`),
    ).toEqual(['members']);
  });

  test.each([
    ['a time', `labels WHERE created_at > now() - interval '7 days'`],
    ['a table that is not watched', 'labels WHERE id IN (SELECT label_id FROM label_priorities)'],
    ['a column that is not watched', 'issues WHERE updated_at > $1'],
    ['a quoted column that is not watched', 'issues WHERE "updated_at" > $1'],
    ['all columns', 'labels, (SELECT * FROM issues) page'],
    ['a row as a value', 'issues WHERE to_json(issues)::text = $1'],
    ['a system column', 'issues WHERE xmin::text = $1'],
  ])('are unknown if the query reads %s', (_, sql) => {
    expect(recorded(sql)).toBeNull();
  });
});

describe('the triggers that record changes', () => {
  test('watch these tables and columns', async () => {
    const { rows } = await session.query(
      `SELECT tgrelid::regclass::text AS "table", pg_get_triggerdef(pg_trigger.oid) AS definition
       FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
       WHERE proname = 'record_table_change' AND tgenabled = 'O' ORDER BY tgname`,
    );
    const expected = [...watchedTables].flatMap(([table, { recordedAs, columns }]) => {
      const call = `EXECUTE FUNCTION record_table_change('${recordedAs}', 'millrace.changes_of_${recordedAs}')`;
      const updates = columns ? `UPDATE OF ${columns.join(', ')}` : 'UPDATE';
      return [
        `CREATE TRIGGER ${table}_recorded AFTER INSERT OR DELETE OR ${updates} ON public.${table} FOR EACH ROW ${call}`,
        `CREATE TRIGGER ${table}_truncation_recorded AFTER TRUNCATE ON public.${table} FOR EACH STATEMENT ${call}`,
      ].map((definition) => ({ table, definition }));
    });
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set(expected.map((row) => JSON.stringify(row))),
    );
  });

  test('see each update: no other trigger changes a row before it is written', async () => {
    const { rows } = await session.query(
      `SELECT tgrelid::regclass::text AS "table" FROM pg_trigger
       WHERE NOT tgisinternal AND tgtype & 2 = 2 AND tgrelid::regclass::text = ANY($1)`,
      [[...watchedTables.keys()]],
    );
    expect(rows).toEqual([]);
  });

  test('watch columns that exist', () => {
    for (const [table, { columns = [] }] of watchedTables) {
      expect([...(columnsByTable.get(table)?.keys() ?? [])]).toEqual(
        expect.arrayContaining([...columns]),
      );
    }
  });
});

test('no view and no function hides a table from the text of a query', async () => {
  const { rows: views } = await session.query(
    `SELECT relname FROM pg_class WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace`,
  );
  const { rows: functions } = await session.query(
    `SELECT proname AS name FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND prorettype <> 'trigger'::regtype
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`,
  );
  expect({ views, functions }).toEqual({ views: [], functions: [{ name: 'notify_if_watched' }] });
});
