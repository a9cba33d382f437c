/** Places outside that this service may be sent to: what repositories are imported from. */
export interface Remotes {
  /**
   * What is wrong with the address of a repository, without asking the network; null when nothing
   * is. Names are looked at again when they are resolved.
   */
  fault(url: string): string | null;
}
