import type { RememberedLimits } from '../schema/listing/remembered.ts';
import type { DatabaseLimits } from './database.ts';
import type { HelperLimits } from './helpers/silence-watch.ts';
import type { HttpLimits } from './http/http-server.ts';
import type { MemoryMarks } from './memory-pressure.ts';
import type { HolderLimits } from './scheduling/held-places.ts';
import type { SettlementTimes } from './settlement.ts';
import type { SshLimits } from './ssh/limits.ts';
import type { SubscriptionLimits } from './subscriptions/open-streams.ts';

/** Limits that only tests change; times in milliseconds. */
export interface Limits {
  readonly database?: DatabaseLimits;
  /** How long a write waits for a locked reference. */
  readonly lockWait?: number;
  readonly settlement?: Partial<SettlementTimes>;
  /** On connections, slow clients and streams. */
  readonly http?: Partial<HttpLimits>;
  /** On connections and commands of git over SSH; slow clients as over HTTP. */
  readonly ssh?: Partial<SshLimits>;
  readonly memory?: MemoryMarks;
  /** When totals and counts are remembered. */
  readonly remembered?: Partial<RememberedLimits>;
  /** How long a request waits for the object store. */
  readonly objectStoreWait?: number;
  /** How long callers wait for a turn of heavy work. */
  readonly heavyWork?: { readonly waitMs: number };
  /** On runners that wait for a job. */
  readonly runnerWaits?: Partial<HolderLimits>;
  /** On open subscriptions. */
  readonly subscriptions?: Partial<SubscriptionLimits>;
  /** When a helper process is hung. */
  readonly helpers?: HelperLimits;
  /** How long the hook of a push waits for the push rules. */
  readonly pushRules?: number;
}
