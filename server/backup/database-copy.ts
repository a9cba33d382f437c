import { escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { openSession, type Session } from '../../prisma/client.ts';
import { appliedNames } from '../../prisma/migration-history.ts';
import type { Description, Table } from './format.ts';

/**
 * Tables that a restored database must not have: the history of migrations is that of its own, and the
 * others refer to transactions and processes of the running service.
 */
const excluded = ['_prisma_migrations', 'table_changes', 'watched_records'];

/** The schema of the queue, which creates its tables itself. */
export const queueSchema = 'pgboss';

/** The only table of the queue that is copied: jobs that are not done. */
const jobs = { schema: queueSchema, name: 'job', condition: `WHERE state < 'completed'` };

/** The name of a table with its schema, for a statement. */
export const qualifiedName = ({ schema, name }: Pick<Table, 'schema' | 'name'>) =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;

const columnsOf = ({ columns }: Table) => columns.map(escapeIdentifier).join(', ');

/** The target of rows that were copied from `table`. */
export const copyTarget = (table: Table): string => `${qualifiedName(table)} (${columnsOf(table)})`;

/** A generated column is computed again when rows are restored. */
const readTables = async (session: Session): Promise<Table[]> => {
  const { rows } = await session.query<Table>(
    `SELECT n.nspname AS schema, c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND (n.nspname = current_schema() AND c.relkind = 'r' AND c.relname <> ALL($1)
         OR n.nspname = $2 AND c.relname = $3)
     GROUP BY 1, 2
     ORDER BY 1, 2`,
    [excluded, jobs.schema, jobs.name],
  );
  return rows.toSorted((a, b) => (tablePath(a) < tablePath(b) ? -1 : 1));
};

/** The path of a table's item. */
export const tablePath = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `database/${schema}.${name}.copy.gz`;

/** A project's repository at the moment of the snapshot. */
export interface SnapshotRepository {
  readonly projectId: number;
  readonly storage: string;
  readonly diskPath: string;
}

const repositoryBatch = 500;

/** Begins a transaction that sees the database as it is now, whatever is written meanwhile. */
export async function openSnapshot(url: string) {
  const session = await openSession(url);
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  // the first statement takes the snapshot; it sees all that was acknowledged before
  const { rows } = await session.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const migrations = [...(await appliedNames(session))].sort();
  // a sequence is not part of the snapshot, but never behind the rows in it
  const sequences = await session.query<Description['sequences'][number]>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
  );
  const tables = await readTables(session);
  return {
    takenAt: (rows[0]?.now ?? new Date()).toISOString(),
    migrations,
    sequences: sequences.rows,
    tables,
    /** The rows of a table, in PostgreSQL's text format. */
    rowsOf: (table: Table): AsyncIterable<Buffer> => {
      const condition = table.schema === jobs.schema ? jobs.condition : '';
      const query = `SELECT ${columnsOf(table)} FROM ${qualifiedName(table)} ${condition}`;
      return session.query(copyTo(`COPY (${query}) TO STDOUT`));
    },
    /**
     * Ends the transaction, so that vacuum need not wait for the rest of the backup; returns the
     * repositories of its moment, in the order of an archive.
     */
    end: async (): Promise<AsyncGenerator<readonly SnapshotRepository[]>> => {
      await session.query(
        `DECLARE repositories NO SCROLL CURSOR WITH HOLD FOR
         SELECT id AS "projectId", storage, disk_path AS "diskPath" FROM projects WHERE NOT is_removed
         ORDER BY storage COLLATE "C", disk_path COLLATE "C"`,
      );
      await session.query('COMMIT');
      return fetchRepositories(session);
    },
    close: () => session.end(),
  };
}

async function* fetchRepositories(session: Session) {
  for (;;) {
    const { rows } = await session.query<SnapshotRepository>(
      `FETCH ${repositoryBatch} FROM repositories`,
    );
    if (rows.length === 0) return;
    yield rows;
  }
}
