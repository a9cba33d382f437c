import { createHash, hash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';
import {
  type Description,
  descriptionName,
  type Item,
  indexName,
  isCompressed,
  type Manifest,
  manifestName,
  partName,
  partSize,
  sectionOf,
} from './format.ts';

const compress = promisify(gzip);

/** Bytes of index lines per entry; one line may be longer. */
const indexSize = 2 ** 20;

/** Thrown if the output of an archive fails. */
export class TargetFailure extends Error {}

/** What an item has beside its content. */
export type ItemFacts = Pick<Item, 'path' | 'state'> &
  Partial<Pick<Item, 'head' | 'isDeleted' | 'fault'>>;

/** Joins and cuts chunks to parts of `partSize` bytes; an empty content has no part. */
async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    for (let rest = chunk; rest.length > 0; ) {
      const piece = rest.subarray(0, partSize - size);
      chunks.push(piece);
      size += piece.length;
      rest = rest.subarray(piece.length);
      if (size < partSize) continue;
      yield Buffer.concat(chunks, size);
      [chunks, size] = [[], 0];
    }
  }
  if (size > 0) yield Buffer.concat(chunks, size);
}

export type ArchiveWriter = Awaited<ReturnType<typeof archiveWriter>>;

/**
 * Writes an archive (tar) to `out`: its description, the parts of items with lines of the index between
 * them, and the manifest. Needs memory for a few parts only.
 */
export async function archiveWriter(out: Writable, description: Description) {
  const packer = pack();
  const written = pipeline(packer, out).catch((error: Error) => {
    throw new TargetFailure(error.message, { cause: error });
  });
  // an entry waits for ever for an output that has failed
  const failure = written.then(() => new Promise<never>(() => {}));
  failure.catch(() => {});
  const mtime = new Date(description.takenAt);
  const write = (name: string, content: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const finish = (error?: Error | null) => (error ? reject(error) : resolve());
      const header = { name, mode: 0o600, mtime, size: content.length };
      // it fails with the packer, which reports it
      packer.entry(header, content, finish).on('error', reject);
    });
  const entry = async (name: string, content: Buffer): Promise<void> => {
    try {
      await Promise.race([failure, write(name, content)]);
    } catch (error) {
      // the packer is destroyed before the failure of the output is known
      await Promise.race([failure, setImmediate()]);
      throw error;
    }
  };

  const indexSum = createHash('sha256');
  let lines: Buffer[] = [];
  let linesSize = 0;
  let indexes = 0;
  const items: Manifest['items'] = {};
  let bytes = 0;

  const flushIndex = async () => {
    if (lines.length === 0) return;
    const content = Buffer.concat(lines, linesSize);
    indexSum.update(content);
    [lines, linesSize] = [[], 0];
    indexes += 1;
    await entry(indexName(indexes), content);
  };
  const record = async (item: Item) => {
    const line = Buffer.from(`${JSON.stringify(item)}\n`);
    lines.push(line);
    linesSize += line.length;
    const section = sectionOf(item.path);
    items[section] = (items[section] ?? 0) + 1;
    if (linesSize >= indexSize) await flushIndex();
  };

  const start = Buffer.from(`${JSON.stringify(description, null, 2)}\n`);
  await entry(descriptionName, start);
  return {
    /** Writes an item; its `facts` may depend on what happened to the content. */
    add: async (
      path: string,
      content: AsyncIterable<Uint8Array>,
      facts: () => Omit<ItemFacts, 'path'>,
    ): Promise<void> => {
      const parts: Item['parts'] = [];
      for await (const part of partsOf(content)) {
        const stored = isCompressed(path) ? await compress(part, { level: 4 }) : part;
        await entry(partName(path, parts.length), stored);
        parts.push({ size: stored.length, sha256: hash('sha256', stored) });
        bytes += stored.length;
      }
      await record({ path, in: description.id, parts, ...facts() });
    },
    /** Records an item whose parts another backup has. */
    refer: record,
    /** Writes the rest; resolves once all has been handed to the output. */
    finish: async (): Promise<Manifest> => {
      await flushIndex();
      const manifest = {
        id: description.id,
        indexSha256: indexSum.digest('hex'),
        descriptionSha256: hash('sha256', start),
        items,
        bytes,
      };
      await entry(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
      packer.finalize();
      await written;
      return manifest;
    },
    /** Ends the output after a failure. */
    abort: async (): Promise<void> => {
      packer.destroy();
      await written.catch(() => {});
    },
  };
}
