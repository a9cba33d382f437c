/** Slow password hashing, off the main thread and with a bounded queue. */
export interface Passwords {
  /** An argon2id digest of `password`. */
  hash(password: string): Promise<string>;
  /** Whether `password` matches `digest`; for a null digest returns false after the same time. */
  verify(digest: string | null, password: string): Promise<boolean>;
}
