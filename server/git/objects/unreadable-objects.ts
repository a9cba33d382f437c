import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from '../../disk/files.ts';
import { GitFailure } from '../process/run.ts';
import type { ObjectResponse } from './response-reader.ts';

/** An id, perhaps with the type that it should have. */
const idText = /^([0-9a-f]{40})(?:\^\{\w*\})?$/;

/** Throws if git does not find an object whose file exists: it cannot read the file, and says that of none. */
export async function requireAbsent(
  folder: string,
  name: string,
  find: (id: string) => Promise<ObjectResponse | null>,
): Promise<void> {
  const [, id] = idText.exec(name) ?? [];
  if (!id) return;
  const file = join(folder, 'objects', id.slice(0, 2), id.slice(2));
  if (!(await orMissing(stat(file)))) return;
  if (!(await find(id))) throw new GitFailure('cat-file', `the object ${id} cannot be read`);
}
