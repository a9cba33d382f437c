import { rm } from 'node:fs/promises';
import type { JobFiles } from '../../schema/ports/job-files.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { artifactFiles, type SettledArtifacts } from './artifacts.ts';
import { type JobFolders, projectFolder } from './paths.ts';
import { traceFiles } from './traces.ts';

/** Trace and artifact files of jobs; `incoming` keeps its marks in the artifacts folder. */
export const jobFiles = (folders: JobFolders, incoming: Incoming): JobFiles & SettledArtifacts => ({
  ...traceFiles(folders),
  ...artifactFiles(folders, incoming),
  removeAll: async (projectId) => {
    for (const root of [folders.traces, folders.artifacts]) {
      await rm(projectFolder(root, projectId), { recursive: true, force: true });
    }
  },
});
