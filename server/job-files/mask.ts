/** A masked piece, and how far before its own offset it begins. */
interface Masked {
  readonly bytes: Buffer;
  /** Bytes before the piece to overwrite with x, because a secret began there. */
  readonly before: number;
}

const x = 'x'.charCodeAt(0);

/**
 * Replaces each of `secrets` in a piece by as many x, also one that began in `tail`, the bytes
 * stored before it.
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
