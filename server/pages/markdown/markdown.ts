import { DomainError } from '../../../schema/kernel/errors.ts';
import type { Linking } from '../../../schema/markdown/linking.ts';
import { longestRendered } from '../../../schema/markdown/task.ts';
import { type Html, html, trusted } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { colouredMarkdownTask } from './coloured.ts';

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
    const markups = await visit.process(colouredMarkdownTask, { texts, linking });
    return markups.map((markup) => html`<div class="prose">${trusted(markup)}</div>`);
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'too-costly') return [];
    throw error;
  }
}

/** A text as source. */
export const plain = (text: string): Html => html`<pre class="plain" tabindex="0">${text}</pre>`;
