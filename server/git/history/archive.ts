import { once } from 'node:events';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { ArchiveFormat, ArchiveRequest } from '../../../schema/ports/git/archive.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { type GitChild, startGit } from '../process/child.ts';
import { gitEnvironment, gitEnvironmentWith } from '../process/environment.ts';
import { type PreparedGit, withIntactCaches } from '../process/intact-caches.ts';
import { hasProgram } from '../process/program.ts';
import { GitFailure } from '../process/run.ts';

const compressor = 'bzip2';
const chunkBytes = 256 * 1024;

/** Git itself writes the other formats. Git runs a command name without blanks without a shell. */
const environment = gitEnvironmentWith({ 'tar.tar.bz2.command': compressor });

export function archiver(storages: Storages) {
  let hasCompressor: Promise<boolean> | null = null;

  const canArchive = async (format: ArchiveFormat) => {
    if (format !== 'tar.bz2') return true;
    hasCompressor ??= hasProgram(compressor, gitEnvironment.PATH ?? '');
    return hasCompressor;
  };

  const openArchive = async (
    repository: RepositoryAddress,
    { commit, folder, format }: ArchiveRequest,
    signal?: AbortSignal | null,
  ): Promise<Readable> => {
    if (!isSha(commit) || !isPlainName(folder)) throw new GitFailure('archive', 'malformed name');
    signal?.throwIfAborted();
    const gitDir = `--git-dir=${repositoryFolder(storages, repository)}`;
    const args = [gitDir, 'archive', `--format=${format}`, `--prefix=${folder}/`, commit];
    const result = await withIntactCaches(
      { args, environment },
      (git) => startArchive(git, signal),
      (started) => (started instanceof GitFailure ? started.message : null),
    );
    if (result instanceof GitFailure) throw result;
    return result;
  };

  return { canArchive, openArchive };
}

/** The archive once it has bytes; before them a failure can still become an error response. */
async function startArchive(
  { args, environment }: PreparedGit,
  signal: AbortSignal | null | undefined,
): Promise<Readable | GitFailure> {
  const child = startGit(args, { environment, signal, isHeavy: true });
  child.stdin.end();
  const archive = wholeOutput(child);
  return once(archive, 'readable').then(
    () => archive,
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
function wholeOutput(child: GitChild): Readable {
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
        else pass(new GitFailure('archive', child.stderr()));
      }, pass);
    },
  });
  output.once('close', () => child.stop());
  pipeline(child.stdout, output, () => {});
  return output;
}

const isPlainName = (name: string) => name !== '' && !name.startsWith('.') && !/[/\0]/.test(name);
