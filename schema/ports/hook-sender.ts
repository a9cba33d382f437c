/** A message that is to be posted to an address which somebody gave. */
export interface HookMessage {
  readonly url: string;
  /** Sent as basic authentication. */
  readonly username: string;
  readonly password: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  readonly verifiesSsl: boolean;
}

export type HookAnswer =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      /** The beginning of it, as far as it came in time. */
      readonly body: string;
    }
  | {
      readonly outcome: 'failed';
      /** Why, in words for people. */
      readonly error: string;
      /** Another time it may go. */
      readonly isPassing: boolean;
    };

/** Posts messages to other people's servers. */
export interface HookSender {
  /** What is wrong with an address as it is written; null when nothing is. */
  fault(url: string): string | null;
  /** Follows no redirect, waits ten seconds at most, and never throws. */
  send(message: HookMessage, signal: AbortSignal): Promise<HookAnswer>;
}
