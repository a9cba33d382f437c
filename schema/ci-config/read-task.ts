import type { WorkerTask } from '../ports/worker-pool.ts';
import { type CiReading, readCiFile } from './read.ts';

/** Characters: the worst text found of this length takes 3 ms (4 ms to draft), and 30 ms the first time. */
const small = 1024;

/**
 * Anchors repeat what they name. The other characters may delimit a key that is a list or a
 * mapping, which the YAML library serializes once for each level.
 */
const mayGrow = /[&?!]|[\]}]\s*[:#]|[{,]\s*[[{#]/;

export const isSmallCiFile = (text: string): boolean => text.length <= small && !mayGrow.test(text);

export const readCiFileTask: WorkerTask<string, CiReading> = {
  kind: 'ci-file',
  subject: 'The CI file',
  module: new URL('./read.ts', import.meta.url).href,
  work: readCiFile,
  timeLimit: 5_000,
  isSmall: isSmallCiFile,
};
