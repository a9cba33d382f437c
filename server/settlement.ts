import type { Database } from '../prisma/client.ts';
import type { RepositoryAddress } from '../schema/ports/git/address.ts';
import { hasRecord } from '../schema/projects/avatar.ts';
import { whileRecorded } from '../schema/runner-jobs/artifacts.ts';
import { projectAddress, type Storages } from './git/address.ts';
import { settleCreations } from './git/repositories/creation.ts';
import { artifactsSettler } from './job-files/settle.ts';
import { type PeriodicWork, runPeriodically } from './jobs/periodic.ts';
import type { Logger } from './log.ts';
import type { StoredFiles } from './stored-files.ts';
import { settleMarks, uploadSettler } from './uploads/settle.ts';

interface SettlementParts extends Pick<StoredFiles, 'places' | 'uploads' | 'artifacts' | 'lfs'> {
  readonly db: Database;
  readonly storages: Storages;
}

/** Milliseconds. */
export interface SettlementTimes {
  /** Between two rounds. */
  readonly interval: number;
  /**
   * After this time a transaction whose result was lost has ended: the database ends its statement
   * after 30 seconds, and the transaction after 30 more.
   */
  readonly unknownAfter: number;
  /** After this time the files of an unreachable process, on another machine, count as abandoned. */
  readonly unseenAfter: number;
}

const usual: SettlementTimes = { interval: 30_000, unknownAfter: 60_000, unseenAfter: 3_600_000 };

/**
 * Compares repositories and files that were written before their records with those records, when a
 * kill or a lost connection left the commit of the records unknown; periodically and at a start.
 */
export function settlement(
  { db, storages, places, uploads, artifacts, lfs }: SettlementParts,
  log: Logger,
  times: Partial<SettlementTimes> = {},
): PeriodicWork & { now(): Promise<void> } {
  const { interval, unknownAfter, unseenAfter } = { ...usual, ...times };
  const hasProject = async (repository: RepositoryAddress) =>
    (await db.project.count({ where: projectAddress(repository) })) > 0;
  const settleUpload = uploadSettler(places.objects, (owner, key) => hasRecord(owner, key, { db }));
  const settleArchive = artifactsSettler(artifacts.files, (job, work) =>
    whileRecorded(job, work, { db }),
  );

  const now = async () => {
    const unknown = new Date(Date.now() - unknownAfter);
    const unseen = new Date(Date.now() - unseenAfter);
    const steps = [
      () => settleCreations(storages, hasProject, { unknown, unseen }),
      () => settleMarks(uploads.root, settleUpload, unseen),
      () => uploads.incoming.settleUnknown(settleUpload, unknown),
      () => settleMarks(artifacts.folders.artifacts, settleArchive, unseen),
      () => artifacts.incoming.settleUnknown(settleArchive, unknown),
      () => settleMarks(lfs.root, lfs.settle, unseen),
      () => lfs.incoming.settleUnknown(lfs.settle, unknown),
    ];
    const failures: unknown[] = [];
    for (const step of steps) await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  const rounds = runPeriodically(interval, now, (error) => log.error({ err: error }, 'settlement'));
  return { ...rounds, now };
}
