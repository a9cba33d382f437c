import type { Logger } from 'pino';
import { Counter } from 'prom-client';

/** What a process of the service starts and watches. */
export type Helper = 'cat-file' | 'git' | 'primary' | 'runner' | 'spawner' | 'ssh' | 'worker';

/** `silent`: it ran, but did not answer, and was killed. */
export type HelperFailure = 'exited' | 'silent';

export type ReportHelper = (
  helper: Helper,
  failure: HelperFailure,
  details?: Readonly<Record<string, unknown>>,
) => void;

/** Of this process, which may have several servers in tests. */
export const helperFailures = new Counter({
  name: 'millrace_helper_failures_total',
  help: 'Helper processes that exited by themselves, or were killed because they did not answer',
  labelNames: ['helper', 'reason'],
  registers: [],
});

// rates need a value before the first failure
for (const helper of ['cat-file', 'runner', 'spawner', 'ssh', 'worker'] as const)
  for (const reason of ['exited', 'silent'] as const) helperFailures.inc({ helper, reason }, 0);

const texts: Readonly<Record<HelperFailure, string>> = {
  exited: 'a helper process exited',
  silent: 'a helper process does not answer',
};

/** Logs and counts each failure of a helper process. */
export function helperReports(log: Pick<Logger, 'error'>): ReportHelper {
  return (helper, reason, details = {}) => {
    helperFailures.inc({ helper, reason });
    log.error({ helper, ...details }, texts[reason]);
  };
}
