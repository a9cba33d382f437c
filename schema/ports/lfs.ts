import type { Readable } from 'node:stream';
import type { ReceivedFile } from './uploads.ts';

/** Identifies the content of a Git LFS object. */
export interface LfsContent {
  /** The SHA-256 of the content: 64 lower-case hex digits. */
  readonly oid: string;
  /** Bytes. */
  readonly size: number;
}

/** A stored object, opened: the caller must read or destroy its content. */
export interface OpenedLfsObject {
  /** Bytes of the whole object. */
  readonly size: number;
  /** The bytes from `start` up to but without `end`; its end closes the object. */
  content(start: number, end: number): Readable;
  close(): Promise<void>;
}

/** The contents of Git LFS objects, in the data folder or an object store. */
export interface LfsStore {
  /**
   * Runs `commit`, which records a received file as the object `oid` and calls `place` with the object
   * locked: both happen or neither does. A crash in between, or a connection lost during `commit`, leaves a
   * mark that is settled later by checking whether the record exists.
   */
  keep<T>(
    input: { readonly projectId: number; readonly oid: string; readonly file: ReceivedFile },
    commit: (place: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
  /** The object, or null. */
  open(oid: string): Promise<OpenedLfsObject | null>;
  /** A URL from which anyone can download the object for some minutes; null if its store has none. */
  downloadUrl(oid: string): Promise<string | null>;
  /** Removes an object, which the caller has locked; a missing one is no error. */
  remove(oid: string): Promise<void>;
}
