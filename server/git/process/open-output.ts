import { once } from 'node:events';
import { pipeline, type Readable, Transform } from 'node:stream';
import { commandOf, type GitChild, type GitChildOptions, startGit } from './child.ts';
import { type PreparedGit, withIntactCaches } from './intact-caches.ts';
import { GitFailure } from './run.ts';

const chunkBytes = 256 * 1024;

type OpenOptions = Pick<GitChildOptions, 'environment' | 'signal' | 'isHeavy'>;

/**
 * Runs git and opens its output once it has bytes: before them a failure can still become an error response.
 * Afterwards the stream breaks off with an error if git fails.
 */
export async function openOutput(
  args: readonly string[],
  options: OpenOptions = {},
): Promise<Readable> {
  const result = await withIntactCaches(
    { args, environment: options.environment },
    (git) => startOutput(git, options),
    (started) => (started instanceof GitFailure ? started.message : null),
  );
  if (result instanceof GitFailure) throw result;
  return result;
}

async function startOutput(
  { args, environment }: PreparedGit,
  { signal, isHeavy }: OpenOptions,
): Promise<Readable | GitFailure> {
  const child = startGit(args, { environment, signal, isHeavy: isHeavy ?? false });
  child.stdin.end();
  const output = wholeOutput(child, commandOf(args));
  return once(output, 'readable').then(
    () => output,
    (error) => {
      signal?.throwIfAborted();
      if (error instanceof GitFailure) return error;
      throw error;
    },
  );
}

/**
 * A child's output, which ends only when git exits successfully. Git writes ten kilobytes at a
 * time: buffer them, or each becomes a chunk of its own in the response.
 */
function wholeOutput(child: GitChild, command: string): Readable {
  let pieces: Buffer[] = [];
  let size = 0;
  const taken = () => {
    const whole = Buffer.concat(pieces, size);
    pieces = [];
    size = 0;
    return whole;
  };
  const output = new Transform({
    readableHighWaterMark: chunkBytes,
    transform: (chunk: Buffer, _encoding, pass) => {
      pieces.push(chunk);
      size += chunk.length;
      if (size < chunkBytes) pass();
      else pass(null, taken());
    },
    flush: (pass) => {
      child.exit.then((code) => {
        if (code === 0) pass(null, taken());
        else pass(new GitFailure(command, child.stderr() || `ended with ${code}`));
      }, pass);
    },
  });
  output.once('close', () => child.stop());
  pipeline(child.stdout, output, () => {});
  return output;
}
