import type { GitLanguages } from '../../../schema/ports/git/languages.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { readOutput } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';
import { header, languageOf } from './language-names.ts';

/** Of git's list of files: some two million. */
const maxBytes = 256 * 1024 * 1024;
const maxConcurrent = 2;
const timeLimitMs = 20_000;

/** Counts the bytes of files by language. */
export function languageReader(storages: Storages): GitLanguages {
  const turn = turnsOf('languages', maxConcurrent);
  const counting = sharedWork<ReadonlyMap<string, number>>();

  return {
    languages: async (repository, commit, signal) => {
      if (!isSha(commit)) throw new GitFailure('ls-tree', 'malformed id');
      const folder = repositoryFolder(storages, repository);
      const args = [`--git-dir=${folder}`, 'ls-tree', '-r', '-l', '-z', '--full-tree', commit];
      return counting(`${folder}:${commit}`, signal, async (shared) => {
        const counted = languageTotals();
        await turn(() => readOutput(args, { signal: shared, timeLimitMs, onChunk: counted.read }), {
          project: folder,
        });
        return counted.totals();
      });
    },
  };
}

/** `100644 blob <id> <size>`, with spaces before the size; git shows `BAD` for one that it cannot read. */
const fileEntry = /^100\d{3} blob [0-9a-f]{40} +(\d+|BAD)$/;

/** Reads the list of files in pieces, each entry `<mode> <type> <id> <size>\t<path>\0`. */
function languageTotals() {
  const totals = new Map<string | typeof header, number>();
  let rest = '';
  let bytes = 0;

  const read = (chunk: Buffer): boolean => {
    bytes += chunk.length;
    const entries = (rest + chunk.toString('latin1')).split('\0');
    rest = entries.pop() ?? '';
    for (const entry of entries) {
      const tab = entry.indexOf('\t');
      const language = languageOf(entry.slice(tab + 1));
      if (language === null) continue;
      const size = Number(fileEntry.exec(entry.slice(0, tab))?.[1] ?? 0);
      if (Number.isNaN(size)) throw new GitFailure('ls-tree', `no size of ${entry.slice(0, tab)}`);
      if (size > 0) totals.set(language, (totals.get(language) ?? 0) + size);
    }
    return bytes <= maxBytes;
  };

  return {
    read,
    /** Headers belong to C++ in a repository with C++ and without C. */
    totals: (): ReadonlyMap<string, number> => {
      const headers = totals.get(header) ?? 0;
      const named = new Map(
        [...totals].flatMap(([name, size]) => (name === header ? [] : [[name, size] as const])),
      );
      const owner = totals.has('C++') && !totals.has('C') ? 'C++' : 'C';
      if (headers > 0) named.set(owner, (named.get(owner) ?? 0) + headers);
      return named;
    },
  };
}
