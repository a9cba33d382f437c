import type { Readable } from 'node:stream';
import type { ReceivedFile } from './uploads.ts';

/** The owner of the files; they are deleted with the job's project. */
export interface JobPlace {
  readonly id: number;
  readonly projectId: number;
}

/** A stored file or a part of it, opened: the caller must read or destroy its content. */
export interface OpenedFile {
  /** Bytes. */
  readonly size: number;
  readonly content: Readable;
}

/** The result of appending to a trace. */
export interface AppendResult {
  /** Bytes stored so far. */
  readonly size: number;
  /** False if nothing was written, because the piece does not start where the trace ends. */
  readonly isInPlace: boolean;
}

/** How the record of an archive is written and read. */
export interface ArchiveRecord<T = unknown> {
  /**
   * Writes the record in a transaction that has locked the job's row, and then calls `move`: the former
   * archive is replaced or stays. `move` receives the size of the archive that the record named before,
   * or null.
   */
  commit(move: (sizeBefore: number | null) => Promise<void>): Promise<T>;
  /** Runs `work` with the recorded size, or null, while the job's row is locked. */
  whileRecorded(work: (size: number | null) => Promise<void>): Promise<void>;
}

/** The traces and artifacts of jobs, in the data folder or an object store. */
export interface JobFiles {
  /**
   * Appends a piece that starts at byte `start` to a trace. Stored bytes survive a crash and are
   * never written again. Concurrent calls run one after another. Each of `secrets` is replaced by x
   * characters, even across the boundary to the previous piece.
   */
  appendTrace(
    job: JobPlace,
    start: number,
    piece: Uint8Array,
    secrets?: readonly string[],
  ): Promise<AppendResult>;
  /** Bytes of the trace; 0 without one. `isGrowing`: the job runs, so that the trace is not archived. */
  traceSize(job: JobPlace, isGrowing?: boolean): Promise<number>;
  /** The trace from byte `start` (default 0), or null. */
  openTrace(job: JobPlace, start?: number): Promise<OpenedFile | null>;
  /**
   * The last `most` bytes of a trace, and whether it has more. Callers take turns; throws `unavailable` if one
   * takes too long.
   */
  traceTail(
    job: JobPlace,
    most: number,
  ): Promise<{ readonly bytes: Buffer; readonly isPartial: boolean }>;
  removeTrace(job: JobPlace): Promise<void>;
  /**
   * Lets a trace grow again that was archived after its job had finished. The caller keeps the job's row
   * locked until it has appended.
   */
  reopenTrace(job: JobPlace): Promise<void>;
  /** Runs work that reopens the trace of a job, a few at a time. */
  reopenInTurn<T>(job: JobPlace, work: () => Promise<T>): Promise<T>;
  /** Stores a received archive together with its record: both happen or neither does, as with uploads. */
  keepArtifacts<T>(job: JobPlace, file: ReceivedFile, record: ArchiveRecord<T>): Promise<T>;
  /**
   * A URL from which anyone can download the archive for some minutes, as a file of this name; null if it
   * is in no store that has URLs.
   */
  artifactsUrl(job: JobPlace, fileName: string): Promise<string | null>;
  /** The archive, or null. */
  openArtifacts(job: JobPlace): Promise<OpenedFile | null>;
  /**
   * One file inside the archive, unpacked while it is read; null if the path does not exist or
   * cannot be unpacked. Its content fails if the archive's metadata is wrong, and is never longer
   * than `size`.
   */
  openArtifactsEntry(job: JobPlace, path: string): Promise<OpenedFile | null>;
  removeArtifacts(job: JobPlace): Promise<void>;
  /** Removes all files of a project's jobs. */
  removeAll(projectId: number): Promise<void>;
}
