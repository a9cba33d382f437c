/** Slow hashing of passwords, off the main thread and with a bounded queue. */
export interface Passwords {
  /** An argon2id digest of `password`. */
  hash(password: string): Promise<string>;
  /** Whether `password` belongs to `digest`; a null digest costs the same time and is false. */
  verify(digest: string | null, password: string): Promise<boolean>;
}
