import { noObject } from '../../../schema/kernel/no-object.ts';
import type { GitMaintenance } from '../../../schema/ports/git/maintenance.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { newCommit } from '../objects/commit-bytes.ts';
import { type NewObject, newObject, writeObjects } from '../objects/loose-objects.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { runGit, tryGit } from '../process/run.ts';
import { lockWait } from '../refs/ref-updates.ts';

const environment = gitEnvironmentWith(lockWait(10_000));

/** Hidden from clients by `gitEnvironment`. */
const folderOfRefs = 'refs/kept-commits/';
const keptRef = `${folderOfRefs}recorded`;

/** Of a commit that keeps others. */
const maxParents = 500;
/** A line for each commit that no other reference leads to, with its parents. */
const maxListBytes = 256 * 1024 * 1024;
const maxDurationMs = 600_000;

/** The same for the same commits, so that repeated calls write nothing. */
const author = Buffer.from('Millrace <noreply@localhost> 0 +0000');
const message = 'Commits that records refer to\n';
const tree = newObject('tree', Buffer.alloc(0));

/**
 * Keeps commits as the parents of one commit, or of a tree of such commits: git reads all references of a
 * repository in every push and fetch, so that one for each commit would make all of them slower.
 */
export function commitKeeper(
  storages: Storages,
  objects: ObjectDatabase,
): Pick<GitMaintenance, 'keepCommits' | 'isReachable'> {
  return {
    isReachable: async (repository, ids) => {
      if (!ids.every(isSha)) throw new Error('Malformed commit id');
      const options = ['--ignore-missing', '--max-count=1'];
      const { code, stdout } = await walk(repositoryFolder(storages, repository), options, ids);
      return code === 0 && stdout.length === 0;
    },
    keepCommits: async (repository, ids) => {
      if (!ids.every(isSha)) throw new Error('Malformed commit id');
      const folder = repositoryFolder(storages, repository);
      const before = (await objects.info(repository, keptRef))?.id ?? null;
      if (ids.length === 0 && before === null) return;
      const kept = await wholeCommits(folder, await unreachableTips(folder, ids));
      const written = keepingCommits(kept);
      const after = written.at(-1)?.id ?? null;
      if (after === before) return;
      if (after !== null) await writeObjects(folder, [tree, ...written]);
      const change =
        after === null
          ? `delete ${keptRef}\0${before}\0`
          : `update ${keptRef}\0${after}\0${before ?? noObject}\0`;
      await runGit([`--git-dir=${folder}`, 'update-ref', '--stdin', '-z'], {
        environment,
        input: change,
      });
    },
  };
}

const walk = (folder: string, options: readonly string[], ids: readonly string[]) =>
  tryGit(
    [
      ...[`--git-dir=${folder}`, 'rev-list', ...options, '--stdin'],
      // the former result counts for nothing
      ...['--not', `--exclude=${folderOfRefs}*`, '--all'],
    ],
    {
      input: ids.map((id) => `${id}\n`).join(''),
      limit: maxListBytes,
      signal: AbortSignal.timeout(maxDurationMs),
      isFailure: () => false,
    },
  );

/**
 * Those of the commits that no reference leads to, without ancestors of others and those that the
 * repository does not have.
 */
async function unreachableTips(folder: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { code, stdout } = await walk(folder, ['--ignore-missing', '--parents'], ids);
  // an ancestor is missing
  if (code !== 0) return ids;
  const lines = stdout.toString('latin1').split('\n').filter(Boolean);
  const parents = new Set(lines.flatMap((line) => line.split(' ').slice(1)));
  return lines.map((line) => line.slice(0, 40)).filter((id) => !parents.has(id));
}

/** Those of the commits whose history and files are complete: a reference to another one would stop housekeeping. */
async function wholeCommits(folder: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { code } = await walk(folder, ['--objects', '--quiet'], ids);
  if (code === 0) return ids;
  if (ids.length === 1) return [];
  const half = Math.ceil(ids.length / 2);
  return [
    ...(await wholeCommits(folder, ids.slice(0, half))),
    ...(await wholeCommits(folder, ids.slice(half))),
  ];
}

/** The commits to write, the one that leads to all others last. */
function keepingCommits(ids: readonly string[]): readonly NewObject[] {
  const written: NewObject[] = [];
  let level = ids.toSorted();
  while (level.length > 1 || (level.length === 1 && written.length === 0)) {
    const next: string[] = [];
    for (let at = 0; at < level.length; at += maxParents) {
      const parents = level.slice(at, at + maxParents);
      const commit = newCommit({ tree: tree.id, parents, author, committer: author, message });
      written.push(commit);
      next.push(commit.id);
    }
    level = next;
  }
  return written;
}
