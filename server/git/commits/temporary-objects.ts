import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, gitEnvironment } from '../process/environment.ts';

/**
 * Has git write its objects to a temporary folder that is removed afterwards: a check leaves no
 * objects. After a kill, git's housekeeping removes folders of that name.
 */
export async function withTemporaryObjects<T>(
  folder: string,
  work: (environment: Environment, objects: string) => Promise<T>,
): Promise<T> {
  const objects = join(folder, 'objects');
  const temporary = await mkdtemp(join(objects, 'tmp_objdir-merge-'));
  try {
    const places = { GIT_OBJECT_DIRECTORY: temporary, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    return await work({ ...gitEnvironment, ...places }, temporary);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
