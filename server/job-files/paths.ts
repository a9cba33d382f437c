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

/** The key of a job's trace. */
export const traceKey = (job: JobPlace): string =>
  `${folderOf('traces', job)}/${Math.trunc(job.id)}.log`;

/** What the keys of the traces of a project's jobs start with. */
export const tracesPrefix = (projectId: number): string => `${projectFolder('traces', projectId)}/`;

/** The key of the object with a job's artifacts. */
export const artifactsKey = (job: JobPlace): string =>
  `${folderOf('artifacts', job)}/${Math.trunc(job.id)}.zip`;

/** What the keys of the artifacts of a project's jobs start with. */
export const artifactsPrefix = (projectId: number): string =>
  `${projectFolder('artifacts', projectId)}/`;

/** The key under which the previous archive is kept while it is being replaced. */
export const asideOf = (key: string): string => `${key}.before`;

const jobKeyShape = /^(?:traces|artifacts)\/(\d+)\/\d+\/(\d+)\.(?:log|zip)$/;

/** The job of the object with a key; null for other keys. */
export function jobOfKey(key: string): JobPlace | null {
  const [, projectId, id] = jobKeyShape.exec(key) ?? [];
  return id === undefined ? null : { id: Number(id), projectId: Number(projectId) };
}
