/** A request to the URL of a webhook. */
export interface HookMessage {
  readonly url: string;
  /** Sent as Basic authentication. */
  readonly username: string;
  readonly password: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  readonly verifiesSsl: boolean;
}

export type HookResponse =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      /** The first part of the response body, as received in time. */
      readonly body: string;
    }
  | {
      readonly outcome: 'failed';
      /** A human-readable reason. */
      readonly error: string;
      /** A retry may succeed. */
      readonly isPassing: boolean;
    };

/** Sends webhooks to external servers. */
export interface HookSender {
  /** The fault in a URL, or null. */
  fault(url: string): string | null;
  /** Follows no redirect, times out after ten seconds, and never throws. */
  send(message: HookMessage, signal: AbortSignal): Promise<HookResponse>;
}
