import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Secrets } from '../../schema/ports/secrets.ts';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Characters of sealed and plain texts that are remembered. */
const maxRemembered = 2 ** 20;

/** The instance's key: its id, and a value that proves it. */
export interface SealingKey extends Secrets {
  readonly keyId: string;
  /** Stored in the database, to detect a data folder with another key at startup. */
  readonly checkValue: string;
}

/** Seals and digests with keys derived from the 32 bytes of `secret.key`. */
export function secretsOf(master: Buffer): SealingKey {
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', master, '', `millrace ${use}`, 32));
  // create the key object once: with raw bytes each use would create one, at five times the cost
  const sealing = createSecretKey(derive('seal'));
  const digesting = createSecretKey(derive('digest'));
  // a page of projects shows the same twenty tokens again and again
  const opened = new LRUCache<string, string>({
    maxSize: maxRemembered,
    sizeCalculation: (plain, sealed) => plain.length + sealed.length,
  });
  const keyId = createHash('sha256').update(derive('id')).digest('hex').slice(0, 8);
  return {
    keyId,
    checkValue: createHmac('sha256', derive('check')).update(keyId).digest('hex'),
    digest: (token) => new Uint8Array(createHmac('sha256', digesting).update(token).digest()),
    seal: (plain) => {
      const iv = randomBytes(ivBytes);
      const sealer = createCipheriv(cipher, sealing, iv);
      const body = Buffer.concat([sealer.update(plain, 'utf8'), sealer.final()]);
      return `${keyId}:${Buffer.concat([iv, sealer.getAuthTag(), body]).toString('base64url')}`;
    },
    open: (sealed) => {
      const remembered = opened.get(sealed);
      if (remembered !== undefined) return remembered;
      const [id, text = ''] = sealed.split(':');
      if (id !== keyId) throw new Error(`sealed with the key ${id}, which this instance lacks`);
      const bytes = Buffer.from(text, 'base64url');
      const opener = createDecipheriv(cipher, sealing, bytes.subarray(0, ivBytes));
      opener.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      const body = opener.update(bytes.subarray(ivBytes + tagBytes));
      const plain = Buffer.concat([body, opener.final()]).toString('utf8');
      opened.set(sealed, plain);
      return plain;
    },
  };
}
