import { turnsOf } from '../../scheduling/heavy-work.ts';
import { readBytes } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';
import type { ObjectInfo } from './response-reader.ts';

/** Git holds the whole object in memory, because it does not stream commits and tags. */
const maxConcurrent = 2;
const timeLimitMs = 10_000;

/** Reads the first `limit` bytes of large objects, each through a git process of its own. */
export function prefixReader(limit: number) {
  const reading = sharedWork<Buffer>();
  const turn = turnsOf('large-objects', maxConcurrent);

  const read = async (folder: string, { id, type }: ObjectInfo, signal: AbortSignal) => {
    const { end, bytes } = await readBytes([`--git-dir=${folder}`, 'cat-file', type, id], {
      signal,
      timeLimitMs,
      limit,
    });
    if (end === 'late') throw new GitFailure('cat-file', 'took too long');
    return bytes;
  };

  return (folder: string, info: ObjectInfo): Promise<Buffer> =>
    reading(`${folder}:${info.id}`, null, (signal) =>
      turn(() => read(folder, info, signal), { project: folder }),
    );
}
