import type { Niceness } from '../../scheduling/niceness.ts';

/** Messages between the server and the spawner, one JSON text per line; numbers identify sockets. */
export type ToSpawner =
  | {
      readonly kind: 'start';
      readonly id: number;
      readonly args: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      readonly stdin: number;
      readonly stdout: number;
      readonly channel: number | null;
      readonly niceness: Niceness | null;
    }
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'kill'; readonly id: number }
  | { readonly kind: 'ping' };

export type FromSpawner =
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  /** Git could not be started. */
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  /** A child has exited. */
  | {
      readonly kind: 'ended';
      readonly id: number;
      readonly code: number | null;
      readonly stderr: string;
    }
  | { readonly kind: 'pong' };
