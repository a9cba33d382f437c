import { join } from 'node:path';
import { noObject } from '../../../schema/kernel/no-object.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { CopyOptions, GitCopying } from '../../../schema/ports/git/copying.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { startGit } from '../process/child.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { commandOf, GitFailure, runGit } from '../process/run.ts';
import { linkObjects } from './object-links.ts';

const maxRefListBytes = 256 * 1024 * 1024;

/** The source is a folder of ours, which git reads only when it is told to. */
const environment = gitEnvironmentWith({
  'protocol.allow': 'never',
  'protocol.file.allow': 'always',
  'protocol.version': '2',
});

/** Reference → object id. Names are bytes that need not be UTF-8: one character stands for each. */
type Refs = ReadonlyMap<string, string>;

/** Copies repositories within the storages, which may lie on different disks. */
export function repositoryCopier(storages: Storages): GitCopying {
  const copyRepository = async (
    source: RepositoryAddress,
    target: RepositoryAddress,
    { isWanted, signal }: CopyOptions,
  ) => {
    const [from, to] = [repositoryFolder(storages, source), repositoryFolder(storages, target)];
    // read first: what these lead to is in the files from now on
    const wanted = await refsIn(from, signal);
    if (wanted.size > 0) {
      await linkObjects(join(from, 'objects'), join(to, 'objects'), signal);
      await fetchMissing(from, to, new Set(wanted.values()), signal);
    }
    const there = await refsIn(to, signal);
    if (!(await isWanted())) return 'unwanted' as const;
    await moveRefs(to, there, wanted, signal);
    return 'copied' as const;
  };
  return { copyRepository };
}

async function refsIn(folder: string, signal?: AbortSignal): Promise<Refs> {
  const text = await runGit(
    [
      `--git-dir=${folder}`,
      'for-each-ref',
      '--format=%(objectname) %(refname)',
      'refs/heads/',
      'refs/tags/',
    ],
    { limit: maxRefListBytes, ...(signal && { signal }) },
  );
  const lines = text.toString('latin1').split('\n');
  return new Map(
    lines.filter((line) => line !== '').map((line) => [line.slice(41), line.slice(0, 40)]),
  );
}

/**
 * Has git look whether everything behind these objects is there, and bring what is not. By their ids
 * alone, so that no reference is written before all is said and done.
 */
const fetchMissing = (from: string, to: string, ids: ReadonlySet<string>, signal?: AbortSignal) =>
  feed(
    [
      `--git-dir=${to}`,
      'fetch',
      '--quiet',
      '--no-write-fetch-head',
      '--no-tags',
      '--no-auto-maintenance',
      '--no-recurse-submodules',
      '--stdin',
      '--end-of-options',
      from,
    ],
    [...ids].map((id) => `${id}\n`).join(''),
    signal,
  );

/** What an earlier attempt left behind and the source has no more goes first, to make room. */
async function moveRefs(
  folder: string,
  there: Refs,
  wanted: Refs,
  signal?: AbortSignal,
): Promise<void> {
  const gone = [...there]
    .filter(([ref]) => !wanted.has(ref))
    .map(([ref, id]) => `delete ${ref}\0${id}\0`);
  const moved = [...wanted]
    .filter(([ref, id]) => there.get(ref) !== id)
    .map(([ref, id]) => `update ${ref}\0${id}\0${there.get(ref) ?? noObject}\0`);
  for (const lines of [gone, moved]) {
    if (lines.length === 0) continue;
    await feed([`--git-dir=${folder}`, 'update-ref', '--stdin', '-z'], lines.join(''), signal);
  }
}

/** Runs git with something to read; any end but a good one throws. */
async function feed(args: readonly string[], input: string, signal?: AbortSignal): Promise<void> {
  const child = startGit(args, { environment, ...(signal && { signal }) });
  child.stdin.end(Buffer.from(input, 'latin1'));
  child.stdout.resume();
  const code = await child.exit;
  if (code !== 0) throw new GitFailure(commandOf(args), child.stderr() || `ended with ${code}`);
}
