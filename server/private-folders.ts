import { chmod, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { getuid } from 'node:process';
import type { Logger } from './log.ts';

interface PrivateFolders {
  readonly dataFolder: string;
  /** Storage name → absolute folder. */
  readonly storages: ReadonlyMap<string, string>;
  /** Whether the server starts a runner: under root, another account runs its jobs. */
  readonly hasRunner: boolean;
}

/** Created at the start: a folder created on demand would inherit its parent's permissions. */
const kept = ['uploads', 'traces', 'artifacts', 'lfs', 'hooks'];

/** Belongs to the account that runs jobs. */
const runnerFolder = 'runner';

/** The folders in which a storage keeps repositories, by two digits of their names, or builds them. */
const inStorage = /^([0-9a-f]{2}|\+.*)$/;

const readableByOthers = 0o077;

/**
 * Creates the folders of the service and removes the permissions of other accounts, also on folders of
 * earlier versions. A closed folder protects everything below it, so only the top
 * levels are changed, and a start with many repositories takes no longer. New files are private by the
 * process's umask.
 */
export async function closeFolders(
  { dataFolder, storages, hasRunner }: PrivateFolders,
  log: Logger,
): Promise<void> {
  const close = async (path: string, isEnterable = false) => {
    const { mode } = await stat(path);
    const wanted = (mode & ~readableByOthers) | (isEnterable ? 0o011 : 0);
    if (mode === wanted) return;
    // a file system without modes, or a folder that another account owns
    await chmod(path, wanted & 0o7777).catch((error) =>
      log.warn({ err: error, path }, 'other accounts can read this'),
    );
  };
  const closeEntries = async (folder: string, isOurs: (name: string) => boolean) => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (isOurs(entry.name) && (entry.isDirectory() || entry.isFile())) {
        await close(join(folder, entry.name));
      }
    }
  };

  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  // the account of jobs must pass through to its own folder
  await close(dataFolder, hasRunner && getuid?.() === 0);
  for (const name of kept) await mkdir(join(dataFolder, name), { recursive: true, mode: 0o700 });
  for (const storage of storages.values()) {
    await mkdir(storage, { recursive: true, mode: 0o700 });
    // a storage elsewhere may be a folder that others use as well, such as a mount point
    const place = await realpath(storage);
    if (!place.startsWith((await realpath(dataFolder)) + sep)) {
      await closeEntries(place, (name) => inStorage.test(name));
    }
  }
  await closeEntries(dataFolder, (name) => name !== runnerFolder);
}
