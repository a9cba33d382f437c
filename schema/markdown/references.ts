import type { Token } from 'markdown-it';
import { encoded } from '../kernel/percent-encoding.ts';
import { trimEnd } from '../kernel/trim.ts';
import { canonicalEmoji, characterOfEmoji } from './emoji-names.ts';
import type { Linking } from './linking.ts';

type TokenClass = new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;

/**
 * `#1`, `!1`, `@name`, commits of 8 to 40 hexadecimal digits, `[[wiki page]]`, `[[Text|wiki page]]` and
 * `:emoji:`, not within a word or path.
 */
const reference =
  /(?<![\p{L}\p{N}_/.&#!@-])(?:([#!])(\d+)|@(\w[\w.-]*)|([0-9a-f]+)(?![\p{L}\p{N}_-])|\[\[([^[\]\n]+)\]\])|:([a-z0-9_+-]+):/gu;

/** Characters of a user name, and of the title of a wiki page. */
const longestName = 255;

interface Target {
  readonly href: string;
  readonly text: string;
}

/** The tokens of an inline text with links for references; links and code stay as they are. */
export function withReferences(
  tokens: readonly Token[],
  linking: Linking,
  TokenOf: TokenClass,
): Token[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') depth += 1;
    if (token.type === 'link_close') depth -= 1;
    return token.type === 'text' && depth === 0 ? split(token, linking, TokenOf) : [token];
  });
}

function split(token: Token, linking: Linking, TokenOf: TokenClass): Token[] {
  const text = (content: string) => {
    const part = new TokenOf('text', '', 0);
    part.content = content;
    return part;
  };
  const parts: Token[] = [];
  let end = 0;
  for (const match of token.content.matchAll(reference)) {
    const emoji = match[6] === undefined ? null : emojiOf(match[6]);
    const target = emoji === null ? targetOf(match, linking) : null;
    if (emoji === null && target === null) continue;
    if (match.index > end) parts.push(text(token.content.slice(end, match.index)));
    if (emoji !== null) parts.push(text(emoji));
    if (target) parts.push(...link(target, TokenOf), text(target.text), closing(TokenOf));
    end = match.index + (target ? lengthOf(match, target) : match[0].length);
  }
  if (end === 0) return [token];
  if (end < token.content.length) parts.push(text(token.content.slice(end)));
  return parts;
}

function emojiOf(name: string): string | null {
  const canonicalName = canonicalEmoji(name);
  return canonicalName === null ? null : characterOfEmoji(canonicalName);
}

/** A full stop after a name ends the sentence, and is not part of the name. */
const lengthOf = (match: RegExpExecArray, { text }: Target): number =>
  match[3] === undefined ? match[0].length : text.length;

function link({ href }: Target, TokenOf: TokenClass): Token[] {
  const open = new TokenOf('link_open', 'a', 1);
  // complete addresses of ours: the links of the text itself are placed by another rule
  open.attrSet('href', href);
  open.meta = { isPlaced: true };
  return [open];
}

const closing = (TokenOf: TokenClass) => new TokenOf('link_close', 'a', -1);

function targetOf(match: RegExpExecArray, { project, users }: Linking): Target | null {
  const [, sign, number, user, commit, page] = match;
  if (user !== undefined) {
    const name = trimEnd(user, /[.-]/);
    if (name.length > longestName) return null;
    return { href: `${users}/${encoded(name)}`, text: `@${name}` };
  }
  if (project === null) return null;
  if (number !== undefined) {
    if (number.length > 9) return null;
    const word = sign === '#' ? 'issues' : 'merge_requests';
    return { href: `${project}/${word}/${number}`, text: `${sign}${number}` };
  }
  // a number or a word that happens to be hexadecimal is no commit
  if (commit !== undefined) {
    const isId = commit.length >= 8 && commit.length <= 40;
    if (!isId || !/\d/.test(commit) || !/[a-f]/.test(commit)) return null;
    return { href: `${project}/commit/${commit}`, text: commit.slice(0, 8) };
  }
  if (page !== undefined && page.length <= longestName) {
    const divide = page.indexOf('|');
    const title = page.slice(divide + 1).trim();
    const text = divide < 0 ? title : page.slice(0, divide).trim();
    const slug = title.replace(/\s+/g, '-').replace(/^\/+/, '');
    const isOdd = slug.split('/').some((part) => part === '' || part === '.' || part === '..');
    return isOdd || text === '' ? null : { href: `${project}/wikis/${encoded(slug)}`, text };
  }
  return null;
}
