import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storages } from '../address.ts';
import { stateOf, thisMaker } from './process-identity.ts';

/** A name that no repository can have. */
const serversFolder = '+servers';
const heartbeatMs = 20_000;
/** Several heartbeats may be late on a machine that is overloaded. */
const staleAfterMs = 5 * heartbeatMs;
const deleteAfterMs = 24 * 3_600_000;

/** Tells other machines that share the storages that a server works here; gives the way to end that. */
export async function startHeartbeat(storages: Storages): Promise<() => Promise<void>> {
  const name = randomUUID();
  const files = [...storages.values()].map((root) => join(root, serversFolder, name));
  for (const root of storages.values()) await mkdir(join(root, serversFolder), { recursive: true });
  for (const file of files) await writeFile(file, await thisMaker());
  const beat = async () => {
    const now = new Date();
    // a storage that fails now is announced at by the next heartbeat
    await Promise.allSettled(files.map((file) => utimes(file, now, now)));
  };
  const timer = setInterval(beat, heartbeatMs).unref();
  return async () => {
    clearInterval(timer);
    await Promise.all(files.map((file) => rm(file, { force: true })));
  };
}

/** Whether a server works on a storage whose processes cannot be seen from here. */
export async function hasRemoteServer(root: string): Promise<boolean> {
  const names = await readdir(join(root, serversFolder)).catch(() => []);
  for (const name of names) {
    const file = join(root, serversFolder, name);
    const found = await stat(file).catch(() => null);
    if (!found) continue;
    const state = await stateOf(await readFile(file, 'utf8').catch(() => ''));
    const age = Date.now() - found.mtimeMs;
    if (state === 'unseen' && age < staleAfterMs) return true;
    if (state === 'gone' || age > deleteAfterMs) await rm(file, { force: true });
  }
  return false;
}
