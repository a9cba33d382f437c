import type { Readable } from 'node:stream';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { ArchiveFormat, ArchiveRequest } from '../../../schema/ports/git/archive.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { gitEnvironment, gitEnvironmentWith } from '../process/environment.ts';
import { openOutput } from '../process/open-output.ts';
import { hasProgram } from '../process/program.ts';
import { GitFailure } from '../process/run.ts';

const compressor = 'bzip2';

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
    return openOutput(args, { environment, signal, isHeavy: true });
  };

  return { canArchive, openArchive };
}

const isPlainName = (name: string) => name !== '' && !name.startsWith('.') && !/[/\0]/.test(name);
