import { Command } from 'commander';
import { connect } from '../../prisma/client.ts';
import { renewLater } from '../cache-repairs.ts';
import { backgroundJobChecks } from '../checks/background-jobs.ts';
import { cacheChecks } from '../checks/caches.ts';
import type { Check } from '../checks/check.ts';
import { databaseChecks } from '../checks/database.ts';
import { jobFileChecks } from '../checks/job-files.ts';
import { lfsChecks } from '../checks/lfs.ts';
import { machineChecks } from '../checks/machine.ts';
import { objectStoreChecks } from '../checks/object-store.ts';
import { repositoryChecks } from '../checks/repositories.ts';
import { secretChecks } from '../checks/secrets.ts';
import { tableChecks } from '../checks/tables.ts';
import { uploadChecks } from '../checks/uploads.ts';
import { writableChecks } from '../checks/writable.ts';
import type { Config } from '../config.ts';
import { openPlaces } from '../objects/places.ts';
import { recorded, withServiceDatabase } from './operator.ts';
import { type OutputOptions, type PrintedRecord, printFindings, printList } from './output.ts';
import { withQueue } from './queue.ts';

interface DoctorOptions extends OutputOptions {
  readonly fsck?: boolean;
  readonly fix?: boolean;
}

/** What to check and to do beside the usual checks. */
interface Depth {
  /** Follows the objects of each repository, and reads each table. */
  readonly isDeep: boolean;
  /** Repairs what can be repaired without a loss. */
  readonly isFixed: boolean;
}

/** Runs checks one after the other; gives a row for each finding, or for a check without one. */
async function rowsOf(
  checks: readonly Check[],
  isFixed: boolean,
): Promise<readonly PrintedRecord[]> {
  const rows: PrintedRecord[] = [];
  for (const { name, run } of checks) {
    const before = rows.length;
    try {
      for await (const { level, problem, advice, fix } of run()) {
        const isRepaired = isFixed && fix !== undefined;
        if (isRepaired) await fix();
        rows.push({
          check: name,
          result: isRepaired ? 'fixed' : level,
          problem,
          advice: isRepaired ? null : advice,
        });
      }
    } catch (error) {
      const problem = `the check failed: ${(error as Error).message}`;
      rows.push({ check: name, result: 'error', problem, advice: null });
    }
    if (rows.length === before)
      rows.push({ check: name, result: 'ok', problem: null, advice: null });
  }
  return rows;
}

const hasErrors = (rows: readonly PrintedRecord[]) => rows.some(({ result }) => result === 'error');

/** Checks of the machine, then of the database at `url`, then of the data if its tables are current. */
export async function diagnose(
  config: Config,
  url: string,
  { isDeep, isFixed }: Depth,
): Promise<readonly PrintedRecord[]> {
  const machine = await rowsOf(machineChecks(config), isFixed);
  const database = await rowsOf(databaseChecks(url, config.poolerUrl), isFixed);
  if (hasErrors(database)) return [...machine, ...database];
  const db = connect(url, { poolSize: 4 });
  const places = await openPlaces(config);
  try {
    const renewCaches = (folders: readonly string[]) =>
      withQueue({ url }, async (jobs) => {
        for (const objects of folders)
          await renewLater(objects, { db, jobs, storages: config.storages });
      });
    const parts = { config, db, places, renewCaches };
    const checks = [
      ...writableChecks(url),
      ...(isDeep ? tableChecks(url) : []),
      ...secretChecks(parts),
      ...cacheChecks(parts, isDeep),
      ...repositoryChecks(parts, isDeep),
      ...objectStoreChecks(parts),
      ...uploadChecks(parts),
      ...jobFileChecks(parts),
      ...lfsChecks(parts),
      ...backgroundJobChecks(parts),
    ];
    const rows: PrintedRecord[] = [];
    const check = async () => {
      rows.push(...(await rowsOf(checks, isFixed)));
    };
    await (isFixed ? recorded({ command: 'doctor --fix', subject: '' }, { db }, check) : check());
    return [...machine, ...database, ...rows];
  } finally {
    places.close();
    await db.$disconnect();
  }
}

/** Throws if there are errors among the results. */
export function requireNoErrors(rows: readonly PrintedRecord[]): void {
  const errors = rows.filter(({ result }) => result === 'error').length;
  if (errors > 0) throw new Error(`${errors} of ${rows.length} results are errors.`);
}

/** `millrace doctor`. */
export const doctorCommand = (readConfig: () => Config): Command =>
  new Command('doctor')
    .option(
      '--fsck',
      'also follow the objects of each repository and read each table, which takes long',
    )
    .option(
      '--fix',
      'repair modes of files, migrations, the extension, caches and HEAD of repositories; nothing that could lose data',
    )
    .action(async ({ fsck, fix, ...options }: DoctorOptions) => {
      const config = readConfig();
      const rows = await withServiceDatabase(config, (url) =>
        diagnose(config, url, { isDeep: fsck === true, isFixed: fix === true }),
      );
      if (options.json) printList(rows, options);
      else printFindings(rows);
      requireNoErrors(rows);
    });
