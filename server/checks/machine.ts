import { access, chmod, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { orMissing } from '../disk/files.ts';
import { requireGit } from '../git/process/requirements.ts';
import { clockAdvice, clockFault } from '../storages/clock.ts';
import { checkedFolders, fileSystemFaults, unsuitable } from '../storages/file-system.ts';
import type { Check, Finding } from './check.ts';

const gigabyte = 2 ** 30;

/** Below these a push or a transaction may soon fail for lack of space. */
const scarce = { warning: 2 * gigabyte, error: gigabyte / 4 };

async function* gitFindings(): AsyncGenerator<Finding> {
  const problem = await requireGit().then(
    () => null,
    (error: Error) => error.message,
  );
  if (problem !== null) yield { level: 'error', problem, advice: 'Install git 2.39 or newer.' };
}

async function* spaceFindings(folders: Iterable<string>): AsyncGenerator<Finding> {
  for (const folder of new Set(folders)) {
    const space = await orMissing(statfs(folder));
    if (!space) continue;
    const free = space.bavail * space.bsize;
    if (free >= scarce.warning) continue;
    yield {
      level: free < scarce.error ? 'error' : 'warning',
      problem: `${folder} has ${(free / gigabyte).toFixed(1)} GB left`,
      advice: 'Free space, or move the folder to a larger disk.',
    };
  }
}

async function* folderFindings({ dataFolder, storages }: Config): AsyncGenerator<Finding> {
  for (const folder of [dataFolder, ...storages.values()]) {
    const isThere = (await orMissing(stat(folder))) !== null;
    const isWritable = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isWritable) continue;
    yield {
      level: 'error',
      problem: isThere ? `${folder} is not writable` : `${folder} is missing`,
      advice: isThere
        ? 'Run this command as the account of the server, and give the folder to that account.'
        : 'Check MILLRACE_DATA and MILLRACE_STORAGES, and that the disk is mounted.',
    };
  }
  const key = join(dataFolder, 'secret.key');
  const stats = await orMissing(stat(key));
  if (stats && (stats.mode & 0o077) !== 0) {
    yield {
      level: 'error',
      problem: `${key} can be read by other accounts`,
      advice: `Run chmod 600 ${key}, and create new tokens if others may have read it.`,
      fix: () => chmod(key, 0o600),
    };
  }
}

async function* fileSystemFindings(config: Config): AsyncGenerator<Finding> {
  for (const [folder, options] of checkedFolders(config)) {
    if ((await orMissing(stat(folder))) === null) continue;
    const faults = await fileSystemFaults(folder, options);
    if (faults.length === 0) continue;
    yield {
      level: 'error',
      problem: unsuitable(folder, faults),
      advice: 'Use another file system or other options of its mount (docs/scaling.md).',
    };
  }
}

async function* clockFindings(config: Config): AsyncGenerator<Finding> {
  for (const [folder] of checkedFolders(config)) {
    if ((await orMissing(stat(folder))) === null) continue;
    const problem = await clockFault(folder);
    if (problem !== null) yield { level: 'error', problem, advice: clockAdvice };
  }
}

/** Checks of the machine, which need no database. */
export const machineChecks = (config: Config): readonly Check[] => [
  { name: 'git', run: gitFindings },
  { name: 'folders', run: () => folderFindings(config) },
  { name: 'file systems', run: () => fileSystemFindings(config) },
  { name: 'file times', run: () => clockFindings(config) },
  {
    name: 'disk space',
    run: () => spaceFindings([config.dataFolder, ...config.storages.values()]),
  },
];
