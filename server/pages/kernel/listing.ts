import { type Html, html, type Shown } from './html.ts';
import type { Visit } from './page.ts';

export const perPage = 30;

const lastPage = 1_000_000;

/** The requested page of a listing, by the name of its parameter; 1 for an invalid number. */
export function pageOf({ query }: Visit, parameter = 'page'): number {
  const text = query[parameter] ?? '';
  const page = /^\d{1,9}$/.test(text) ? Number(text) : 1;
  return Math.min(Math.max(page, 1), lastPage);
}

interface Listing {
  /** The address without the page number. */
  readonly address: string;
  readonly page: number;
  readonly total: number;
  /** Other query parameters, as pairs if a name occurs twice. */
  readonly query?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly size?: number;
  /** The name of the page parameter. */
  readonly parameter?: string;
  readonly label?: string;
}

/** Links to the previous and next page of a listing; nothing for a single page. */
export function pager(listing: Listing): Html | null {
  const { address, page, total, query = {}, size = perPage } = listing;
  const { parameter = 'page', label = 'Pages' } = listing;
  const last = Math.ceil(total / size);
  if (last <= 1) return null;
  const others: readonly (readonly [string, string])[] = Array.isArray(query)
    ? query
    : Object.entries(query);
  const to = (number: number) => {
    const parameters = [...others, [parameter, String(number)] as const];
    return `${address}?${new URLSearchParams(parameters.map(([name, value]) => [name, value]))}`;
  };
  return html`<nav class="pager" aria-label="${label}">
${page > 1 && html`<a rel="prev" href="${to(Math.min(page - 1, last))}">Previous</a>`}
<span>Page ${page} of ${last}</span>
${page < last && html`<a rel="next" href="${to(page + 1)}">Next</a>`}
</nav>`;
}

interface OpenListing extends Omit<Listing, 'total' | 'size' | 'parameter' | 'query'> {
  readonly query?: Readonly<Record<string, string>>;
  readonly hasMore: boolean;
}

/** As `pager`, for a listing whose rows are not counted. */
export function openPager({ address, page, hasMore, query = {}, label = 'Pages' }: OpenListing) {
  if (page === 1 && !hasMore) return null;
  const to = (number: number) =>
    `${address}?${new URLSearchParams({ ...query, page: String(number) })}`;
  return html`<nav class="pager" aria-label="${label}">
${page > 1 && html`<a rel="prev" href="${to(page - 1)}">Previous</a>`}
<span>Page ${page}</span>
${hasMore && html`<a rel="next" href="${to(page + 1)}">Next</a>`}
</nav>`;
}

/** An entry of a list: a picture, its content, and facts at the end of the line. */
export const item = (picture: Shown, content: Shown, side: Shown = null): Html =>
  html`<div class="item">${picture}<div class="item-content">${content}</div>${
    side && html`<div class="item-side quiet">${side}</div>`
  }</div>`;

/** A list, or the text `none` if it is empty. */
export const entries = (items: readonly Shown[], none: string): Html =>
  items.length === 0
    ? html`<p class="quiet">${none}</p>`
    : html`<ul class="entries">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** Badges after a name. */
export const badges = (names: readonly Shown[]): Html =>
  html`${names.map((name) => name && html` <span class="badge">${name}</span>`)}`;

/** Filter links of a listing; the chosen one is marked. */
export const choices = (
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
): Html =>
  html`<nav class="choices" aria-label="${label}"><ul>${options.map(
    ([name, address]) =>
      html`<li><a href="${address}"${name === chosen && html` aria-current="true"`}>${name}</a></li>`,
  )}</ul></nav>`;

const units = ['KiB', 'MiB', 'GiB', 'TiB'];

/** `1536` → `1.5 KiB`. */
export function bytes(size: number): string {
  if (size < 1024) return size === 1 ? '1 byte' : `${size} bytes`;
  const power = Math.min(Math.floor(Math.log2(size) / 10), units.length);
  return `${(size / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
