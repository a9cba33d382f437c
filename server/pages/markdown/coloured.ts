import type { Linking } from '../../../schema/markdown/linking.ts';
import { renderMarkdown } from '../../../schema/markdown/render.ts';
import { longestRendered, markdownTask } from '../../../schema/markdown/task.ts';
import type { WorkerTask } from '../../../schema/ports/worker-pool.ts';
import { highlight } from '../highlighting/highlight.ts';
import { grammarOfLanguage } from '../highlighting/languages.ts';

interface Input {
  readonly texts: readonly string[];
  readonly linking: Linking;
}

/** Characters of code in the texts of one page that are highlighted; more is plain. */
const mostHighlighted = longestRendered / 4;

/** As `renderMarkdown`, with highlighted code in blocks that name their language. */
export function renderColouredMarkdown(input: Input): readonly string[] {
  let left = mostHighlighted;
  return renderMarkdown(input, (text, language) => {
    const grammar = grammarOfLanguage(language);
    if (grammar === null || text.length > left) return null;
    left -= text.length;
    return highlight({ text, grammar });
  });
}

/** Renders Markdown texts for pages. */
export const colouredMarkdownTask: WorkerTask<Input, readonly string[]> = {
  ...markdownTask,
  kind: 'markdown-page',
  module: import.meta.url,
  work: renderColouredMarkdown,
  // grammars are loaded by the threads alone
  isSmall: (input) =>
    markdownTask.isSmall?.(input) === true && !input.texts.some((text) => /```|~~~/.test(text)),
};
