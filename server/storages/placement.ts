import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RepositoryStorages, StorageSpace } from '../../schema/ports/storages.ts';
import type { Storages } from '../git/address.ts';

/** Bytes that stay free for pushes to the repositories that a storage has already. */
const reserve = 2 * 2 ** 30;

/** Milliseconds for which sizes are used again. */
const usableFor = 30_000;

/** Milliseconds that a file system of the network has to tell its space. */
const answerLimit = 1_000;

async function spaceOf([name, folder]: readonly [string, string]): Promise<StorageSpace> {
  const unknown = { name, free: null, total: null };
  const space = statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ name, free: bavail * bsize, total: blocks * bsize }),
    () => unknown,
  );
  return Promise.race([space, delay(answerLimit, unknown, { ref: false })]);
}

/**
 * The configured storages. A new repository is placed at random, in proportion to the weight of a storage
 * (1 by default, 0 for none) times its free space, so that storages fill up evenly.
 */
export async function storagePlacement(
  storages: Storages,
  weights: ReadonlyMap<string, number>,
): Promise<RepositoryStorages> {
  const free = new Map<string, number>();
  let readAt = 0;
  let isReading = false;
  // in the background, because a file system of the network may hang
  const read = async () => {
    readAt = Date.now();
    for (const [name, folder] of storages) {
      const space = await statfs(folder).catch(() => null);
      free.set(name, space ? space.bavail * space.bsize : 0);
    }
  };
  const refresh = () => {
    if (isReading || Date.now() - readAt < usableFor) return;
    isReading = true;
    void read().finally(() => {
      isReading = false;
    });
  };
  if (storages.size > 1) await read();
  const weightOf = (name: string) => weights.get(name) ?? 1;
  return {
    names: [...storages.keys()],
    space: () => Promise.all([...storages].map(spaceOf)),
    choose: (names) => {
      if (names.length > 1) refresh();
      const shares = names.map(
        (name) => weightOf(name) * Math.max(0, (free.get(name) ?? 0) - reserve),
      );
      // rather a storage that is almost full than none
      const isFull = shares.every((share) => share === 0);
      return pick(names, isFull ? names.map(weightOf) : shares, Math.random());
    },
  };
}

/** The name at `at`, from 0 to 1, if each takes its share of that range; the first if all shares are 0. */
export function pick(names: readonly string[], shares: readonly number[], at: number): string {
  const total = shares.reduce((sum, share) => sum + share, 0);
  let rest = at * total;
  const index = shares.findIndex((share) => {
    rest -= share;
    return share > 0 && rest < 0;
  });
  return names[Math.max(0, index)] as string;
}
