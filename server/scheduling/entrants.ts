import type { Entrants } from '../queueing/group-queue.ts';
import type { Entrant } from '../queueing/pool.ts';
import { backgroundCaller, type Caller } from './caller.ts';
import { currentCaller, SharedCallers } from './scope.ts';

/** A caller in a queue. */
export interface CallerEntrant extends Entrant {
  readonly of: Caller;
}

type SharesOf = (caller: Caller) => Entrant['shares'];

export const entrantOf = (of: Caller, shares: Entrant['shares'] = []): CallerEntrant => ({
  group: of.class,
  caller: of.key,
  shares,
  of,
});

/** The callers of what runs now. Work without one is the service's own, for `project` if it is given. */
export function currentEntrants(
  sharesOf: SharesOf = () => [],
  project: string | null = null,
): Entrants<CallerEntrant> {
  const entrant = (caller: Caller) => entrantOf(caller, sharesOf(caller));
  const shared = SharedCallers.current;
  const callers = shared?.all ?? [currentCaller()].filter((caller) => caller !== null);
  return {
    current: (callers.length > 0 ? callers : [backgroundCaller(project)]).map(entrant),
    ...(shared && {
      onJoin: (listener) => shared.onJoin((caller) => listener(entrant(caller))),
    }),
  };
}
