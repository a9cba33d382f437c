import type { ContentMatch, GitContentSearch } from '../../../schema/ports/git/content-search.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
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
/** Between the matches; a record begins with the id of its commit. */
const separator = '--\n';
/** Git's exit status if nothing matches. */
const noMatch = 1;

/** Searches the files of commits for texts. */
export function contentSearcher(storages: Storages): GitContentSearch {
  const turn = turnsOf('content-search', maxConcurrent);
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
        const { end, bytes } = await turn(
          () =>
            readBytes(args, {
              environment: comparingEnvironment,
              signal: shared,
              timeLimitMs,
              limit: maxBytes,
              alsoSucceedsWith: noMatch,
            }),
          { project: folder },
        );
        if (end === 'late') throw new GitFailure('grep', 'took too long');
        return matchesIn(bytes.toString(), commit).slice(0, maxMatches);
      });
    },
  };
}

/**
 * Reads `<commit>:<path>\0<number>\0<line>` and lines `--` between the matches, by position: a path may
 * consist of line breaks. The last record may be cut by the limit.
 */
function matchesIn(output: string, commit: string): ContentMatch[] {
  const matches: { path: string; firstLine: number; text: string; lines: number }[] = [];
  for (let at = 0; at < output.length; ) {
    if (output.startsWith(separator, at)) {
      at += separator.length;
      continue;
    }
    const pathEnd = output.indexOf('\0', at);
    const numberEnd = pathEnd < 0 ? -1 : output.indexOf('\0', pathEnd + 1);
    const end = numberEnd < 0 ? -1 : output.indexOf('\n', numberEnd + 1);
    if (end < 0) break;
    const path = output.slice(at + commit.length + 1, pathEnd);
    const number = Number(output.slice(pathEnd + 1, numberEnd));
    const text = output.slice(numberEnd + 1, end + 1);
    at = end + 1;
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
