import { join } from 'node:path';
import { noObject } from '../../../schema/kernel/no-object.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { CopyOptions, GitCopying, References } from '../../../schema/ports/git/copying.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { runGit } from '../process/run.ts';
import { linkObjects } from './object-links.ts';

const maxRefListBytes = 256 * 1024 * 1024;

/** Git reads the local source only with this setting. */
const environment = gitEnvironmentWith({
  'protocol.allow': 'never',
  'protocol.file.allow': 'always',
  'protocol.version': '2',
});

/** Names are bytes, one character each: they need not be UTF-8. */
const copied = ['refs/heads/', 'refs/tags/'];

/** Copies repositories within the storages, which may be on different disks. */
export function repositoryCopier(storages: Storages): GitCopying {
  const copyRepository = async (
    source: RepositoryAddress,
    target: RepositoryAddress,
    { isWanted, signal }: CopyOptions,
  ) => {
    const [from, to] = [repositoryFolder(storages, source), repositoryFolder(storages, target)];
    // read first: the files linked from now on contain what these references lead to
    const wanted = await refsIn(from, copied, signal);
    await bringObjects(from, to, wanted, signal);
    const existing = await refsIn(to, copied, signal);
    if (!(await isWanted())) return 'unwanted' as const;
    await moveRefs(to, existing, wanted, signal);
    return 'copied' as const;
  };

  const mirrorRepository: GitCopying['mirrorRepository'] = async (source, target) => {
    const [from, to] = [repositoryFolder(storages, source), repositoryFolder(storages, target)];
    const wanted = await refsIn(from, []);
    await bringObjects(from, to, wanted);
    await moveRefs(to, await refsIn(to, []), wanted);
    const head = await runGit([`--git-dir=${from}`, 'symbolic-ref', 'HEAD']);
    await runGit([`--git-dir=${to}`, 'symbolic-ref', 'HEAD', head.toString().trim()]);
    // thousands of small files otherwise
    await runGit([`--git-dir=${to}`, 'pack-refs', '--all'], { environment });
    return wanted;
  };

  const bringLateReferences: GitCopying['bringLateReferences'] = async (source, target, then) => {
    const [from, to] = [repositoryFolder(storages, source), repositoryFolder(storages, target)];
    const now = await refsIn(from, []);
    const names = [...then.keys(), ...now.keys()];
    const late = new Set(names.filter((name) => then.get(name) !== now.get(name)));
    const among = (refs: References) => new Map([...refs].filter(([name]) => late.has(name)));
    const wanted = among(now);
    if (wanted.size > 0) await fetchMissing(from, to, new Set(wanted.values()));
    await moveRefs(to, among(then), wanted);
    return late.size;
  };
  return { copyRepository, mirrorRepository, bringLateReferences };
}

/** Afterwards everything that the references lead to is in `to`. */
async function bringObjects(
  from: string,
  to: string,
  wanted: References,
  signal?: AbortSignal,
): Promise<void> {
  if (wanted.size === 0) return;
  await linkObjects(join(from, 'objects'), join(to, 'objects'), signal);
  await fetchMissing(from, to, new Set(wanted.values()), signal);
}

/** The references below `prefixes`, or all. */
async function refsIn(
  folder: string,
  prefixes: readonly string[],
  signal?: AbortSignal,
): Promise<References> {
  const text = await runGit(
    [`--git-dir=${folder}`, 'for-each-ref', '--format=%(objectname) %(refname)', ...prefixes],
    { limit: maxRefListBytes, signal },
  );
  const lines = text.toString('latin1').split('\n');
  return new Map(
    lines.filter((line) => line !== '').map((line) => [line.slice(41), line.slice(0, 40)]),
  );
}

/**
 * Has git check that everything reachable from these objects exists, and fetch what is missing. By
 * ids only, so that no reference is written yet.
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

/**
 * References left by an earlier attempt that the source no longer has are deleted first, to avoid
 * name conflicts.
 */
async function moveRefs(
  folder: string,
  existing: References,
  wanted: References,
  signal?: AbortSignal,
): Promise<void> {
  const deletions = [...existing]
    .filter(([ref]) => !wanted.has(ref))
    .map(([ref, id]) => `delete ${ref}\0${id}\0`);
  const moved = [...wanted]
    .filter(([ref, id]) => existing.get(ref) !== id)
    .map(([ref, id]) => `update ${ref}\0${id}\0${existing.get(ref) ?? noObject}\0`);
  for (const lines of [deletions, moved]) {
    if (lines.length === 0) continue;
    await feed([`--git-dir=${folder}`, 'update-ref', '--stdin', '-z'], lines.join(''), signal);
  }
}

async function feed(args: readonly string[], input: string, signal?: AbortSignal): Promise<void> {
  await runGit(args, { environment, input: Buffer.from(input, 'latin1'), signal });
}
