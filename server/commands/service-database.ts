import { join } from 'node:path';
import { runningEmbedded, startEmbedded } from '../../prisma/embedded.ts';
import { migrationDifferences, requireOwnDatabase } from '../../prisma/migration-history.ts';
import type { Config } from '../config.ts';
import { DatabaseUnusable, requireConnection } from '../database.ts';
import { requireInstallation } from './installation.ts';

/**
 * Runs `work` with the URL of a database: the configured one, that of the running server, or the embedded one,
 * which is started for the command if no server runs, and created if it does not exist.
 */
export async function withDatabase<Result>(
  config: Pick<Config, 'dataFolder' | 'databaseUrl'>,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, dataFolder } = config;
  if (databaseUrl !== null) {
    await requireConnection(databaseUrl);
    return work(databaseUrl);
  }
  const folder = join(dataFolder, 'postgres');
  const url = await runningEmbedded(folder);
  if (url !== null) return work(url);
  const database = await startEmbedded({ folder, log: () => {} }).catch((error: Error) => {
    throw new DatabaseUnusable(error.message);
  });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
  }
}

/** Databases that a command can use besides that of this version. */
type Accepted = 'older' | 'empty';

const pending = 'run `millrace migrate run` first';

/** Throws unless the database is one of Millrace that the command can use. */
async function requireUsable(url: string, accepted: readonly Accepted[]): Promise<void> {
  const state = await migrationDifferences(url);
  requireOwnDatabase(state);
  if (state.owner === null && !accepted.includes('empty')) {
    throw new Error(
      `There is no Millrace in the database: it is empty. Set DATABASE_URL as for the server; for a new server, ${pending}.`,
    );
  }
  if (state.pending.length > 0 && !accepted.includes('older')) {
    throw new Error(`The database has pending migrations: ${pending}.`);
  }
}

/** Runs `work` with the URL of the service's database. Throws, and changes nothing, if there is no service. */
export async function withServiceDatabase<Result>(
  config: Pick<Config, 'dataFolder' | 'databaseUrl'>,
  work: (url: string) => Promise<Result>,
  accepted: readonly Accepted[] = [],
): Promise<Result> {
  await requireInstallation(config);
  return withDatabase(config, async (url) => {
    await requireUsable(url, accepted);
    return work(url);
  });
}
