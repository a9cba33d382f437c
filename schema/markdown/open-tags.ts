import type { Token } from 'markdown-it';

/** What is known of a tag that a text has in HTML. */
export interface TagMeta {
  /** The element in the output. */
  readonly element: string;
  readonly kind: 'open' | 'close' | 'empty';
  /** Whether it stands around paragraphs rather than within one. */
  readonly isBlock: boolean;
  readonly markup: string;
}

type TokenClass = new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;

interface OpenTag {
  readonly element: string;
  /** How many blocks of Markdown it is in. */
  readonly depth: number;
}

/** Open elements at a time; more are left out. */
const mostOpen = 50;

const metaOf = ({ meta }: Token): TagMeta | null =>
  (meta as { readonly markup?: string } | null)?.markup === undefined
    ? null
    : (meta as unknown as TagMeta);

/**
 * The tokens with elements closed where their block ends, and without closing tags of nothing: no text
 * closes an element of the page around it. A paragraph that only holds elements around paragraphs
 * loses its own `<p>`, as one that only held comments does.
 */
export function closeTags(tokens: readonly Token[], TokenOf: TokenClass): Token[] {
  const open: OpenTag[] = [];
  const result: Token[] = [];
  let depth = 0;

  /** Closes the elements from `place` on, the last ones first. */
  const closeFrom = (place: number, type: 'html_inline' | 'html_block'): Token[] =>
    open
      .splice(place)
      .reverse()
      .map(({ element }) => closing(element, type, TokenOf));

  const settled = (children: readonly Token[]): Token[] => {
    const before = open.length;
    const kept = children.flatMap((token): readonly Token[] => {
      const tag = metaOf(token);
      if (!tag || tag.kind === 'empty') return [token];
      if (tag.kind === 'open') {
        if (open.length >= mostOpen) return [];
        open.push({ element: tag.element, depth });
        return [token];
      }
      const place = open.findLastIndex(
        (other) => other.element === tag.element && other.depth === depth,
      );
      return place < 0 ? [] : closeFrom(place, 'html_inline');
    });
    const firstInline = open.findIndex(
      ({ element }, place) => place >= before && !blocks.has(element),
    );
    return firstInline < 0 ? kept : [...kept, ...closeFrom(firstInline, 'html_inline')];
  };

  for (const [place, token] of tokens.entries()) {
    const isContainer = token.nesting !== 0 && !token.type.startsWith('paragraph_');
    if (isContainer && token.nesting === -1) {
      const first = open.findIndex((other) => other.depth >= depth);
      if (first >= 0) result.push(...closeFrom(first, 'html_block'));
      depth -= 1;
    }
    if (token.type === 'inline' && token.children) {
      token.children = settled(token.children);
      const { children } = token;
      if (children.some((child) => metaOf(child)?.isBlock) || children.every(isBlank))
        hideParagraph(tokens, place);
    }
    result.push(token);
    if (isContainer && token.nesting === 1) depth += 1;
  }
  result.push(...closeFrom(0, 'html_block'));
  return result;
}

const blocks: ReadonlySet<string> = new Set(
  'blockquote details div p summary h2 h3 h4 h5 h6'.split(' '),
);

const isBlank = ({ type, content }: Token): boolean =>
  type === 'softbreak' || (type === 'text' && content.trim() === '');

function closing(element: string, type: string, TokenOf: TokenClass): Token {
  const token = new TokenOf(type, '', 0);
  const meta: TagMeta = {
    element,
    kind: 'close',
    isBlock: blocks.has(element),
    markup: `</${element}>`,
  };
  token.content = meta.markup;
  token.meta = { ...meta };
  return token;
}

function hideParagraph(tokens: readonly Token[], place: number): void {
  let end = place + 1;
  // the way back from a footnote is in its last paragraph
  while (tokens[end]?.type === 'footnote_anchor') end += 1;
  for (const token of [tokens[place - 1], tokens[end]]) {
    if (token?.type.startsWith('paragraph_')) token.hidden = true;
  }
}
