/** The targets of relative links in a text; plain data, for a worker thread. */
export interface Linking {
  /** The folder of the text, '' for the root. */
  readonly folder: string;
  /** The base address of links. */
  readonly link: string;
  /** The base address of images. */
  readonly picture: string;
  /** The base address of uploads; null: they are ordinary paths. */
  readonly uploads: string | null;
  /** Links point to wiki pages, whose names have no extension. */
  readonly isWiki: boolean;
  /** The address of the project of `#1`, `!1` and commits; null: they are no links. */
  readonly project: string | null;
  /** The address below which users have their pages. */
  readonly users: string;
}
