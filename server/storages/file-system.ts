import { randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  link,
  mkdir,
  open,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath } from '../disk/files.ts';
import { clockAdvice, clockFault } from './clock.ts';

/** A property of file systems that Millrace relies on, and a test of it in an empty folder. */
interface Property {
  readonly name: string;
  readonly holds: (folder: string) => Promise<boolean>;
}

const properties: readonly Property[] = [
  {
    // locks of git, and marks
    name: 'creates a file exclusively',
    holds: async (folder) => {
      const path = join(folder, 'lock');
      await writeFile(path, '', { flag: 'wx' });
      const code = await writeFile(path, '', { flag: 'wx' }).catch((error) => error.code);
      return code === 'EEXIST';
    },
  },
  {
    // references, packs, uploads
    name: 'replaces a file by rename',
    holds: async (folder) => {
      const [from, to] = [join(folder, 'new'), join(folder, 'old')];
      await writeFile(to, 'old');
      await writeFile(from, 'newer');
      await rename(from, to);
      return (await stat(to)).size === 5;
    },
  },
  {
    // acknowledged writes
    name: 'syncs files and folders to the disk',
    holds: async (folder) => {
      const path = join(folder, 'synced');
      await writeFile(path, 'content');
      await syncPath(path);
      await syncPath(folder);
      return true;
    },
  },
  {
    // objects of forks, replaced artifacts
    name: 'has hard links',
    holds: async (folder) => {
      const path = join(folder, 'first');
      await writeFile(path, '');
      await link(path, join(folder, 'second'));
      return (await stat(path)).nlink === 2;
    },
  },
  {
    // a pack that is replaced while a clone reads it
    name: 'keeps a removed file for its readers',
    holds: async (folder) => {
      const path = join(folder, 'removed');
      await writeFile(path, 'content');
      const file = await open(path);
      try {
        await rm(path);
        return (await file.read(Buffer.alloc(7), 0, 7, 0)).bytesRead === 7;
      } finally {
        await file.close();
      }
    },
  },
  {
    // heartbeats, abandoned marks, stale locks
    name: 'keeps the times that files are given',
    holds: async (folder) => {
      const path = join(folder, 'time');
      await writeFile(path, '');
      const past = new Date(2_000_000_000);
      await utimes(path, past, past);
      return (await stat(path)).mtimeMs === past.getTime();
    },
  },
];

/** Hooks of git. */
const runsPrograms: Property = {
  name: 'runs programs (it is mounted with noexec)',
  holds: async (folder) => {
    const path = join(folder, 'program');
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, 0o700);
    return access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
  },
};

/**
 * What the file system of a folder lacks that Millrace relies on, as parts of a sentence; empty if it is
 * right. `hasPrograms`: hooks of git run there.
 */
export async function fileSystemFaults(
  folder: string,
  { hasPrograms = false } = {},
): Promise<readonly string[]> {
  const probe = join(folder, `+probe-${randomUUID()}`);
  await mkdir(probe, { mode: 0o700 });
  try {
    const faults: string[] = [];
    for (const { name, holds } of hasPrograms ? [...properties, runsPrograms] : properties) {
      const fault = await holds(probe).then(
        (isRight) => (isRight ? null : name),
        (error: Error) => `${name} (${error.message})`,
      );
      if (fault) faults.push(fault);
    }
    return faults;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Throws if a file system of the service lacks what Millrace relies on, or has another time than this machine. */
export async function requireFileSystems(config: ServiceFolders): Promise<void> {
  for (const [folder, options] of checkedFolders(config)) {
    const faults = await fileSystemFaults(folder, options);
    if (faults.length > 0) throw new Error(unsuitable(folder, faults));
    const fault = await clockFault(folder);
    if (fault !== null) throw new Error(`${fault}. ${clockAdvice}`);
  }
}

interface ServiceFolders {
  readonly dataFolder: string;
  /** Storage name → absolute folder. */
  readonly storages: ReadonlyMap<string, string>;
}

/** The folders whose file systems are checked, with what runs there. */
export const checkedFolders = ({ dataFolder, storages }: ServiceFolders) =>
  [
    [join(dataFolder, 'hooks'), { hasPrograms: true }],
    ...[...storages.values()].map((folder) => [folder, {}] as const),
  ] as const;

export const unsuitable = (folder: string, faults: readonly string[]): string =>
  `The file system of ${folder} is unsuitable: it must be one that ${faults.join('; ')}.`;
