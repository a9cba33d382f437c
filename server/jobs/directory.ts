import type { Logger } from 'pino';

/** How often people of the directory are looked for there, a part of them each time. */
const interval = 300_000;

export interface DirectoryWatch {
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Asks for the directory's people now and then, the first time after one interval. */
export function watchDirectory(check: () => Promise<void>, log: Logger): DirectoryWatch {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(check)
      .catch((error) => log.warn({ err: error }, 'the directory cannot be asked'));
  }, interval);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}
