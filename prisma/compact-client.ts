import { Buffer } from 'node:buffer';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { numberByFrequency } from './parameter-graph.ts';

/**
 * Changes the generated client so that it needs less memory; `npm run generate` runs it after Prisma.
 * Throws if a new version of Prisma generates other code.
 */
async function compactClient(folder: string): Promise<void> {
  const path = `${folder}class.ts`;
  const source = await readFile(path, 'utf8');
  await writeFile(path, inLatin1(compactGraph(await separateCompiler(source, folder))));
  const namespace = `${folder}prismaNamespace.ts`;
  await writeFile(namespace, inLatin1(await readFile(namespace, 'utf8')));
}

/** One other character, such as those in the generated comments, makes Node keep two bytes for each. */
const inLatin1 = (source: string) =>
  source.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The text of `source` between the first `before` and the next `after`; throws if one is missing. */
function between(source: string, before: string, after: string, part: string): string {
  const start = source.indexOf(before);
  const end = source.indexOf(after, start + before.length);
  if (start < 0 || end < 0) throw unexpected(part);
  return source.slice(start + before.length, end);
}

const compiler = { before: `    const { wasm } = await import("`, after: `")\n` };
const decoding = '    return await decodeBase64AsWasm(wasm)\n';

/** Writes the query compiler to a file: a module with its base64 text would keep that text twice. */
async function separateCompiler(source: string, folder: string): Promise<string> {
  const { before, after } = compiler;
  const module = between(source, before, after, 'query compiler');
  const statements = `${before}${module}${after}${decoding}`;
  if (!source.includes(statements)) throw unexpected('query compiler');
  const { wasm } = (await import(module)) as { readonly wasm: string };
  await writeFile(`${folder}query-compiler.wasm`, Buffer.from(wasm, 'base64'));
  return source.replace(
    statements,
    () => `    const { readFile } = await import('node:fs/promises')
    return WebAssembly.compile(await readFile(new URL('query-compiler.wasm', import.meta.url)))
`,
  );
}

const strings = { before: '  strings: JSON.parse(', after: '),\n' };
const graph = { before: '  graph: ', after: '\n' };

function compactGraph(source: string): string {
  const part = 'parameter graph';
  const names = between(source, strings.before, strings.after, part);
  const start = source.indexOf(`${strings.before}${names}`);
  const edges = between(source.slice(start), graph.before, graph.after, part);
  const lines = `${strings.before}${names}${strings.after}${graph.before}${edges}${graph.after}`;
  if (!source.includes(lines)) throw unexpected(part);
  const compact = numberByFrequency({
    strings: JSON.parse(JSON.parse(names)),
    graph: JSON.parse(edges),
  });
  return source.replace(
    lines,
    () => `  strings: JSON.parse(${JSON.stringify(JSON.stringify(compact.strings))}),
  graph: ${JSON.stringify(compact.graph)}
`,
  );
}

const unexpected = (part: string) =>
  new Error(
    `The ${part} is not where prisma/compact-client.ts expects it in the generated client.`,
  );

await compactClient(fileURLToPath(new URL('generated/client/internal/', import.meta.url)));
