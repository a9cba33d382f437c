import type { ConnectionTurns } from '../../prisma/shared-pool.ts';
import { DatabaseUnreachable } from '../../prisma/watched-client.ts';
import { groupQueue, type QueueLimits } from '../queueing/group-queue.ts';
import { QueueRefusal } from '../queueing/refusal.ts';
import type { CallerClass } from './caller.ts';
import { type CallerEntrant, entrantOf } from './entrants.ts';
import { countRefusal, watchKind } from './metrics.ts';
import { currentCaller } from './scope.ts';

/** A request may wait for hundreds of statements at the same time; connections limit the requests of a caller. */
const waiting = { waiting: 10_000, waitingPerCaller: 2_000 };

/** The kind of turn in metrics: of all connections, or of those that change data. */
type Kind = 'database' | 'database-writes';

/**
 * Shares the connections of a pool between callers: however slow the statements of one are, others find a
 * connection. Half of them are for all classes, some more for classes that hold few, and the rest for work without a caller, which
 * does not take turns: that of the service itself, and the look-up of credentials.
 */
export function databaseTurns(
  kind: Kind,
  connections: number,
  waitLimit = 10_000,
): ConnectionTurns {
  const part = (tenths: number) => Math.max(1, Math.floor((connections * tenths) / 10));
  const places = part(5);
  const limitsWith = (guaranteed: number, weight: number): QueueLimits => ({
    most: places,
    guaranteed,
    perCaller: Math.ceil(places / 2),
    weight,
    waitLimit,
    ...waiting,
  });
  const limits: Readonly<Record<CallerClass, QueueLimits>> = {
    'signed in': limitsWith(part(2), 2),
    'new account': limitsWith(part(1), 1),
    anonymous: limitsWith(part(1), 1),
    background: limitsWith(part(1), 1),
  };
  const queue = groupQueue({
    places,
    limitsOf: (group) => limits[group as CallerClass],
    onRefusal: ({ group }) => countRefusal(kind, group),
  });
  watchKind(kind, queue);
  const current = (): CallerEntrant | null => {
    const caller = currentCaller();
    return caller && entrantOf(caller);
  };
  return {
    tryEnter: () => {
      const entrant = current();
      return entrant ? queue.tryAdmit(entrant) : () => {};
    },
    enter: async () => {
      const entrant = current();
      if (!entrant) return () => {};
      const admission = await queue.admit({ current: [entrant] }).catch((error: unknown) => {
        throw error instanceof QueueRefusal ? new DatabaseUnreachable(error) : error;
      });
      return admission.leave;
    },
    waiting: () => queue.waiting(),
  };
}
