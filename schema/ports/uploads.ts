import type { Readable } from 'node:stream';

/** A file that came with a request; it lies in a temporary place until the request is answered. */
export interface ReceivedFile {
  /** As the client called it: any text, no path. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Where it lies meanwhile. */
  readonly path: string;
}

/** Whose files they are; they go when the owner goes. */
export interface UploadOwner {
  readonly kind: 'user' | 'group' | 'project';
  readonly id: number;
}

/** A kept file, opened: somebody has to read or destroy its content. */
export interface KeptFile {
  /** Bytes. */
  readonly size: number;
  /** What the content says it is, e.g. `image/png`; null when it is nothing known. */
  readonly mediaType: string | null;
  readonly content: Readable;
}

/** What people upload, on the disk beside the repositories; `key` is a name of our own making. */
export interface UploadStore {
  /**
   * Moves a received file to its place and runs `commit`, which makes its record. Both come to be or
   * neither does: a throw removes the file. A kill between, or a connection lost during `commit`, leaves
   * a mark that is settled later by asking whether the record exists. The file survives a kill once `commit` runs.
   */
  keep<T>(
    owner: UploadOwner,
    key: string,
    file: ReceivedFile,
    commit: () => Promise<T>,
  ): Promise<T>;
  /**
   * Copies a kept file to another owner and runs `commit`, with the same promises as `keep`. Null,
   * and nothing done, when there is no such file.
   */
  copy<T>(
    from: { readonly owner: UploadOwner; readonly key: string },
    to: { readonly owner: UploadOwner; readonly key: string },
    commit: () => Promise<T>,
  ): Promise<T | null>;
  /** The file, or null when there is none. */
  open(owner: UploadOwner, key: string): Promise<KeptFile | null>;
  /** Removes one file; nothing there is no error. */
  remove(owner: UploadOwner, key: string): Promise<void>;
  /** Has a file removed later unless a record names it: whether it is still needed is not known now. */
  doubt(owner: UploadOwner, key: string): Promise<void>;
  /** Removes everything an owner has. */
  removeAll(owner: UploadOwner): Promise<void>;
  /** What the content says it is, e.g. `image/png`; null when it is nothing known. */
  mediaType(file: ReceivedFile): Promise<string | null>;
}
