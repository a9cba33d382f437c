import type MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { escapeHtml } from './escape-html.ts';
import type { Linking } from './linking.ts';
import { closeTags, type TagMeta } from './open-tags.ts';
import { isElsewhere, linkAt, pictureAt } from './places.ts';

/** Elements within a line, which end with it, by the names that people write. */
const inline: ReadonlyMap<string, string> = new Map([
  ...'a abbr b cite code del em i ins kbd mark q s samp small strong sub sup u var'
    .split(' ')
    .map((name) => [name, name] as const),
  ['strike', 's'],
  ['tt', 'code'],
]);

/** Elements around paragraphs. Headings are those below the h1 of the page. */
const block: ReadonlyMap<string, string> = new Map([
  ...'blockquote details div p summary'.split(' ').map((name) => [name, name] as const),
  ['center', 'div'],
  ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, `h${Math.min(6, level + 1)}`] as const),
]);

const empty: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

/** Elements of which only the content is shown. */
const transparent: ReadonlySet<string> = new Set(['font', 'picture', 'source', 'span']);

/** A tag whose attributes have no `<` and no `>`, so that a text is read once. */
const tag = /<(\/?)([a-z][a-z0-9]{0,15})((?:[\s/][^<>]{0,2000})?)>/iy;

const attribute = /([^\s"'=]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g;

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

function attributesIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, single, bare] of text.matchAll(attribute)) {
    const value = quoted ?? single ?? bare ?? '';
    found.set(
      name.toLowerCase(),
      value.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? ''),
    );
  }
  return found;
}

const written = (values: readonly (readonly [string, string | null | undefined])[]): string =>
  values.map(([name, value]) => (value == null ? '' : ` ${name}="${escapeHtml(value)}"`)).join('');

const only = (pattern: RegExp, value: string | undefined) =>
  value !== undefined && pattern.test(value) ? value.toLowerCase() : null;

type Renderer = InstanceType<typeof MarkdownIt>;

interface Place {
  readonly md: Renderer;
  readonly linking: Linking;
}

/** As for links of Markdown; null if it leads nowhere that is safe. */
function addressOf(value: string | undefined, { md }: Place): string | null {
  const address = md.normalizeLink((value ?? '').trim());
  return address !== '' && md.validateLink(address) ? address : null;
}

/** The attributes of an element that may stay. */
function keptOf(name: string, text: string, place: Place): string {
  const given = attributesIn(text);
  if (name === 'img') {
    const source = addressOf(given.get('src'), place);
    const size = /^\d{1,4}%?$/;
    return written([
      ['src', source === null ? '' : pictureAt(source, place.linking)],
      ['alt', given.get('alt') ?? ''],
      ['title', given.get('title')],
      ['width', only(size, given.get('width'))],
      ['height', only(size, given.get('height'))],
      ['loading', 'lazy'],
    ]);
  }
  if (name === 'a') {
    const target = addressOf(given.get('href'), place);
    return written([
      ['href', target && linkAt(target, place.linking)],
      ['rel', target && isElsewhere(target) ? 'nofollow noopener noreferrer' : null],
      ['title', given.get('title')],
    ]);
  }
  if (name === 'abbr') return written([['title', given.get('title')]]);
  if (name === 'center') return written([['align', 'center']]);
  if (/^(?:p|div|h\d)$/.test(name)) {
    return written([['align', only(/^(?:left|center|right)$/i, given.get('align'))]]);
  }
  return '';
}

/** What stands in the output for a tag; null: it is no tag that is known. */
function markupOf(name: string, isClosing: boolean, text: string, place: Place): TagMeta | null {
  if (transparent.has(name)) return { element: '', kind: 'empty', isBlock: false, markup: '' };
  if (empty.has(name)) {
    const markup = isClosing ? '' : `<${name}${keptOf(name, text, place)}>`;
    return { element: name, kind: 'empty', isBlock: name === 'hr', markup };
  }
  const element = inline.get(name) ?? block.get(name);
  if (element === undefined) return null;
  const isBlock = block.has(name);
  return isClosing
    ? { element, kind: 'close', isBlock, markup: `</${element}>` }
    : { element, kind: 'open', isBlock, markup: `<${element}${keptOf(name, text, place)}>` };
}

/**
 * Reads the HTML that people write in Markdown: some elements with some of their attributes, each made anew
 * from what is known of it. Comments are left out. Everything else stays text, which is escaped.
 * `closeTags` sees to it that no element leaves the block that it begins in.
 */
export function htmlTags(md: Renderer): void {
  const endOfComment = commentEnds();
  md.inline.ruler.after('autolink', 'html_tag', (state, silent) => {
    const { src, pos } = state;
    if (src.charCodeAt(pos) !== 0x3c /* < */) return false;
    if (src.startsWith('<!--', pos)) {
      const end = endOfComment(state, pos + 4);
      if (end === null) return false;
      state.pos = end;
      return true;
    }
    tag.lastIndex = pos;
    const match = tag.exec(src);
    if (!match) return false;
    const [whole, slash, name = '', text = ''] = match;
    const { linking } = state.env as { readonly linking: Linking };
    const meta = markupOf(name.toLowerCase(), slash === '/', text, { md, linking });
    if (!meta) return false;
    if (!silent) {
      const token: Token = state.push('html_inline', '', 0);
      token.content = meta.markup;
      token.meta = { ...meta };
    }
    state.pos += whole.length;
    return true;
  });
  // a comment may have blank lines, such as in templates
  md.block.ruler.before(
    'paragraph',
    'html_comment',
    (state, startLine, endLine, silent) => {
      const { src, bMarks, eMarks, tShift } = state;
      const begin = (bMarks[startLine] ?? 0) + (tShift[startLine] ?? 0);
      if (!src.startsWith('<!--', begin)) return false;
      const end = endOfComment(state, begin + 4);
      // the lines of a comment are read for each of its beginnings
      if (end === null || end - begin > longestComment) return false;
      let line = startLine;
      while (line < endLine && (eMarks[line] ?? 0) < end) line += 1;
      if (line >= endLine || src.slice(end, eMarks[line]).trim() !== '') return false;
      if (!silent) state.line = line + 1;
      return true;
    },
    { alt: ['paragraph'] },
  );
  // last, when footnotes have their place, too
  md.core.ruler.push('close_tags', (state) => {
    state.tokens = closeTags(state.tokens, state.Token);
  });
}

/** Characters of a comment with blank lines; longer ones stay text. */
const longestComment = 10_000;

/**
 * Finds where a comment ends; null if it does not. The next end is kept for each text, also while texts
 * within it are read: else the rest of it would be searched for each of its beginnings.
 */
function commentEnds(): (text: { readonly src: string }, from: number) => number | null {
  const ends = new WeakMap<object, { readonly from: number; readonly end: number }>();
  return (text, from) => {
    let next = ends.get(text);
    if (!next || from < next.from || (next.end >= 0 && from > next.end)) {
      next = { from, end: text.src.indexOf('-->', from) };
      ends.set(text, next);
    }
    return next.end < 0 ? null : next.end + 3;
  };
}
