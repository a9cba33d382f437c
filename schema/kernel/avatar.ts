import { randomBytes } from 'node:crypto';
import { isOutcomeUnknown } from '../../prisma/failures.ts';
import type { ReceivedFile, UploadOwner, UploadStore } from '../ports/uploads.ts';
import type { Context } from './context.ts';
import { notFound, refuseFaults } from './errors.ts';
import { plainFileName } from './file-name.ts';

/** Bytes. */
const largest = 200 * 1024;

const pictures: ReadonlySet<string | null> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/bmp',
  'image/tiff',
  'image/x-icon',
  'image/webp',
]);

/** An avatar in a request: null removes it, undefined leaves it unchanged. */
export type AvatarInput = ReceivedFile | null | undefined;

/** Throws `invalid` if the file is too big or if its content is not an image. */
export async function refuseBadAvatar(
  file: AvatarInput,
  { uploads }: { readonly uploads: UploadStore },
): Promise<void> {
  if (!file) return;
  if (file.size > largest) {
    refuseFaults({ avatar: [`is too big (should be at most ${largest / 1024} KB)`] });
  }
  if (!pictures.has(await uploads.mediaType(file))) {
    refuseFaults({ avatar: ['only images allowed'] });
  }
}

const tables = { user: 'users', group: 'namespaces', project: 'projects' } as const;
const things = { user: 'User', group: 'Group', project: 'Project' } as const;

/**
 * Replaces the avatar; the caller has checked permission and content. The new file is stored before
 * the record names it, and the old file is removed afterwards. Each has its own key, so readers
 * always get a complete image, and of two concurrent writers the later one wins.
 */
export async function replaceAvatar(
  owner: UploadOwner,
  file: AvatarInput,
  ctx: Pick<Context, 'db' | 'uploads'>,
): Promise<void> {
  if (file === undefined) return;
  const former = await readColumn(owner, ctx);
  try {
    const before = file ? await keepAvatar(owner, file, ctx) : await writeColumn(owner, null, ctx);
    if (before) await ctx.uploads.remove(owner, parseAvatarColumn(before).key);
  } catch (error) {
    // the record may already name another file, and nothing else would remove this one
    if (former && isOutcomeUnknown(error))
      await ctx.uploads.doubt(owner, parseAvatarColumn(former).key);
    throw error;
  }
}

function keepAvatar(
  owner: UploadOwner,
  file: ReceivedFile,
  ctx: Pick<Context, 'db' | 'uploads'>,
): Promise<string | null> {
  const key = randomBytes(16).toString('hex');
  const column = `${key}/${plainFileName(file.name)}`;
  return ctx.uploads.keep(owner, key, file, () => writeColumn(owner, column, ctx));
}

/**
 * Copies the avatar that `column` of `from` names to `to`; does nothing if the file no longer
 * exists.
 */
export async function copyAvatar(
  from: UploadOwner,
  column: string,
  to: UploadOwner,
  ctx: Pick<Context, 'db' | 'uploads'>,
): Promise<void> {
  const { key: kept, name } = parseAvatarColumn(column);
  const key = randomBytes(16).toString('hex');
  await ctx.uploads.copy({ owner: from, key: kept }, { owner: to, key }, () =>
    writeColumn(to, `${key}/${name}`, ctx),
  );
}

async function readColumn(
  { kind, id }: UploadOwner,
  { db }: Pick<Context, 'db'>,
): Promise<string | null> {
  const [row] = await db.$queryRawUnsafe<{ avatar: string | null }[]>(
    `SELECT avatar FROM ${tables[kind]} WHERE id = $1`,
    id,
  );
  return row?.avatar ?? null;
}

/**
 * Writes the column and returns its former value; locks the row, so that no former file is missed.
 */
async function writeColumn(
  { kind, id }: UploadOwner,
  column: string | null,
  { db }: Pick<Context, 'db'>,
): Promise<string | null> {
  const table = tables[kind];
  const [row] = await db.$queryRawUnsafe<{ avatar: string | null }[]>(
    `UPDATE ${table} SET avatar = $2, updated_at = now()
     FROM (
       SELECT id, avatar FROM ${table}
       WHERE id = $1 ${kind === 'user' ? '' : 'AND NOT is_removed'} FOR UPDATE
     ) before
     WHERE ${table}.id = before.id
     RETURNING before.avatar`,
    id,
    column,
  );
  if (!row) throw notFound(things[kind]);
  return row.avatar;
}

/** Parses the column: the key on disk and the file's name. */
export function parseAvatarColumn(column: string): { readonly key: string; readonly name: string } {
  const [key = '', name = ''] = column.split('/');
  return { key, name };
}

/** The URL of an uploaded avatar, or null. */
export function avatarUrl(
  kind: UploadOwner['kind'],
  { id, avatar }: { readonly id: number; readonly avatar: string | null },
  baseUrl: string,
): string | null {
  if (avatar === null) return null;
  const { name } = parseAvatarColumn(avatar);
  return `${baseUrl}/uploads/-/system/${kind}/avatar/${id}/${encodeURIComponent(name)}`;
}
