import { isSafePath } from '../names.ts';
import { readBytes } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';

const timeLimitMs = 60_000;
/** Of a search in messages, which reads each commit. */
const searchLimitMs = 10_000;
const idBytes = 20;

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

/** A range of ids, 20 bytes each. */
export async function readIds(
  walk: Walk,
  skip: number,
  count: number,
  signal: Signal,
): Promise<Buffer> {
  const text = await revList(walk, [`--skip=${skip}`, `--max-count=${count}`], signal);
  return Buffer.from(text.replaceAll('\n', ''), 'hex');
}

export async function countIds(walk: Walk, signal: Signal): Promise<number> {
  const { path, message, since, until } = walk;
  const isPlain = path === '' && message === '' && since === null && until === null;
  // bitmaps record reachability only
  const options = isPlain ? ['--count', '--use-bitmap-index'] : ['--count'];
  return Number(await revList(walk, options, signal));
}

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

async function revList(
  { folder, tips, path, message, since, until }: Walk,
  options: readonly string[],
  signal: Signal,
): Promise<string> {
  const args = [`--git-dir=${folder}`, '--literal-pathspecs', 'rev-list', ...options];
  if (message !== '') args.push('--fixed-strings', '-i', `--grep=${message}`);
  // a limit before 1970 excludes nothing
  if (since && secondsOf(since) > 0) args.push(`--since=@${secondsOf(since)} +0000`);
  if (until) args.push(`--until=@${secondsOf(until)} +0000`);
  // through stdin: the references of a repository may exceed the argument limit
  args.push('--stdin', '--');
  if (path !== '') args.push(path);
  const input = `${tips().join('\n')}\n`;
  const { end, bytes } = await readBytes(args, {
    signal,
    input,
    timeLimitMs: message === '' ? timeLimitMs : searchLimitMs,
  });
  if (end !== 'whole') throw new GitFailure('rev-list', 'took too long');
  return bytes.toString('latin1');
}

const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1000);
