import type { Context } from 'koa';

export interface TwinPage {
  readonly page: number;
  readonly perPage: number;
}

export const twinPage = ({ query }: Context): TwinPage => ({
  page: Math.max(Number(query.page ?? 1), 1),
  perPage: Math.min(Number(query.per_page ?? 20), 100),
});

/** X-Total and its like, and Link, for a page of `total` rows. */
export function setTwinPage(
  ctx: Context,
  url: string,
  { page, perPage }: TwinPage,
  total: number,
): void {
  const last = Math.max(Math.ceil(total / perPage), 1);
  const previous = page > 1 && page <= last ? page - 1 : null;
  const next = page < last ? page + 1 : null;
  const query = new URLSearchParams(ctx.querystring);
  query.set('per_page', String(perPage));
  const link = (to: number | null, rel: string) => {
    if (to === null) return [];
    query.set('page', String(to));
    query.sort();
    return [`<${url}${ctx.path}?${query}>; rel="${rel}"`];
  };
  const links = [link(previous, 'prev'), link(next, 'next'), link(1, 'first'), link(last, 'last')];
  const { res } = ctx;
  res.setHeader('X-Total', String(total));
  res.setHeader('X-Total-Pages', String(last));
  res.setHeader('X-Per-Page', String(perPage));
  res.setHeader('X-Page', String(page));
  res.setHeader('X-Next-Page', String(next ?? ''));
  res.setHeader('X-Prev-Page', String(previous ?? ''));
  res.setHeader('Link', links.flat().join(', '));
}
