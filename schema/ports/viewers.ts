/** The cache of viewers; each process has one, invalidated by database notifications. */
export interface Viewers {
  /** Invalidates a user at once in this process, so that the next request sees the change. */
  forget(userId: number): void;
  /** Invalidates all users, for changes that affect an unknown number of them. */
  forgetAll(): void;
}
