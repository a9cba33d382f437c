import { rm } from 'node:fs/promises';
import type { JobFiles } from '../../schema/ports/job-files.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { artifactFiles, type SettledArtifacts } from './artifacts.ts';
import { artifactsPrefix, type JobFolders, projectFolder } from './paths.ts';
import { traceFiles } from './traces.ts';

interface JobFilesOptions {
  readonly folders: JobFolders;
  readonly objects: ObjectStore;
  /** Keeps its marks in the artifacts folder. */
  readonly incoming: Incoming;
}

/** Traces and artifacts of jobs. */
export const jobFiles = ({
  folders,
  objects,
  incoming,
}: JobFilesOptions): JobFiles & SettledArtifacts => ({
  ...traceFiles(folders),
  ...artifactFiles(objects, incoming),
  removeAll: async (projectId) => {
    await rm(projectFolder(folders.traces, projectId), { recursive: true, force: true });
    await objects.removeAll(artifactsPrefix(projectId));
  },
});
