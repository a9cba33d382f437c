import type { RepositoryAddress } from './address.ts';
import type { Writer } from './writing.ts';

/** A file of a wiki. */
export interface WikiFile {
  /** From the root, without a leading slash. */
  readonly path: string;
  /** The blob's id. */
  readonly id: string;
}

/** The files of a wiki as an edit finds them: all edits before it are in it. */
export interface WikiFiles {
  /** What lies at a path; null when nothing does. A link or folder is no file. */
  find(path: string): Promise<(WikiFile & { readonly isFile: boolean }) | null>;
  /** What lies in a folder, '' for the root, under a name with a blank in it. */
  namesWithBlanks(folder: string): Promise<readonly string[]>;
}

/** What an edit makes of a wiki: one commit. Paths were judged by the core. */
export interface WikiEdit {
  /** A file to write, with a content of its own or that of a blob which is there; null for none. */
  readonly write:
    | { readonly path: string; readonly content: Uint8Array }
    | { readonly path: string; readonly id: string }
    | null;
  /** The path of a file to take away; null for none. */
  readonly remove: string | null;
  readonly message: string;
  readonly writer: Writer;
  /**
   * Called when all is written and the commit not yet in the wiki; again with another one if a push
   * was faster. `id` as in `WikiEdited`.
   */
  readonly beforeKnown?: (made: {
    readonly commit: string;
    readonly id: string | null;
  }) => Promise<void>;
}

export type WikiEdited<Edit> =
  /** `id`: the blob of the file that was written. All is safe on disk. */
  | { readonly edit: Edit; readonly id: string | null; readonly commit: string }
  /** Something else is where the file was to be, or on the way to it. */
  | { readonly edit: Edit; readonly fault: 'taken' };

/** A project's wiki: a repository beside its own, whose pages are on the branch `master`. */
export interface GitWikis {
  /** Where the wiki of the project lies whose repository is at `project`. */
  wikiOf(project: RepositoryAddress): RepositoryAddress;
  /** Makes the wiki's repository unless it is there; true when this call made it. */
  makeWiki(wiki: RepositoryAddress): Promise<boolean>;
  /**
   * Every regular file of a wiki whose name ends in one of `endings`; none where the repository is
   * not made yet. Null when there is more than anybody would write. The same list as long as the
   * wiki stays the same.
   */
  wikiFiles(
    wiki: RepositoryAddress,
    endings: readonly string[],
  ): Promise<readonly WikiFile[] | null>;
  /**
   * Makes one commit of what `decide` wants, on top of what is there. Edits of one wiki are made one
   * after the other, and those that wait become known together. `decide` may be asked again when a
   * push was faster; what it throws refuses this edit alone.
   */
  editWiki<Edit extends WikiEdit>(
    wiki: RepositoryAddress,
    decide: (files: WikiFiles) => Promise<Edit>,
  ): Promise<WikiEdited<Edit>>;
}
