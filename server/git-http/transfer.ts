import type { Readable, Writable } from 'node:stream';

/**
 * Writes a chunk and frees its memory once the chunk has been sent. Otherwise each chunk of 64 KiB
 * waits for the garbage collector, which then marks the whole heap every few megabytes: more
 * processor time than the transfer itself. Returns false when the target is full. The caller owns
 * the chunk: it must come from a socket, and must not be read afterwards.
 */
export function writeAndFree(target: Writable, chunk: Buffer<ArrayBuffer>): boolean {
  return target.write(chunk, (error) => {
    // after an error the kernel may still be reading
    if (!error) free(chunk);
  });
}

/**
 * Like `source.pipe(target)`, but frees each chunk, so that nothing else may keep the chunks of the
 * source, and writes the chunks of one tick together: a client may send chunks of a few kilobytes.
 * Once the target has been ended or closed, the rest is discarded.
 */
export function pipeAndFree(source: Readable, target: Writable): void {
  source.on('data', (chunk: Buffer<ArrayBuffer>) => {
    if (!target.writable) return;
    if (target.writableCorked === 0) {
      target.cork();
      process.nextTick(() => target.uncork());
    }
    if (!writeAndFree(target, chunk)) source.pause();
  });
  target.on('drain', () => source.resume());
  source.once('end', () => target.end());
}

function free(chunk: Buffer<ArrayBuffer>) {
  const { buffer } = chunk;
  // a view of a shared pool must not be freed
  if (buffer.byteLength === chunk.byteLength) buffer.transfer(0);
}
