import pLimit from 'p-limit';
import type { Database } from '../../prisma/client.ts';
import { lfsKey, lfsPrefix, oidOfKey } from '../lfs/paths.ts';
import type { Check, Finding, ServiceParts } from './check.ts';
import { atPlaces, filesAt, filesWithoutRecord, type StoredFile } from './stored-files.ts';

/** Records read, and files looked at, at once. */
const batch = 1_000;
const atOnce = 16;

async function* missingObjects({
  db,
  tally,
  places: { objects },
}: ServiceParts): AsyncGenerator<Finding> {
  const limit = pLimit(atOnce);
  const missing = tally();
  const look = async ({ oid, size }: { readonly oid: string; readonly size: bigint }) => {
    const key = lfsKey(oid);
    if ((await objects.size(key)) !== Number(size)) missing.add(objects.locationOf(key));
  };
  for (let after = 0; ; ) {
    const records = await db.lfsObject.findMany({
      // those that no project has are deleted before their record
      where: { id: { gt: after }, projects: { some: {} } },
      select: { id: true, oid: true, size: true },
      orderBy: { id: 'asc' },
      take: batch,
    });
    await Promise.all(records.map((record) => limit(() => look(record))));
    const last = records.at(-1);
    if (!last) break;
    after = last.id;
  }
  if (missing.count === 0) return;
  yield {
    level: 'error',
    problem: `LFS objects that are missing or have another size, ${missing.text}`,
    advice: 'Put the files back from a backup, or push them again: git lfs push --all.',
    items: missing,
  };
}

/** Those of the files that no record names. */
const unrecordedOf =
  (db: Database) =>
  async (files: readonly StoredFile[]): Promise<readonly StoredFile[]> => {
    const oids = files.map(({ key }) => oidOfKey(key) ?? '');
    const rows = await db.$queryRaw<{ place: bigint }[]>`
      SELECT file.place FROM unnest(${oids}::text[]) WITH ORDINALITY AS file (oid, place)
      WHERE NOT EXISTS (SELECT FROM lfs_objects WHERE lfs_objects.oid = file.oid)`;
    return atPlaces(files, rows);
  };

async function* unknownObjects({
  db,
  tally,
  places: { objects },
}: ServiceParts): AsyncGenerator<Finding> {
  const files = filesAt(objects, lfsPrefix, 2);
  yield* filesWithoutRecord('LFS objects', files, unrecordedOf(db), tally());
}

/** Compares Git LFS objects with their records. */
export const lfsChecks = (parts: ServiceParts): readonly Check[] => [
  { name: 'LFS objects', run: () => missingObjects(parts) },
  { name: 'unknown LFS objects', run: () => unknownObjects(parts) },
];
