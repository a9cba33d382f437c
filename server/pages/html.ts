/** Text of a page that was escaped, or written by us. Only `html` makes one. */
export interface Html {
  readonly markup: string;
}

/** What may stand between the pieces of a template: nothing is shown for null, undefined and false. */
export type Shown = Html | string | number | null | undefined | false | readonly Shown[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

function markupOf(value: Shown): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object') {
    return 'markup' in value ? value.markup : value.map(markupOf).join('');
  }
  return escaped(String(value));
}

/**
 * A piece of a page. Whatever is put in is escaped, unless it is such a piece itself; a list is its
 * members one after the other. Attributes stand in double quotes.
 */
export function html(pieces: TemplateStringsArray, ...values: readonly Shown[]): Html {
  let markup = pieces[0] ?? '';
  for (const [place, value] of values.entries()) {
    markup += markupOf(value) + (pieces[place + 1] ?? '');
  }
  return { markup };
}

/** Markup from a library that escapes on its own; nothing that a person wrote goes through here. */
export const trusted = (markup: string): Html => ({ markup });
