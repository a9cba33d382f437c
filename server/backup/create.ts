import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { connect, type Database } from '../../prisma/client.ts';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { programVersion } from '../../schema/settings/version.ts';
import { fileFault } from '../checks/repository-files.ts';
import type { Config } from '../config.ts';
import { orMissing } from '../disk/files.ts';
import { isWiki, repositoryExists, repositoryFolder, wikiOf } from '../git/address.ts';
import { GitFailure } from '../git/process/run.ts';
import { whileNothingMoves } from '../object-moves/alone.ts';
import { type ObjectPlaces, openPlaces, placesOf } from '../objects/places.ts';
import { isIncoming } from '../uploads/paths.ts';
import { type ArchiveWriter, archiveWriter } from './archive-writer.ts';
import { type Base, baseOf, noBase } from './base.ts';
import { readBackup } from './chain.ts';
import { openSnapshot, type SnapshotRepository, tablePath } from './database-copy.ts';
import { contentOfFile, contentOfObject } from './file-contents.ts';
import {
  type Description,
  type FileSection,
  fileSections,
  type Manifest,
  secretFiles,
} from './format.ts';
import { bundleOf, bundlePath, repositoryState } from './repositories.ts';

export interface CreateOptions {
  /** A former backup, for an incremental one: its path, and the name it will have at a restore. */
  readonly base: { readonly path: string; readonly file: string } | null;
  readonly skipped: readonly FileSection[];
  readonly hasSecrets: boolean;
  /** Called for each item. */
  readonly onItem: (path: string) => void;
  /** Called for each repository whose content is missing in the backup. */
  readonly onFault: (path: string, fault: string) => void;
}

/** A finished backup. */
export interface CreatedBackup {
  readonly description: Description;
  readonly manifest: Manifest;
}

interface Parts {
  /** Of this backup. */
  readonly id: string;
  readonly config: Config;
  readonly db: Database;
  readonly places: ObjectPlaces;
  readonly base: Base;
  readonly writer: ArchiveWriter;
  readonly options: CreateOptions;
}

/** Records a repository whose content is missing: deleted by users since the snapshot, or damaged. */
async function addMissing(
  path: string,
  { projectId }: SnapshotRepository,
  { id, db, writer, options }: Parts,
): Promise<void> {
  const isDeleted = (await db.project.count({ where: { id: projectId, isRemoved: false } })) === 0;
  const fault = 'the repository is missing';
  if (!isDeleted) options.onFault(path, fault);
  await writer.refer({
    path,
    in: id,
    parts: [],
    state: '',
    ...(isDeleted ? { isDeleted } : { fault }),
  });
}

/** Where a repository is now: its project may have moved to another storage since the snapshot. */
async function placeOf(
  { projectId }: SnapshotRepository,
  address: RepositoryAddress,
  { db, config }: Parts,
): Promise<RepositoryAddress> {
  if (await repositoryExists(config.storages, address)) return address;
  const project = await db.project.findUnique({
    where: { id: projectId },
    select: { storage: true },
  });
  return project && config.storages.has(project.storage)
    ? { ...address, storage: project.storage }
    : address;
}

async function addRepository(
  repository: SnapshotRepository,
  address: RepositoryAddress,
  parts: Parts,
): Promise<void> {
  const { config, base, writer, options } = parts;
  const path = bundlePath(address);
  const place = await placeOf(repository, address, parts);
  const current = await repositoryState(config.storages, place).catch((error: unknown) => {
    if (error instanceof GitFailure) return error;
    throw error;
  });
  if (current instanceof GitFailure) {
    options.onFault(path, current.message);
    return writer.refer({ path, in: parts.id, parts: [], state: '', fault: current.message });
  }
  // not every project has a wiki
  if (!current) return isWiki(address) ? undefined : addMissing(path, repository, parts);
  options.onItem(path);
  const { state, head, isEmpty } = current;
  const unchanged = await base.unchanged(path, state);
  if (unchanged) return writer.refer(unchanged);
  let fault: string | undefined;
  async function* content(isRetry: boolean) {
    fault = undefined;
    if (isEmpty) return;
    try {
      yield* bundleOf(config.storages, place, { isRetry });
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      fault = error.message;
    }
  }
  const add = (isRetry: boolean) =>
    writer.add(path, content(isRetry), () => ({
      ...{ state, head },
      ...(fault !== undefined && { fault }),
    }));
  await add(false);
  if (fault === undefined) return;
  // a second item of this path, with what can be read
  await add(true);
  const folder = repositoryFolder(config.storages, place);
  const leftOut = await fileFault(folder).catch(() => null);
  if (fault === undefined && leftOut === null) return;
  if (!(await repositoryExists(config.storages, place))) return;
  options.onFault(path, fault ?? `${leftOut}, and left out`);
}

async function addFiles(section: FileSection, parts: Parts): Promise<void> {
  const { places, base, writer, options } = parts;
  // traces are text; the others are mostly compressed
  const suffix = section === 'traces' ? '.gz' : '';
  const objects = placesOf(places, section);
  for await (const object of objects.list(`${section}/`)) {
    const [, owner = ''] = object.key.split('/');
    if (isIncoming(owner)) continue;
    const stats = await object.stats();
    if (!stats) continue;
    const path = `${object.key}${suffix}`;
    options.onItem(path);
    // files are replaced or extended, never changed in place
    const state = `${stats.size} ${stats.changedAt.getTime()}`;
    const unchanged = await base.unchanged(path, state);
    if (unchanged) await writer.refer(unchanged);
    else {
      // null if it was deleted in between
      const reader = await objects.open(object.key);
      if (reader)
        await writer.add(path, contentOfObject(object.location, reader), () => ({ state }));
    }
  }
}

async function describe(
  snapshot: Awaited<ReturnType<typeof openSnapshot>>,
  { base, skipped, hasSecrets }: CreateOptions,
): Promise<Description> {
  const former = base && (await readBackup(base.path));
  const { takenAt, migrations, tables, sequences } = snapshot;
  return {
    format: 1,
    id: randomUUID(),
    takenAt,
    version: programVersion,
    migrations,
    tables,
    sequences,
    skipped: [...skipped],
    hasSecrets,
    base: base && former && { id: former.id, file: base.file },
  };
}

/**
 * Writes a backup of the service to `out` while servers may run. The database is copied from one
 * snapshot, and everything else after it: what the database names is there, unless users deleted it in
 * between. Throws if something cannot be read, except for damaged repositories, which it reports.
 */
export async function createBackup(
  config: Config,
  url: string,
  out: Writable,
  options: CreateOptions,
): Promise<CreatedBackup> {
  const snapshot = await openSnapshot(url);
  const db = connect(url, { poolSize: 1 });
  const places = await openPlaces(config);
  let writer: ArchiveWriter | null = null;
  try {
    const description = await describe(snapshot, options);
    const base = options.base ? baseOf(options.base.path) : noBase;
    writer = await archiveWriter(out, description);
    for (const table of description.tables) {
      const path = tablePath(table);
      options.onItem(path);
      await writer.add(path, snapshot.rowsOf(table), () => ({ state: '' }));
    }
    const repositories = await snapshot.end();
    if (options.hasSecrets) {
      for (const name of secretFiles) {
        const place = join(config.dataFolder, name);
        if (await orMissing(stat(place))) {
          await writer.add(`secrets/${name}`, contentOfFile(place), () => ({ state: '' }));
        }
      }
    }
    const parts = { id: description.id, config, db, places, base, writer, options };
    for await (const batch of repositories) {
      for (const repository of batch) {
        await addRepository(repository, repository, parts);
        await addRepository(repository, wikiOf(repository), parts);
      }
    }
    await whileNothingMoves(url, async () => {
      for (const section of fileSections) {
        if (!options.skipped.includes(section)) await addFiles(section, parts);
      }
    });
    await base.finish();
    return { description, manifest: await writer.finish() };
  } catch (error) {
    await writer?.abort();
    throw error;
  } finally {
    places.close();
    await db.$disconnect();
    await snapshot.close();
  }
}
