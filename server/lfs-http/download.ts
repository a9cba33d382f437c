import type { Context as Request } from 'koa';
import type { Context } from '../../schema/kernel/context.ts';
import { findObjects } from '../../schema/lfs/objects.ts';
import { LfsRefusal } from './responses.ts';

const rangeShape = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** The part of an object that a client asks for: bytes from `start` up to but without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range of a Range header; null for the whole object, also if the header has another form or several
 * ranges, and 'outside' if the object has none of its bytes.
 */
export function rangeOf(header: string, size: number): ByteRange | 'outside' | null {
  const [, first = '', last = ''] = rangeShape.exec(header) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'outside';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

/** Responds with an object of a project, or a part of it. An object never changes. */
export async function answerObject(
  ctx: Request,
  { projectId, oid }: { readonly projectId: number; readonly oid: string },
  { db, lfs }: Pick<Context, 'db' | 'lfs'>,
): Promise<void> {
  const isLinked = (await findObjects(projectId, [oid], { db })).has(oid);
  const object = isLinked ? await lfs.open(oid) : null;
  if (!object) throw new LfsRefusal(404, 'The object does not exist');
  const { size } = object;
  const tag = `"${oid}"`;
  const condition = ctx.get('If-Range');
  const range = condition === '' || condition === tag ? rangeOf(ctx.get('Range'), size) : null;
  if (range === 'outside') {
    await object.close();
    ctx.set('Content-Range', `bytes */${size}`);
    throw new LfsRefusal(416, 'The object has fewer bytes');
  }
  const { start, end } = range ?? { start: 0, end: size };
  ctx.status = range ? 206 : 200;
  if (range) ctx.set('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  ctx.set('Accept-Ranges', 'bytes');
  ctx.set('ETag', tag);
  ctx.set('Cache-Control', 'private, no-transform');
  ctx.set('X-Content-Type-Options', 'nosniff');
  const content = object.content(start, end);
  // also when no body is read, as for HEAD
  ctx.res.once('close', () => content.destroy());
  ctx.body = content;
  ctx.set('Content-Type', 'application/octet-stream');
  ctx.length = end - start;
}
