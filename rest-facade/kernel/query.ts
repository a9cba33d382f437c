import type { Context } from 'koa';
import { parse } from 'qs';
import { numberMaps } from './ruby-arrays.ts';

const mostNames = 1000;
const deepest = 20;

const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

/** A query that cannot be read: invalid encoding, too deep, or too many parameters. */
const unreadable = () => Object.assign(new Error('400 Bad Request'), { status: 400, expose: true });

/** The value of a repeated parameter: the last one, or a list of all. */
export type Repeats = 'last' | 'combine';

/** `a=1&b[]=2&c[KEY]=3` as nested maps without prototypes. Throws an error with status 400. */
export function parseParameters(
  text: string,
  duplicates: Repeats = 'last',
): Record<string, unknown> {
  if (text === '') return {};
  try {
    return parse(numberMaps(text), {
      allowDots: false,
      arrayLimit: mostNames,
      decoder: (part) => decode(part),
      depth: deepest,
      strictDepth: true,
      duplicates,
      parameterLimit: mostNames,
      throwOnLimitExceeded: true,
      plainObjects: true,
    });
  } catch {
    throw unreadable();
  }
}

/** The query parameters of a request, parsed once. */
export function queryOf(ctx: Context): Record<string, unknown> {
  ctx.state.query ??= parseParameters(ctx.querystring);
  return ctx.state.query;
}
