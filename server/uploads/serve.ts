import { create as contentDisposition } from 'content-disposition';
import type { Middleware, Context as Request } from 'koa';
import { receiverOf } from '../../rest-facade/kernel/receiver.ts';
import { parseAvatarColumn } from '../../schema/kernel/avatar.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { percentDecoded } from '../../schema/kernel/percent-encoding.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import type { UploadOwner } from '../../schema/ports/uploads.ts';
import { findAvatar } from '../../schema/projects/avatar.ts';
import { findUpload, isShownInline } from '../../schema/projects/uploads.ts';
import { matches } from '../http/conditional.ts';
import type { ReserveStream } from '../http/stream-gate.ts';

/** A stored file: its path, and its name for users. */
interface StoredFile {
  readonly owner: UploadOwner;
  readonly key: string;
  readonly name: string;
}

type Core = Pick<Context, 'db' | 'uploads'>;
type Lookup = (core: Core, viewer: Viewer | null) => Promise<StoredFile | null>;

/** No file has a longer URL, even percent-encoded. */
const maxPathLength = 8192;

const folder = '/uploads/';
const inFolder = /^([0-9a-f]{32})\/([^/]+)$/;
const avatar = /^\/uploads\/-\/system\/(user|group|project)\/avatar\/(\d{1,9})\/([^/]+)$/;

/**
 * Serves uploads to users who may see their owner: files of projects below the project's URL,
 * avatars below `/uploads/-/system`. Browsers never run them in our origin.
 */
export const uploadedFiles =
  (core: Core, reserveStream: ReserveStream): Middleware =>
  async (ctx, next) => {
    const lookup = ctx.method === 'GET' || ctx.method === 'HEAD' ? lookupOf(ctx.path) : null;
    if (!lookup) return next();
    ctx.state.route = '/uploads';
    let tried: string | null = null;
    for (;;) {
      const file = await lookup(core, ctx.state.viewer ?? null);
      // the avatar may have been replaced after the lookup
      if (!file || file.key === tried) break;
      if (await send(ctx, file, { ...core, reserveStream })) return;
      tried = file.key;
    }
    ctx.status = 404;
    ctx.res.setHeader('Content-Type', 'application/json');
    ctx.body = JSON.stringify({ error: '404 Not Found' });
  };

/** How to look up what a path names; null when it names no file. */
function lookupOf(path: string): Lookup | null {
  if (path.length > maxPathLength) return null;
  const [fullPath, secret = '', name = ''] = attachment(path)?.map(decoded) ?? [];
  if (fullPath) return attachmentLookup(fullPath, secret, name);
  const [, kind, id, picture = ''] = avatar.exec(path)?.map(decoded) ?? [];
  return kind ? avatarLookup({ kind: kind as UploadOwner['kind'], id: Number(id) }, picture) : null;
}

/** The project path, secret and file name in the URL of a project's file. */
function attachment(path: string): readonly string[] | null {
  const end = path.lastIndexOf(folder);
  if (end < 0 || path.startsWith('/api/')) return null;
  const fullPath = path.slice(1, end);
  const [, secret, name] = inFolder.exec(path.slice(end + folder.length)) ?? [];
  // a project is always below a namespace
  return secret && name && fullPath.slice(1, -1).includes('/') ? [fullPath, secret, name] : null;
}

/** Empty for names that cannot be decoded or contain NUL. */
function decoded(part: string): string {
  const text = percentDecoded(part) ?? '';
  return text.includes('\0') ? '' : text;
}

const attachmentLookup =
  (fullPath: string, secret: string, name: string): Lookup =>
  async ({ db }, viewer) => {
    const upload = await findUpload({ fullPath, secret, fileName: name }, { db, viewer });
    return upload && { owner: { kind: 'project', id: upload.projectId }, key: secret, name };
  };

const avatarLookup =
  (owner: UploadOwner, name: string): Lookup =>
  async ({ db }, viewer) => {
    const column = await findAvatar(owner, { db, viewer });
    const avatar = column === null ? null : parseAvatarColumn(column);
    return avatar?.name === name ? { owner, ...avatar } : null;
  };

/** Whether the file was sent; a key never refers to changed content. */
async function send(
  ctx: Request,
  { owner, key, name }: StoredFile,
  { uploads, reserveStream }: Core & { readonly reserveStream: ReserveStream },
): Promise<boolean> {
  const tag = `"${key}"`;
  ctx.set('ETag', tag);
  ctx.set('Cache-Control', 'private, max-age=0, must-revalidate');
  if (matches(ctx.get('If-None-Match'), tag)) {
    ctx.status = 304;
    return true;
  }
  await reserveStream(receiverOf(ctx));
  const file = await uploads.open(owner, key);
  if (!file) {
    ctx.remove('ETag');
    ctx.remove('Cache-Control');
    return false;
  }
  // also when no body is read, as for HEAD
  ctx.res.once('close', () => file.content.destroy());
  const isInline = isShownInline(file.mediaType);
  ctx.set(
    'Content-Disposition',
    contentDisposition(name, { type: isInline ? 'inline' : 'attachment' }),
  );
  ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = file.content;
  ctx.set('Content-Type', isInline && file.mediaType ? file.mediaType : 'application/octet-stream');
  ctx.length = file.size;
  return true;
}
