import { Cron } from 'croner';
import { timeZoneOf } from './time-zones.ts';

/** The library's cost grows with the length; no legitimate expression is longer. */
const longestCron = 255;

/** Five fields of cron: numbers, names, lists, ranges and steps. */
const cronShape = /^[\dA-Za-z*,/#-]+(?: +[\dA-Za-z*,/#-]+){4}$/;

interface Timing {
  readonly cron: string;
  readonly cronTimezone: string;
}

/**
 * The first time after `start` that a cron expression names; null if it is invalid, or if there is none
 * as for the 30th of February.
 */
function nextTime(cron: string, timeZone: string, start: Date): Date | null {
  if (cron.length > longestCron || !cronShape.test(cron)) return null;
  try {
    return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }).nextRun(start);
  } catch {
    return null;
  }
}

/** When a schedule is due next, or the messages for its expression and time zone. */
export function nextRunOf(
  { cron, cronTimezone }: Timing,
  start: Date,
): { readonly at: Date } | { readonly faults: Record<string, readonly string[]> } {
  const wrong = ['is invalid syntax'];
  const timeZone = timeZoneOf(cronTimezone);
  const at = nextTime(cron, timeZone ?? 'UTC', start);
  if (at && timeZone) return { at };
  return { faults: { cron: at ? [] : wrong, cron_timezone: timeZone ? [] : wrong } };
}
