import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { currentUserDocument, examples } from './examples.ts';
import { librariesScript, librariesStyle } from './libraries.ts';
import { explorerPage } from './page.ts';
import { type StaticFile, staticFile } from './static-file.ts';

/** The page of the explorer, and its files by their names. */
export interface ExplorerFiles {
  /** The path of the folder, which changes with the content of any file. */
  readonly folder: string;
  readonly page: StaticFile;
  readonly files: ReadonlyMap<string, StaticFile>;
}

/** The modules of the browser program, in `client/`. */
const modules = [
  'main.js',
  'fetcher.js',
  'guide.js',
  'session.js',
  'sign-in.js',
  'keyboard.js',
  'labels.js',
];

const textOf = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

const hashOf = (texts: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('base64url');
};

/** Reads everything once; the schema is the printed one that the endpoint serves. */
async function readFiles(): Promise<ExplorerFiles> {
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
  const contents: readonly (readonly [string, string, string])[] = [
    ['libraries.js', script, libraries],
    ['style.css', 'text/css', `${librariesCss}\n${css}`],
    ['schema.graphql', 'text/plain', schema],
    ['data.js', script, data],
    ...modules.map((name, place) => [name, script, programs[place] ?? ''] as const),
  ];
  const tag = hashOf(contents.map(([, , text]) => text));
  const folder = `/assets/explorer-${tag.slice(0, 16)}`;
  const page = explorerPage(folder.slice(1), [...modules, 'data.js']);
  return {
    folder,
    page: staticFile('text/html', page, hashOf([page])),
    files: new Map(contents.map(([name, type, text]) => [name, staticFile(type, text, tag)])),
  };
}

let reading: Promise<ExplorerFiles> | null = null;

/** Read at the first visit; a failure is not cached. */
export function explorerFiles(): Promise<ExplorerFiles> {
  reading ??= readFiles().catch((error: unknown) => {
    reading = null;
    throw error;
  });
  return reading;
}
