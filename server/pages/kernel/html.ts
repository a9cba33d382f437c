import { escapeHtml } from '../../../schema/markdown/escape-html.ts';

/** Safe markup. Only `html`, `trusted` and `keptMarkup` create it. */
export interface Html {
  readonly markup: string;
  /** What belongs into `markup` besides, in this order. */
  readonly insertions?: readonly Insertion[];
}

interface Insertion {
  /** The number of characters of `markup` before it. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** A value in a template; null, undefined and false render nothing. */
export type Shown = Html | string | number | null | undefined | false | readonly Shown[];

/** The markup of a value that follows `before` characters; what is inserted in it goes to `insertions`. */
function markupOf(value: Shown, before: number, insertions: Insertion[]): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeHtml(String(value));
  if ('markup' in value) {
    if (value.insertions) {
      for (const { at, bytes } of value.insertions) insertions.push({ at: before + at, bytes });
    }
    return value.markup;
  }
  let markup = '';
  for (const inner of value) markup += markupOf(inner, before + markup.length, insertions);
  return markup;
}

/**
 * Creates markup. Values are escaped unless they are markup themselves; a list is
 * concatenated. Attributes must be in double quotes.
 */
export function html(pieces: TemplateStringsArray, ...values: readonly Shown[]): Html {
  const insertions: Insertion[] = [];
  let markup = pieces[0] ?? '';
  for (const [place, value] of values.entries()) {
    markup += markupOf(value, markup.length, insertions) + (pieces[place + 1] ?? '');
  }
  return insertions.length > 0 ? { markup, insertions } : { markup };
}

/** Markup from a library that escapes by itself; never pass user input. */
export const trusted = (markup: string): Html => ({ markup });

/**
 * Markup that is kept as the bytes of its text, for large pieces that many pages show: encoding them again
 * for each response takes longer than everything else. As with `trusted`, never pass user input.
 */
export const keptMarkup = (bytes: Buffer): Html => ({
  markup: '',
  insertions: [{ at: 0, bytes }],
});

/** The bytes of a document. */
export function encodedHtml({ markup, insertions = [] }: Html): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { at, bytes } of insertions) {
    parts.push(Buffer.from(markup.slice(from, at)), bytes);
    from = at;
  }
  const rest = Buffer.from(markup.slice(from));
  return parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
}
