/** Secrets at rest: sealed with the instance's key, found by a keyed hash. */
export interface Secrets {
  /** The keyed hash under which a token is stored and found. */
  digest(token: string): Uint8Array<ArrayBuffer>;
  /** Ciphertext that carries the id of the key it was made with. */
  seal(plain: string): string;
  /** The text behind `sealed`; throws when it was altered or sealed with another key. */
  open(sealed: string): string;
}
