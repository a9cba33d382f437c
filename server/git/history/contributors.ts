import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { Contributor } from '../../../schema/ports/git/contributors.ts';
import type { GitHistory } from '../../../schema/ports/git/history.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { comparingEnvironment } from '../process/environment.ts';
import { readOutput } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';
import { type AuthorTotals, contributorTotals } from './contributor-totals.ts';

const maxCommits = 2_000;
const maxCachedBytes = 16 * 1024 * 1024;
const bytesPerContributor = 160;
const maxConcurrent = 4;
/** Commits that are read at once: each may have a message of megabytes. */
const mostRead = 32;
const usual = { lines: 20_000, commits: 10_000 };

type Signal = AbortSignal | null | undefined;

/**
 * Counts commits and changed lines per author, whose names `commits` reads. The cache is keyed by
 * commit, so entries never become stale.
 */
export function contributorReader(
  storages: Storages,
  commits: GitHistory['commits'],
  timesMs = usual,
) {
  const cache = new LRUCache<string, readonly Contributor[]>({
    maxSize: maxCachedBytes,
    sizeCalculation: (list) =>
      list.reduce((sum, { name, email }) => sum + 2 * (name.length + email.length), 64) +
      list.length * bytesPerContributor,
  });
  const counting = sharedWork<readonly Contributor[]>();
  const turn = turnsOf('contributors', maxConcurrent);

  const count = async (
    folder: string,
    commit: string,
    options: readonly string[],
    timeLimitMs: number,
    signal: Signal,
  ) => {
    const counted = contributorTotals();
    const args = [
      ...[`--git-dir=${folder}`, 'log', '--no-merges', '--no-mailmap', '-z'],
      ...[`--max-count=${maxCommits}`, `--format=${contributorTotals.format}`],
      ...['--no-color', '--no-ext-diff', '--no-textconv', '--no-show-signature', '--no-notes'],
    ];
    const end = await turn(
      () =>
        readOutput([...args, ...options, commit, '--'], {
          environment: comparingEnvironment,
          signal,
          timeLimitMs,
          onChunk: counted.read,
        }),
      { project: folder },
    );
    return { end, counted };
  };

  const countAll = async (folder: string, commit: string, signal: Signal) => {
    const { end, counted } = await count(
      folder,
      commit,
      ['--numstat', '-M'],
      timesMs.lines,
      signal,
    );
    if (end === 'whole') return counted.authors();
    // counting commits is fast; on a timeout the line counts are those so far
    const plain = await count(folder, commit, ['--no-patch'], timesMs.commits, signal);
    const lines = new Map(counted.authors().map((author) => [author.key, author]));
    return plain.counted.authors().map((author) => {
      const { additions = 0, deletions = 0 } = lines.get(author.key) ?? {};
      return { ...author, additions, deletions };
    });
  };

  /** The authors by the names and addresses in their commits. */
  const named = async (repository: RepositoryAddress, authors: readonly AuthorTotals[]) => {
    const ids = authors.map(({ commitId }) => commitId);
    const people = new Map<string, Contributor>();
    const read: { readonly name: string; readonly email: string }[] = [];
    for (let from = 0; from < ids.length; from += mostRead) {
      const batch = await turn(() => commits(repository, ids.slice(from, from + mostRead)));
      read.push(...batch.map(({ author }) => author));
    }
    for (const [index, { name, email }] of read.entries()) {
      const totals = authors[index] ?? { commits: 0, additions: 0, deletions: 0 };
      const person = people.get(email) ?? { name, commits: 0, additions: 0, deletions: 0 };
      people.set(email, {
        name: person.name,
        email,
        commits: person.commits + totals.commits,
        additions: person.additions + totals.additions,
        deletions: person.deletions + totals.deletions,
      });
    }
    return [...people.values()];
  };

  const contributors = async (
    repository: RepositoryAddress,
    commit: string,
    signal?: Signal,
  ): Promise<readonly Contributor[]> => {
    if (!isSha(commit)) throw new GitFailure('log', 'malformed id');
    const key = `${repository.storage}:${repository.diskPath}:${commit}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const folder = repositoryFolder(storages, repository);
    return counting(key, signal, async (all) => {
      const contributors = await named(repository, await countAll(folder, commit, all));
      cache.set(key, contributors);
      return contributors;
    });
  };

  return { contributors };
}
