import type { BlameRange, GitBlame } from '../../../schema/ports/git/blame.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSafePath, isSha } from '../names.ts';
import { comparingEnvironment } from '../process/environment.ts';
import { readBytes } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';

/** Of git's output, which has some 50 bytes for each line besides the file. */
const maxBytes = 4 * 1024 * 1024;
const maxConcurrent = 2;
const timeLimitMs = 30_000;
const idLength = 40;
const newlineByte = 0x0a;
const tabByte = 0x09;

/** Finds the commits that last changed the lines of a file. */
export function blameReader(storages: Storages): GitBlame {
  const turn = turnsOf('blame', maxConcurrent);
  const reading = sharedWork<readonly BlameRange[] | null>();

  return {
    blame: async (repository, { commit, path, first, last }, signal) => {
      if (!isSha(commit) || path === '' || !isSafePath(path)) {
        throw new GitFailure('blame', 'malformed name');
      }
      const folder = repositoryFolder(storages, repository);
      const range = `${first},${last}`;
      const args = [`--git-dir=${folder}`, 'blame', '--porcelain', `-L${range}`];
      return reading(`${folder}:${commit}:${range}:${path}`, signal, async (shared) => {
        const { end, bytes } = await turn(
          () =>
            readBytes([...args, commit, '--', path], {
              environment: comparingEnvironment,
              signal: shared,
              timeLimitMs,
              limit: maxBytes,
            }),
          { project: folder },
        );
        return end === 'whole' ? rangesOf(bytes) : null;
      });
    },
  };
}

/**
 * The ranges of git's porcelain format: for each line of the file a line that starts with the commit's id,
 * lines about the commit, and the content after a tab.
 */
function rangesOf(output: Buffer): BlameRange[] {
  const ranges: { commitId: string; lines: string[] }[] = [];
  let commitId = '';
  for (let start = 0; start < output.length; ) {
    const newline = output.indexOf(newlineByte, start);
    const end = newline < 0 ? output.length : newline;
    if (output[start] === tabByte) {
      const line = output.toString('utf8', start + 1, end);
      const range = ranges.at(-1);
      if (range?.commitId === commitId) range.lines.push(line);
      else ranges.push({ commitId, lines: [line] });
      commitId = '';
    } else if (commitId === '') {
      commitId = output.toString('latin1', start, start + idLength);
    }
    start = end + 1;
  }
  return ranges;
}
