import type { Registry } from 'prom-client';
import type { Database } from '../prisma/client.ts';
import type { Context } from '../schema/kernel/context.ts';
import { transact } from '../schema/kernel/storage-errors.ts';
import { isRecorded } from '../schema/lfs/objects.ts';
import type { Config } from './config.ts';
import type { SettledArtifacts } from './job-files/artifacts.ts';
import { jobFiles } from './job-files/job-files.ts';
import { type JobFolders, jobFolders } from './job-files/paths.ts';
import { lfsRoot } from './lfs/paths.ts';
import { lfsSettler, lfsStore, type WithObject } from './lfs/store.ts';
import type { Logger } from './log.ts';
import { requireStore } from './objects/check-store.ts';
import { countRequests } from './objects/count-requests.ts';
import { type ObjectPlaces, openPlaces } from './objects/places.ts';
import type { Undo } from './undo.ts';
import { type Incoming, incomingFiles, type SettleMark } from './uploads/incoming.ts';
import { uploadsRoot } from './uploads/paths.ts';
import { uploadStore } from './uploads/store.ts';

/** Uploads, traces, artifacts and LFS objects, with what settles those that a kill left unfinished. */
export interface StoredFiles {
  readonly files: Pick<Context, 'uploads' | 'lfs'> & {
    readonly jobFiles: ReturnType<typeof jobFiles>;
  };
  readonly places: ObjectPlaces;
  readonly uploads: { readonly root: string; readonly incoming: Incoming };
  readonly artifacts: {
    readonly folders: JobFolders;
    readonly incoming: Incoming;
    readonly files: SettledArtifacts;
  };
  readonly lfs: { readonly root: string; readonly incoming: Incoming; readonly settle: SettleMark };
}

type StoredConfig = Pick<Config, 'dataFolder' | 'objects'>;

/** Opens the stored files; throws if the configured object store refuses. */
export async function openStoredFiles(
  config: StoredConfig,
  { db, registry, log, undo }: { db: Database; registry: Registry; log: Logger; undo: Undo[] },
): Promise<StoredFiles> {
  const places = await openPlaces(config, countRequests(registry));
  undo.push(() => places.close());
  if (places.s3 && config.objects) await requireStore(places.s3, config.objects, log);
  const root = uploadsRoot(config.dataFolder);
  const folders = jobFolders(config.dataFolder);
  const rootOfLfs = lfsRoot(config.dataFolder);
  const [incoming, incomingArtifacts] = [incomingFiles(root), incomingFiles(folders.artifacts)];
  const incomingLfs = incomingFiles(rootOfLfs);
  for (const { close } of [incoming, incomingArtifacts, incomingLfs]) undo.push(close);
  const withObject: WithObject = (oid, work) =>
    transact(db, async (tx) => work(await isRecorded(tx, oid)));
  const settleLfs = lfsSettler(places.objects, withObject);
  const files = {
    uploads: uploadStore(places.objects, incoming),
    lfs: lfsStore(places.objects, incomingLfs, settleLfs),
    jobFiles: jobFiles({ folders, places, incoming: incomingArtifacts }),
  };
  return {
    files,
    places,
    uploads: { root, incoming },
    artifacts: { folders, incoming: incomingArtifacts, files: files.jobFiles },
    lfs: { root: rootOfLfs, incoming: incomingLfs, settle: settleLfs },
  };
}
