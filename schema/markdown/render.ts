import MarkdownIt, { type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { escapeHtml } from './escape-html.ts';
import { htmlTags } from './html-tags.ts';
import type { Linking } from './linking.ts';
import { anchor, isElsewhere, isSafeAddress, linkAt, pictureAt } from './places.ts';
import { withReferences } from './references.ts';
import { markTasks } from './task-lists.ts';

interface RenderInput {
  readonly texts: readonly string[];
  readonly linking: Linking;
}

/** The markup of code in a named language; null: it is shown without colours. */
type Highlighter = (code: string, language: string) => string | null;

/** Renders Markdown; of raw HTML in the source, what `htmlTags` knows becomes markup, and the rest is escaped. */
export const renderMarkdown = (
  { texts, linking }: RenderInput,
  highlighter: Highlighter | null = null,
): readonly string[] =>
  texts.map((text) => renderer.render(text, { linking, highlighter, docId: mark(text) }));

/** Keeps the ids of the footnotes of several texts on a page apart. */
function mark(text: string): string {
  let sum = 0;
  for (let place = 0; place < text.length; place += 1) {
    sum = (sum * 31 + text.charCodeAt(place)) % 2_147_483_647;
  }
  return sum.toString(36);
}

const renderer = new MarkdownIt({ html: false, linkify: true }).use(footnotes);

// no links from bare host names; detecting many takes quadratic time
renderer.linkify.add('//', null);

/**
 * Tokens that grow in place: the plugin appends each footnote by `concat`, which would copy the tokens of
 * the whole text for each.
 */
class GrowingTokens extends Array<Token> {
  override concat(...added: (Token | ConcatArray<Token>)[]): Token[] {
    for (const tokens of added.flat()) this.push(tokens as Token);
    return this;
  }
}

// what the plugin filters out of them is of the same class
renderer.core.ruler.before('footnote_tail', 'growing_tokens', (state) => {
  state.tokens = GrowingTokens.from(state.tokens);
});

renderer.validateLink = isSafeAddress;
renderer.use(htmlTags);

renderer.core.ruler.push('tasks', ({ tokens }) => markTasks(tokens));

renderer.core.ruler.push('references', ({ tokens, env, Token }) => {
  const { linking } = env as { linking: Linking };
  for (const token of tokens) {
    if (token.children) token.children = withReferences(token.children, linking, Token);
  }
});

renderer.core.ruler.push('place', (state) => {
  const { linking } = state.env as { linking: Linking };
  const used = new Map<string, number>();
  for (const [place, token] of state.tokens.entries()) {
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      // the page has its own h1
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`;
    }
    if (token.type === 'heading_open') {
      const id = anchor((state.tokens[place + 1]?.content ?? '').replace(/<[^<>]*>/g, ''));
      const times = used.get(id) ?? 0;
      used.set(id, times + 1);
      token.attrSet('id', times === 0 ? id : `${id}-${times}`);
    }
    // scrollable blocks must be focusable
    if (token.type === 'fence' || token.type === 'code_block') token.attrSet('tabindex', '0');
    for (const inner of token.children ?? []) {
      if (inner.type === 'link_open' && !inner.meta?.isPlaced) {
        const href = String(inner.attrGet('href') ?? '');
        inner.attrSet('href', linkAt(href, linking));
        if (isElsewhere(href)) inner.attrSet('rel', 'nofollow noopener noreferrer');
      }
      if (inner.type === 'image') {
        inner.attrSet('src', pictureAt(String(inner.attrGet('src') ?? ''), linking));
        inner.attrSet('loading', 'lazy');
      }
    }
  }
});

// wide tables scroll instead of breaking words
renderer.renderer.rules.table_open = () =>
  '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>\n';
renderer.renderer.rules.table_close = () => '</table></div>\n';

// both contain a code element, which does not scroll itself
renderer.renderer.rules.fence = (tokens, place, _options, env) => {
  const { content = '', info = '' } = tokens[place] ?? {};
  const [language = ''] = info.trim().split(/\s/, 1);
  const { highlighter } = env as { highlighter: Highlighter | null };
  const coloured = language === '' ? null : (highlighter?.(content, language) ?? null);
  return coloured === null
    ? code(content)
    : `<pre tabindex="0" class="code-text"><code>${coloured}</code></pre>`;
};
renderer.renderer.rules.code_block = (tokens, place) => code(tokens[place]?.content);

const code = (text = '') => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
