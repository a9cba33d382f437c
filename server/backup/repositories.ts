import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { orMissing } from '../disk/files.ts';
import { repositoryFolder, type Storages } from '../git/address.ts';
import { streamOutput } from '../git/process/output.ts';
import { runGit } from '../git/process/run.ts';
import { requirePackedRefs } from '../git/refs/damaged-refs.ts';
import { initRepository } from '../git/wikis/wiki-creation.ts';

const suffix = '.bundle';
const maxRefListBytes = 256 * 2 ** 20;

/** The path of a repository's item. */
export const bundlePath = ({ storage, diskPath }: RepositoryAddress): string =>
  `repositories/${storage}/${diskPath}${suffix}`;

/** The repository of an item; null for other items. */
export function bundledRepository(path: string): RepositoryAddress | null {
  const [section, storage = '', ...rest] = path.split('/');
  const name = rest.join('/');
  if (section !== 'repositories' || !name.endsWith(suffix)) return null;
  return { storage, diskPath: name.slice(0, -suffix.length) };
}

export interface RepositoryState {
  /** A digest of all references. */
  readonly state: string;
  readonly isEmpty: boolean;
  /** The reference that HEAD names. */
  readonly head: string;
}

/** What a repository refers to; null if there is none. */
export async function repositoryState(
  storages: Storages,
  repository: RepositoryAddress,
): Promise<RepositoryState | null> {
  const folder = repositoryFolder(storages, repository);
  const text = await orMissing(readFile(join(folder, 'HEAD'), 'utf8'));
  if (text === null) return null;
  await requirePackedRefs(folder);
  const head = text.trim().replace(/^ref: /, '');
  const sum = createHash('sha256').update(`${head}\n`);
  let isEmpty = true;
  const format = '--format=%(objectname) %(refname)';
  for await (const chunk of streamOutput([`--git-dir=${folder}`, 'for-each-ref', format])) {
    isEmpty = false;
    sum.update(chunk);
  }
  return { state: sum.digest('hex'), isEmpty, head };
}

/**
 * All references of a repository, with the objects that they reach. After a failure, `isRetry` leaves out
 * what is damaged and no object: references without an id, and what git derives from objects.
 */
export async function* bundleOf(
  storages: Storages,
  repository: RepositoryAddress,
  { isRetry }: { readonly isRetry: boolean },
): AsyncGenerator<Buffer> {
  const gitDir = `--git-dir=${repositoryFolder(storages, repository)}`;
  const create = [gitDir, 'bundle', 'create', '--quiet', '-'];
  if (!isRetry) return yield* streamOutput([...create, '--all']);
  const reading = { limit: maxRefListBytes, ignoresCaches: true };
  const input = await runGit([gitDir, 'for-each-ref', '--format=%(refname)'], reading);
  yield* streamOutput([...create, '--stdin'], { ignoresCaches: true, input });
}

/** Creates a repository from its bundle; `content` is empty if it had no references. */
export async function restoreRepository(
  storages: Storages,
  repository: RepositoryAddress,
  { head, content }: { readonly head: string; readonly content: AsyncIterable<Buffer> | null },
): Promise<void> {
  const folder = repositoryFolder(storages, repository);
  await mkdir(folder, { recursive: true });
  await initRepository(folder);
  const git = [`--git-dir=${folder}`];
  if (content) {
    const bundle = join(folder, 'restored.bundle');
    await pipeline(content, createWriteStream(bundle));
    // a pack is kept as it is: many objects would become as many files otherwise
    const options = ['-c', 'fetch.unpackLimit=1', '-c', 'transfer.unpackLimit=1'];
    await runGit([
      ...git,
      ...options,
      'fetch',
      '--quiet',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--no-tags',
      bundle,
      '+refs/*:refs/*',
    ]);
    await rm(bundle);
  }
  // a damaged HEAD must not end the restore of all others
  if (head.startsWith('refs/')) await runGit([...git, 'symbolic-ref', 'HEAD', head]);
}
