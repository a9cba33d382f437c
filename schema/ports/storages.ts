/** The repository storages of the configuration. */
export interface RepositoryStorages {
  readonly names: readonly string[];
  /** Chooses one of `names`, which are some of these, for a new repository. */
  choose(names: readonly string[]): string;
}
