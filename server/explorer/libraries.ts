import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** The text of a prebuilt file, by its path in a package. */
const textIn = (name: string, path: string): Promise<string> =>
  readFile(join(dirname(resolve(`${name}/package.json`)), path), 'utf8');

/**
 * One classic script that sets the globals `React`, `ReactDOM` and `GraphiQL`: the bundles that the
 * packages publish for browsers, in the order in which they need each other.
 */
export async function librariesScript(): Promise<string> {
  const bundles = await Promise.all([
    textIn('react', 'umd/react.production.min.js'),
    textIn('react-dom', 'umd/react-dom.production.min.js'),
    textIn('graphiql', 'graphiql.min.js'),
  ]);
  return bundles.join('\n');
}

/** GraphiQL's style without its fonts, which are 360 KB; the fonts of the system are used. */
export async function librariesStyle(): Promise<string> {
  const style = await textIn('graphiql', 'graphiql.min.css');
  return style.replace(/@font-face \{[^{}]*\}/g, '');
}
