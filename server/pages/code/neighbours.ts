import { type Html, html } from '../kernel/html.ts';

interface Neighbours {
  /** The address without the page number. */
  readonly address: string;
  readonly page: number;
  readonly hasNext: boolean;
  readonly query: Readonly<Record<string, string>>;
}

/** Links to the pages before and after one of a history, whose total takes long to count. */
export function neighbours({ address, page, hasNext, query }: Neighbours): Html | null {
  if (page === 1 && !hasNext) return null;
  const to = (number: number) =>
    `${address}?${new URLSearchParams({ ...query, page: String(number) })}`;
  return html`<nav class="pager" aria-label="Pages">
${page > 1 && html`<a rel="prev" href="${to(page - 1)}">Newer</a>`}
<span>Page ${page}</span>
${hasNext && html`<a rel="next" href="${to(page + 1)}">Older</a>`}
</nav>`;
}
