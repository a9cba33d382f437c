import { randomUUID } from 'node:crypto';
import type { Database } from '../../prisma/client.ts';
import { turnsOf } from '../scheduling/heavy-work.ts';
import { SharedCallers } from '../scheduling/scope.ts';

/** Milliseconds after which the rows of a killed process expire, and between two renewals. */
const leaseMs = 120_000;
const renewalMs = 30_000;

/** Also in the function `notify_if_watched` of the migrations. */
const [lockSpace, lastBucket] = [77_301_421, 63];

/** How long a registration waits for a transaction that changes such records. */
const waitLimit = '5s';

/** Registrations at a time: those that wait must not take all connections. */
const concurrency = 4;

interface Registration {
  readonly done: Promise<void>;
  /** Who waits for it; null when it is done. */
  callers: SharedCallers | null;
}

interface Options {
  /** The topics of the open subscriptions. */
  readonly topics: () => readonly string[];
  /** Called when changes may not have been announced. */
  readonly onLapse: () => void;
  readonly onError: (error: unknown) => void;
}

/** Registers what this process waits for, so that triggers announce the changes of these records. */
export function watchedRecords(
  db: Pick<Database, '$executeRaw'>,
  { topics, onLapse, onError }: Options,
) {
  const processId = randomUUID();
  const registered = new Map<string, Registration>();
  const turn = turnsOf('registrations', concurrency, { isCounted: false });
  let renewedAt = performance.now();

  const store = (records: readonly string[]) =>
    db.$executeRaw`
      INSERT INTO watched_records (topic, process_id, until)
      SELECT topic, ${processId}::uuid, now() + ${leaseMs} * interval '1 millisecond'
      FROM unnest(${records}::text[]) topic
      ON CONFLICT (topic, process_id) DO UPDATE SET until = excluded.until`;
  /** Waits for the writers that did not see these rows; fails after the limit, as in an outage. */
  const awaitWriters = (records: readonly string[]) =>
    db.$executeRaw`
      WITH limited AS MATERIALIZED (SELECT set_config('lock_timeout', ${waitLimit}, true))
      SELECT pg_advisory_xact_lock(${lockSpace}::int, bucket) FROM limited, (
        SELECT DISTINCT hashtext(topic) & ${lastBucket}::int AS bucket
        FROM unnest(${records}::text[]) topic ORDER BY bucket
      ) buckets`;
  const register = async (records: readonly string[]) => {
    await store(records);
    await awaitWriters(records);
  };

  const renew = async () => {
    const current = new Set(topics());
    const records = [...current];
    // their rows stay until they expire: a page that is reloaded finds them
    for (const topic of registered.keys()) if (!current.has(topic)) registered.delete(topic);
    const hasLapsed = performance.now() - renewedAt > leaseMs;
    if (records.length > 0) await store(records);
    renewedAt = performance.now();
    if (hasLapsed) await awaitWriters(records).finally(onLapse);
    await db.$executeRaw`DELETE FROM watched_records WHERE until < now()`;
  };
  const timer = setInterval(() => {
    if (registered.size > 0) renew().catch(onError);
    else renewedAt = performance.now();
  }, renewalMs);
  timer.unref();

  return {
    /** Resolves once later changes are announced, and earlier ones are visible. */
    watch: async (records: readonly string[]): Promise<void> => {
      const missing = records.filter((topic) => !registered.has(topic));
      if (missing.length > 0) {
        const callers = new SharedCallers();
        const done = callers.run(() => turn(() => register(missing)));
        const registration: Registration = { done, callers };
        for (const topic of missing) registered.set(topic, registration);
        const onDone = () => {
          registration.callers = null;
        };
        done.then(onDone, () => {
          for (const topic of missing) registered.delete(topic);
        });
      }
      const registrations = new Set(records.map((topic) => registered.get(topic)));
      // the registration of another caller may still wait for its turn
      for (const registration of registrations) registration?.callers?.join();
      await Promise.all([...registrations].map((registration) => registration?.done));
    },
    stop: () => clearInterval(timer),
  };
}
