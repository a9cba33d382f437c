/** Where a repository lies: a configured storage and the folder in it. */
export interface RepositoryAddress {
  readonly storage: string;
  readonly diskPath: string;
}

/** What changed in a push: zeros stand for "did not exist" and "is deleted". */
export interface RefChange {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}
