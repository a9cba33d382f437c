import { isUtf8 } from 'node:buffer';
import type { Diffs, FileDiff } from '../../../schema/ports/git/diff.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { comparingEnvironment } from '../process/environment.ts';
import { readOutput } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { diffParser, type RawEntry } from './diff-parser.ts';

export interface DiffLimits {
  readonly files: number;
  /** Maximum bytes of one file's diff; a longer one is omitted. */
  readonly text: number;
  /** Maximum bytes of all diffs together; further ones are omitted. */
  readonly allTexts: number;
  readonly timeMs: number;
}

const usual: DiffLimits = {
  files: 3_000,
  text: 512 * 1024,
  allTexts: 16 * 1024 * 1024,
  timeMs: 10_000,
};

/** Each may hold diffs up to the size limit in memory. */
const maxConcurrent = 8;
const absentMode = '000000';

const options = [
  ...['-z', '--raw', '-p', '-M', '--no-abbrev', '--no-color'],
  ...['--no-ext-diff', '--no-textconv', '--diff-algorithm=myers', '--submodule=short'],
  ...['--src-prefix=a/', '--dst-prefix=b/'],
];

/** The git command: its options, then the revisions. */
interface DiffRequest {
  readonly folder: string;
  readonly command: readonly string[];
  readonly revisions: readonly string[];
}

export type DiffOutput = (request: DiffRequest, signal?: AbortSignal | null) => Promise<Diffs>;

/** Runs diffs, each in a git process of its own, and parses the output as a stream. */
export function diffOutput(limits: DiffLimits = usual): DiffOutput {
  const turn = turnsOf('diff', maxConcurrent);

  const read = async (
    { folder, command, revisions }: DiffRequest,
    signal: AbortSignal | null | undefined,
  ): Promise<Diffs> => {
    const files: FileDiff[] = [];
    /** All changed files; a file whose type changes is listed twice. */
    const expected: Omit<FileDiff, 'diff'>[] = [];
    let left = limits.allTexts;
    let isCut = false;
    const parts = diffParser(limits.text, {
      cut: () => {
        isCut = true;
      },
      entry: (entry) => {
        if (expected.length < limits.files) expected.push(...filesOf(entry));
        else isCut = true;
      },
      section: (section) => {
        const file = expected[files.length];
        if (!file) return false;
        const text = section ? textOf(section) : '';
        left -= text.length;
        isCut ||= left < 0;
        files.push({ ...file, diff: left < 0 ? '' : text });
        return left >= 0 && files.length < expected.length;
      },
    });
    const args = [`--git-dir=${folder}`, ...command, ...options, ...revisions, '--'];
    const end = await readOutput(args, {
      environment: comparingEnvironment,
      signal,
      timeLimitMs: limits.timeMs,
      onChunk: parts.read,
    });
    if (end === 'whole') parts.end();
    const isWhole = files.length === expected.length;
    if (end === 'whole' && !isWhole) throw new GitFailure('diff', 'a file has no text');
    for (const file of expected.slice(files.length)) files.push({ ...file, diff: '' });
    return { files, isTimedOut: isCut || !isWhole || end === 'late' };
  };

  return (request, signal) =>
    turn(() => read(request, signal), { project: request.folder, signal });
}

/** A file that becomes a link or submodule is a deletion and an addition. */
function filesOf({ aMode, bMode, aId, bId, status, ...entry }: RawEntry): Omit<FileDiff, 'diff'>[] {
  const { oldPath, newPath, similarity } = entry;
  const file = (a: string, b: string) => ({
    oldPath,
    newPath,
    similarity,
    oldBlob: a === absentMode ? null : aId,
    newBlob: b === absentMode ? null : bId,
    aMode: a === absentMode ? '0' : a,
    bMode: b === absentMode ? '0' : b,
    isNew: a === absentMode,
    isRenamed: status === 'R',
    isDeleted: b === absentMode,
  });
  return status === 'T' ? [file(aMode, absentMode), file(absentMode, bMode)] : [file(aMode, bMode)];
}

/** The diff without git's header lines; names with line breaks are quoted in those. */
function textOf(section: Buffer): string {
  const starts = ['\n--- ', '\nBinary files '].map((mark) => section.indexOf(mark));
  const start = Math.min(...starts.filter((at) => at >= 0));
  if (!Number.isFinite(start)) return '';
  const text = section.subarray(start + 1);
  return text.toString(isUtf8(text) ? 'utf8' : 'latin1');
}
