import { randomBytes } from 'node:crypto';

const withLength = (bytes: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** The bytes of a public key from its parts. */
export const sshBlob = (...parts: readonly Buffer[]): string =>
  Buffer.concat(parts.map(withLength)).toString('base64');

/** A new public key. */
export const newPublicKey = (comment = 'user@example.com'): string =>
  `ssh-ed25519 ${sshBlob(Buffer.from('ssh-ed25519'), randomBytes(32))} ${comment}`;
