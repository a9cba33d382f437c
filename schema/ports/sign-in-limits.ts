/** Counts failed sign-ins per account and per address, across all processes. */
export interface SignInLimits {
  /**
   * Counts one attempt before it is judged, so that attempts side by side all count. Gives null when
   * it may go on, else the seconds until the next one may.
   */
  attempt(account: string, address: string): Promise<number | null>;
  /** The attempt was right: the account starts anew, and the address gets it back. */
  succeeded(account: string, address: string): Promise<void>;
}
