import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { connect } from '../../prisma/client.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import { noArtifacts } from '../../schema/jobs/sweep-files.ts';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { jobsWithoutArtifacts } from '../checks/job-files.ts';
import type { Config } from '../config.ts';
import { openQueue } from '../jobs/queue.ts';
import { localPlaces, openPlaces } from '../objects/places.ts';
import { type Chain, verifyChain } from './chain.ts';
import { contentsIn } from './contents.ts';
import { tablePath } from './database-copy.ts';
import {
  createSchema,
  openLoad,
  requireEmptyDatabase,
  requireKnownMigrations,
} from './database-load.ts';
import { type Description, fileSections, type Item, secretFiles, sectionOf } from './format.ts';
import { bundledRepository, restoreRepository } from './repositories.ts';

export interface RestoreOptions {
  /** The path of a key, for a backup without it. */
  readonly secretKey: string | null;
  /** Called for each item. */
  readonly onItem: (path: string) => void;
}

/** Throws unless the folder is absent or empty. */
async function requireEmptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error.code === 'ENOTDIR' ? new Error(`${folder} is not a folder.`) : error;
  });
  if (names.length > 0) {
    throw new Error(`${folder} is not empty: a backup is restored into an empty folder only.`);
  }
}

/** Throws unless the object store has no objects: its files could appear as those of new records. */
async function requireEmptyStore(config: Config): Promise<void> {
  const { s3, close } = await openPlaces(config);
  try {
    for await (const { location } of s3?.list('') ?? []) {
      throw new Error(
        `The object store is not empty (${location}): a backup is restored beside an empty one only. Add a prefix to MILLRACE_OBJECTS.`,
      );
    }
  } finally {
    close();
  }
}

/** Throws if the repository of an item belongs into a storage that is not configured. */
function requireStorage({ path }: Item, { storages }: Config): void {
  const repository = bundledRepository(path);
  if (!repository || storages.has(repository.storage)) return;
  throw new Error(`The storage ${repository.storage} is missing in MILLRACE_STORAGES.`);
}

/** Where the item of a file belongs. */
function placeOf(path: string, dataFolder: string): string {
  const secret = secretFiles.find((name) => path === `secrets/${name}`);
  if (secret) return join(dataFolder, secret);
  const section = fileSections.find((name) => name === sectionOf(path));
  if (!section) throw new Error(`${path} belongs to no section of this version`);
  // the path of a file is its key, and with two places the data folder is one of them
  return join(dataFolder, section === 'traces' ? path.replace(/\.gz$/, '') : path);
}

async function writeFileTo(place: string, content: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await pipeline(content, createWriteStream(place, { mode: 0o600 }));
}

type Load = Awaited<ReturnType<typeof openLoad>>;

/** Restores one item; repositories without content stay absent, and `doctor` reports them. */
async function restoreItem(
  { path, parts, head, isDeleted, fault }: Item,
  content: AsyncIterable<Buffer>,
  { config, description, load }: { config: Config; description: Description; load: Load },
): Promise<void> {
  if (isDeleted || fault !== undefined) return;
  if (sectionOf(path) === 'database') {
    const table = description.tables.find((one) => tablePath(one) === path);
    if (!table) throw new Error(`${path} is not described in the backup`);
    return load.fill(table, content);
  }
  const repository = bundledRepository(path);
  if (!repository) return writeFileTo(placeOf(path, config.dataFolder), content);
  const bundle = parts.length > 0 ? content : null;
  await restoreRepository(config.storages, repository, { head: head ?? '', content: bundle });
}

/** Records those jobs whose artifacts were left out, or deleted while the backup was made, as jobs without. */
async function settleArtifacts(config: Config, url: string): Promise<void> {
  const db = connect(url, { poolSize: 2 });
  try {
    const { objects } = localPlaces(config.dataFolder);
    for await (const ids of jobsWithoutArtifacts({ db, objects })) {
      await db.job.updateMany({ where: { id: { in: [...ids] } }, data: noArtifacts });
    }
  } finally {
    await db.$disconnect();
  }
}

/** Creates the tables of the queue, into which its jobs are copied. */
async function createQueueTables(url: string): Promise<void> {
  const failures: Error[] = [];
  const queue = await openQueue(url, { onError: (error) => failures.push(error) });
  await queue.stop();
  const [failure] = failures;
  if (failure) throw failure;
}

interface Progress extends RestoreOptions {
  /** The file with the items of the chain. */
  readonly index: string;
}

async function restoreInto(
  url: string,
  config: Config,
  chain: Chain,
  { index, secretKey, onItem }: Progress,
): Promise<readonly RepositoryAddress[]> {
  const [{ description }] = chain;
  const deleted: RepositoryAddress[] = [];
  await requireEmptyDatabase(url);
  await createSchema(url, description);
  await createQueueTables(url);
  const load = await openLoad(url, description);
  try {
    for (const archive of chain) {
      for await (const { item, content } of contentsIn(archive, index)) {
        onItem(item.path);
        const repository = item.isDeleted ? bundledRepository(item.path) : null;
        if (repository) deleted.push(repository);
        await restoreItem(item, content, { config, description, load });
      }
    }
    if (secretKey !== null) await copyFile(secretKey, join(config.dataFolder, 'secret.key'));
    await load.complete();
    await load.commit();
  } finally {
    await load.close();
  }
  await applyMigrations(url);
  await settleArtifacts(config, url);
  return deleted;
}

/**
 * Restores into the empty database at `url`; returns the repositories of projects that users deleted
 * while the backup was made.
 */
type Restore = (url: string) => Promise<readonly RepositoryAddress[]>;

/**
 * Restores a backup into the empty data folder and storages of `config` and the database that
 * `withDatabase` opens, whose result it returns. Compares all checksums before it writes anything. The
 * rows of the database are one transaction, which is the last step.
 */
export async function restoreBackup<Result>(
  config: Config,
  chain: Chain,
  withDatabase: (work: Restore) => Promise<Result>,
  options: RestoreOptions,
): Promise<Result> {
  const { dataFolder, storages } = config;
  const [{ description }] = chain;
  await requireKnownMigrations(description);
  for (const folder of [dataFolder, ...storages.values()]) await requireEmptyFolder(folder);
  await requireEmptyStore(config);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const index = join(dataFolder, 'restored-index.jsonl');
  try {
    await verifyChain(chain, (item) => requireStorage(item, config), index);
    return await withDatabase((url) => restoreInto(url, config, chain, { index, ...options }));
  } finally {
    await rm(index, { force: true });
  }
}
