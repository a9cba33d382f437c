import type { Transaction } from '../../prisma/client.ts';
import { lockKey } from '../kernel/storage-errors.ts';

const shape = /^[0-9a-f]{64}$/;

/** Whether a text is the id of an object: its SHA-256 in lower-case hex, as git-lfs writes it. */
export const isOid = (text: string): boolean => shape.test(text);

/**
 * Locks the content with an id until the transaction ends, whether or not it is stored: no other
 * transaction stores or removes it meanwhile. Locked before every row.
 */
export const lockContent = (tx: Transaction, oid: string): Promise<void> =>
  lockKey(tx, `lfs object ${oid}`);
