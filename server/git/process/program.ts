import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Whether a folder of `path` contains this program. */
export async function hasProgram(name: string, path: string): Promise<boolean> {
  const tries = path.split(delimiter).map((folder) => access(join(folder, name), constants.X_OK));
  return (await Promise.allSettled(tries)).some(({ status }) => status === 'fulfilled');
}
