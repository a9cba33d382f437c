import type { Readable } from 'node:stream';
import type { RepositoryAddress } from './address.ts';

export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip';

export interface ArchiveRequest {
  /** The commit to archive. */
  readonly commit: string;
  /** The only top-level folder: a plain name. */
  readonly folder: string;
  readonly format: ArchiveFormat;
}

/** Archives of all files of a commit. */
export interface GitArchives {
  /** False if this machine lacks the program for the format. */
  canArchive(format: ArchiveFormat): Promise<boolean>;
  /**
   * A stream with constant memory, returned once its first bytes are available. It fails if git
   * fails; destroying it, or aborting `signal`, ends git's process.
   */
  openArchive(
    repository: RepositoryAddress,
    request: ArchiveRequest,
    signal?: AbortSignal | null,
  ): Promise<Readable>;
}
