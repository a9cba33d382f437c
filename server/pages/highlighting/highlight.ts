import { createRequire } from 'node:module';
import type { HLJSApi, LanguageFn } from 'highlight.js';
import { textMarkup } from './text-markup.ts';

interface HighlightInput {
  readonly text: string;
  /** A grammar of highlight.js. */
  readonly grammar: string;
}

const load = createRequire(import.meta.url);

let loaded: HLJSApi | null = null;

/** Loaded at the first file: the main thread imports this module, but never runs it. */
function library(): HLJSApi {
  loaded ??= load('highlight.js/lib/core') as HLJSApi;
  return loaded;
}

/** The grammars of parts of a file, such as the scripts of a page. */
const embedded: Readonly<Record<string, readonly string[]>> = {
  erb: ['xml', 'css', 'javascript', 'ruby'],
  haml: ['ruby'],
  handlebars: ['xml', 'css', 'javascript'],
  markdown: ['xml'],
  php: ['xml'],
  twig: ['xml', 'css', 'javascript'],
  xml: ['css', 'javascript'],
};

/** Classes by the scopes of grammars; other scopes look like their surroundings. */
const classes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    c: 'comment quote',
    k: 'keyword selector-tag name doctag operator.keyword',
    s: 'string regexp char link code',
    n: 'number literal symbol bullet variable selector-id',
    t: 'title section selector-class selector-pseudo',
    y: 'type built_in class',
    a: 'attr attribute property template-variable selector-attr',
    m: 'meta',
    u: 'subst',
    i: 'addition',
    d: 'deletion',
    e: 'emphasis',
    b: 'strong',
  }).flatMap(([name, scopes]) => scopes.split(' ').map((scope) => [scope, name] as const)),
);

interface Scope {
  readonly scope?: string;
}

/** The part of the library's tree that visits its nodes. */
interface Tree {
  walk(visitor: {
    openNode(node: Scope): void;
    addText(text: string): void;
    closeNode(node: Scope): void;
  }): void;
}

/** `title.function` → `t`. */
const classOf = ({ scope }: Scope): string | undefined => classes.get(scope?.split('.')[0] ?? '');

function register(grammar: string): void {
  for (const name of [...(embedded[grammar] ?? []), grammar]) {
    if (library().getLanguage(name)) continue;
    library().registerLanguage(name, load(`highlight.js/lib/languages/${name}`) as LanguageFn);
  }
}

/** The markup of a source text: escaped, in elements as short as HTML allows, with a class of one letter. */
export function highlight({ text, grammar }: HighlightInput): string {
  register(grammar);
  const result = library().highlight(text, { language: grammar, ignoreIllegals: true });
  let markup = '';
  (result._emitter as unknown as Tree).walk({
    openNode: (node) => {
      const name = classOf(node);
      if (name !== undefined) markup += `<i class=${name}>`;
    },
    addText: (part) => {
      markup += textMarkup(part);
    },
    closeNode: (node) => {
      if (classOf(node) !== undefined) markup += '</i>';
    },
  });
  return markup;
}
