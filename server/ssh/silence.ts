import { lookInterval, type StallLimits, stallDetector } from '../http/stall-watchdog.ts';
import type { SshLimits } from './limits.ts';
import type { ServerLink } from './link.ts';

interface Progress {
  /** Whether git waits for the client: for input, or until its output is read. */
  isWaiting(): boolean;
  /** Bytes transferred until now. */
  moved(): number;
}

/** Calls `onStall` at each check while the client is too slow. */
export function watchStall(
  limits: StallLimits,
  { isWaiting, moved }: Progress,
  onStall: () => void,
): { readonly stop: () => void; readonly restart: () => void } {
  let isStalled = stallDetector(limits);
  const timer = setInterval(() => {
    if (isStalled(isWaiting(), moved())) onStall();
  }, lookInterval(limits));
  return {
    stop: () => clearInterval(timer),
    restart: () => {
      isStalled = stallDetector(limits);
    },
  };
}

export const stalled = 'The connection was closed: no data was transferred for too long.\n';

interface SilenceOptions {
  readonly session: string;
  readonly link: Pick<ServerLink, 'ask'>;
  readonly limits: Pick<SshLimits, 'silentPushMs'>;
  /** Ends the push with a text for the client. */
  readonly refuse: (text: string) => void;
}

/** A push whose client is silent gives its place among the running commands to others, and needs one to go on. */
export function pushSilence({ session, link, limits, refuse }: SilenceOptions) {
  let since: number | null = null;
  let last: Promise<boolean> = Promise.resolve(true);
  const move = (isSilent: boolean): Promise<boolean> => {
    last = last.then(async () => {
      const { refusal } = await link.ask('silence', { session, isSilent });
      if (refusal !== null) refuse(`${refusal}\n`);
      return refusal === null;
    });
    return last;
  };
  return {
    /** The client is still silent. */
    go: (): void => {
      if (since === null) {
        since = performance.now();
        void move(true);
      } else if (performance.now() - since >= limits.silentPushMs) refuse(stalled);
    },
    /** The client has sent something: true, or a promise that tells whether the push may go on. */
    end: (): true | Promise<boolean> => {
      if (since === null) return true;
      since = null;
      return move(false);
    },
  };
}
