export interface StorageSpace {
  readonly name: string;
  /** Bytes; null if they are not known. */
  readonly free: number | null;
  readonly total: number | null;
}

/** The repository storages of the configuration. */
export interface RepositoryStorages {
  readonly names: readonly string[];
  /** Chooses one of `names`, which are some of these, for a new repository. */
  choose(names: readonly string[]): string;
  /** The space of each storage now; of one whose file system does not answer in time null. */
  space(): Promise<readonly StorageSpace[]>;
}
