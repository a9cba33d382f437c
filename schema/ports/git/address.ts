/** The location of a repository: a configured storage and the folder in it. */
export interface RepositoryAddress {
  readonly storage: string;
  readonly diskPath: string;
}

/** A reference change in a push: zeros stand for "did not exist" and "is deleted". */
export interface RefChange {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}
