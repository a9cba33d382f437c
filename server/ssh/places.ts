import { DomainError } from '../../schema/kernel/errors.ts';
import {
  type ReserveStream,
  type StreamLimits,
  streamGate,
  streamLimits,
} from '../http/stream-gate.ts';
import type { Caller } from '../scheduling/caller.ts';
import { runAs } from '../scheduling/scope.ts';

/** Pushes whose clients are silent: each has a git process that waits. */
const silentPushLimits: StreamLimits = { ...streamLimits, waiting: 0, waitingPerAddress: 0 };

/** The place of a command among the running ones of all clients, over HTTP as well. */
export interface CommandPlace {
  /** Why the command must end; null if it may go on. */
  setSilent(isSilent: boolean): Promise<string | null>;
  release(): void;
}

/** Finds places for commands, or says why there is none. */
export function commandPlaces(reserveStream: ReserveStream) {
  const reserveSilent = streamGate(silentPushLimits, 'silent pushes');
  const find = (caller: Caller, gate: ReserveStream) =>
    runAs(caller, () => reserve(caller.address, gate));
  return async (caller: Caller): Promise<CommandPlace | { readonly refusal: string }> => {
    const first = await find(caller, reserveStream);
    if (typeof first === 'string') return { refusal: first };
    let isOver = false;
    let release = first;
    return {
      setSilent: async (isSilent) => {
        release();
        const next = await find(caller, isSilent ? reserveSilent : reserveStream);
        if (typeof next === 'string') return next;
        release = next;
        if (isOver) release();
        return null;
      },
      release: () => {
        isOver = true;
        release();
      },
    };
  };
}

/** Waits for a place; gives what releases it, or why there is none. */
async function reserve(
  address: string,
  reserveStream: ReserveStream,
): Promise<(() => void) | string> {
  const closing = new AbortController();
  const { signal } = closing;
  const onClose = (listener: () => void) =>
    signal.addEventListener('abort', listener, { once: true });
  try {
    await reserveStream({ address, redirects: 'never', signal, onClose });
    return () => closing.abort();
  } catch (error) {
    if (!(error instanceof DomainError) || error.retryAfter === undefined) throw error;
    return `There are too many git requests. Try again in ${error.retryAfter} seconds.`;
  }
}
