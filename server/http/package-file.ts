import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** The text of a prebuilt file, by its path in a package. */
export const packageFile = (name: string, path: string): Promise<string> =>
  readFile(join(dirname(resolve(`${name}/package.json`)), path), 'utf8');
