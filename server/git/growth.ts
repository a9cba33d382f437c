import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const LOOK_EVERY_MS = 20_000;
const PATIENCE_MS = 15 * 60_000;

/** Over when nothing has been written to a repository's packs for a quarter of an hour. */
export interface Growth {
  readonly signal: AbortSignal;
  end(): void;
}

/** Watches a fetch: over some protocols a source may keep silent for ever, and git would wait. */
export function watchGrowth(folder: string): Growth {
  const stuck = new AbortController();
  let seen = '';
  let since = Date.now();
  const timer = setInterval(async () => {
    const now = await stampOf(join(folder, 'objects', 'pack'));
    if (now !== seen) {
      seen = now;
      since = Date.now();
    } else if (Date.now() - since > PATIENCE_MS) stuck.abort();
  }, LOOK_EVERY_MS);
  return { signal: stuck.signal, end: () => clearInterval(timer) };
}

async function stampOf(packs: string): Promise<string> {
  const names = await readdir(packs).catch(() => []);
  const found = await Promise.all(names.map((name) => stat(join(packs, name)).catch(() => null)));
  return found.map((file) => `${file?.size} ${file?.mtimeMs}`).join();
}
