import { DomainError } from '../../../schema/kernel/errors.ts';
import type { WorkerTask } from '../../../schema/ports/worker-pool.ts';
import { type Html, html, trusted } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import type { Linking } from './linking.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Characters rendered in all texts of a page; longer texts are shown as source. */
const longestRendered = 128 * 1024;

/** Characters: the worst text found of this length takes 3 ms, and some 40 ms as the first one. */
const small = 512;

/** A table has a cell in each row for each column of its head: 2 KiB make 65,536 cells and 200 ms. */
const mayHaveTable = (text: string) => text.includes('|');

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);

const markdownTask: WorkerTask<Parameters<typeof renderMarkdown>[0], readonly string[]> = {
  kind: 'markdown',
  subject: 'The text',
  module: new URL('./render-markdown.ts', import.meta.url).href,
  work: renderMarkdown,
  timeLimit: 5_000,
  isSmall: ({ texts }) => lengthOf(texts) <= small && !texts.some(mayHaveTable),
  sizeOf: lengthOf,
};

/** A rendered Markdown text; its source if it is too long or too expensive. */
export async function markdown(visit: Visit, text: string, linking: Linking): Promise<Html> {
  const [shown] = text.length > longestRendered ? [] : await rendered(visit, [text], linking);
  return shown ?? plain(text);
}

/** A text, cut to the remaining space. */
const shortened = 2000;

/** The texts of one page, which share the limit of one text; the rest is cut. */
export async function markdowns(
  visit: Visit,
  texts: readonly string[],
  linking: Linking,
): Promise<readonly Html[]> {
  let left = longestRendered;
  const fitting = texts.filter(({ length }) => {
    left -= length;
    return left >= 0;
  });
  const shown = await rendered(visit, fitting, linking);
  return texts.map((text, place) => shown[place] ?? plain(cut(text)));
}

const cut = (text: string): string =>
  text.length <= shortened ? text : `${text.slice(0, shortened).toWellFormed()}…`;

/** Null if the texts exceed the limits of a worker thread. */
async function rendered(
  visit: Visit,
  texts: readonly string[],
  linking: Linking,
): Promise<readonly Html[]> {
  try {
    const markups = await visit.process(markdownTask, { texts, linking });
    return markups.map((markup) => html`<div class="prose">${trusted(markup)}</div>`);
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'too-costly') return [];
    throw error;
  }
}

/** A text as source. */
export const plain = (text: string): Html => html`<pre class="plain" tabindex="0">${text}</pre>`;
