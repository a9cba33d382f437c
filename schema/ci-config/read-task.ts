import type { WorkerTask } from '../ports/worker-pool.ts';
import { type CiReading, readCiFile } from './read.ts';

/** Characters: the worst text of this length takes less than 5 ms. */
const small = 2 * 1024;

/** Without anchors nothing is repeated, so a short file is small in memory as well. */
export const isSmallCiFile = (text: string): boolean => text.length <= small && !text.includes('&');

export const readCiFileTask: WorkerTask<string, CiReading> = {
  kind: 'ci-file',
  subject: 'The CI file',
  module: new URL('./read.ts', import.meta.url).href,
  work: readCiFile,
  timeLimit: 5_000,
  isSmall: isSmallCiFile,
};
