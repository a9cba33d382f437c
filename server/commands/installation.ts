import { accessSync, constants, statSync } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';

type Installation = Pick<Config, 'dataFolder' | 'databaseUrl'>;

/** Thrown if a command does not find the service that it belongs to. */
export class InstallationMissing extends Error {}

/** Throws if another account owns the data folder, before a command looks for anything in it. */
export function requireAccess(dataFolder: string): void {
  try {
    if (!statSync(dataFolder).isDirectory()) return;
    accessSync(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return;
    throw new Error(
      `This account may not use the data folder ${dataFolder}: run the command as the account of the server.`,
    );
  }
}

const embeddedCluster = 'postgres/cluster/PG_VERSION';

/** What only Millrace leaves in its data folder; a folder of another program may have names such as `uploads`. */
const markers = ['secret.key', 'hooks/pre-receive', embeddedCluster];

const isThere = (path: string): Promise<boolean> =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  );

/** Why the folder cannot be the data folder of a service; null if it is one. */
async function faultOf(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return 'it is not a folder';
    const names = await readdir(folder);
    if (names.length === 0) return 'the folder is empty';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'the folder does not exist';
    return code === 'ENOTDIR' ? 'it is below a file' : `it cannot be read (${message})`;
  }
  const found = await Promise.all(markers.map((name) => isThere(join(folder, name))));
  return found.includes(true) ? null : 'the folder has other files';
}

/**
 * Throws unless the data folder is that of a Millrace that a server has started, with its database. A command
 * with the wrong variables would otherwise create a new service there and use that.
 */
export async function requireInstallation({ dataFolder, databaseUrl }: Installation) {
  const fault = await faultOf(dataFolder);
  if (fault !== null) {
    throw new InstallationMissing(
      `There is no Millrace in ${dataFolder}: ${fault}. Set MILLRACE_DATA to the data folder of the server, and check that its disk is mounted.`,
    );
  }
  if (databaseUrl === null && !(await isThere(join(dataFolder, embeddedCluster)))) {
    throw new InstallationMissing(
      `There is no database of Millrace in ${dataFolder}: set DATABASE_URL as for the server.`,
    );
  }
}
