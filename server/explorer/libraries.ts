import { packageFile } from '../http/package-file.ts';

/**
 * One classic script that sets the globals `React`, `ReactDOM` and `GraphiQL`: the bundles that the
 * packages publish for browsers, in the order in which they need each other.
 */
export async function librariesScript(): Promise<string> {
  const bundles = await Promise.all([
    packageFile('react', 'umd/react.production.min.js'),
    packageFile('react-dom', 'umd/react-dom.production.min.js'),
    packageFile('graphiql', 'graphiql.min.js'),
  ]);
  return bundles.join('\n');
}

/** GraphiQL's style without its fonts, which are 360 KB; the fonts of the system are used. */
export async function librariesStyle(): Promise<string> {
  const style = await packageFile('graphiql', 'graphiql.min.css');
  return style.replace(/@font-face \{[^{}]*\}/g, '');
}
