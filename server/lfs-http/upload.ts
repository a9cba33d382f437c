import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import type { Context as Request } from 'koa';
import type { Context } from '../../schema/kernel/context.ts';
import { storeObject } from '../../schema/lfs/objects.ts';
import type { LfsContent } from '../../schema/ports/lfs.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { LfsRefusal } from './responses.ts';

const megabyte = 2 ** 20;

const wrongSize = () => new LfsRefusal(422, 'The content does not have the size of the object');

export interface UploadParts extends Pick<Context, 'db' | 'lfs' | 'settings'> {
  /** Receives objects on the file system of the data folder. */
  readonly incomingLfs: Pick<Incoming, 'receive' | 'discard'>;
}

/** Throws before the object is read if it cannot be accepted. */
export function requireAcceptable(
  { req }: Request,
  { size }: LfsContent,
  { settings }: Pick<Context, 'settings'>,
): void {
  const most = settings.current.maxLfsObjectSize;
  if (size > most * megabyte) throw new LfsRefusal(413, `An object may have ${most} megabytes`);
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = req.headers;
  if (encoding !== 'identity') {
    throw new LfsRefusal(415, `The content encoding ${encoding} is not supported`);
  }
  if (length !== undefined && Number(length) !== size) throw wrongSize();
}

/**
 * The body, hashed and counted; fails beyond `size` bytes, and if the client disconnects. Begins to read when
 * its first chunk is asked for, because an earlier failure would not be handled.
 */
async function* hashed(
  request: IncomingMessage,
  size: number,
  hash: Hash,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  // the request itself must survive a failure, for the response
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received <= size) hash.update(chunk);
      done(received > size ? wrongSize() : null, chunk);
    },
  });
  const leave = () => {
    if (!request.complete) body.destroy(new Error('The client disconnected during an upload'));
  };
  request.once('close', leave);
  // a close event before the listener is attached would be missed
  if (request.destroyed) leave();
  yield* request.pipe(body);
}

/** Receives the content of an object, compares it with its id and size, and gives it to a project. */
export async function receiveObject(
  ctx: Request,
  { projectId, oid, size }: LfsContent & { readonly projectId: number },
  parts: UploadParts,
): Promise<void> {
  const hash = createHash('sha256');
  const file = await parts.incomingLfs.receive(oid, hashed(ctx.req, size, hash));
  try {
    if (file.size !== size || hash.digest('hex') !== oid) {
      throw new LfsRefusal(422, 'The content does not have the id and size of the object');
    }
    await storeObject(projectId, { oid, size }, file, parts);
  } finally {
    // it has been moved away if it was stored
    await parts.incomingLfs.discard(file);
  }
  ctx.status = 200;
  ctx.body = '';
}
