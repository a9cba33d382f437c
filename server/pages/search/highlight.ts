import { type Html, html } from '../kernel/html.ts';

/** The places of a text in another, in any case; none where lower case changes the length. */
function placesIn(text: string, search: string): readonly number[] {
  const lower = text.toLowerCase();
  const wanted = search.toLowerCase();
  if (wanted === '' || lower.length !== text.length || wanted.length !== search.length) return [];
  const places: number[] = [];
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
    places.push(at);
  }
  return places;
}

/** A text in which each hit of a search is marked. */
export function highlighted(text: string, search: string): Html {
  let end = 0;
  const parts = placesIn(text, search).map((at) => {
    const before = text.slice(end, at);
    end = at + search.length;
    return html`${before}<mark>${text.slice(at, end)}</mark>`;
  });
  return html`${parts}${text.slice(end)}`;
}

/** Characters of an excerpt before its first hit. */
const before = 60;

/** The part of a long text around the first hit of a search, with the hits marked. */
export function excerpt(text: string, search: string, longest = 240): Html {
  if (text.length <= longest) return highlighted(text, search);
  const [first = 0] = placesIn(text, search);
  const start = Math.max(0, first - before);
  const part = text.slice(start, start + longest).toWellFormed();
  return html`${start > 0 && '…'}${highlighted(part, search)}${start + longest < text.length && '…'}`;
}
