import { Counter, type Registry } from 'prom-client';
import type { Database } from '../prisma/client.ts';
import { damagedRelation } from '../prisma/damaged-relation.ts';
import { sqlStateOf } from '../prisma/failures.ts';
import type { ReportOutage } from '../schema/client/execute.ts';
import type { Logger } from './log.ts';

/**
 * Logs each failure of a part that the service depends on, with its reason, and counts them by part. PostgreSQL names
 * a damaged table by its file: its name follows in the log.
 */
export function outageReports(log: Logger, registry: Registry, db: Database): ReportOutage {
  const count = new Counter({
    name: 'millrace_outages_total',
    help: 'Requests refused because the database, a disk or a repository failed',
    labelNames: ['part'],
    registers: [registry],
  });
  return ({ part }, cause, requestId) => {
    count.inc({ part });
    // names with "state" are redacted, as those of OAuth are
    const sqlError = sqlStateOf(cause) ?? undefined;
    log.error({ err: cause, part, sqlError, requestId }, 'outage');
    if (part !== 'database' || !(cause instanceof Error)) return;
    damagedRelation(db, cause.message).then(
      (relation) => {
        if (relation !== null) log.error({ relation, requestId }, 'a table cannot be read');
      },
      (error: unknown) => log.debug({ err: error, requestId }, 'the damaged table is unknown'),
    );
  };
}
