import { rm } from 'node:fs/promises';
import type { JobFiles } from '../../schema/ports/job-files.ts';
import type { ObjectPlaces } from '../objects/places.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { withArchive } from './archived-traces.ts';
import { artifactFiles, type SettledArtifacts } from './artifacts.ts';
import { artifactsPrefix, type JobFolders, projectFolder, tracesPrefix } from './paths.ts';
import { tracesInTurn } from './trace-tail.ts';
import { traceFiles } from './traces.ts';

interface JobFilesOptions {
  readonly folders: JobFolders;
  readonly places: Pick<ObjectPlaces, 'local' | 's3' | 'objects'>;
  /** Keeps its marks in the artifacts folder. */
  readonly incoming: Incoming;
}

/** Traces and artifacts of jobs. */
export function jobFiles({
  folders,
  places: { local, s3, objects },
  incoming,
}: JobFilesOptions): JobFiles & SettledArtifacts {
  const files = traceFiles(folders);
  const traces = s3 ? withArchive(files, { local, archive: s3, incoming }) : files;
  return {
    ...traces,
    ...tracesInTurn(traces),
    ...artifactFiles(objects, incoming),
    removeAll: async (projectId) => {
      await rm(projectFolder(folders.traces, projectId), { recursive: true, force: true });
      await s3?.removeAll(tracesPrefix(projectId));
      await objects.removeAll(artifactsPrefix(projectId));
    },
  };
}
