import { type StallLimits, stallLimits } from '../http/stall-watchdog.ts';

/** Limits on connections and commands of clients of SSH; times in milliseconds. */
export interface SshLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Of one user or deploy key. */
  readonly connectionsPerHolder: number;
  /** Of clients that have not authenticated yet, in all and from one address. */
  readonly unauthenticated: number;
  readonly unauthenticatedPerAddress: number;
  /** Until a client has authenticated. */
  readonly graceMs: number;
  /** Without a command. */
  readonly idleMs: number;
  /** When git waits for a client that is silent, or does not read. */
  readonly stall: StallLimits;
  /**
   * How long a push may wait for its client: between the references and the pack, hooks of the client run, which
   * may send gigabytes of LFS objects, and git compresses.
   */
  readonly silentPushMs: number;
}

export const sshLimits: SshLimits = {
  connections: 1_000,
  connectionsPerAddress: 200,
  connectionsPerHolder: 200,
  unauthenticated: 200,
  unauthenticatedPerAddress: 20,
  graceMs: 30_000,
  idleMs: 600_000,
  stall: stallLimits,
  silentPushMs: 900_000,
};
