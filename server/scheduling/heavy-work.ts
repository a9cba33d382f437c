import { unavailable } from '../../schema/kernel/errors.ts';
import { type GroupQueue, groupQueue } from '../queueing/group-queue.ts';
import { together } from '../queueing/pool.ts';
import { QueueRefusal } from '../queueing/refusal.ts';
import type { Caller, CallerClass } from './caller.ts';
import { currentEntrants } from './entrants.ts';
import { countRefusal, watchKind } from './metrics.ts';
import { isPenalised } from './penalties.ts';
import { currentTurn, runInTurn, SharedCallers, type Turn } from './scope.ts';
import { classLimits, type ShareOptions } from './shares.ts';

/** Of all kinds together, besides what is guaranteed to classes. */
const mostTogether = 32;

/** Seconds. */
const retryAfter = 10;

const all = together({ places: mostTogether, limitsOf: classLimits(mostTogether) });

interface KindOptions {
  /** In metrics, e.g. `blame`. */
  readonly kind: string;
  /** What may run at a time, besides what is guaranteed to classes. */
  readonly places: number;
  readonly limits?: ShareOptions;
  /** Whether it counts in the limit of all kinds together. */
  readonly isCounted?: boolean;
}

/** A queue for a kind of work, which is part of the metrics. */
export function kindQueue({ kind, places, limits, isCounted = true }: KindOptions): GroupQueue {
  const queue = groupQueue({
    places,
    limitsOf: classLimits(places, limits),
    together: isCounted ? all : null,
    isBehind: ({ group, caller }) => isPenalised({ class: group as CallerClass, key: caller }),
    onRefusal: ({ group }) => countRefusal(kind, group),
  });
  watchKind(kind, queue);
  return queue;
}

export interface TurnOptions {
  /** Callers of a class that use the same project do not fill its share. */
  readonly project?: string | undefined;
  /** Ends the wait; by default that of the callers who share the work. */
  readonly signal?: AbortSignal | null | undefined;
}

/** Runs work in a turn of its caller. Throws `unavailable` if there are too many before it. */
export type InTurn = <Result>(
  work: () => Promise<Result>,
  options?: TurnOptions,
) => Promise<Result>;

const kinds = new Map<string, InTurn>();

/**
 * The turns of a kind of heavy work, `places` at a time. Work that belongs to a turn already, of any kind, runs at
 * once: it would wait for itself.
 */
export function turnsOf(
  kind: string,
  places: number,
  options: Pick<KindOptions, 'limits' | 'isCounted'> = {},
): InTurn {
  const existing = kinds.get(kind);
  if (existing) return existing;
  const queue = kindQueue({ kind, places, ...options });
  const projectLimit = (group: CallerClass) => Math.max(2, classLimits(places)(group).most - 1);

  const inTurn: InTurn = async (work, { project, signal } = {}) => {
    if (currentTurn()) return work();
    const sharesOf = ({ class: group }: Caller) =>
      project === undefined ? [] : [{ key: `${group} ${project}`, limit: projectLimit(group) }];
    const entrants = currentEntrants(sharesOf, project ?? null);
    const { entrant, leave } = await queue
      .admit(entrants, signal ?? SharedCallers.current?.signal)
      .catch(refuse);
    const turn: Turn = { caller: entrant.of, isOver: false };
    try {
      return await runInTurn(turn, work);
    } finally {
      turn.isOver = true;
      leave();
    }
  };
  kinds.set(kind, inTurn);
  return inTurn;
}

function refuse(error: unknown): never {
  throw error instanceof QueueRefusal ? unavailable(retryAfter) : error;
}
