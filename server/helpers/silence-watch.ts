import { type ProcessLoad, processLoad } from './process-load.ts';

/** Times of the watch over helper processes, in milliseconds. */
export interface HelperLimits {
  /** Between two looks at a helper. */
  readonly intervalMs: number;
  /** A helper that has owed an answer for this time is hung. */
  readonly silentMs: number;
  /** The limit of a helper that loads its program, or waits for a processor, a disk or a child; a minute by default. */
  readonly patienceMs?: number;
}

export const helperLimits: HelperLimits = { intervalMs: 5_000, silentMs: 15_000 };

const defaultPatienceMs = 60_000;

/** The processor time after which a helper had its chance to answer: a part of `silentMs`. */
const fairPart = 1 / 3;

/** A helper process that is watched. */
export interface Watched {
  readonly pid: () => number | undefined;
  /** Changes with each sign of life; null while the helper owes no answer. */
  readonly progress: () => number | null;
  /** Whether it has never answered: it loads its program. */
  readonly isStarting?: () => boolean;
  /** Whether it waits for its children, whose execution may be slow. */
  readonly hasChildren?: boolean;
  /** Whether it may take any time to answer, unless it is stopped by a signal. */
  readonly onlyIfStopped?: boolean;
  /** Called at each look, to ask for a sign of life. */
  readonly ask?: () => void;
  /** Called once, when the helper is hung; it is watched no longer. */
  readonly onSilent: () => void;
}

export interface Watch {
  /** Whether the helper has missed two looks in a row. */
  isSilent(): boolean;
  stop(): void;
}

export interface SilenceWatch {
  add(watched: Watched): Watch;
}

interface State {
  progress: number | null;
  silentMs: number;
  /** When the silence was first noticed. */
  load: Promise<ProcessLoad | null> | null;
}

/**
 * Watches helper processes for silence, which their exit does not tell: a stopped process, an endless loop,
 * a deadlock. A false alarm would kill a healthy helper, so time counts only
 * - while this process could have read the answer: not while its own event loop was blocked or the machine
 *   was suspended;
 * - while the helper could have answered: one that waits for a processor, a disk or a child gets `patienceMs`.
 */
export function silenceWatch(limits: HelperLimits): SilenceWatch {
  const { intervalMs, silentMs, patienceMs = defaultPatienceMs } = limits;
  const states = new Map<Watched, State>();
  let timer: NodeJS.Timeout | null = null;
  let lastTick = 0;

  const isHung = async (watched: Watched, state: State): Promise<boolean> => {
    const { pid, isStarting, onlyIfStopped, hasChildren } = watched;
    if (state.silentMs < silentMs) return false;
    const now = await processLoad(pid());
    if (now?.state === 'T') return true;
    if (onlyIfStopped) return false;
    if (state.silentMs >= Math.max(silentMs, patienceMs)) return true;
    if (isStarting?.()) return false;
    const before = await state.load;
    if (!before || !now) return true;
    if (now.state === 'R') return now.cpuMs - before.cpuMs >= silentMs * fairPart;
    return now.state === 'S' && !hasChildren;
  };

  const look = async (watched: Watched, state: State, countedMs: number): Promise<void> => {
    const progress = watched.progress();
    if (progress === null || progress !== state.progress) {
      state.silentMs = 0;
      state.load = null;
    } else {
      state.silentMs += countedMs;
      if (!watched.onlyIfStopped) state.load ??= processLoad(watched.pid());
      const isOver = (await isHung(watched, state)) && watched.progress() === progress;
      if (isOver && states.delete(watched)) {
        watched.onSilent();
        return pauseIfIdle();
      }
    }
    if (!states.has(watched)) return;
    watched.ask?.();
    state.progress = watched.progress();
  };

  const tick = () => {
    const now = performance.now();
    const lateMs = Math.max(0, now - lastTick - intervalMs);
    lastTick = now;
    const countedMs = Math.max(0, intervalMs - lateMs);
    // after the answers that can be read now
    setImmediate(() => {
      for (const [watched, state] of states) void look(watched, state, countedMs);
    });
  };

  const pauseIfIdle = () => {
    if (states.size > 0 || !timer) return;
    clearInterval(timer);
    timer = null;
  };

  return {
    add: (watched) => {
      const state: State = { progress: null, silentMs: 0, load: null };
      states.set(watched, state);
      if (!timer) {
        lastTick = performance.now();
        timer = setInterval(tick, intervalMs).unref();
      }
      return {
        isSilent: () => state.silentMs >= 2 * intervalMs,
        stop: () => {
          states.delete(watched);
          pauseIfIdle();
        },
      };
    },
  };
}
