import { readFile } from 'node:fs/promises';
import type { PageFile } from '../http/static-page.ts';
import { currentUserDocument, examples } from './examples.ts';
import { librariesScript, librariesStyle } from './libraries.ts';

/** The modules of the browser program, in `client/`. */
export const modules = [
  'main.js',
  'fetcher.js',
  'guide.js',
  'session.js',
  'sign-in.js',
  'keyboard.js',
  'labels.js',
];

const textOf = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

/** The files of the explorer; the schema is the printed one that the endpoint serves. */
export async function readFiles(): Promise<readonly PageFile[]> {
  const [libraries, librariesCss, css, schema, ...programs] = await Promise.all([
    librariesScript(),
    librariesStyle(),
    textOf('client/style.css'),
    textOf('../../schema/schema.graphql'),
    ...modules.map((name) => textOf(`client/${name}`)),
  ]);
  const data = `export const currentUserDocument = ${JSON.stringify(currentUserDocument)};
export const examples = ${JSON.stringify(examples)};
`;
  const script = 'text/javascript';
  return [
    ['libraries.js', script, libraries],
    ['style.css', 'text/css', `${librariesCss}\n${css}`],
    ['schema.graphql', 'text/plain', schema],
    ['data.js', script, data],
    ...modules.map((name, place) => [name, script, programs[place] ?? ''] as const),
  ];
}
