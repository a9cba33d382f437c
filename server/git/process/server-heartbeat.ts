import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from '../../disk/files.ts';
import type { Storages } from '../address.ts';
import { processState, thisProcessIdentity } from './process-identity.ts';

/** No repository can have this name. */
const serversFolder = '+servers';
const heartbeatMs = 20_000;
/** Allows several late heartbeats on an overloaded machine. */
const staleAfterMs = 5 * heartbeatMs;
const deleteAfterMs = 24 * 3_600_000;

/** Announces this server to other machines that share the storages; returns the function that stops it. */
export async function startHeartbeat(storages: Storages): Promise<() => Promise<void>> {
  const name = randomUUID();
  const files = [...storages.values()].map((root) => join(root, serversFolder, name));
  for (const root of storages.values()) await mkdir(join(root, serversFolder), { recursive: true });
  for (const file of files) await writeFile(file, await thisProcessIdentity());
  const beat = async () => {
    const now = new Date();
    // a storage that fails now gets the next heartbeat
    await Promise.allSettled(files.map((file) => utimes(file, now, now)));
  };
  const timer = setInterval(beat, heartbeatMs).unref();
  return async () => {
    clearInterval(timer);
    await Promise.all(files.map((file) => rm(file, { force: true })));
  };
}

/** Whether a server on another machine uses the storage. */
export async function hasRemoteServer(root: string): Promise<boolean> {
  const names = (await orMissing(readdir(join(root, serversFolder)))) ?? [];
  for (const name of names) {
    const file = join(root, serversFolder, name);
    const stats = await orMissing(stat(file));
    if (!stats) continue;
    const state = await processState((await orMissing(readFile(file, 'utf8'))) ?? '');
    const age = Date.now() - stats.mtimeMs;
    if (state === 'unseen' && age < staleAfterMs) return true;
    if (state === 'exited' || age > deleteAfterMs) await rm(file, { force: true });
  }
  return false;
}
