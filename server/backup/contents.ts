import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Archive } from './chain.ts';
import { type Item, isCompressed, partName, partSize } from './format.ts';
import { entriesOf } from './tar-reader.ts';

const decompress = promisify(gunzip);

/** The items in a file that `verifyChain` has written. */
async function* itemsIn(index: string): AsyncGenerator<Item> {
  for await (const line of createInterface({ input: createReadStream(index) })) {
    yield JSON.parse(line) as Item;
  }
}

/**
 * The items that one archive of a chain has, in their order, with their contents. `index` is the file that
 * `verifyChain` has written. A content can be read until the next item is asked for.
 */
export async function* contentsIn({ file, description }: Archive, index: string) {
  const entries = entriesOf(file);
  async function* contentOf({ path, parts }: Item): AsyncGenerator<Buffer> {
    for (const [number, { sha256 }] of parts.entries()) {
      const name = partName(path, number);
      for (;;) {
        const { done, value } = await entries.next();
        if (done) throw new Error(`${path} is missing in ${file}`);
        // others are parts that a later backup has again, or the index; the second part of `a` has the
        // same name as the first of `a.2`
        if (value.name !== name || hash('sha256', value.content) !== sha256) continue;
        yield isCompressed(path)
          ? await decompress(value.content, { maxOutputLength: partSize })
          : value.content;
        break;
      }
    }
  }
  try {
    for await (const item of itemsIn(index)) {
      if (item.in === description.id) yield { item, content: contentOf(item) };
    }
  } finally {
    await entries.return(undefined);
  }
}
