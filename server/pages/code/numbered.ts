import { DomainError } from '../../../schema/kernel/errors.ts';
import type { WorkerTask } from '../../../schema/ports/worker-pool.ts';
import { keptResults } from '../../workers/kept-results.ts';
import { highlight } from '../highlighting/highlight.ts';
import { grammarOf } from '../highlighting/languages.ts';
import { textMarkup } from '../highlighting/text-markup.ts';
import { type Html, html, keptMarkup } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';

/** Browsers render more lines too slowly. */
const mostLines = 20_000;

/** Characters; a longer text is shown without colours. The slowest grammars take a second for them. */
const longestHighlighted = 256 * 1024;

/** Bytes of all kept markup. */
const capacity = 16 * 1024 * 1024;

const highlightTask: WorkerTask<Parameters<typeof highlight>[0], string> = {
  kind: 'highlight',
  subject: 'The file',
  module: new URL('../highlighting/highlight.ts', import.meta.url).href,
  work: highlight,
  timeLimit: 3_000,
};

/** The highlighted lines of a source text, encoded. */
interface SourceLines {
  readonly markup: Buffer;
  readonly lines: number;
}

/** The lines of a source text; a reason why they are not shown. */
export type Source = SourceLines | { readonly hidden: 'binary' | 'empty' | 'too many lines' };

interface SourceFile {
  /** Equal keys have equal texts: the id of a blob. */
  readonly key: string;
  readonly path: string;
  /** The text; null for binary data. Only called for files that were not shown recently. */
  readonly read: () => Promise<string | null>;
}

const kept = keptResults(capacity);

/** The highlighted lines of a file, which are kept: another visit needs not even its text. */
export function sourceOf(visit: Visit, { key, path, read }: SourceFile): Promise<Source> {
  const grammar = grammarOf(path);
  const render = async () => rendered(visit, await read(), grammar);
  return kept(`${grammar}:${key}`, sizeOf, render);
}

const sizeOf = (source: Source): number => ('markup' in source ? source.markup.length : 0);

async function rendered(
  visit: Visit,
  text: string | null,
  grammar: string | null,
): Promise<Source> {
  if (text === null) return { hidden: 'binary' };
  if (text === '') return { hidden: 'empty' };
  const unified = text.replace(/\r?\n$/, '').replaceAll('\r\n', '\n');
  const lines = lineCount(unified);
  if (lines > mostLines) return { hidden: 'too many lines' };
  const isHighlighted = grammar !== null && unified.length <= longestHighlighted;
  const colours = isHighlighted ? await highlighted(visit, unified, grammar) : null;
  return { markup: Buffer.from(colours ?? textMarkup(unified)), lines };
}

/** Null if the text exceeds the limits of a worker thread. */
async function highlighted(visit: Visit, text: string, grammar: string): Promise<string | null> {
  try {
    return await visit.process(highlightTask, { text, grammar });
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'too-costly') return null;
    throw error;
  }
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The numbers of the lines that were shown, and where each ends; all characters are one byte. */
const numbers = { markup: Buffer.alloc(0), ends: [0] };

/** Links to the lines from 1 on; they are the same for all files. */
function numbersTo(last: number): Html {
  let more = '';
  for (let line = numbers.ends.length; line <= last; line += 1) {
    more += `<a id=L${line} href=#L${line}>${line}</a>\n`;
    numbers.ends.push(numbers.markup.length + more.length);
  }
  if (more !== '') numbers.markup = Buffer.concat([numbers.markup, Buffer.from(more)]);
  return keptMarkup(numbers.markup.subarray(0, numbers.ends[last]));
}

/** The highlighted lines of a text that is not kept; null if there are too many. */
export async function numberedText(visit: Visit, path: string, text: string): Promise<Html | null> {
  const source = await rendered(visit, text === '' ? '\n' : text, grammarOf(path));
  return 'markup' in source ? numberedSource(path, source) : null;
}

/** Source text beside the numbers of its lines, to which addresses such as `#L3` link. */
export const numberedSource = (label: string, { markup, lines }: SourceLines): Html =>
  html`<div class="source" role="region" aria-label="${label}" tabindex="0" data-lines><div>
<pre class="line-numbers">${numbersTo(lines)}</pre>
<pre class="code-text"><code>${keptMarkup(markup)}</code></pre>
</div></div>`;
