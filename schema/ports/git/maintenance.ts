import type { RepositoryAddress } from './address.ts';

/** Keeps a repository small and quick; a wiki that is not made yet needs nothing. */
export interface GitMaintenance {
  /** Whether it has grown so many loose objects or packs that it is worth the work. */
  needsMaintenance(repository: RepositoryAddress): Promise<boolean>;
  /** Packs objects and references anew; what nothing names goes after two weeks. Throws while another does it. */
  maintain(repository: RepositoryAddress): Promise<void>;
}
