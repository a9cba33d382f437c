import { connect, openSession, type Session } from '../../prisma/client.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import {
  downgradeAdvice,
  foreignDatabase,
  migrationDifferences,
  unknownNames,
} from '../../prisma/migration-history.ts';
import { hasStatementLimit } from '../database.ts';
import { clockAdvice, clockDifferenceText, nearest } from '../storages/clock.ts';
import type { Check, Finding } from './check.ts';

async function* ownerFindings(url: string): AsyncGenerator<Finding> {
  const { owner } = await migrationDifferences(url);
  if (owner !== 'other') return;
  yield {
    level: 'error',
    problem: foreignDatabase,
    advice: 'Set DATABASE_URL as for the server.',
  };
}

async function* migrationFindings(url: string): AsyncGenerator<Finding> {
  const state = await migrationDifferences(url);
  const { pending, unknown, owner } = state;
  if (pending.length > 0) {
    yield {
      level: 'error',
      problem: `${owner === null ? 'the database is empty: ' : ''}${pending.length} migrations are pending`,
      advice:
        owner === null
          ? 'Set DATABASE_URL as for the server; for a new server, run `millrace migrate run`.'
          : 'Run `millrace migrate run`, or start the server.',
      fix: async () => void (await applyMigrations(url)),
    };
  }
  if (unknown.length > 0) {
    yield {
      level: 'error',
      problem: `the database has migrations of a newer version: ${unknownNames(state)}`,
      advice: `${downgradeAdvice(state)}.`,
    };
  }
}

async function* extensionFindings(session: Session): AsyncGenerator<Finding> {
  const { rowCount } = await session.query(`SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`);
  if (rowCount === 0) {
    yield {
      level: 'error',
      problem: 'the extension pg_trgm is missing, so searches are slow or fail',
      advice: 'Run CREATE EXTENSION pg_trgm in the database, as its owner.',
      fix: async () => void (await session.query('CREATE EXTENSION pg_trgm')),
    };
  }
}

async function* clockFindings(session: Session): AsyncGenerator<Finding> {
  const before = Date.now();
  const { rows } = await session.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const there = rows[0]?.now.getTime() ?? 0;
  const problem = clockDifferenceText('the database', there, nearest(there, before, Date.now()));
  if (problem !== null) yield { level: 'error', problem, advice: clockAdvice };
}

/** Gives findings that need a connection outside of a pool; it is closed after them. */
export async function* withSession(
  url: string,
  findings: (session: Session) => AsyncGenerator<Finding>,
): AsyncGenerator<Finding> {
  const session = await openSession(url);
  try {
    yield* findings(session);
  } finally {
    await session.end();
  }
}

async function* poolerFindings(url: string): AsyncGenerator<Finding> {
  const db = connect(url, { poolSize: 1, isPooler: true });
  try {
    if (await hasStatementLimit(db)) return;
    yield {
      level: 'warning',
      problem: 'the connections of the pooler do not limit the time of statements',
      advice: 'Set statement_timeout by connect_query of PgBouncer (docs/scaling.md).',
    };
  } finally {
    await db.$disconnect();
  }
}

/** Whether the database is that of Millrace, or empty: no other check may look at that of another program. */
export const ownerChecks = (url: string): readonly Check[] => [
  { name: 'database', run: () => ownerFindings(url) },
];

/** Checks of the database at `url`, which may be older or newer than the program, and of its pooler. */
export const databaseChecks = (url: string, poolerUrl: string | null): readonly Check[] => [
  { name: 'migrations', run: () => migrationFindings(url) },
  { name: 'extension', run: () => withSession(url, extensionFindings) },
  { name: 'clock', run: () => withSession(url, clockFindings) },
  ...(poolerUrl === null ? [] : [{ name: 'pooler', run: () => poolerFindings(poolerUrl) }]),
];
