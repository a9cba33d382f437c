import { type Document, isMap, isScalar, parseDocument } from 'yaml';

/** Characters: no pipeline a person wrote comes near, and reading them takes a third of a second. */
const longest = 256 * 1024;

/** How often aliases may stand for something, each counted with what it stands for. */
const mostAliases = 1_000;

/** Deeper than any document needs, and short of what a stack can bear. */
const deepest = 64;

export type Mapping = Readonly<Record<string, unknown>>;

export type Read = { readonly mapping: Mapping } | { readonly problem: string };

/**
 * The mapping a text in YAML is, or what is wrong with it. Of the language what data needs: anchors,
 * aliases in bounds and merge keys, no tags of anybody's own (v4-behaviour 5.1).
 */
export function readYaml(text: string): Read {
  if (text.length > longest)
    return { problem: `The file is too long (maximum is ${longest} characters)` };
  const document = parseDocument(text, {
    version: '1.1',
    merge: true,
    resolveKnownTags: false,
    customTags: (tags) => [...words, ...tags.filter((tag) => !replaced.has(nameOf(tag)))],
    prettyErrors: true,
    // deeper in, the later of two holds
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error) return { problem: problemOf(error) };
  // a tag nobody knows is a warning there, and refused here
  const [warning] = document.warnings;
  if (warning) return { problem: problemOf(warning) };
  const twice = givenTwice(document);
  if (twice !== null) return { problem: `The name ${twice} is given twice` };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: mostAliases });
  } catch (failure) {
    return { problem: problemOf(failure) };
  }
  if (!isMapping(value)) return { problem: 'Invalid configuration format' };
  return isShallow(value) ? { mapping: value } : { problem: tooDeep };
}

/** Of two jobs of one name the first would be lost without a word. */
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

/** As the service that people know reads them: `y` and `n` are texts, and so is a day. */
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

/** The parser's own words; it runs out of stack before a document is as deep as that. */
function problemOf(failure: unknown): string {
  const [line = ''] = failure instanceof Error ? failure.message.split('\n', 1) : [];
  return line.includes('call stack') ? tooDeep : line.replace(/:$/, '');
}

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Aliases that lead back to where they stand never end. */
function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= deepest) return false;
  return Object.values(value).every((part) => isShallow(part, depth + 1));
}
