import { isSafePath } from '../names.ts';
import { gitEnvironment } from '../process/environment.ts';
import { readBytes, readOutput } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';

const timeLimitMs = 60_000;
/** Of a search in messages, which reads each commit. */
const searchLimitMs = 10_000;
const idBytes = 20;
/** Git writes ids in blocks, not each with a system call of its own. */
const environment = { ...gitEnvironment, GIT_FLUSH: '0' };

/** A history walk, without a range. */
export interface Walk {
  readonly folder: string;
  /** Ids of the commits and tags to start from, built when git is called. */
  readonly tips: () => readonly string[];
  readonly path: string;
  readonly message: string;
  readonly since: Date | null;
  readonly until: Date | null;
}

type Signal = AbortSignal | null | undefined;

/** False when the parameters cannot match any commit. */
export const canMatch = ({ path, until }: Walk): boolean =>
  isSafePath(path) && (until === null || secondsOf(until) >= 0);

/** Whether git compares each commit with the parameters, so that a walk costs the same for ids as for their number. */
export const isFiltered = ({ path, message, since, until }: Walk): boolean =>
  path !== '' || message !== '' || since !== null || until !== null;

/** A range of ids, 20 bytes each. */
export async function readIds(
  walk: Walk,
  skip: number,
  count: number,
  signal: Signal,
): Promise<Buffer> {
  return parseIds(await revList(walk, [`--skip=${skip}`, `--max-count=${count}`], signal));
}

/** The number of ids of a walk without a filter: bitmaps record reachability only. */
export const countIds = async (walk: Walk, signal: Signal): Promise<number> =>
  Number(await revList(walk, ['--count', '--use-bitmap-index'], signal));

/** Passes on the lines of all ids, in pieces of any length. */
export async function streamIds(
  walk: Walk,
  onBytes: (bytes: Buffer) => void,
  signal: Signal,
): Promise<void> {
  const end = await readOutput(argumentsOf(walk, []), {
    ...optionsOf(walk, signal),
    onChunk: (bytes) => {
      onBytes(bytes);
      return true;
    },
  });
  if (end !== 'whole') throw new GitFailure('rev-list', 'took too long');
}

/** Ids from lines of hexadecimal ids. */
export const parseIds = (lines: string): Buffer => Buffer.from(lines.replaceAll('\n', ''), 'hex');

/** Hex ids from a buffer of 20-byte ids. */
export const idsIn = (ids: Buffer, from: number, count: number): string[] => {
  const hexIds: string[] = [];
  const end = Math.min((from + count) * idBytes, ids.length);
  for (let at = from * idBytes; at < end; at += idBytes) {
    hexIds.push(ids.toString('hex', at, at + idBytes));
  }
  return hexIds;
};

export const idCount = (ids: Buffer): number => ids.length / idBytes;

async function revList(walk: Walk, options: readonly string[], signal: Signal): Promise<string> {
  const { end, bytes } = await readBytes(argumentsOf(walk, options), optionsOf(walk, signal));
  if (end !== 'whole') throw new GitFailure('rev-list', 'took too long');
  return bytes.toString('latin1');
}

const optionsOf = ({ tips, message }: Walk, signal: Signal) => ({
  environment,
  signal,
  // through stdin: the references of a repository may exceed the argument limit
  input: `${tips().join('\n')}\n`,
  timeLimitMs: message === '' ? timeLimitMs : searchLimitMs,
});

function argumentsOf(
  { folder, path, message, since, until }: Walk,
  options: readonly string[],
): readonly string[] {
  const args = [`--git-dir=${folder}`, '--literal-pathspecs', 'rev-list', ...options];
  if (message !== '') args.push('--fixed-strings', '-i', `--grep=${message}`);
  // a limit before 1970 excludes nothing
  if (since && secondsOf(since) > 0) args.push(`--since=@${secondsOf(since)} +0000`);
  if (until) args.push(`--until=@${secondsOf(until)} +0000`);
  args.push('--stdin', '--');
  if (path !== '') args.push(path);
  return args;
}

const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1000);
