import pLimit from 'p-limit';
import { type Database, Prisma } from '../../prisma/client.ts';
import { parseAvatarColumn } from '../../schema/kernel/avatar.ts';
import type { UploadOwner } from '../../schema/ports/uploads.ts';
import { uploadKey, uploadsPrefix } from '../uploads/paths.ts';
import type { Check, Finding, ServiceParts } from './check.ts';
import { atPlaces, filesAt, filesWithoutRecord, type StoredFile } from './stored-files.ts';

/** Records read, and files looked at, at once. */
const batch = 1_000;
const atOnce = 16;

interface Source {
  readonly kind: UploadOwner['kind'];
  /** The folder of all owners of this kind. */
  readonly folder: string;
  /** The table with avatars. */
  readonly table: string;
}

const sources: readonly Source[] = [
  { kind: 'user', folder: 'users', table: 'users' },
  { kind: 'group', folder: 'groups', table: 'namespaces' },
  { kind: 'project', folder: 'projects', table: 'projects' },
];

interface Recorded {
  readonly id: number;
  readonly owner: UploadOwner;
  readonly key: string;
}

/** Avatars of one kind of owner. */
const readAvatars =
  ({ kind, table }: Source, db: Database) =>
  async (after: number): Promise<readonly Recorded[]> => {
    const rows = await db.$queryRaw<{ id: number; avatar: string }[]>`
      SELECT id, avatar FROM ${Prisma.raw(table)}
      WHERE avatar IS NOT NULL AND id > ${after} ORDER BY id LIMIT ${batch}`;
    return rows.map(({ id, avatar }) => ({
      id,
      owner: { kind, id },
      key: parseAvatarColumn(avatar).key,
    }));
  };

/** Files that users attached to texts of projects. */
const readAttachments =
  (db: Database) =>
  async (after: number): Promise<readonly Recorded[]> => {
    const rows = await db.upload.findMany({
      where: { id: { gt: after } },
      select: { id: true, projectId: true, secret: true },
      orderBy: { id: 'asc' },
      take: batch,
    });
    return rows.map(({ id, projectId, secret }) => ({
      id,
      owner: { kind: 'project', id: projectId },
      key: secret,
    }));
  };

async function* missingUploads({
  db,
  tally,
  places: { objects },
}: ServiceParts): AsyncGenerator<Finding> {
  const limit = pLimit(atOnce);
  const missing = tally();
  const look = async ({ owner, key }: Recorded) => {
    const place = uploadKey(owner, key);
    if ((await objects.size(place)) === null) missing.add(objects.locationOf(place));
  };
  for (const read of [...sources.map((source) => readAvatars(source, db)), readAttachments(db)]) {
    for (let records = await read(0); records.length > 0; ) {
      await Promise.all(records.map((record) => limit(() => look(record))));
      records = await read(records.at(-1)?.id ?? 0);
    }
  }
  if (missing.count === 0) return;
  yield {
    level: 'error',
    problem: `uploads that are missing, ${missing.text}`,
    advice: 'Put the files back from a backup.',
    items: missing,
  };
}

/** Those of the files of one kind of owner, `<id>/<key>`, that no record names. */
const unrecordedOf =
  ({ kind, table }: Source, db: Database) =>
  async (files: readonly StoredFile[]): Promise<readonly StoredFile[]> => {
    const ids = files.map(({ names: [id] }) => Number(id) || 0);
    const keys = files.map(({ names }) => names[1] ?? '');
    const attached = Prisma.sql`
      OR EXISTS (SELECT FROM uploads WHERE project_id = file.id AND secret = file.key)`;
    const rows = await db.$queryRaw<{ place: bigint }[]>`
      SELECT file.place FROM unnest(${ids}::int[], ${keys}::text[]) WITH ORDINALITY AS file (id, key, place)
      WHERE NOT (
        EXISTS (
          SELECT FROM ${Prisma.raw(table)} AS owner
          WHERE owner.id = file.id AND starts_with(owner.avatar, file.key || '/'))
        ${kind === 'project' ? attached : Prisma.empty})`;
    return atPlaces(files, rows);
  };

async function* unknownUploads({
  db,
  tally,
  places: { objects },
}: ServiceParts): AsyncGenerator<Finding> {
  for (const source of sources) {
    const files = filesAt(objects, `${uploadsPrefix}${source.folder}/`, 1);
    const unrecorded = unrecordedOf(source, db);
    yield* filesWithoutRecord(`uploads of ${source.folder}`, files, unrecorded, tally());
  }
}

/** Compares avatars and attached files with their records. */
export const uploadChecks = (parts: ServiceParts): readonly Check[] => [
  { name: 'uploads', run: () => missingUploads(parts) },
  { name: 'unknown uploads', run: () => unknownUploads(parts) },
];
