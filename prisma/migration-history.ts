import { openSession, type Session } from './client.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { programVersion } from './program-version.ts';

/** How the migrations of a database differ from those of this version; both lists have the oldest first. */
export interface MigrationDifferences {
  /** The database lacks these. */
  readonly pending: readonly string[];
  /** This version lacks these: the database is newer, unless it is that of another program. */
  readonly unknown: readonly string[];
  /** Whose tables the database has; null: it has none. */
  readonly owner: 'millrace' | 'other' | null;
  /** The version that applied the last migrations; null if it did not record itself. */
  readonly version: string | null;
}

/** Precedes the version in the comment on the table of migrations. */
const signature = 'Millrace ';

/** Names of migrations that a message lists. */
const mostNames = 3;

/** Compares the database at `url` with this version. */
export async function migrationDifferences(url: string): Promise<MigrationDifferences> {
  const session = await openSession(url);
  try {
    return await differences(session, await readMigrations());
  } finally {
    await session.end();
  }
}

/** Compares the database of `session` with these migrations. */
export async function differences(
  session: Session,
  migrations: readonly Migration[],
): Promise<MigrationDifferences> {
  // before the names: a concurrent start commits a table with the record of its migration
  const isUsed = await hasTables(session);
  const applied = await appliedNames(session);
  const names = migrations.map(({ name }) => name);
  const unknown = [...applied].filter((name) => !names.includes(name)).sort();
  const isOther = applied.size > 0 ? unknown.length === applied.size : isUsed;
  return {
    pending: names.filter((name) => !applied.has(name)),
    unknown,
    owner: isOther ? 'other' : applied.size > 0 ? 'millrace' : null,
    version: await recordedVersion(session),
  };
}

/** Whether there are tables besides the history of migrations, which a killed first start leaves, and those of extensions. */
async function hasTables(session: Session): Promise<boolean> {
  const { rows } = await session.query<{ hasTables: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_class AS relation
       WHERE relkind IN ('r', 'p', 'v', 'm') AND relname <> '_prisma_migrations'
         AND relnamespace = to_regnamespace(current_schema())
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = relation.oid AND deptype = 'e')
     ) AS "hasTables"`,
  );
  return rows[0]?.hasTables ?? false;
}

export const foreignDatabase =
  'The database belongs to another program: give Millrace a database of its own (DATABASE_URL)';

/** The migrations that this version lacks, for a message. */
export function unknownNames({ unknown }: MigrationDifferences): string {
  const more = unknown.length > mostNames ? ` and ${unknown.length - mostNames} more` : '';
  return unknown.slice(0, mostNames).join(', ') + more;
}

/** What to do about a database that is newer than the program. */
export function downgradeAdvice({ version }: MigrationDifferences): string {
  const isNamed = version !== null && version !== programVersion;
  const needed = isNamed ? `Millrace ${version}` : 'the version that wrote them';
  return `This is Millrace ${programVersion}: install ${needed}, or restore the backup of before its start`;
}

/** Throws for the database of a newer version, which this one could not keep consistent, or of another program. */
export function requireOwnDatabase(state: MigrationDifferences): void {
  if (state.owner === 'other') throw new Error(`${foreignDatabase}.`);
  if (state.unknown.length === 0) return;
  throw new Error(
    `The database has migrations of a newer Millrace (${unknownNames(state)}). ${downgradeAdvice(state)}.`,
  );
}

async function hasHistory(session: Session): Promise<boolean> {
  const { rows } = await session.query(`SELECT to_regclass('_prisma_migrations') AS history`);
  return rows[0]?.history !== null;
}

/** The names of the migrations that are applied to the database of `session`. */
export async function appliedNames(session: Session): Promise<ReadonlySet<string>> {
  if (!(await hasHistory(session))) return new Set();
  const { rows } = await session.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Deletes the record of a migration that a killed start did not finish; the database rolled it back. */
export async function forgetInterrupted(session: Session): Promise<void> {
  if (!(await hasHistory(session))) return;
  await session.query(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
     WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
  );
}

async function recordedVersion(session: Session): Promise<string | null> {
  const { rows } = await session.query<{ comment: string | null }>(
    `SELECT obj_description(to_regclass('_prisma_migrations'), 'pg_class') AS comment`,
  );
  const comment = rows[0]?.comment ?? '';
  return comment.startsWith(signature) ? comment.slice(signature.length) : null;
}

/** Has an older version name this one when it refuses the database. */
export async function recordVersion(session: Session): Promise<void> {
  await session.query(`COMMENT ON TABLE _prisma_migrations IS '${signature}${programVersion}'`);
}
