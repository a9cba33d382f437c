import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWorkersIn } from './processes.ts';
import { isRunning, thisProcess } from './runner-process.ts';

/** Where one job works. Nobody else does as long as it is held. */
export interface WorkFolder {
  /** The checked out project, `CI_PROJECT_DIR`; empty when it is taken. */
  readonly source: string;
  /** What of the project's repository may serve the next job. */
  readonly kept: string;
  /** Scripts, archives and temporary files of this job alone. */
  readonly temporary: string;
  /** Ends what the job left running, and removes all but `kept`. What is not removed stays taken. */
  release(): Promise<void>;
}

/** Takes the first work folder of a project that no job is in, whichever runner's. */
export async function lockFolder(builds: string, projectId: number): Promise<WorkFolder> {
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
      release: () => clear(folder),
    };
  }
}

async function clear(folder: string): Promise<void> {
  await endWorkersIn(join(folder, 'source'));
  await removeTree(join(folder, 'source'));
  await removeTree(join(folder, 'temporary'));
  await rm(join(folder, 'lock'), { force: true });
}

/** Ends and clears away what killed runners left in their work folders. */
export async function sweepFolders(builds: string): Promise<void> {
  for (const project of await readdir(builds).catch(() => [])) {
    for (const place of await readdir(join(builds, project))) {
      const folder = join(builds, project, place);
      const lock = join(folder, 'lock');
      if ((await lstat(lock).catch(() => null)) === null || !(await isTaken(lock))) continue;
      // what cannot be removed stays taken: there are other places
      await clear(folder).catch(() => {});
    }
  }
}

/** Takes a lock, also one whose runner was killed. */
async function isTaken(lock: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (await isMade(lock)) return true;
    const written = await readFile(lock, 'utf8').catch(() => null);
    // let go of meanwhile
    if (written === null) continue;
    const [pid = '', mark = ''] = written.split(' ');
    if (written !== '' && isRunning({ pid: Number(pid), mark })) return false;
    await rm(lock, { force: true });
  }
  return false;
}

/** Makes a lock with all that it says: nobody finds it empty and takes it for one that was left. */
async function isMade(lock: string): Promise<boolean> {
  const written = `${lock}-${randomUUID()}`;
  try {
    await writeFile(written, `${thisProcess.pid} ${thisProcess.mark}`, { mode: 0o600 });
    await link(written, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(written, { force: true });
  }
}

const program = promisify(execFile);

/**
 * Removes a folder with all that is in it, also where a job has forbidden it to itself or made folders
 * deeper than a path can say.
 */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(async () => {
    await program('chmod', ['-R', 'u+rwX', '--', path]).catch(() => {});
    await program('rm', ['-rf', '--', path]);
  });
}
