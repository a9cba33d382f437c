import type { Entrant } from './pool.ts';

/** The place of one caller in a line, for an entry that may wait for several callers. */
export interface Ticket {
  readonly entrant: Entrant;
  readonly entry: WaitingEntry;
}

export interface WaitingEntry {
  readonly tickets: Set<Ticket>;
  /** Starts it by the turn of one of its callers. */
  admit(ticket: Ticket): void;
  refuse(reason: unknown): void;
}

interface Lane {
  readonly tickets: Set<Ticket>;
  /** When an entry of the caller was last started, by `performance.now()`. */
  servedAt: number;
}

/** Waiting entries of one caller that are looked at for a start: the first may be of a busy project. */
const mostLookedAt = 8;

export type Line = ReturnType<typeof line>;

/** The waiting entries of a group. Its callers are served round-robin. */
export function line() {
  // a Map keeps insertion order: a served caller moves to the end
  const lanes = new Map<string, Lane>();
  let size = 0;

  const moveBack = (caller: string, lane: Lane) => {
    lanes.delete(caller);
    if (lane.tickets.size > 0) lanes.set(caller, lane);
  };
  const firstOf = ({ tickets }: Lane, canStart: (entrant: Entrant) => boolean): Ticket | null => {
    let left = mostLookedAt;
    for (const ticket of tickets) {
      if (canStart(ticket.entrant)) return ticket;
      left -= 1;
      if (left === 0) break;
    }
    return null;
  };

  return {
    /** Turns given so far, weighted, to compare with other lines. */
    turns: 0,
    size: () => size,
    sizeOf: (caller: string): number => lanes.get(caller)?.tickets.size ?? 0,
    servedAt: (caller: string): number => lanes.get(caller)?.servedAt ?? 0,
    add: (ticket: Ticket): void => {
      const { caller } = ticket.entrant;
      const lane = lanes.get(caller) ?? { tickets: new Set(), servedAt: 0 };
      lane.tickets.add(ticket);
      lanes.set(caller, lane);
      size += 1;
    },
    remove: (ticket: Ticket, isServed = false): void => {
      const { caller } = ticket.entrant;
      const lane = lanes.get(caller);
      if (!lane?.tickets.delete(ticket)) return;
      size -= 1;
      if (isServed) lane.servedAt = performance.now();
      if (isServed || lane.tickets.size === 0) moveBack(caller, lane);
    },
    /** The next ticket that can start; one of a caller that is put behind only if there is no other. */
    next: (
      canStart: (entrant: Entrant) => boolean,
      isBehind: (entrant: Entrant) => boolean,
    ): Ticket | null => {
      let behind: Ticket | null = null;
      for (const lane of lanes.values()) {
        const ticket = firstOf(lane, canStart);
        if (ticket && !isBehind(ticket.entrant)) return ticket;
        behind ??= ticket;
      }
      return behind;
    },
    /** The newest ticket of the caller with the most. */
    newestOfLongest: (): Ticket | null => {
      let longest: Lane | null = null;
      for (const lane of lanes.values()) {
        if (!longest || lane.tickets.size > longest.tickets.size) longest = lane;
      }
      return longest ? ([...longest.tickets].at(-1) ?? null) : null;
    },
    tickets: (): Ticket[] => [...lanes.values()].flatMap(({ tickets }) => [...tickets]),
  };
}
