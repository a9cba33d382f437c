import type { Context } from 'koa';
import { parse } from 'qs';
import { numberMaps } from './ruby-arrays.ts';

const mostNames = 1000;
const deepest = 20;

const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

/** A text that is no parameters at all: broken encoding, too deep, too many. */
const unreadable = () => Object.assign(new Error('400 Bad Request'), { status: 400, expose: true });

/** What becomes of a parameter that is given several times: the last, or a list of them all. */
export type Repeats = 'last' | 'combine';

/** `a=1&b[]=2&c[KEY]=3` as nested maps without prototypes; throws what is answered with 400. */
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

/** The parameters of a request's query, read once for everybody who asks. */
export function queryOf(ctx: Context): Record<string, unknown> {
  ctx.state.query ??= parseParameters(ctx.querystring);
  return ctx.state.query;
}
