import { Counter, type Registry } from 'prom-client';
import type { ReportOutage } from '../schema/client/execute.ts';
import type { Logger } from './log.ts';

/** Logs each failure of a part that the service depends on, with its reason, and counts them by part. */
export function outageReports(log: Logger, registry: Registry): ReportOutage {
  const count = new Counter({
    name: 'millrace_outages_total',
    help: 'Requests refused because the database, a disk or a repository failed',
    labelNames: ['part'],
    registers: [registry],
  });
  return ({ part }, cause, requestId) => {
    count.inc({ part });
    log.error({ err: cause, part, requestId }, 'outage');
  };
}
