import type { ReceivedFile } from '../ports/uploads.ts';

export type { ReceivedFile };

/** Membership in this set is the only proof: no text or JSON can produce a member. */
const received = new WeakSet<object>();

/** Marks `file` as received with a request; only the body parser may call this. */
export function receivedFile({ name, size, path }: ReceivedFile): ReceivedFile {
  const file = Object.freeze({ name, size, path });
  received.add(file);
  return file;
}

/** Whether this file was received with a request, and does not just have its shape. */
export const isReceivedFile = (value: unknown): value is ReceivedFile =>
  typeof value === 'object' && value !== null && received.has(value);
