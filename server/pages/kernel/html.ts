import { escapeHtml } from '../../../schema/markdown/escape-html.ts';

/** Safe markup. Only `html` and `trusted` create it. */
export interface Html {
  readonly markup: string;
}

/** A value in a template; null, undefined and false render nothing. */
export type Shown = Html | string | number | null | undefined | false | readonly Shown[];

function markupOf(value: Shown): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object') {
    return 'markup' in value ? value.markup : value.map(markupOf).join('');
  }
  return escapeHtml(String(value));
}

/**
 * Creates markup. Values are escaped unless they are markup themselves; a list is
 * concatenated. Attributes must be in double quotes.
 */
export function html(pieces: TemplateStringsArray, ...values: readonly Shown[]): Html {
  let markup = pieces[0] ?? '';
  for (const [place, value] of values.entries()) {
    markup += markupOf(value) + (pieces[place + 1] ?? '');
  }
  return { markup };
}

/** Markup from a library that escapes by itself; never pass user input. */
export const trusted = (markup: string): Html => ({ markup });
