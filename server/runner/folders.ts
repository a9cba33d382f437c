import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWorkersIn } from './processes.ts';
import { isRunning, thisProcess } from './runner-process.ts';

/** The folder of one job, locked for it. */
export interface WorkFolder {
  /** The checked out project, `CI_PROJECT_DIR`; initially empty. */
  readonly source: string;
  /** The part of the project's repository that the next job can reuse. */
  readonly kept: string;
  /** Scripts, archives and temporary files of this job. */
  readonly temporary: string;
  /**
   * Kills the job's remaining processes, and deletes everything but `kept`. If something cannot be
   * deleted, the folder stays locked.
   */
  release(): Promise<void>;
}

/** Locks the first unused work folder of a project, across all runners. */
export async function lockFolder(builds: string, projectId: number): Promise<WorkFolder> {
  for (let place = 0; ; place += 1) {
    const folder = join(builds, String(projectId), String(place));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = join(folder, 'lock');
    if (!(await acquireLock(lock))) continue;
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

/** Kills processes of killed runners and cleans their work folders. */
export async function sweepFolders(builds: string): Promise<void> {
  for (const project of await readdir(builds).catch(() => [])) {
    for (const place of await readdir(join(builds, project))) {
      const folder = join(builds, project, place);
      const lock = join(folder, 'lock');
      if ((await lstat(lock).catch(() => null)) === null || !(await acquireLock(lock))) continue;
      // a folder that cannot be cleaned stays locked: there are others
      await clear(folder).catch(() => {});
    }
  }
}

/** Acquires a lock, or takes over that of a killed runner. */
async function acquireLock(lock: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (await createLock(lock)) return true;
    const written = await readFile(lock, 'utf8').catch(() => null);
    // released in the meantime
    if (written === null) continue;
    const [pid = '', mark = ''] = written.split(' ');
    if (written !== '' && isRunning({ pid: Number(pid), mark })) return false;
    await rm(lock, { force: true });
  }
  return false;
}

/** Creates a lock file with its content in one step, so that an empty one is never seen as abandoned. */
async function createLock(lock: string): Promise<boolean> {
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
 * Deletes a folder recursively, even if a job has removed its permissions, or nested folders deeper
 * than the path limit.
 */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(async () => {
    await program('chmod', ['-R', 'u+rwX', '--', path]).catch(() => {});
    await program('rm', ['-rf', '--', path]);
  });
}
