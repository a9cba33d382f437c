import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'millrace-test-';

/** Bytes that must be free in memory; a run uses up to 3 GB at a time. */
const room = 8 * 2 ** 30;

/**
 * A folder for all files of this run. It is in memory if there is much of it: a run creates a
 * thousand files for each database, and a disk would spend a tenth of the processor time on files.
 */
export function makeRunFolder(): string {
  removeAbandoned(memory);
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), `${prefix}${process.pid}-`));
  // for every account, as /tmp: PostgreSQL and jobs have accounts of their own
  chmodSync(folder, 0o1777);
  return folder;
}

function hasRoom(): boolean {
  try {
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    const options = mounts.find((line) => line.split(' ')[1] === memory)?.split(' ')[3];
    // hooks and jobs are programs in it; containers often forbid that
    if (!options || options.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= room;
  } catch {
    return false;
  }
}

/** Removes what killed runs have left, since it occupies memory. */
function removeAbandoned(parent: string): void {
  for (const name of readNames(parent)) {
    const pid = Number(name.match(`^${prefix}(\\d+)-`)?.[1] ?? process.pid);
    if (isRunning(pid)) continue;
    const folder = join(parent, name);
    unmountBelow(folder);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // another run may remove it at the same time
    }
  }
}

/** Some tests mount small file systems, which could not be removed. */
function unmountBelow(folder: string): void {
  const points = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((point) => point.startsWith(`${folder}/`));
  for (const point of points) spawnSync('umount', ['--lazy', point]);
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
