import { type Line, line, type Ticket, type WaitingEntry } from './line.ts';
import { type Entrant, type GroupLimits, pool, type Together, tally } from './pool.ts';
import { QueueRefusal } from './refusal.ts';

/** The limits of a group of callers in one queue. */
export interface QueueLimits extends GroupLimits {
  /** Entries that wait. */
  readonly waiting: number;
  /** Entries of one caller that wait. */
  readonly waitingPerCaller: number;
  /** Milliseconds after which a waiting entry is refused, unless others of its caller are served. */
  readonly waitLimit: number;
  /** While several groups wait, each is served in proportion to its weight. */
  readonly weight: number;
}

export interface GroupQueueOptions {
  /** Entries that run concurrently, besides guaranteed ones. */
  readonly places: number;
  readonly limitsOf: (group: string) => QueueLimits;
  /** Also limits what this queue and others run together. */
  readonly together?: Together | null;
  /** Whether a caller waits behind the others of its group. */
  readonly isBehind?: (entrant: Entrant) => boolean;
  readonly onRefusal?: (entrant: Entrant) => void;
}

/** For whom an entry waits: it starts by the turn of the caller that has one first. */
export interface Entrants<Waiting extends Entrant = Entrant> {
  readonly current: readonly Waiting[];
  /** Calls `listener` with callers that join while the entry waits; returns what ends that. */
  readonly onJoin?: (listener: (entrant: Waiting) => void) => () => void;
}

/** A running entry. */
export interface Admission<Admitted extends Entrant = Entrant> {
  /** By whose turn it was started. */
  readonly entrant: Admitted;
  readonly leave: () => void;
}

/** A wait that others of its caller prolong ends after so many limits. */
const mostLimits = 3;

export type GroupQueue = ReturnType<typeof groupQueue>;

/**
 * A bounded queue that serves groups of callers by weight, and the callers of a group round-robin: neither
 * one caller nor one group can delay all others.
 */
export function groupQueue(options: GroupQueueOptions) {
  const { places, limitsOf, together = null, isBehind = () => false, onRefusal } = options;
  const own = pool({ places, limitsOf });
  const pools = together ? [own, together.pool] : [own];
  const shares = tally();
  const lines = new Map<string, Line>();
  let [waitingCount, isClosed] = [0, false];
  /** The turns of the line that was served last. */
  let latestTurns = 0;

  const hasShares = ({ shares: needed }: Entrant) =>
    needed.every(({ key, limit }) => shares.of(key) < limit);
  const canStart = (entrant: Entrant) =>
    pools.every((each) => each.hasRoom(entrant)) && hasShares(entrant);
  const isCallerFull = (entrant: Entrant) =>
    pools.some((each) => each.isCallerFull(entrant)) || !hasShares(entrant);
  const lineOf = (group: string): Line => {
    const existing = lines.get(group) ?? line();
    lines.set(group, existing);
    return existing;
  };

  const count = (entrant: Entrant, change: 1 | -1) => {
    for (const each of pools) each.add(entrant, change);
    for (const { key } of entrant.shares) shares.add(key, change);
  };
  const countWaiting = (change: 1 | -1) => {
    waitingCount += change;
    if (waitingCount > 0) together?.waiting.add(admitNext);
    else together?.waiting.delete(admitNext);
  };

  const start = (entrant: Entrant): Admission => {
    count(entrant, 1);
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      count(entrant, -1);
      for (const admit of together ? [...together.waiting] : [admitNext]) admit();
    };
    return { entrant, leave };
  };

  const next = (): Ticket | null => {
    const byTurns = [...lines].sort(([, a], [, b]) => a.turns - b.turns);
    for (const [group, waiting] of byTurns) {
      if (waiting.size() === 0 || !pools.every((each) => each.hasRoomFor(group))) continue;
      const ticket = waiting.next(canStart, isBehind);
      if (!ticket) continue;
      latestTurns = waiting.turns;
      waiting.turns += 1 / limitsOf(group).weight;
      return ticket;
    }
    return null;
  };

  function admitNext(): void {
    for (let ticket = next(); ticket; ticket = next()) {
      ticket.entry.admit(ticket);
      // the other queues are first when the next entry ends
      if (together?.waiting.delete(admitNext)) together.waiting.add(admitNext);
    }
  }

  const remove = (ticket: Ticket, isServed = false) => {
    if (!ticket.entry.tickets.delete(ticket)) return;
    lineOf(ticket.entrant.group).remove(ticket, isServed);
    countWaiting(-1);
  };

  /** An entry is refused when its last caller gives up. */
  const giveUp = (ticket: Ticket, reason: QueueRefusal) => {
    if (!ticket.entry.tickets.has(ticket)) return;
    remove(ticket);
    if (ticket.entry.tickets.size > 0) return;
    onRefusal?.(ticket.entrant);
    ticket.entry.refuse(reason);
  };

  /** Makes room in a full line at the expense of the caller that waits most often. */
  const refusalOf = ({ group, caller }: Entrant): QueueRefusal | null => {
    const waiting = lineOf(group);
    const limits = limitsOf(group);
    const ownSize = waiting.sizeOf(caller);
    if (ownSize >= limits.waitingPerCaller) return new QueueRefusal('full for this caller', true);
    if (waiting.size() < limits.waiting) return null;
    const longest = waiting.newestOfLongest();
    if (!longest || waiting.sizeOf(longest.entrant.caller) <= ownSize + 1) {
      return new QueueRefusal('full');
    }
    giveUp(longest, new QueueRefusal('full for this caller', true));
    return null;
  };

  const startTimer = (ticket: Ticket): (() => void) => {
    const { group, caller } = ticket.entrant;
    const { waitLimit } = limitsOf(group);
    if (waitLimit === Number.POSITIVE_INFINITY) return () => {};
    const since = performance.now();
    const onLate = () => {
      const now = performance.now();
      const idleSince = Math.max(since, lineOf(group).servedAt(caller));
      const left = Math.min(idleSince + waitLimit, since + mostLimits * waitLimit) - now;
      if (left > 1) timer = setTimeout(onLate, left);
      else giveUp(ticket, new QueueRefusal('waited too long', isCallerFull(ticket.entrant)));
    };
    let timer = setTimeout(onLate, waitLimit);
    return () => clearTimeout(timer);
  };

  /** Waits for a turn of one of the callers. */
  const wait = async (entrants: Entrants, signal: AbortSignal | null | undefined) => {
    const { promise, resolve, reject } = Promise.withResolvers<Admission>();
    const timers: (() => void)[] = [];
    const entry: WaitingEntry = {
      tickets: new Set(),
      admit: (ticket) => {
        for (const each of [...entry.tickets]) remove(each, each === ticket);
        resolve(start(ticket.entrant));
      },
      refuse: reject,
    };
    const join = (entrant: Entrant): QueueRefusal | null => {
      const refusal = refusalOf(entrant);
      if (refusal) return refusal;
      const ticket = { entrant, entry };
      entry.tickets.add(ticket);
      const waiting = lineOf(entrant.group);
      // a group that has not waited saves no turns
      if (waiting.size() === 0) waiting.turns = Math.max(waiting.turns, latestTurns);
      waiting.add(ticket);
      countWaiting(1);
      timers.push(startTimer(ticket));
      return null;
    };
    const [refusal] = entrants.current.map(join);
    if (entry.tickets.size === 0) {
      for (const entrant of entrants.current) onRefusal?.(entrant);
      throw refusal;
    }
    const stopJoining = entrants.onJoin?.((entrant) => {
      if (entry.tickets.size === 0) return;
      if (canStart(entrant)) entry.admit({ entrant, entry });
      else join(entrant);
    });
    const onAbort = () => {
      // admitted in the same turn of the event loop
      if (entry.tickets.size === 0) return;
      for (const ticket of [...entry.tickets]) remove(ticket);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await promise;
    } finally {
      for (const stop of timers) stop();
      stopJoining?.();
      signal?.removeEventListener('abort', onAbort);
    }
  };

  return {
    /** Starts an entry that need not wait; gives what ends it, or null if it has to wait. */
    tryAdmit: (entrant: Entrant): (() => void) | null =>
      !isClosed && canStart(entrant) ? start(entrant).leave : null,
    /**
     * Waits for a turn. Throws `QueueRefusal` when the queue is full, the wait takes too long or the queue
     * is closed, and the reason of an aborted `signal`.
     */
    admit: async <Waiting extends Entrant>(
      entrants: Entrants<Waiting>,
      signal?: AbortSignal | null,
    ): Promise<Admission<Waiting>> => {
      signal?.throwIfAborted();
      if (isClosed) throw new QueueRefusal('closed');
      const ready = entrants.current.find(canStart);
      const admission = ready ? start(ready) : await wait(entrants, signal);
      // one of the entrants
      return admission as Admission<Waiting>;
    },
    /** Refuses all waiting and later entries. */
    close: () => {
      isClosed = true;
      for (const waiting of lines.values()) {
        for (const ticket of waiting.tickets()) giveUp(ticket, new QueueRefusal('closed'));
      }
    },
    running: (group?: string): number => own.running(group),
    /** The number of waiting entries; one that waits for several callers counts for each. */
    waiting: (group?: string): number =>
      group === undefined ? waitingCount : (lines.get(group)?.size() ?? 0),
  };
}
