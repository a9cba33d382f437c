import type { Session } from '../../prisma/client.ts';
import type { Check, Finding } from './check.ts';
import { withSession } from './database.ts';

/** Tables of Millrace and of its queue; partitions are read by their names, not by those of their parents. */
const tables = `
  SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('public', 'pgboss')
  ORDER BY relname`;

/** Reads each row of each table, with its long values, as a backup does. */
async function* tableFindings(session: Session): AsyncGenerator<Finding> {
  const { rows } = await session.query<{ name: string }>(tables);
  for (const { name } of rows) {
    const fault = await session
      .query(`SELECT count(one::text) FROM ONLY ${name} AS one`)
      .then(() => null)
      .catch((error: Error) => error);
    if (!fault) continue;
    yield {
      level: 'error',
      problem: `the table ${name} cannot be read: ${fault.message}`,
      advice:
        'Check the disk. Then restore the database from a backup or a standby (docs/administration.md).',
    };
  }
}

/** Reads all of the database, which takes as long as a backup of it. */
export const tableChecks = (url: string): readonly Check[] => [
  { name: 'tables', run: () => withSession(url, tableFindings) },
];
