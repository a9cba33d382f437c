import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const headerBytes = 12;
/** The checksums of the pack and of the file. */
const trailerBytes = 40;

/** Makes the unreachable objects that a housekeeping has found as much older, in days. */
export async function ageUnreachableObjects(folder: string, days: number): Promise<void> {
  const packs = join(folder, 'objects', 'pack');
  for (const name of await readdir(packs)) {
    if (!name.endsWith('.mtimes')) continue;
    const bytes = await readFile(join(packs, name));
    for (let at = headerBytes; at < bytes.length - trailerBytes; at += 4)
      bytes.writeUInt32BE(bytes.readUInt32BE(at) - days * 86_400, at);
    const content = bytes.subarray(0, -20);
    createHash('sha1').update(content).digest().copy(bytes, content.length);
    await chmod(join(packs, name), 0o600);
    await writeFile(join(packs, name), bytes);
  }
}
