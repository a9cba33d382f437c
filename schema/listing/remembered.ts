import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Database, Prisma } from '../../prisma/client.ts';
import { recordedTablesOf } from './watched-columns.ts';

/** When a value is remembered, in milliseconds. */
export interface RememberedLimits {
  /** A statement that takes longer may compute a value that is worth remembering. */
  readonly slowStatement: number;
  /** The value is remembered if PostgreSQL took longer for it alone. */
  readonly slowValue: number;
}

const usual: RememberedLimits = { slowStatement: 5, slowValue: 3 };

const maxValues = 2_000;
/** Characters of all values and snapshots. */
const maxSize = 8_000_000;
/** After this time a value that was cheap is measured again, in milliseconds. */
const ttl = 600_000;
/** Rows of `table_changes` are kept longer (old-changes.ts). */
const maxAge = '10 minutes';

interface Computed<Value> {
  readonly value: Value;
  /** The last snapshot in which it was computed or found unchanged. */
  readonly snapshot: string;
  /** PostgreSQL's time when it was computed. */
  readonly at: string;
}

/** What a process knows of a value that was slow to compute. */
interface Entry {
  /** Those that can change the value; null if it cannot be remembered. */
  readonly tables: readonly string[] | null;
  readonly computed: Computed<unknown> | null;
}

interface Memory {
  readonly limits: RememberedLimits;
  readonly entries: LRUCache<string, Entry>;
  /** Statements that compute a value, for other requests to wait for. */
  readonly pending: Map<string, { readonly begun: number; readonly end: Promise<unknown> }>;
}

const memories = new WeakMap<Pick<Database, '$queryRaw'>, Memory>();

/** Lets the reads of this database remember values that are slow to compute. */
export function rememberValues(db: Database, limits: Partial<RememberedLimits> = {}): void {
  const sizeCalculation = ({ computed }: Entry, key: string) =>
    key.length + (computed ? computed.snapshot.length + JSON.stringify(computed.value).length : 0);
  memories.set(db, {
    limits: { ...usual, ...limits },
    entries: new LRUCache({ max: maxValues, maxSize, sizeCalculation, ttl }),
    pending: new Map(),
  });
}

/** The columns of the row of a statement, beside the value. */
interface ValueRow {
  /** How long PostgreSQL took for the value, in milliseconds. */
  readonly ms?: number;
  /** Null in a transaction that has written: its changes are visible to itself only. */
  readonly snapshot?: string | null;
  readonly at?: string;
}

/** What a statement selects in place of a value. */
export interface ValueColumns<Value> {
  /** The column `as`; if a value is remembered, it is null as long as that has not changed. */
  readonly columnsOf: (value: Prisma.Sql) => Prisma.Sql;
  /** The remembered value, with the condition that it may have changed. */
  readonly remembered: { readonly value: Value; readonly hasChanged: Prisma.Sql } | null;
  /** Whether the computed value will be remembered. */
  readonly isRemembered: boolean;
}

export interface RememberedValue<Name extends string> {
  /** The name of its column. */
  readonly as: Name;
  /** A query that the value depends on, and nothing else. */
  readonly source: Prisma.Sql;
}

/**
 * Runs a statement that has a value as one of its columns. A value that took long to compute is
 * remembered with its snapshot, and the next statement computes it only if a transaction has changed
 * something that it depends on since then. So it is exact in each statement (docs/adr/0039).
 */
export async function readWithValue<Name extends string, Row extends Record<Name, unknown>>(
  db: Database,
  { as, source }: RememberedValue<Name>,
  read: (columns: ValueColumns<Row[Name]>) => Promise<Row>,
): Promise<Row> {
  const memory = memories.get(db);
  const columnsOf = (value: Prisma.Sql) => Prisma.sql`${value} AS ${Prisma.raw(as)}`;
  const columns = { columnsOf, remembered: null, isRemembered: false };
  if (!memory) return read(columns);
  // the key is not needed as long as all values are cheap
  const key = memory.entries.size > 0 ? keyOf(source) : null;
  const entry = key === null ? undefined : memory.entries.get(key);
  if (key !== null && entry?.tables) {
    return readRemembered(memory, { key, as, tables: entry.tables }, read);
  }
  const begun = performance.now();
  const row = await read(columns);
  if (!entry && performance.now() - begun > memory.limits.slowStatement) {
    memory.entries.set(key ?? keyOf(source), {
      tables: recordedTablesOf(source),
      computed: null,
    });
  }
  return row;
}

const keyOf = ({ sql, values }: Prisma.Sql): string =>
  hash('sha256', JSON.stringify([sql, values]), 'base64');

interface Remembered<Name> {
  readonly key: string;
  readonly as: Name;
  readonly tables: readonly string[];
}

async function readRemembered<Name extends string, Row extends Record<Name, unknown>>(
  memory: Memory,
  { key, as, tables }: Remembered<Name>,
  read: (columns: ValueColumns<Row[Name]>) => Promise<Row>,
): Promise<Row> {
  const computation = computationOf(memory, key);
  if (computation) await computation;
  const computed = memory.entries.get(key)?.computed as Computed<Row[Name]> | null | undefined;
  const hasChanged = computed && changeSince(computed, tables);
  const columnsOf = (value: Prisma.Sql) => Prisma.sql`
    ${hasChanged ? Prisma.sql`CASE WHEN ${hasChanged} THEN ${value} END` : value} AS ${Prisma.raw(as)},
    ${bookkeeping}`;
  const remembered = computed && hasChanged ? { value: computed.value, hasChanged } : null;
  const reading = read({ columnsOf, remembered, isRemembered: true }) as Promise<Row & ValueRow>;
  if (!memory.pending.has(key)) {
    const end = reading.catch(() => {}).finally(() => memory.pending.delete(key));
    memory.pending.set(key, { begun: performance.now(), end });
  }
  const { ms = 0, snapshot, at = '', ...rest } = await reading;
  const row = rest as unknown as Row;
  if (row[as] !== null) {
    const isSlow = ms >= memory.limits.slowValue;
    if (!isSlow) memory.entries.set(key, { tables: null, computed: null });
    else if (snapshot) {
      memory.entries.set(key, { tables, computed: { value: row[as], snapshot, at } });
    }
    return row;
  }
  // the later snapshot has fewer changes after it
  if (computed && snapshot) {
    memory.entries.set(key, { tables, computed: { ...computed, snapshot } });
  }
  return { ...row, [as]: computed?.value ?? null };
}

/**
 * Ends with the statement of another request that computes the value: the statement after it then
 * only checks it. A statement that takes longer than a check computes.
 */
function computationOf({ entries, pending, limits }: Memory, key: string): Promise<unknown> | null {
  const other = pending.get(key);
  if (!other) return null;
  const isComputed = Boolean(entries.peek(key)?.computed);
  return !isComputed || performance.now() - other.begun > limits.slowStatement ? other.end : null;
}

/** PostgreSQL computes the columns in their order, so that the time is that of the value. */
const bookkeeping = Prisma.raw(`
  (extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000)::float8 AS ms,
  CASE WHEN pg_current_xact_id_if_assigned() IS NULL THEN pg_current_snapshot()::text END AS snapshot,
  now()::text AS at`);

/**
 * Whether a transaction that the snapshot does not see has changed one of the tables. Memberships
 * expire at midnight. A value of the future was computed before PostgreSQL's clock was set back.
 */
const changeSince = (
  { snapshot, at }: Computed<unknown>,
  tables: readonly string[],
): Prisma.Sql => Prisma.sql`(
  ${at}::timestamptz NOT BETWEEN now() - ${maxAge}::interval AND now()
  OR (${at}::timestamptz AT TIME ZONE 'UTC')::date <> (now() AT TIME ZONE 'UTC')::date
  OR EXISTS (SELECT FROM table_changes WHERE table_name = ANY(${tables}::text[])
    AND xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
    AND NOT pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)))`;
