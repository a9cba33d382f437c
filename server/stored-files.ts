import type { Context } from '../schema/kernel/context.ts';
import type { Config } from './config.ts';
import type { SettledArtifacts } from './job-files/artifacts.ts';
import { jobFiles } from './job-files/job-files.ts';
import { type JobFolders, jobFolders } from './job-files/paths.ts';
import { localObjects } from './objects/local.ts';
import type { ObjectStore } from './objects/object-store.ts';
import type { Undo } from './undo.ts';
import { type Incoming, incomingFiles } from './uploads/incoming.ts';
import { uploadsRoot } from './uploads/paths.ts';
import { uploadStore } from './uploads/store.ts';

/** Uploads, traces and artifacts, with what settles those that a kill left unfinished. */
export interface StoredFiles {
  readonly files: Pick<Context, 'uploads'> & { readonly jobFiles: ReturnType<typeof jobFiles> };
  readonly uploads: {
    readonly root: string;
    readonly incoming: Incoming;
    readonly objects: ObjectStore;
  };
  readonly artifacts: {
    readonly folders: JobFolders;
    readonly incoming: Incoming;
    readonly files: SettledArtifacts;
  };
}

/** Opens the stored files below the data folder. */
export function openStoredFiles(
  { dataFolder }: Pick<Config, 'dataFolder'>,
  undo: Undo[],
): StoredFiles {
  const objects = localObjects(dataFolder);
  const root = uploadsRoot(dataFolder);
  const folders = jobFolders(dataFolder);
  const [incoming, incomingArtifacts] = [incomingFiles(root), incomingFiles(folders.artifacts)];
  for (const { close } of [incoming, incomingArtifacts]) undo.push(close);
  const files = {
    uploads: uploadStore(objects, incoming),
    jobFiles: jobFiles({ folders, objects, incoming: incomingArtifacts }),
  };
  return {
    files,
    uploads: { root, incoming, objects },
    artifacts: { folders, incoming: incomingArtifacts, files: files.jobFiles },
  };
}
