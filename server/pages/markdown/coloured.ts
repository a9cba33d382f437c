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

/**
 * Characters of a block and of one of its lines: grammars may take quadratic time, up to 5 seconds for
 * 32,000 characters, and nesting of this depth exceeds the stack. Both would show all texts of a page
 * as source.
 */
const longestBlock = mostHighlighted / 4;
const longestLine = 1_000;

/** As `renderMarkdown`, with highlighted code in blocks that name their language. */
export function renderColouredMarkdown(input: Input): readonly string[] {
  let left = mostHighlighted;
  return renderMarkdown(input, (text, language) => {
    const grammar = grammarOfLanguage(language);
    const most = Math.min(left, longestBlock);
    if (grammar === null || text.length > most || hasLongLine(text)) return null;
    left -= text.length;
    return highlight({ text, grammar });
  });
}

const hasLongLine = (text: string): boolean =>
  text.split('\n').some(({ length }) => length > longestLine);

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
