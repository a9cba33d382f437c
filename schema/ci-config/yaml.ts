import {
  Composer,
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
} from 'yaml';
import { expansionFault } from './expanded-length.ts';

/** Characters: longer than any handwritten pipeline. */
const maxCharacters = 256 * 1024;

/** Lexical tokens: each becomes objects of some hundred bytes, so they bound the memory of a document. */
const maxTokens = 100_000;

/** Deeper than any document needs, and below the stack's limit. */
const deepest = 64;

export type Mapping = Readonly<Record<string, unknown>>;

export type Read = { readonly mapping: Mapping } | { readonly problem: string };

/**
 * Parses a YAML text that must be a mapping, or returns its first problem. Accepts the language
 * that data needs: anchors, limited aliases and merge keys, no custom tags (v4-behaviour 5.1).
 */
export function readYaml(text: string): Read {
  if (text.length > maxCharacters)
    return { problem: `The file is too long (maximum is ${maxCharacters} characters)` };
  let value: unknown;
  try {
    const document = composeDocument(text);
    const twice = givenTwice(document);
    if (twice !== null) return { problem: `The name ${twice} is given twice` };
    if (!isShallowNode(document.contents)) return { problem: tooDeep };
    const fault = expansionFault(document.contents, tooDeep);
    if (fault !== null) return { problem: fault };
    // the library would count the aliases in each anchor by searching the document for each of them
    value = document.toJS({ maxAliasCount: -1 });
  } catch (failure) {
    return { problem: problemOf(failure) };
  }
  if (!isMapping(value)) return { problem: 'Invalid configuration format' };
  return isShallow(value) ? { mapping: value } : { problem: tooDeep };
}

/** Throws the first error: the library would collect all of them, one for each character of some texts. */
function composeDocument(text: string): Document {
  const lines = new LineCounter();
  let first: Error | null = null;
  const fail: Fail = (offset, message) => {
    const { line, col } = lines.linePos(offset);
    // the library catches exceptions of nested calls, and reports them again
    first ??= new Error(offset < 0 ? message : `${message} at line ${line}, column ${col}`);
    throw first;
  };
  const composer = new Composer({
    version: '1.1',
    merge: true,
    resolveKnownTags: false,
    customTags: (tags) => [...words, ...tags.filter((tag) => !replaced.has(nameOf(tag)))],
    // among nested duplicates, the later one wins
    uniqueKeys: false,
    // a warning would write keys of the file to standard error
    logLevel: 'error',
  });
  // the library only warns about unknown tags; here they are errors
  const onError = (source: ErrorSource, _code: string, message: string) =>
    fail(offsetOf(source), message);
  Object.assign(composer, { onError });
  let document: Document | null = null;
  for (const composed of composer.compose(tokensOf(text, lines, fail), true, text.length)) {
    if (document) fail(composed.range[0], 'The file contains more than one document');
    document = composed;
  }
  return document ?? fail(0, 'The file is empty');
}

type Fail = (offset: number, message: string) => never;

/** The forms in which the composer reports an error's position. */
type ErrorSource = number | readonly [number, ...number[]] | { readonly offset: number };

function offsetOf(source: ErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : source[0];
}

function* tokensOf(text: string, lines: LineCounter, fail: Fail) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > maxTokens) fail(-1, `The file has too many parts (maximum is ${maxTokens})`);
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') fail(token.offset, token.message);
      yield token;
    }
  }
  yield* parser.end();
}

/** Of two jobs with one name the first would be lost silently. */
function givenTwice({ contents }: Document): string | null {
  const seen = new Set<string>();
  for (const { key } of isMap(contents) ? contents.items : []) {
    const name = isScalar(key) ? String(key.value) : null;
    if (name === null || name === '<<') continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

const tooDeep = 'The document is nested too deep';

const bool = 'tag:yaml.org,2002:bool';

/** The YAML 1.1 types that GitLab reads: `y`, `n` and dates are strings. */
const words = [
  {
    tag: bool,
    default: true,
    test: /^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/,
    resolve: () => true,
  },
  {
    tag: bool,
    default: true,
    test: /^(?:[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
    resolve: () => false,
  },
];

const replaced: ReadonlySet<string> = new Set([bool, 'tag:yaml.org,2002:timestamp']);

const nameOf = (tag: string | { readonly tag: string }) =>
  typeof tag === 'string' ? tag : tag.tag;

/** The parser's own message; it overflows the stack before a document is that deep. */
function problemOf(failure: unknown): string {
  const [line = ''] = failure instanceof Error ? failure.message.split('\n', 1) : [];
  return line.includes('call stack') ? tooDeep : line.replace(/:$/, '');
}

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/**
 * Whether a node is within the depth limit, keys included. The library serializes a key that is a
 * collection, once for each level: nested keys would take time by the fourth power of their depth.
 */
function isShallowNode(node: unknown, depth = 0): boolean {
  if (isPair(node)) return isShallowNode(node.key, depth) && isShallowNode(node.value, depth);
  if (!isCollection(node)) return true;
  return depth < deepest && node.items.every((item) => isShallowNode(item, depth + 1));
}

/** Whether a value is within the depth limit, aliases included, which may be circular. */
function isShallow(value: object): boolean {
  const heights = new Map<object, number>();
  const heightOf = (part: unknown, depth: number): number => {
    if (typeof part !== 'object' || part === null) return 0;
    const measured = heights.get(part);
    if (measured !== undefined) return measured;
    if (depth >= deepest) return Number.POSITIVE_INFINITY;
    let height = 0;
    for (const inner of Object.values(part)) {
      height = Math.max(height, heightOf(inner, depth + 1));
      if (depth + height >= deepest) return Number.POSITIVE_INFINITY;
    }
    heights.set(part, height + 1);
    return height + 1;
  };
  return heightOf(value, 0) <= deepest;
}
