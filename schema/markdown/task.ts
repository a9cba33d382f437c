import type { WorkerTask } from '../ports/worker-pool.ts';
import { renderMarkdown } from './render.ts';

/** Characters rendered in all texts of a page or an operation. */
export const longestRendered = 128 * 1024;

/** Characters: the worst text found of this length takes 3 ms, and some 40 ms as the first one. */
const small = 512;

/** A table has a cell in each row for each column of its head: 2 KiB make 65,536 cells and 200 ms. */
const mayHaveTable = (text: string) => text.includes('|');

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);

/** Renders Markdown texts as HTML. */
export const markdownTask: WorkerTask<Parameters<typeof renderMarkdown>[0], readonly string[]> = {
  kind: 'markdown',
  subject: 'The text',
  module: new URL('./render.ts', import.meta.url).href,
  work: renderMarkdown,
  timeLimit: 5_000,
  isSmall: ({ texts }) => lengthOf(texts) <= small && !texts.some(mayHaveTable),
  sizeOf: lengthOf,
};
