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
  await writeFile(path, compactGraph(await separateCompiler(source, folder)));
}

const compilerLoader =
  / {4}const \{ wasm \} = await import\("([^"]+)"\)\n {4}return await decodeBase64AsWasm\(wasm\)\n/;

/** Writes the query compiler to a file: a module with its base64 text would keep that text twice. */
async function separateCompiler(source: string, folder: string): Promise<string> {
  const [statements, module] = compilerLoader.exec(source) ?? [];
  if (!statements || !module) throw unexpected('query compiler');
  const { wasm } = (await import(module)) as { readonly wasm: string };
  await writeFile(`${folder}query-compiler.wasm`, Buffer.from(wasm, 'base64'));
  return source.replace(
    statements,
    () => `    const { readFile } = await import('node:fs/promises')
    return WebAssembly.compile(await readFile(new URL('query-compiler.wasm', import.meta.url)))
`,
  );
}

const graphInSource = / {2}strings: JSON\.parse\((".*")\),\n {2}graph: ("[\w-]*")\n/;

function compactGraph(source: string): string {
  const [lines, strings, graph] = graphInSource.exec(source) ?? [];
  if (!lines || !strings || !graph) throw unexpected('parameter graph');
  const compact = numberByFrequency({
    strings: JSON.parse(JSON.parse(strings)),
    graph: JSON.parse(graph),
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
