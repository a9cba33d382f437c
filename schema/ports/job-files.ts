import type { Readable } from 'node:stream';
import type { ReceivedFile } from './uploads.ts';

/** Whose files they are; they go when the job's project goes. */
export interface JobPlace {
  readonly id: number;
  readonly projectId: number;
}

/** A kept file or a part of one, opened: somebody has to read or destroy its content. */
export interface OpenedFile {
  /** Bytes. */
  readonly size: number;
  readonly content: Readable;
}

/** What became of a piece of a trace. */
export interface Appended {
  /** Bytes that are kept by now. */
  readonly size: number;
  /** False, and nothing was written: the piece does not begin where the trace ends. */
  readonly isInPlace: boolean;
}

/** What jobs leave behind, on the disk beside the repositories. */
export interface JobFiles {
  /**
   * Appends to a trace what begins at byte `start`. What is told as kept survives a kill; nothing
   * that is kept is written again. Of two at once one is first. Each of `secrets` becomes so many x,
   * also where the piece before has its beginning.
   */
  appendTrace(
    job: JobPlace,
    start: number,
    piece: Uint8Array,
    secrets?: readonly string[],
  ): Promise<Appended>;
  /** Bytes of the trace; 0 when there is none. */
  traceSize(job: JobPlace): Promise<number>;
  /** The trace from byte `start` (0 unless told), or null when there is none. */
  openTrace(job: JobPlace, start?: number): Promise<OpenedFile | null>;
  removeTrace(job: JobPlace): Promise<void>;
  /**
   * Runs `commit`, which makes the record of a received archive and then has it moved to its place: both
   * come to be or neither does, as with uploads, and what was there before is gone or stays. `move` is
   * given the size of the archive that the record named before; null when it named none.
   */
  keepArtifacts<T>(
    job: JobPlace,
    file: ReceivedFile,
    commit: (move: (sizeBefore: number | null) => Promise<void>) => Promise<T>,
  ): Promise<T>;
  /** The archive, or null when there is none. */
  openArtifacts(job: JobPlace): Promise<OpenedFile | null>;
  /**
   * One file inside the archive, unpacked as it is read; null when there is none by that path, or none
   * that can be unpacked. Its content fails when the archive says what is not so, and is never longer
   * than `size`.
   */
  openArtifactsEntry(job: JobPlace, path: string): Promise<OpenedFile | null>;
  removeArtifacts(job: JobPlace): Promise<void>;
  /** Removes everything the jobs of a project have. */
  removeAll(projectId: number): Promise<void>;
}
