/** Secrets at rest: sealed with the instance's key, looked up by a keyed hash. */
export interface Secrets {
  /** The keyed hash under which a token is stored and looked up. */
  digest(token: string): Uint8Array<ArrayBuffer>;
  /** Ciphertext that contains the id of its key. */
  seal(plain: string): string;
  /** The plain text of `sealed`; throws if it was altered or sealed with another key. */
  open(sealed: string): string;
}
