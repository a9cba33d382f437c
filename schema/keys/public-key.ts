import { createHash, createPublicKey } from 'node:crypto';
import { trimEnd } from '../kernel/trim.ts';

export type KeyType = 'rsa' | 'dsa' | 'ecdsa' | 'ed25519';

/** A parsed OpenSSH public key. */
export interface PublicKey {
  /** As it is stored and shown: algorithm, Base64 and comment. */
  readonly text: string;
  readonly type: KeyType;
  readonly bits: number;
  /** The binary key, from which fingerprints are computed. */
  readonly blob: Buffer;
}

/** Characters; the longest RSA keys in use have a fifth of this. */
const longestKey = 16_384;
/** OpenSSH's own minimum. */
const leastBits = 1024;
const mostBits = 16_384;

const lineShape =
  /^(?<algorithm>[a-z0-9-]{1,40})[ \t]+(?<base64>[A-Za-z0-9+/]+={0,2})(?:[ \t]+(?<comment>[^\p{Cc} ][^\p{Cc}]*)?)?$/u;

const curves: Readonly<Record<string, { readonly name: string; readonly bits: number }>> = {
  nistp256: { name: 'P-256', bits: 256 },
  nistp384: { name: 'P-384', bits: 384 },
  nistp521: { name: 'P-521', bits: 521 },
};

interface Strength {
  readonly type: KeyType;
  readonly bits: number;
}

/**
 * Parses a public key of one line in OpenSSH format, or returns null. The package for this has nine
 * dependencies, while the format is a few byte strings (RFC 4253, 5656, 8709) whose numbers Node
 * checks. Rejects private keys, options before the key, several lines and unsafe lengths.
 */
export function readPublicKey(text: string): PublicKey | null {
  const line = text.length <= longestKey ? text.trim() : '';
  const { algorithm = '', base64 = '', comment = '' } = lineShape.exec(line)?.groups ?? {};
  const blob = Buffer.from(base64, 'base64');
  const parts = partsOf(blob);
  // a truncated key or trailing bytes make another key, or none
  if (!parts || blob.toString('base64') !== padded(base64)) return null;
  const [named, ...fields] = parts;
  if (named?.toString('latin1') !== algorithm) return null;
  const strength = strengthOf(algorithm, fields);
  const words = [algorithm, blob.toString('base64'), comment.trim()].filter((word) => word !== '');
  return strength && { ...strength, text: words.join(' '), blob };
}

const padded = (base64: string) => {
  const bare = trimEnd(base64, /=/);
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
};

/** Parses length-prefixed strings; null if the data is truncated or has trailing bytes. */
function partsOf(blob: Buffer): readonly Buffer[] | null {
  const parts: Buffer[] = [];
  for (let at = 0; at < blob.length; ) {
    if (at + 4 > blob.length) return null;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return null;
    parts.push(blob.subarray(at + 4, end));
    at = end;
  }
  return parts;
}

function strengthOf(algorithm: string, fields: readonly Buffer[]): Strength | null {
  if (algorithm === 'ssh-rsa') return rsa(fields);
  if (algorithm === 'ssh-dss') return dsa(fields);
  if (algorithm === 'ssh-ed25519') return ed25519(fields);
  return algorithm.startsWith('ecdsa-sha2-') ? ecdsa(algorithm.slice(11), fields) : null;
}

/**
 * A positive integer in its shortest encoding: another encoding of the same key would be another
 * key.
 */
function positive(field: Buffer | undefined): Buffer | null {
  if (!field || field.length === 0 || field.readInt8(0) < 0) return null;
  if (field[0] !== 0) return field;
  return field.length > 1 && (field[1] ?? 0) >= 0x80 ? field.subarray(1) : null;
}

const bitsOf = (number: Buffer) => number.length * 8 - Math.clz32(number[0] ?? 0) + 24;

const isOdd = (number: Buffer) => ((number.at(-1) ?? 0) & 1) === 1;

const isSafe = (bits: number) => bits >= leastBits && bits <= mostBits;

function rsa(fields: readonly Buffer[]): Strength | null {
  const [exponent, modulus] = fields.map(positive);
  if (fields.length !== 2 || !exponent || !modulus) return null;
  const bits = bitsOf(modulus);
  const isKey = isSafe(bits) && isOdd(modulus) && isOdd(exponent) && bitsOf(exponent) > 1;
  return isKey && isUsable({ kty: 'RSA', n: url(modulus), e: url(exponent) })
    ? { type: 'rsa', bits }
    : null;
}

/** Node imports DSA keys only as DER, so the numbers are checked here. */
function dsa(fields: readonly Buffer[]): Strength | null {
  const [prime, order, generator, value] = fields.map(positive);
  if (fields.length !== 4 || !prime || !order || !generator || !value) return null;
  const bits = bitsOf(prime);
  const isBelow = (number: Buffer) =>
    bitsOf(number) > 1 && Buffer.compare(leftPadded(number, prime), prime) < 0;
  const isKey =
    isSafe(bits) && isOdd(prime) && isOdd(order) && bitsOf(order) >= 160 && bitsOf(order) <= 256;
  return isKey && isBelow(generator) && isBelow(value) ? { type: 'dsa', bits } : null;
}

const leftPadded = (number: Buffer, like: Buffer) =>
  Buffer.concat([Buffer.alloc(Math.max(like.length - number.length, 0)), number]);

function ed25519(fields: readonly Buffer[]): Strength | null {
  const [point] = fields;
  return fields.length === 1 &&
    point?.length === 32 &&
    isUsable({ kty: 'OKP', crv: 'Ed25519', x: url(point) })
    ? { type: 'ed25519', bits: 256 }
    : null;
}

function ecdsa(curveName: string, fields: readonly Buffer[]): Strength | null {
  const [named, point] = fields;
  const curve = curves[curveName];
  if (fields.length !== 2 || !curve || !point || named?.toString('latin1') !== curveName)
    return null;
  const size = Math.ceil(curve.bits / 8);
  if (point.length !== 1 + 2 * size || point[0] !== 4) return null;
  const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)];
  return isUsable({ kty: 'EC', crv: curve.name, x: url(x), y: url(y) })
    ? { type: 'ecdsa', bits: curve.bits }
    : null;
}

const url = (bytes: Buffer) => bytes.toString('base64url');

/** Whether Node accepts the key; it rejects a point off its curve, for example. */
function isUsable(jwk: Readonly<Record<string, string>>): boolean {
  try {
    createPublicKey({ key: { ...jwk }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

const hashed = (algorithm: 'md5' | 'sha256', { blob }: Pick<PublicKey, 'blob'>) =>
  createHash(algorithm).update(blob).digest();

/** Identifies a key regardless of its comment. */
export const fingerprintOf = (key: Pick<PublicKey, 'blob'>): Buffer => hashed('sha256', key);

/** As `ssh-keygen -l -E md5` shows it, without the name of the hash. */
export const md5FingerprintOf = (key: Pick<PublicKey, 'blob'>): string =>
  (hashed('md5', key).toString('hex').match(/../g) ?? []).join(':');
