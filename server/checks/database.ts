import { connect, openSession, type Session } from '../../prisma/client.ts';
import { applyMigrations, migrationDifferences } from '../../prisma/migrate.ts';
import { hasStatementLimit } from '../database.ts';
import type { Check, Finding } from './check.ts';

/** Milliseconds; tokens and jobs compare times of the database and of the server. */
const maxClockDifference = 5_000;

async function* migrationFindings(url: string): AsyncGenerator<Finding> {
  const { pending, unknown } = await migrationDifferences(url);
  if (pending.length > 0) {
    yield {
      level: 'error',
      problem: `${pending.length} migrations are pending`,
      advice: 'Run `millrace migrate run`, or start the server.',
      fix: async () => void (await applyMigrations(url)),
    };
  }
  if (unknown.length > 0) {
    yield {
      level: 'error',
      problem: `the database has migrations of a newer version: ${unknown.join(', ')}`,
      advice: 'Install the version that wrote them.',
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
  const { rows } = await session.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const difference = Math.abs((rows[0]?.now.getTime() ?? 0) - Date.now());
  if (difference > maxClockDifference) {
    yield {
      level: 'error',
      problem: `the clocks of the database and of this machine differ by ${Math.round(difference / 1_000)} s`,
      advice: 'Synchronize both by NTP.',
    };
  }
}

async function* withSession(
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

/** Checks of the database at `url`, which may be older or newer than the program, and of its pooler. */
export const databaseChecks = (url: string, poolerUrl: string | null): readonly Check[] => [
  { name: 'migrations', run: () => migrationFindings(url) },
  { name: 'extension', run: () => withSession(url, extensionFindings) },
  { name: 'clock', run: () => withSession(url, clockFindings) },
  ...(poolerUrl === null ? [] : [{ name: 'pooler', run: () => poolerFindings(poolerUrl) }]),
];
