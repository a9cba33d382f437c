import { LRUCache } from 'lru-cache';
import { type Footprint, isUnchanged, readFootprint } from '../git/refs/footprint.ts';
import type { GitService } from './access.ts';

const maxCachedBytes = 32 * 1024 * 1024;
/** Some 50,000 references; longer advertisements are computed by git each time. */
const maxBytes = 4 * 1024 * 1024;

/** What an advertisement shows besides references: where HEAD points to, and settings. */
const furtherFiles = ['HEAD', 'config', 'shallow'];

interface Advertisement {
  readonly body: Buffer;
  readonly footprint: Footprint;
}

/**
 * Keeps what git advertises to clients without protocol version 2 and to pushes. It is valid while
 * the files of the references are unchanged, whichever process changes them and however it ends.
 */
export function advertisementCache() {
  const cache = new LRUCache<string, Advertisement>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ body }) => body.length + 4096,
  });
  const keyOf = (folder: string, service: GitService) => `${service}:${folder}`;

  const find = async (folder: string, service: GitService): Promise<Buffer | null> => {
    const cached = cache.get(keyOf(folder, service));
    return cached && (await isUnchanged(cached.footprint)) ? cached.body : null;
  };

  /** Collects an advertisement after its head while it is sent; call it before git starts. */
  const collect = async (folder: string, service: GitService, head: string) => {
    const footprint = await readFootprint(folder, 'refs/', furtherFiles);
    let chunks: Buffer[] | null = footprint?.isSettled ? [Buffer.from(head)] : null;
    let size = head.length;
    const add = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) chunks = null;
      // the relay frees the chunk once it is sent
      chunks?.push(Buffer.from(chunk));
    };
    const keep = () => {
      if (!chunks || !footprint) return;
      cache.set(keyOf(folder, service), { body: Buffer.concat(chunks, size), footprint });
    };
    return { add, keep };
  };

  return { find, collect };
}
