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
  | { readonly kind: 'stop'; readonly id: number };

/** A child has exited. */
export interface FromSpawner {
  readonly id: number;
  readonly code: number | null;
  readonly stderr: string;
}
