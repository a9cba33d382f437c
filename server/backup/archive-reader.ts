import { createHash, hash } from 'node:crypto';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import {
  type Description,
  description,
  descriptionName,
  type Item,
  item,
  type Manifest,
  manifest,
  manifestName,
  partName,
  sectionOf,
} from './format.ts';
import { ArchiveDamage, type Entry, entriesOf } from './tar-reader.ts';

/** Lines of the index that parts may wait for; more mean a damaged archive. */
const maxPending = 1_000_000;

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  { name, content }: Entry,
): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(content.toString());
  } catch {
    throw new Error(`${name} is not JSON`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`${name}: ${result.error.issues[0]?.message ?? 'malformed'}`);
}

/** The description of an archive, which is its first entry. */
export async function readDescription(file: string): Promise<Description> {
  try {
    for await (const entry of entriesOf(file)) {
      if (entry.name === descriptionName) return parsed(description, entry);
      break;
    }
  } catch (error) {
    // without a first entry it is any file
    if (!(error instanceof ArchiveDamage) || error.isInside) throw error;
    throw new Error(`${file} is not a backup of Millrace: it ${error.fault}`);
  }
  throw new Error(`${file} is not a backup of Millrace`);
}

/** Parts that were read and are not in the index yet, in order. */
function pendingParts() {
  const parts: { readonly name: string; readonly size: number; readonly sha256: string }[] = [];
  let first = 0;
  return {
    get count() {
      return parts.length - first;
    },
    push: ({ name, content }: Entry) => {
      if (parts.length > maxPending) throw new Error('the index is missing');
      parts.push({ name, size: content.length, sha256: hash('sha256', content) });
    },
    /** Compares the next parts with those that the index names. */
    expect: ({ path, parts: expected }: Item) => {
      for (const [index, { size, sha256 }] of expected.entries()) {
        const part = parts[first];
        first += 1;
        const isRight = part?.name === partName(path, index) && part.size === size;
        if (!isRight) {
          throw new Error(
            `${path} is incomplete: ${partName(path, index)} is missing or has another size`,
          );
        }
        if (part.sha256 !== sha256) throw new Error(`${path} is damaged: its checksum is wrong`);
      }
      if (first < parts.length) return;
      parts.length = 0;
      first = 0;
    },
  };
}

/**
 * Reads a whole archive and compares every part with its checksum; yields the items in their order and
 * returns the manifest. Throws on damage, at the latest at the end: what was yielded may be wrong then.
 */
export async function* itemsOf(file: string): AsyncGenerator<Item, Manifest> {
  const pending = pendingParts();
  const indexSum = createHash('sha256');
  const counts: Manifest['items'] = {};
  let bytes = 0;
  let start: Entry | null = null;
  let backup: Description | null = null;
  let end: Manifest | null = null;
  for await (const entry of entriesOf(file)) {
    if (end) throw new Error(`${entry.name} follows the end of the backup`);
    if (!backup) {
      if (entry.name !== descriptionName) throw new Error(`${file} is not a backup of Millrace`);
      [start, backup] = [entry, parsed(description, entry)];
    } else if (entry.name === manifestName) {
      end = parsed(manifest, entry);
    } else if (entry.name.startsWith('index/')) {
      indexSum.update(entry.content);
      for (const line of entry.content.toString().trimEnd().split('\n')) {
        const next = parsed(item, { name: entry.name, content: Buffer.from(line) });
        if (next.in === backup.id) pending.expect(next);
        const section = sectionOf(next.path);
        counts[section] = (counts[section] ?? 0) + 1;
        yield next;
      }
    } else {
      bytes += entry.content.length;
      pending.push(entry);
    }
  }
  if (!end) throw new Error(`${basename(file)} is incomplete: it ends without its manifest`);
  if (pending.count > 0) throw new Error('the backup has parts that its index does not name');
  if (indexSum.digest('hex') !== end.indexSha256) throw new Error('the index is damaged');
  const { descriptionSha256: expected } = end;
  if (start && expected !== undefined && hash('sha256', start.content) !== expected)
    throw new Error(`${descriptionName} is damaged: its checksum is wrong`);
  const isOfThis = end.id === backup?.id && end.bytes === bytes;
  if (!isOfThis || !isDeepStrictEqual({ ...end.items }, counts))
    throw new Error(`${manifestName} is damaged: it does not fit the rest of the backup`);
  return end;
}
