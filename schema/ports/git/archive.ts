import type { Readable } from 'node:stream';
import type { RepositoryAddress } from './address.ts';

export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip';

export interface ArchiveRequest {
  /** The commit whose files it holds. */
  readonly commit: string;
  /** Its only folder at the top: a plain name. */
  readonly folder: string;
  readonly format: ArchiveFormat;
}

/** All files of a commit in one. */
export interface GitArchives {
  /** False: this machine lacks a program that it takes. */
  canArchive(format: ArchiveFormat): Promise<boolean>;
  /**
   * A stream of constant memory, given when its first bytes are there; it fails when git does, and
   * destroying it, or `signal`, ends the work behind it.
   */
  openArchive(
    repository: RepositoryAddress,
    request: ArchiveRequest,
    signal?: AbortSignal | null,
  ): Promise<Readable>;
}
