import { constants, createWriteStream } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';

/**
 * Writes a zip of these paths below `root`, with permissions and times; symbolic links are stored
 * as links. Skips files deleted in the meantime. Returns the number of entries.
 */
export async function pack(
  root: string,
  paths: readonly string[],
  target: string,
  signal: AbortSignal,
): Promise<number> {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  let count = 0;
  for (const path of paths) {
    const absolute = join(root, path);
    const stats = await lstat(absolute).catch(() => null);
    if (!stats) continue;
    const { mode, mtime } = stats;
    if (stats.isSymbolicLink())
      zip.addBuffer(Buffer.from(await readlink(absolute)), path, { mode, mtime });
    else if (stats.isDirectory()) zip.addEmptyDirectory(path, { mode, mtime });
    else if (stats.isFile()) {
      zip.addReadStreamLazy(path, { mode, mtime }, (give) => {
        openFile(absolute).then(
          (content) => give(null, content),
          (error) => give(error, null as never),
        );
      });
    } else continue;
    count += 1;
  }
  zip.end();
  await pipeline(output, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  return count;
}

async function openFile(path: string): Promise<Readable> {
  // it may have been replaced by a link or a pipe
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle.createReadStream();
  await handle.close();
  throw new Error(`${path} is no longer a file`);
}
