import { join } from 'node:path';
import type { JobPlace } from '../../schema/ports/job-files.ts';

/** Root folders for the files of jobs, below the data folder. */
export interface JobFolders {
  readonly traces: string;
  readonly artifacts: string;
}

/** Maximum number of files per folder. */
const perFolder = 1000;

export const jobFolders = (dataFolder: string): JobFolders => ({
  traces: join(dataFolder, 'traces'),
  artifacts: join(dataFolder, 'artifacts'),
});

/** The folder of all files of one type of a project's jobs. */
export const projectFolder = (root: string, projectId: number): string =>
  join(root, String(Math.trunc(projectId)));

const folderOf = (root: string, { id, projectId }: JobPlace) =>
  join(projectFolder(root, projectId), String(Math.trunc(id / perFolder)));

export const tracePath = ({ traces }: JobFolders, job: JobPlace): string =>
  join(folderOf(traces, job), `${Math.trunc(job.id)}.log`);

export const artifactsPath = ({ artifacts }: JobFolders, job: JobPlace): string =>
  join(folderOf(artifacts, job), `${Math.trunc(job.id)}.zip`);
