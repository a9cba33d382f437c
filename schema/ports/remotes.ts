/** External repository URLs that this service may import from. */
export interface Remotes {
  /**
   * The fault in a repository URL, without network access, or null. Host names are checked again
   * when they are resolved.
   */
  fault(url: string): string | null;
}
