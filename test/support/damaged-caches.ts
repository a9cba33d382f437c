import { randomBytes } from 'node:crypto';
import {
  chmod,
  cp,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git, temporaryFolder } from './git.ts';

/** A repository with one kind of cache, from which others are copied. */
export interface CacheTemplate {
  readonly folder: string;
  /** The path of the cache below the repository's folder. */
  readonly file: string;
}

export const commitCount = 150;

/** A file that each commit of a tenth changes. */
export const pathOf = (number: number) => `folder-${number % 5}/file-${number % 10}.txt`;

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** Commits for `git fast-import`, one after the other; message and content name their number. */
function history(branch: string, first: number, last: number, from: string | null): string {
  const commits = [];
  for (let number = first; number <= last; number += 1) {
    const parent = number === first ? from : null;
    commits.push(
      `commit refs/heads/${branch}\ncommitter Ada <ada@example.com> ${1_500_000_000 + number} +0000\n`,
      data(`Commit ${number}`),
      ...(parent === null ? [] : [`from ${parent}\n`]),
      `M 100644 inline ${pathOf(number)}\n${data(`content ${number}\n`)}`,
    );
  }
  return commits.join('');
}

async function importHistory(folder: string, stream: string): Promise<void> {
  const file = join(folder, 'stream');
  await writeFile(file, stream);
  const options = ['-c', 'fastimport.unpackLimit=1'];
  await git(folder, ...options, '-c', `alias.load=!git fast-import --quiet < ${file}`, 'load');
  await rm(file);
}

/** A bare repository with two packs, `master` with 150 commits and `feature`, which is one ahead. */
async function plainRepository(): Promise<string> {
  const folder = `${await temporaryFolder()}/plain.git`;
  await git(dirname(folder), 'init', '--quiet', '--bare', '--initial-branch=master', folder);
  await importHistory(folder, history('master', 1, 100, null));
  await importHistory(folder, history('master', 101, commitCount, 'refs/heads/master^0'));
  await importHistory(folder, history('feature', 901, 901, 'refs/heads/master^0'));
  return folder;
}

/** Kinds of caches: the commands that write one, and where it is. */
const kinds = {
  'a commit graph': [[['commit-graph', 'write', '--reachable']], /^info\/commit-graph$/],
  'a layer of a commit graph': [
    [['commit-graph', 'write', '--reachable', '--split']],
    /^info\/commit-graphs\/graph-.*\.graph$/,
  ],
  'the list of layers of a commit graph': [
    [['commit-graph', 'write', '--reachable', '--split']],
    /^info\/commit-graphs\/commit-graph-chain$/,
  ],
  'a multi-pack-index': [[['multi-pack-index', 'write']], /^pack\/multi-pack-index$/],
  'the bitmap of a multi-pack-index': [
    [['multi-pack-index', 'write', '--bitmap']],
    /^pack\/multi-pack-index-.*\.bitmap$/,
  ],
  'the bitmap of a pack': [[['repack', '-adbq']], /^pack\/pack-.*\.bitmap$/],
  'the reverse index of a pack': [
    [['-c', 'pack.writeReverseIndex=true', 'repack', '-adbq']],
    /^pack\/pack-.*\.rev$/,
  ],
  'the index of a pack': [[['repack', '-adq']], /^pack\/pack-.*\.idx$/],
  'the times of unreachable objects': [
    [
      ['commit-tree', '-m', 'Unreachable', 'feature^{tree}'],
      ['repack', '--cruft', '-dq'],
    ],
    /^pack\/pack-.*\.mtimes$/,
  ],
} as const satisfies Record<string, readonly [readonly (readonly string[])[], RegExp]>;

export type CacheKindName = keyof typeof kinds;

export const cacheKinds = Object.keys(kinds) as readonly CacheKindName[];

/** Writes the templates of all kinds. */
export async function cacheTemplates(): Promise<ReadonlyMap<CacheKindName, CacheTemplate>> {
  const plain = await plainRepository();
  const templates = new Map<CacheKindName, CacheTemplate>();
  for (const kind of cacheKinds) {
    const folder = join(dirname(plain), `${templates.size}.git`);
    await cp(plain, folder, { recursive: true });
    const [commands, pattern] = kinds[kind];
    for (const command of commands) await git(folder, ...command);
    const objects = join(folder, 'objects');
    const names = await readdir(objects, { recursive: true });
    const file = names.find((name) => pattern.test(name));
    if (file === undefined) throw new Error(`git has not written ${kind}`);
    templates.set(kind, { folder, file: join('objects', file) });
  }
  return templates;
}

/** Ways in which a file is damaged, by its path and its size. */
const damages = {
  'is empty': (path) => truncate(path, 0),
  'was cut off': async (path, size) => truncate(path, Math.floor(size / 2)),
  'lacks its last byte': (path, size) => truncate(path, size - 1),
  'is full of zeros': (path, size) => overwrite(path, 0, Buffer.alloc(size)),
  'has zeros in the middle': (path, size) =>
    overwrite(path, Math.floor(size / 3), Buffer.alloc(Math.ceil(size / 3))),
  'has random bytes at its start': (path, size) =>
    overwrite(path, 0, randomBytes(Math.min(64, size))),
  'has random bytes in the middle': (path, size) =>
    overwrite(path, Math.floor(size / 2), randomBytes(Math.min(200, Math.floor(size / 2)))),
  'has random bytes at its end': (path, size) =>
    overwrite(path, Math.max(0, size - 64), randomBytes(Math.min(64, size))),
  'is a folder': async (path) => {
    await rm(path);
    await mkdir(path);
  },
} as const satisfies Record<string, (path: string, size: number) => Promise<unknown>>;

export type DamageName = keyof typeof damages;

export const damageNames = Object.keys(damages) as readonly DamageName[];

async function overwrite(path: string, position: number, bytes: Buffer): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, position).finally(() => file.close());
}

/** Replaces the repository in `folder` by a copy of a template. */
export async function copyTemplate(template: CacheTemplate, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  await cp(template.folder, folder, { recursive: true });
}

/** Damages the cache in a copy of a template. */
export async function damageCache(
  { file }: CacheTemplate,
  folder: string,
  damage: DamageName,
): Promise<void> {
  const path = join(folder, file);
  await chmod(path, 0o644);
  await damages[damage](path, (await readFile(path)).length);
}
