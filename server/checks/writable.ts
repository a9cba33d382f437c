import type { Session } from '../../prisma/client.ts';
import type { Check, Finding } from './check.ts';
import { withSession } from './database.ts';

async function* writableFindings(session: Session): AsyncGenerator<Finding> {
  const { rows } = await session.query<{ setting: string }>(
    `SELECT current_setting('transaction_read_only') AS setting`,
  );
  if (rows[0]?.setting !== 'on') return;
  yield {
    level: 'error',
    problem: 'the database is read-only',
    advice:
      'Let DATABASE_URL lead to the primary, or reset default_transaction_read_only (docs/administration.md).',
  };
}

/** Whether the database can be written. */
export const writableChecks = (url: string): readonly Check[] => [
  { name: 'writable', run: () => withSession(url, writableFindings) },
];
