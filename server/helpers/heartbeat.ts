import { type HelperLimits, helperLimits, silenceWatch, type Watch } from './silence-watch.ts';

interface HeartbeatOptions {
  readonly pid: () => number | undefined;
  /** Sends a message to which the helper responds. */
  readonly ping: () => void;
  /** Called once, when the helper is hung. */
  readonly onSilent: () => void;
  readonly limits?: HelperLimits | undefined;
}

export interface Heartbeat extends Watch {
  /** Call it for each message of the helper. */
  answered(): void;
}

/** Pings a helper process, which responds in its event loop. */
export function watchHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { pid, ping, onSilent, limits = helperLimits } = options;
  let answers = 0;
  let isDue = false;
  const watch = silenceWatch(limits).add({
    pid,
    onSilent,
    progress: () => (isDue ? answers : null),
    isStarting: () => answers === 0,
    hasChildren: true,
    ask: () => {
      isDue = true;
      ping();
    },
  });
  return {
    ...watch,
    answered: () => {
      answers += 1;
      isDue = false;
    },
  };
}
