import type { Registry } from 'prom-client';
import type { Context } from '../schema/kernel/context.ts';
import type { Config } from './config.ts';
import type { SettledArtifacts } from './job-files/artifacts.ts';
import { jobFiles } from './job-files/job-files.ts';
import { type JobFolders, jobFolders } from './job-files/paths.ts';
import type { Logger } from './log.ts';
import { requireStore } from './objects/check-store.ts';
import { countRequests } from './objects/count-requests.ts';
import { type ObjectPlaces, openPlaces } from './objects/places.ts';
import type { Undo } from './undo.ts';
import { type Incoming, incomingFiles } from './uploads/incoming.ts';
import { uploadsRoot } from './uploads/paths.ts';
import { uploadStore } from './uploads/store.ts';

/** Uploads, traces and artifacts, with what settles those that a kill left unfinished. */
export interface StoredFiles {
  readonly files: Pick<Context, 'uploads'> & { readonly jobFiles: ReturnType<typeof jobFiles> };
  readonly places: ObjectPlaces;
  readonly uploads: { readonly root: string; readonly incoming: Incoming };
  readonly artifacts: {
    readonly folders: JobFolders;
    readonly incoming: Incoming;
    readonly files: SettledArtifacts;
  };
}

type StoredConfig = Pick<Config, 'dataFolder' | 'objects'>;

/** Opens the stored files; throws if the configured object store refuses. */
export async function openStoredFiles(
  config: StoredConfig,
  { registry, log, undo }: { registry: Registry; log: Logger; undo: Undo[] },
): Promise<StoredFiles> {
  const places = await openPlaces(config, countRequests(registry));
  undo.push(() => places.close());
  if (places.s3 && config.objects) await requireStore(places.s3, config.objects, log);
  const root = uploadsRoot(config.dataFolder);
  const folders = jobFolders(config.dataFolder);
  const [incoming, incomingArtifacts] = [incomingFiles(root), incomingFiles(folders.artifacts)];
  for (const { close } of [incoming, incomingArtifacts]) undo.push(close);
  const files = {
    uploads: uploadStore(places.objects, incoming),
    jobFiles: jobFiles({ folders, places, incoming: incomingArtifacts }),
  };
  return {
    files,
    places,
    uploads: { root, incoming },
    artifacts: { folders, incoming: incomingArtifacts, files: files.jobFiles },
  };
}
