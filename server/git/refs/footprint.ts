import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from '../../disk/files.ts';

const maxFolders = 64;

/**
 * Two changes within this time may leave the same time stamp: what was read that soon after a
 * change is read again.
 */
const racyNs = 50_000_000n;

/**
 * The time stamps of the files that hold references. Git writes each change by renaming a file,
 * which updates the folder's time stamp: while they are equal, no reference has changed.
 */
export interface Footprint {
  /** The packed references, each folder of loose references, and further files. */
  readonly paths: readonly string[];
  readonly text: string;
  /** Whether the last change is long enough ago for the next one to leave another time stamp. */
  readonly isSettled: boolean;
}

const stampOf = (path: string) => orMissing(stat(path, { bigint: true }));

const lineOf = (path: string, stats: BigIntStats | null) =>
  stats ? `${path} ${stats.ino} ${stats.mtimeNs} ${stats.size}` : path;

/** A new folder changes the time stamp of its parent. */
export async function isUnchanged({ paths, text }: Footprint): Promise<boolean> {
  const lines = paths.map(async (path) => lineOf(path, await stampOf(path)));
  return (await Promise.all(lines)).join('\n') === text;
}

/**
 * The footprint of the references below `prefix`, and of further files of the repository. Read it
 * before the references: any later change differs from it. Null when there are too many folders.
 */
export async function readFootprint(
  folder: string,
  prefix: string,
  files: readonly string[] = [],
): Promise<Footprint | null> {
  const paths: string[] = [];
  const parts: string[] = [];
  let newest = 0n;
  const look = async (path: string) => {
    const stamp = await stampOf(path);
    if (stamp && stamp.mtimeNs > newest) newest = stamp.mtimeNs;
    paths.push(path);
    parts.push(lineOf(path, stamp));
  };
  for (const file of ['packed-refs', ...files]) await look(join(folder, file));
  const waiting = [join(folder, prefix)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (parts.length > maxFolders) return null;
    await look(path);
    const entries = (await orMissing(readdir(path, { withFileTypes: true }))) ?? [];
    for (const entry of entries) if (entry.isDirectory()) waiting.push(join(path, entry.name));
  }
  const now = BigInt(Date.now()) * 1_000_000n;
  return { paths, text: parts.join('\n'), isSettled: now - newest > racyNs };
}
