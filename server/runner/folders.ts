import { chmod, lstat, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, thisInstance } from './instance.ts';
import { signalGroup } from './processes.ts';

/** Where one job works. Nobody else does as long as it is held. */
export interface WorkFolder {
  /** The checked out project, `CI_PROJECT_DIR`; empty when it is taken. */
  readonly source: string;
  /** What of the project's repository may serve the next job. */
  readonly kept: string;
  /** Scripts, archives and temporary files of this job alone. */
  readonly temporary: string;
  /** Notes the group of processes that works there, which goes with the runner. */
  note(group: number): Promise<void>;
  /** Removes all but `kept`. */
  release(): Promise<void>;
}

/** Takes the first work folder of a project that no job is in, whichever runner's. */
export async function takeFolder(builds: string, projectId: number): Promise<WorkFolder> {
  for (let place = 0; ; place += 1) {
    const folder = join(builds, String(projectId), String(place));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = join(folder, 'lock');
    if (!(await isTaken(lock))) continue;
    const [source, temporary] = [join(folder, 'source'), join(folder, 'temporary')];
    for (const fresh of [source, temporary]) {
      await removeTree(fresh);
      await mkdir(fresh, { mode: 0o700 });
    }
    return {
      source,
      temporary,
      kept: join(folder, 'kept'),
      note: (group) => writeFile(lock, lockText(group)),
      release: async () => {
        await removeTree(source);
        await removeTree(temporary);
        await rm(lock, { force: true });
      },
    };
  }
}

/** Ends and clears away what killed runners left in their work folders. */
export async function sweepFolders(builds: string): Promise<void> {
  for (const project of await readdir(builds).catch(() => [])) {
    for (const place of await readdir(join(builds, project))) {
      const folder = join(builds, project, place);
      const lock = join(folder, 'lock');
      if ((await lstat(lock).catch(() => null)) === null || !(await isTaken(lock))) continue;
      await removeTree(join(folder, 'source'));
      await removeTree(join(folder, 'temporary'));
      await rm(lock, { force: true });
    }
  }
}

const lockText = (group = 0) => `${thisInstance.pid} ${thisInstance.mark} ${group}`;

/** Takes a lock, also one whose runner was killed; what that one left running is ended. */
async function isTaken(lock: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const handle = await open(lock, 'wx', 0o600);
      await handle.writeFile(lockText());
      await handle.close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const written = await readFile(lock, 'utf8').catch(() => '');
    const [pid = '', mark = '', group = ''] = written.split(' ');
    if (written !== '' && isRunning({ pid: Number(pid), mark })) return false;
    if (await worksThere(Number(group), lock)) signalGroup(Number(group), 'SIGKILL');
    await rm(lock, { force: true });
  }
  return false;
}

/** Its number may be another's by now: only one that stands in the folder is ended. */
async function worksThere(group: number, lock: string): Promise<boolean> {
  if (group <= 1) return false;
  const environment = await readFile(`/proc/${group}/environ`, 'latin1').catch(() => '');
  return environment.includes(join(lock, '..', 'source'));
}

/** Removes a folder with all that is in it, also where a job has forbidden it to itself. */
export async function removeTree(path: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 };
  await rm(path, options).catch(async () => {
    await makeRemovable(path);
    await rm(path, options);
  });
}

async function makeRemovable(folder: string): Promise<void> {
  const stats = await lstat(folder).catch(() => null);
  if (!stats?.isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeRemovable(join(folder, entry.name));
  }
}
