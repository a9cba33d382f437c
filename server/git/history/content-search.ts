import pLimit from 'p-limit';
import type { ContentMatch, GitContentSearch } from '../../../schema/ports/git/content-search.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { comparingEnvironment } from '../process/environment.ts';
import { readBytes } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';

const maxBytes = 4 * 1024 * 1024;
const maxMatches = 1_000;
const maxMatchesPerFile = 100;
const linesAround = 2;
const maxConcurrent = 2;
const timeLimitMs = 10_000;
/** Git's exit status if nothing matches. */
const noMatch = 1;

/** Searches the files of commits for texts. */
export function contentSearcher(storages: Storages): GitContentSearch {
  const turn = pLimit(maxConcurrent);
  const searching = sharedWork<readonly ContentMatch[]>();

  return {
    searchContents: async (repository, { commit, text }, signal) => {
      if (!isSha(commit)) throw new GitFailure('grep', 'malformed id');
      const folder = repositoryFolder(storages, repository);
      const args = [
        ...[`--git-dir=${folder}`, 'grep', '--fixed-strings', '--ignore-case', '-I'],
        ...['--line-number', '--null', '--no-color', '--threads=1', `--context=${linesAround}`],
        ...[`--max-count=${maxMatchesPerFile}`, '-e', text, commit, '--'],
      ];
      return searching(`${folder}:${commit}:${text}`, signal, async (shared) => {
        const { end, bytes } = await turn(() =>
          readBytes(args, {
            environment: comparingEnvironment,
            signal: shared,
            timeLimitMs,
            limit: maxBytes,
            alsoSucceedsWith: noMatch,
          }),
        );
        if (end === 'late') throw new GitFailure('grep', 'took too long');
        return matchesIn(bytes.toString(), commit).slice(0, maxMatches);
      });
    },
  };
}

/** `<commit>:<path>\0<number>\0<line>`, without the last line, which a limit may have cut. */
function matchesIn(output: string, commit: string): ContentMatch[] {
  const matches: { path: string; firstLine: number; text: string; lines: number }[] = [];
  let begun = '';
  for (const part of output.split('\n').slice(0, -1)) {
    const line = begun + part;
    const pathEnd = line.indexOf('\0');
    const numberEnd = line.indexOf('\0', pathEnd + 1);
    // `--` between the matches, or the beginning of a path that contains line breaks
    begun = numberEnd < 0 && part !== '--' ? `${line}\n` : '';
    if (numberEnd < 0) continue;
    const path = line.slice(commit.length + 1, pathEnd);
    const number = Number(line.slice(pathEnd + 1, numberEnd));
    const text = `${line.slice(numberEnd + 1)}\n`;
    const last = matches.at(-1);
    if (last?.path === path && number === last.firstLine + last.lines) {
      last.text += text;
      last.lines += 1;
    } else {
      matches.push({ path, firstLine: number, text, lines: 1 });
    }
  }
  return matches.map(({ path, firstLine, text }) => ({ path, firstLine, text }));
}
