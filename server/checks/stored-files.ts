import type { ListedObject, ObjectStore } from '../objects/object-store.ts';
import { isIncoming } from '../uploads/paths.ts';
import type { Finding } from './check.ts';
import type { Tally } from './tally.ts';

/** Files compared with their records at once. */
const batch = 1_000;

/** A younger file may belong to a record that is not stored yet. */
const settled = 3_600_000;

/** A stored file, with the names that its key consists of after the prefix. */
export interface StoredFile extends ListedObject {
  readonly names: readonly string[];
}

/** The objects exactly `depth` folders below a prefix, without files that are still received. */
export async function* filesAt(
  objects: ObjectStore,
  prefix: string,
  depth: number,
): AsyncGenerator<StoredFile> {
  for await (const object of objects.list(prefix)) {
    const names = object.key.slice(prefix.length).split('/');
    if (names.length === depth + 1 && !isIncoming(names[0] ?? '')) {
      yield { ...object, names };
    }
  }
}

/** Those of `files` whose places, counted from 1, a statement gave. */
export const atPlaces = (
  files: readonly StoredFile[],
  rows: readonly { readonly place: bigint }[],
): readonly StoredFile[] => rows.flatMap(({ place }) => files[Number(place) - 1] ?? []);

/**
 * Warns of files without a record. `unrecorded` gives those of up to a thousand files that have none;
 * files of the last hour do not count.
 */
export async function* filesWithoutRecord(
  what: string,
  files: AsyncIterable<StoredFile>,
  unrecorded: (files: readonly StoredFile[]) => Promise<readonly StoredFile[]>,
  unknown: Tally,
): AsyncGenerator<Finding> {
  let waiting: StoredFile[] = [];
  const compare = async () => {
    for (const { location, stats } of await unrecorded(waiting)) {
      const { changedAt } = (await stats()) ?? {};
      if (changedAt && changedAt.getTime() < Date.now() - settled) unknown.add(location);
    }
    waiting = [];
  };
  for await (const file of files) {
    waiting.push(file);
    if (waiting.length === batch) await compare();
  }
  if (waiting.length > 0) await compare();
  if (unknown.count === 0) return;
  yield {
    level: 'warning',
    problem: `${what} without a record, ${unknown.text}`,
    advice: 'Look into them, then delete them.',
    items: unknown,
  };
}
