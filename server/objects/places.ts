import type { Config } from '../config.ts';
import type { ObjectKind } from './kinds.ts';
import { localObjects } from './local.ts';
import type { ObjectStore } from './object-store.ts';
import type { S3Objects } from './s3.ts';
import type { OnRequest } from './s3-client.ts';
import { twoPlaces } from './two-places.ts';

/** Where objects are: the data folder, and an S3-compatible store if one is configured. */
export interface ObjectPlaces {
  readonly local: ObjectStore;
  readonly s3: S3Objects | null;
  /** Where new objects belong; the other place is only read. */
  readonly writes: 'local' | 's3';
  /** Uploads, artifacts and LFS objects of both places. */
  readonly objects: ObjectStore;
  /** Traces of both places. One that grows is local and hides an archived one. */
  readonly traces: ObjectStore;
  close(): void;
}

/** Both places as one, for objects of a kind. */
export const placesOf = (
  { objects, traces }: Pick<ObjectPlaces, 'objects' | 'traces'>,
  kind: ObjectKind,
): ObjectStore => (kind === 'traces' ? traces : objects);

/** The data folder as the only place. */
export function localPlaces(dataFolder: string): ObjectPlaces {
  const local = localObjects(dataFolder);
  return { local, s3: null, writes: 'local', objects: local, traces: local, close: () => {} };
}

/** Opens the places that the configuration names. Sends no request to S3. */
export async function openPlaces(
  { dataFolder, objects: config }: Pick<Config, 'dataFolder' | 'objects'>,
  onRequest?: OnRequest,
): Promise<ObjectPlaces> {
  const places = localPlaces(dataFolder);
  if (!config) return places;
  const { local } = places;
  // most services have no such store, and its client takes 30 ms and 20 MB
  const [{ s3Client }, { s3Objects }] = await Promise.all([
    import('./s3-client.ts'),
    import('./s3.ts'),
  ]);
  const client = s3Client(config, onRequest);
  const s3 = s3Objects(client, config);
  const { writes } = config;
  return {
    local,
    s3,
    writes,
    objects: writes === 's3' ? twoPlaces(s3, local) : twoPlaces(local, s3),
    traces: twoPlaces(local, s3),
    close: () => client.destroy(),
  };
}
