import type { ReceivedFile } from '../ports/uploads.ts';

export type { ReceivedFile };

/** Nothing but this memory tells them from anything else: no text and no JSON can make one. */
const received = new WeakSet<object>();

/** Vouches that `file` came with a request; for the reader of bodies alone. */
export function receivedFile({ name, size, path }: ReceivedFile): ReceivedFile {
  const file = Object.freeze({ name, size, path });
  received.add(file);
  return file;
}

/** Whether this is a file that came with a request, and not just something that looks like one. */
export const isReceivedFile = (value: unknown): value is ReceivedFile =>
  typeof value === 'object' && value !== null && received.has(value);
