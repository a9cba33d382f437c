import type { Stats } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { orMissing } from '../../disk/files.ts';
import type { Storages } from '../address.ts';
import { hasActiveWriter } from '../process/active-writers.ts';
import { hasRemoteServer } from '../process/server-heartbeat.ts';

/** Git holds a lock on references no longer than this, unless it was killed. */
const staleMs = 60_000;
/** Limit where processes are not visible, such as those of another machine. */
const staleUnobservedMs = 3_600_000;
const pollIntervalMs = 100;

/** Locks other than those of single references. */
const sharedLockNames = ['HEAD.lock', 'packed-refs.lock', 'config.lock', 'shallow.lock'];

/** Called for each removed lock with its path and its age in milliseconds. */
export type OnLockRemoved = (lock: string, age: number) => void;

export type Locks = ReturnType<typeof lockFiles>;

/** Manages git's lock files in the repositories of `storages`; `wait` in milliseconds. */
export function lockFiles(storages: Storages, wait: number, onRemoved: OnLockRemoved) {
  /** The stats of a lock that may still be held, or null; removes a stale lock. */
  const held = async (folder: string, lock: string): Promise<Stats | null> => {
    const stats = await orMissing(stat(lock));
    if (!stats || !(await isStale(folder, stats))) return stats;
    // another process may have removed it, and git may have created a new one
    const now = await orMissing(stat(lock));
    if (!now || now.ino !== stats.ino || now.mtimeMs !== stats.mtimeMs) return now;
    await rm(lock, { force: true });
    onRemoved(lock, Date.now() - stats.mtimeMs);
    return null;
  };

  const isStale = async (folder: string, { mtimeMs }: Stats): Promise<boolean> => {
    const age = Date.now() - mtimeMs;
    if (age < staleMs) return false;
    const isAtWork = await hasActiveWriter(folder);
    if (isAtWork) return false;
    return (isAtWork === false && !(await isShared(folder))) || age >= staleUnobservedMs;
  };

  const isShared = async (folder: string): Promise<boolean> => {
    const root = [...storages.values()].find((each) => !relative(each, folder).startsWith('..'));
    return root === undefined || hasRemoteServer(root);
  };

  const firstHeld = async (folder: string, locks: readonly string[]): Promise<string | null> => {
    for (const lock of locks) if (await held(folder, lock)) return relative(folder, lock);
    return null;
  };

  /**
   * Removes stale locks on these references and on shared files. Waits for active locks, at most as
   * long as git itself would; returns a lock that is still held, or null.
   */
  const free = async (folder: string, refs: readonly string[]): Promise<string | null> => {
    const locks = [...sharedLockNames, ...refs.map((ref) => `${ref}.lock`)].map((name) =>
      join(folder, name),
    );
    const end = Date.now() + wait;
    for (;;) {
      const lock = await firstHeld(folder, locks);
      if (lock === null || Date.now() >= end) return lock;
      await pause(pollIntervalMs);
    }
  };

  /** Removes those of these files of a repository that are stale locks. */
  const removeStale = async (folder: string, names: readonly string[]): Promise<void> => {
    for (const name of names) await held(folder, join(folder, name));
  };

  /** Removes the stale locks of all repositories. */
  const sweep = async (signal: AbortSignal): Promise<void> => {
    for (const root of storages.values()) {
      for await (const folder of repositoriesIn(root)) {
        if (signal.aborted) return;
        for (const lock of await locksIn(folder)) await held(folder, lock);
      }
    }
  };

  return { free, removeStale, sweep };
}

const namesIn = (folder: string) => readdir(folder).catch(() => []);

async function* repositoriesIn(root: string): AsyncGenerator<string> {
  const isPart = (name: string) => /^[0-9a-f]{2}$/.test(name);
  for (const first of (await namesIn(root)).filter(isPart)) {
    for (const second of (await namesIn(join(root, first))).filter(isPart)) {
      const place = join(root, first, second);
      for (const name of await namesIn(place)) if (name.endsWith('.git')) yield join(place, name);
    }
  }
}

/** Only locks end like this: git rejects such reference names. */
async function locksIn(folder: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const;
  const entries = await readdir(join(folder, 'refs'), options).catch(() => []);
  const ofRefs = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.lock'));
  return [
    ...sharedLockNames.map((name) => join(folder, name)),
    ...ofRefs.map(({ parentPath, name }) => join(parentPath, name)),
  ];
}

/** The lock named in git's error message, if any: `Unable to create '….lock': File exists`. */
export function lockIn(complaint: string): string | null {
  const before = "Unable to create '";
  const lockSuffix = '.lock';
  const end = complaint.indexOf(`${lockSuffix}': File exists`);
  const start = end < 0 ? -1 : complaint.lastIndexOf(before, end);
  return start < 0 ? null : complaint.slice(start + before.length, end + lockSuffix.length);
}
