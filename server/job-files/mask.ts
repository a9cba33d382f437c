/** What is to be written in place of a piece, and how far before its own place that begins. */
export interface Masked {
  readonly bytes: Buffer;
  /** Bytes before the piece that are written once more, as x: a secret began there. */
  readonly before: number;
}

const x = 'x'.charCodeAt(0);

/**
 * A piece with each of `secrets` made x of the same length, also where one began in `tail`, which is
 * what is kept before it.
 */
export function masked(tail: Buffer, piece: Uint8Array, secrets: readonly Buffer[]): Masked {
  const whole = Buffer.concat([tail, piece]);
  let first = tail.length;
  for (const secret of secrets) {
    if (secret.length === 0) continue;
    for (let at = whole.indexOf(secret); at >= 0; at = whole.indexOf(secret, at + secret.length)) {
      whole.fill(x, at, at + secret.length);
      first = Math.min(first, at);
    }
  }
  return { bytes: whole.subarray(first), before: tail.length - first };
}
