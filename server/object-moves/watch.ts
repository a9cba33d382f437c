import type { Database } from '../../prisma/client.ts';
import { type PeriodicWork, runPeriodically } from '../jobs/periodic.ts';
import type { Logger } from '../log.ts';
import type { ObjectPlaces } from '../objects/places.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { moveObjects } from './move.ts';

const fiveMinutes = 300_000;
const anHour = 3_600_000;

/** An upload in parts takes less time. */
const abandonedAfter = 24 * anHour;

/**
 * Starts the periodic work for the object store: traces of jobs that finished an hour ago are archived, and
 * uploads in parts that a kill left behind are given up.
 */
export function watchObjects(
  parts: {
    readonly db: Database;
    readonly places: ObjectPlaces;
    readonly incoming: Pick<Incoming, 'receive' | 'discard'>;
  },
  log: Logger,
): readonly PeriodicWork[] {
  const { s3, writes } = parts.places;
  if (!s3) return [];
  const logged = (message: string) => (error: unknown) => log.error({ err: error }, message);
  const archive = async () => {
    const moved = moveObjects('traces', parts, new Date(Date.now() - anHour));
    for await (const { key, result } of moved) log.debug({ key, result }, 'trace archived');
  };
  const abandon = () => s3.abandonUploads(new Date(Date.now() - abandonedAfter));
  return [
    ...(writes === 's3' ? [runPeriodically(fiveMinutes, archive, logged('traces'))] : []),
    runPeriodically(anHour, abandon, logged('unfinished uploads')),
  ];
}
