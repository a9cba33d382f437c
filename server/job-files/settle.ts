import type { ArchiveRecord, JobPlace } from '../../schema/ports/job-files.ts';
import type { SettleMark } from '../uploads/incoming.ts';
import type { SettledArtifacts } from './artifacts.ts';

/** Runs work with the size in the record of a job's archive, while the job's row is locked. */
export type WhileRecorded = (
  job: JobPlace,
  work: Parameters<ArchiveRecord['whileRecorded']>[0],
) => Promise<void>;

/** Settles an archive whose mark is left, by the size in its record. */
export const artifactsSettler =
  ({ settle }: Pick<SettledArtifacts, 'settle'>, whileRecorded: WhileRecorded): SettleMark =>
  ({ id: projectId }, key) => {
    const job = { id: Number(key), projectId };
    return settle(job, (work) => whileRecorded(job, work));
  };
