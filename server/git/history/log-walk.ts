import { isSafePath } from '../names.ts';
import { readOutput } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';

const timeLimitMs = 60_000;
const idBytes = 20;

/** A walk through history, before it is said which part of it is wanted. */
export interface Walk {
  readonly folder: string;
  /** Ids of commits and tags to begin at, made when git is asked. */
  readonly tips: () => readonly string[];
  readonly path: string;
  readonly since: Date | null;
  readonly until: Date | null;
}

type Signal = AbortSignal | null | undefined;

/** Whether anything can be found at all, by the question alone. */
export const isPossible = ({ path, until }: Walk): boolean =>
  isSafePath(path) && (until === null || secondsOf(until) >= 0);

/** Some ids, each as 20 bytes. */
export async function walkedIds(
  walk: Walk,
  skip: number,
  count: number,
  signal: Signal,
): Promise<Buffer> {
  const text = await revList(walk, [`--skip=${skip}`, `--max-count=${count}`], signal);
  return Buffer.from(text.replaceAll('\n', ''), 'hex');
}

/** How many there are in all. */
export async function walkedCount(walk: Walk, signal: Signal): Promise<number> {
  const isPlain = walk.path === '' && walk.since === null && walk.until === null;
  // bitmaps know what is reachable, not what was changed or when
  const options = isPlain ? ['--count', '--use-bitmap-index'] : ['--count'];
  return Number(await revList(walk, options, signal));
}

/** The texts of ids that lie in a buffer one after the other. */
export const idsIn = (ids: Buffer, from: number, count: number): string[] => {
  const found: string[] = [];
  const end = Math.min((from + count) * idBytes, ids.length);
  for (let at = from * idBytes; at < end; at += idBytes) {
    found.push(ids.toString('hex', at, at + idBytes));
  }
  return found;
};

export const idCount = (ids: Buffer): number => ids.length / idBytes;

async function revList(
  { folder, tips, path, since, until }: Walk,
  options: readonly string[],
  signal: Signal,
): Promise<string> {
  const args = [`--git-dir=${folder}`, '--literal-pathspecs', 'rev-list', ...options];
  // before 1970 there is no history to leave out
  if (since && secondsOf(since) > 0) args.push(`--since=@${secondsOf(since)} +0000`);
  if (until) args.push(`--until=@${secondsOf(until)} +0000`);
  // over the standard input: all references of a repository are too long for arguments
  args.push('--stdin', '--');
  if (path !== '') args.push(path);
  const chunks: Buffer[] = [];
  const end = await readOutput(args, {
    signal,
    input: `${tips().join('\n')}\n`,
    timeLimitMs,
    onChunk: (chunk) => chunks.push(chunk) > 0,
  });
  if (end !== 'whole') throw new GitFailure('rev-list', 'took too long');
  return Buffer.concat(chunks).toString('latin1');
}

const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1000);
