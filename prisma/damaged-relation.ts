import type { Database } from './client.ts';

/** A file of a relation in a message of PostgreSQL, in any language: `base/16384/16421`. */
const fileName = /\b(?:base|pg_tblspc\/(\d+)\/[^/\s"]+)\/\d+\/(\d+)/;

/** The table of long values in a message: `missing chunk number 0 for toast value 1 in pg_toast_16384`. */
const longValues = /\bpg_toast_(\d+)\b/;

interface Location {
  /** 0 for the usual one. */
  readonly tablespace: string;
  readonly file: string | null;
  /** The table whose long values are damaged. */
  readonly table: string | null;
}

/** What a message about damage names in place of a table; null if it names neither. */
function locationIn(message: string): Location | null {
  const [, tablespace = '0', file = null] = fileName.exec(message) ?? [];
  const table = longValues.exec(message)?.[1] ?? null;
  return file === null && table === null ? null : { tablespace, file, table };
}

/**
 * The name of the table or index that a message about damage concerns, such as `invalid page in block 3 of relation
 * "base/16384/16421"`; null if it names no file, or the file is of another database.
 */
export async function damagedRelation(db: Database, message: string): Promise<string | null> {
  const location = locationIn(message);
  if (!location) return null;
  const { tablespace, file, table } = location;
  const [row] = await db.$queryRaw<{ name: string | null }[]>`
    SELECT coalesce(owner.oid, named.oid)::regclass::text AS name
    FROM (SELECT coalesce(${table}::oid, pg_filenode_relation(${tablespace}::oid, ${file}::oid)) AS oid) AS named
    LEFT JOIN pg_class AS owner ON owner.reltoastrelid = named.oid`;
  return row?.name ?? null;
}
