import { type Html, html, type Shown } from '../html.ts';
import type { Visit } from '../page.ts';

/** Entries on a page. */
export const perPage = 30;

const lastPage = 1_000_000;

/** Which page of a listing is wanted; anything odd is the first. */
export function pageOf({ query }: Visit): number {
  const page = /^\d{1,9}$/.test(query.page ?? '') ? Number(query.page) : 1;
  return Math.min(Math.max(page, 1), lastPage);
}

interface Listing {
  /** Where the listing is, without the number of the page. */
  readonly address: string;
  readonly page: number;
  readonly total: number;
  /** What else stands in the address. */
  readonly query?: Readonly<Record<string, string>>;
  readonly size?: number;
  /** What the number of the page is called in the address. */
  readonly parameter?: string;
  readonly label?: string;
}

/** Leads to the pages around one of a listing; nothing where one holds all. */
export function pager(listing: Listing): Html | null {
  const { address, page, total, query = {}, size = perPage } = listing;
  const { parameter = 'page', label = 'Pages' } = listing;
  const last = Math.ceil(total / size);
  if (last <= 1) return null;
  const to = (number: number) =>
    `${address}?${new URLSearchParams({ ...query, [parameter]: String(number) })}`;
  return html`<nav class="pager" aria-label="${label}">
${page > 1 && html`<a rel="prev" href="${to(Math.min(page - 1, last))}">Previous</a>`}
<span>Page ${page} of ${last}</span>
${page < last && html`<a rel="next" href="${to(page + 1)}">Next</a>`}
</nav>`;
}

/** A moment, as day; the whole of it is told to whoever asks. */
export const when = (instant: string): Html =>
  html`<time datetime="${instant}" title="${instant}">${instant.slice(0, 10)}</time>`;

/** The same to the minute, where several are on one day. */
export const moment = (instant: string): Html =>
  html`<time datetime="${instant}" title="${instant}">${instant.slice(0, 16).replace('T', '\u00a0')}\u00a0UTC</time>`;

/** A list of things that are linked, or what is said when there are none. */
export const entries = (items: readonly Shown[], none: string): Html =>
  items.length === 0
    ? html`<p class="quiet">${none}</p>`
    : html`<ul class="entries">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** Words that narrow a listing, the chosen one marked. */
export const choices = (
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
): Html =>
  html`<nav class="choices" aria-label="${label}"><ul>${options.map(
    ([name, address]) =>
      html`<li><a href="${address}"${name === chosen && html` aria-current="true"`}>${name}</a></li>`,
  )}</ul></nav>`;

/** `1536` → `1.5 KiB`. */
export function bytes(size: number): string {
  if (size < 1024) return size === 1 ? '1 byte' : `${size} bytes`;
  const [amount, unit] = size < 1024 ** 2 ? [size / 1024, 'KiB'] : [size / 1024 ** 2, 'MiB'];
  return `${amount.toFixed(1)} ${unit}`;
}
