import type { Database } from '../../prisma/client.ts';
import { type PeriodicWork, runPeriodically } from '../jobs/periodic.ts';
import type { Logger } from '../log.ts';
import type { ObjectPlaces } from '../objects/places.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { whileAlone } from './alone.ts';
import { moveObjects } from './move.ts';

const aMinute = 60_000;
const fiveMinutes = 5 * aMinute;
const anHour = 60 * aMinute;

/** An upload in parts takes less time. */
const abandonedAfter = 24 * anHour;

/**
 * Starts the periodic work for the object store: traces of jobs that finished an hour ago are archived, and
 * uploads in parts that a kill left behind are given up.
 */
export function watchObjects(
  parts: {
    /** Of the database. */
    readonly url: string;
    readonly db: Database;
    readonly places: ObjectPlaces;
    readonly incoming: Pick<Incoming, 'receive' | 'discard'>;
  },
  log: Logger,
): readonly PeriodicWork[] {
  const { s3, writes } = parts.places;
  if (!s3) return [];
  const logged = (message: string) => (error: unknown) => log.error({ err: error }, message);
  let isStopping = false;
  /** A backup does not wait for more than one round. */
  const archive = async () => {
    const end = Date.now() + aMinute;
    const moved = moveObjects('traces', parts, new Date(Date.now() - anHour));
    for await (const { key: object, fault } of moved) {
      if (fault !== undefined) log.warn({ object, fault }, 'a trace could not be archived');
      if (isStopping || Date.now() > end) return;
    }
  };
  const archiveAlone = async () => void (await whileAlone(parts.url, archive));
  const abandon = () => s3.abandonUploads(new Date(Date.now() - abandonedAfter));
  const works = [
    runPeriodically(anHour, abandon, logged('unfinished uploads could not be given up')),
    ...(writes === 's3'
      ? [runPeriodically(fiveMinutes, archiveAlone, logged('traces could not be archived'))]
      : []),
  ];
  const stop = async () => {
    isStopping = true;
    await Promise.all(works.map((work) => work.stop()));
  };
  return [{ stop }];
}
