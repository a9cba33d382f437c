import { connect } from '../../prisma/client.ts';
import { renewLater } from '../cache-repairs.ts';
import { backgroundJobChecks } from '../checks/background-jobs.ts';
import { cacheChecks } from '../checks/caches.ts';
import type { Check } from '../checks/check.ts';
import { databaseChecks, ownerChecks } from '../checks/database.ts';
import { jobFileChecks } from '../checks/job-files.ts';
import { lfsChecks } from '../checks/lfs.ts';
import { objectStoreChecks } from '../checks/object-store.ts';
import { repositoryChecks } from '../checks/repositories.ts';
import { secretChecks } from '../checks/secrets.ts';
import { type TallyOptions, tallyOf } from '../checks/tally.ts';
import { uploadChecks } from '../checks/uploads.ts';
import type { Config } from '../config.ts';
import { openPlaces } from '../objects/places.ts';
import type { CheckResult, Findings } from './findings.ts';
import { recorded } from './operator.ts';
import { withQueue } from './queue.ts';

/** What to do besides the usual checks. */
export interface CheckFlags {
  /** Follows the objects of each repository. */
  readonly isDeep: boolean;
  /** Repairs what can be repaired without a loss. */
  readonly isFixed: boolean;
  /** What a problem says of its items. */
  readonly tally: TallyOptions;
}

/** Runs one check; yields a result for each finding, or for a check without one. */
async function* resultsOf(
  { name: check, run }: Check,
  isFixed: boolean,
): AsyncGenerator<CheckResult> {
  let isOk = true;
  try {
    for await (const { level, problem, advice, items = null, fix } of run()) {
      isOk = false;
      const isRepaired = isFixed && fix !== undefined;
      if (isRepaired) await fix();
      yield {
        check,
        result: isRepaired ? 'fixed' : level,
        problem,
        advice: isRepaired ? null : advice,
        items,
      };
    }
  } catch (error) {
    const problem = `the check failed: ${(error as Error).message}`;
    yield { check, result: 'error', problem, advice: null, items: null };
    return;
  }
  if (isOk) yield { check, result: 'ok', problem: null, advice: null, items: null };
}

/** Runs checks one after the other; returns whether there were errors. */
export async function runChecks(
  checks: readonly Check[],
  { isFixed }: Pick<CheckFlags, 'isFixed'>,
  findings: Findings,
): Promise<boolean> {
  let hasErrors = false;
  for (const check of checks) {
    for await (const result of resultsOf(check, isFixed)) {
      if (result.result === 'error') hasErrors = true;
      findings.add(result);
    }
  }
  return hasErrors;
}

/** Checks of the database at `url`, then of the data if the database is that of this version. */
export async function diagnose(
  config: Config,
  url: string,
  flags: CheckFlags,
  findings: Findings,
): Promise<void> {
  if (await runChecks(ownerChecks(url), flags, findings)) return;
  if (await runChecks(databaseChecks(url, config.poolerUrl), flags, findings)) return;
  const db = connect(url, { poolSize: 4 });
  const places = await openPlaces(config);
  try {
    const renewCaches = (folders: readonly string[]) =>
      withQueue({ url }, async (jobs) => {
        for (const objects of folders)
          await renewLater(objects, { db, jobs, storages: config.storages });
      });
    const parts = { config, db, places, renewCaches, tally: tallyOf(flags.tally) };
    const checks = [
      ...secretChecks(parts),
      ...cacheChecks(parts, flags.isDeep),
      ...repositoryChecks(parts, flags.isDeep),
      ...objectStoreChecks(parts),
      ...uploadChecks(parts),
      ...jobFileChecks(parts),
      ...lfsChecks(parts),
      ...backgroundJobChecks(parts),
    ];
    const check = async () => {
      await runChecks(checks, flags, findings);
    };
    if (!flags.isFixed) return await check();
    await recorded({ command: 'doctor --fix', subject: '' }, { db }, check);
  } finally {
    places.close();
    await db.$disconnect();
  }
}
