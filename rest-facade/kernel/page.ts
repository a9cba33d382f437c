import type { Context } from 'koa';
import { z } from 'zod';
import type { KeysetPaging, Paging } from '../../schema/client/operation.ts';
import { p } from './params.ts';
import { type Raw, type Reading, readerOf } from './read.ts';

const usual = 20;
const largest = 100;

const numbers = readerOf(
  z
    .object({ page: p.clampedInt().optional(), per_page: p.clampedInt().optional() })
    .superRefine(({ per_page: size }, ctx) => {
      if (size !== 0) return;
      ctx.issues.push({
        code: 'custom',
        path: ['per_page'],
        message: 'does not have a valid value',
        input: size,
      });
    }),
);

/** `page` and `per_page`, clamped to their bounds (v4-behaviour 1.8). */
export function readPaging(raw: Raw): Reading<Paging> {
  const { params, problem } = numbers({ page: raw.page, per_page: raw.per_page });
  if (problem !== undefined) return { problem };
  const size = params.per_page ?? usual;
  return {
    params: {
      page: Math.max(params.page ?? 1, 1),
      perPage: size < 0 ? usual : Math.min(size, largest),
    },
  };
}

/** `pagination=keyset`: the listing is read by keys. */
export const isKeyset = (raw: Raw): boolean => raw.pagination === 'keyset';

/** Reads `per_page` and `cursor`, the start of a page that is read by keys. */
export function readKeysetPaging(raw: Raw): Reading<KeysetPaging> {
  const { cursor = '' } = raw;
  const reading = readPaging({ per_page: raw.per_page });
  if (reading.problem !== undefined) return reading;
  if (typeof cursor !== 'string') return { problem: 'cursor is invalid' };
  return { params: { ...reading.params, cursor: cursor || null } };
}

/** The URL of the request without its query. */
const addressOf = (ctx: Context, url: string): string =>
  `${url}${ctx.path.replace(/[<>"]/g, encodeURIComponent)}`;

/** Sets the header of a page that was read by keys: a link to the next page, if there is one. */
export function setKeysetHeaders(
  ctx: Context,
  url: string,
  { perPage }: Paging,
  nextCursor: string | null,
): void {
  if (nextCursor === null) return;
  const query = new URLSearchParams(ctx.querystring);
  query.delete('page');
  query.set('per_page', String(perPage));
  query.set('cursor', nextCursor);
  query.sort();
  ctx.res.setHeader('Link', `<${addressOf(ctx, url)}?${query}>; rel="next"`);
}

/** The URLs of other pages, with all query parameters of the request sorted by name. */
function addresses(ctx: Context, url: string, { perPage }: Paging): (page: number) => string {
  const query = new URLSearchParams(ctx.querystring);
  query.delete('page');
  query.delete('per_page');
  query.set('page', '');
  query.set('per_page', String(perPage));
  query.sort();
  const [before, after] = query.toString().split(/(?<=(?:^|&)page=)/);
  const start = `${addressOf(ctx, url)}?${before}`;
  return (page) => `${start}${page}${after ?? ''}`;
}

/** Characters. Clients reject longer headers, and the header repeats the query four times. */
const longestLink = 8_000;

/** Sets the headers of a page: its number, the totals, and links to other pages. */
export function setPageHeaders(ctx: Context, url: string, paging: Paging, total: number): void {
  const { page, perPage } = paging;
  const last = Math.max(Math.ceil(total / perPage), 1);
  const previous = page > 1 && page <= last ? page - 1 : null;
  const next = page < last ? page + 1 : null;

  const address = addresses(ctx, url, paging);
  const links = { prev: previous, next, first: 1, last };
  const link = Object.entries(links)
    .filter((entry): entry is [string, number] => entry[1] !== null)
    .map(([rel, to]) => `<${address(to)}>; rel="${rel}"`);

  const { res } = ctx;
  res.setHeader('X-Total', String(total));
  res.setHeader('X-Total-Pages', String(last));
  res.setHeader('X-Per-Page', String(perPage));
  res.setHeader('X-Page', String(page));
  res.setHeader('X-Next-Page', String(next ?? ''));
  res.setHeader('X-Prev-Page', String(previous ?? ''));
  const text = link.join(', ');
  if (text.length <= longestLink) res.setHeader('Link', text);
}
