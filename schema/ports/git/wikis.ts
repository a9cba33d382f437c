import type { RepositoryAddress } from './address.ts';
import type { Writer } from './writing.ts';

/** A file of a wiki. */
export interface WikiFile {
  /** From the root, without a leading slash. */
  readonly path: string;
  /** The blob's id. */
  readonly id: string;
}

/** The files of a state of a wiki: during an edit they include all earlier edits. */
export interface WikiFiles {
  /** The entry at a path, or null. A link or folder has `isFile` false. */
  find(path: string): Promise<(WikiFile & { readonly isFile: boolean }) | null>;
  /** The names with a blank in a folder; '' for the root. */
  namesWithBlanks(folder: string): Promise<readonly string[]>;
}

/** The changes of an edit: one commit. Paths were checked by the core. */
export interface WikiEdit {
  /** A file to write, with new content or that of an existing blob; null for none. */
  readonly write:
    | { readonly path: string; readonly content: Uint8Array }
    | { readonly path: string; readonly id: string }
    | null;
  /** The path of a file to delete; null for none. */
  readonly remove: string | null;
  readonly message: string;
  readonly writer: Writer;
  /**
   * Called when all objects are written and the commit is not yet in the wiki; called again with a
   * new commit if a push was faster. `id` as in `WikiEdited`.
   */
  readonly beforeKnown?: (written: {
    readonly commit: string;
    readonly id: string | null;
  }) => Promise<void>;
}

export type WikiEdited<Edit> =
  /** `id`: the blob of the written file. Everything is safe on disk. */
  | { readonly edit: Edit; readonly id: string | null; readonly commit: string }
  /** Another entry exists at the file's path or at one of its parents. */
  | { readonly edit: Edit; readonly fault: 'taken' };

/**
 * A project's wiki: a repository beside the project's own, with its pages on the branch `master`.
 */
export interface GitWikis {
  /** The address of the wiki of the project whose repository is at `project`. */
  wikiOf(project: RepositoryAddress): RepositoryAddress;
  /** Creates the wiki's repository unless it exists; true if this call created it. */
  makeWiki(wiki: RepositoryAddress): Promise<boolean>;
  /** The newest commit of a wiki's pages, or null. */
  wikiCommit(wiki: RepositoryAddress): Promise<string | null>;
  /**
   * All regular files of a wiki whose names end in one of `endings`; empty if the repository does
   * not exist yet. Null if there are unreasonably many. Returns the same list while the wiki does
   * not change.
   */
  wikiFiles(
    wiki: RepositoryAddress,
    endings: readonly string[],
  ): Promise<readonly WikiFile[] | null>;
  /** The files of a wiki as of one of its commits, a full id; read on demand. */
  wikiFilesAt(wiki: RepositoryAddress, commit: string): Promise<WikiFiles>;
  /**
   * Makes one commit of the changes that `decide` returns, on top of the current state. Edits of
   * one wiki run one after another, and waiting edits become visible together. `decide` may be
   * called again if a push was faster; if it throws, only this edit is rejected.
   */
  editWiki<Edit extends WikiEdit>(
    wiki: RepositoryAddress,
    decide: (files: WikiFiles) => Promise<Edit>,
  ): Promise<WikiEdited<Edit>>;
}
