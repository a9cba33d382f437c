/** What the server tells the spawner, one JSON text a line; numbers name prepared sockets. */
export type ToSpawner =
  | {
      readonly kind: 'start';
      readonly id: number;
      readonly args: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      readonly stdin: number;
      readonly stdout: number;
      readonly channel: number | null;
    }
  | { readonly kind: 'stop'; readonly id: number };

/** A child's end. */
export interface FromSpawner {
  readonly id: number;
  readonly code: number | null;
  readonly complaint: string;
}
