import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { lostSignal } from '../rest-facade/kernel/lost.ts';
import type { Context, Viewer } from '../schema/kernel/context.ts';
import { DomainError, recordNotFound } from '../schema/kernel/errors.ts';
import { isGone } from '../schema/kernel/storage-errors.ts';
import { sendExplorer } from './explorer.ts';
import { isFromElsewhere } from './http/browser-session.ts';
import type { Logger } from './log.ts';

/** What a document from outside may cost: rows times fields, and levels. */
const limits = { depth: 12, complexity: 20_000 };

export interface GraphqlParts {
  readonly schema: GraphQLSchema;
  readonly contextFor: (viewer: Viewer | null, changes: Partial<Context>) => Context;
  readonly log: Logger;
  /** Public base URL without a trailing slash. */
  readonly baseUrl: string;
  /** The path under which the service is reached, '' at the root. */
  readonly basePath: string;
}

/** The core for people and programs at `/graphql`, with the explorer for browsers. */
export function graphqlEndpoint(parts: GraphqlParts): Koa.Middleware {
  let yoga: ReturnType<typeof makeYoga> | null = null;
  return async (ctx, next) => {
    if (ctx.path !== '/graphql') return next();
    ctx.state.route = '/graphql';
    if (isBrowserVisit(ctx)) return sendExplorer(ctx, `${parts.basePath}/graphql`);
    if (holdsNul(ctx)) return refuse(ctx, 'A text holds NUL');
    // before yoga, which calls every body that was read JSON
    const viewer = isOurs(ctx, parts.baseUrl) ? (ctx.state.viewer ?? null) : null;
    // the body was read, and bounded, with those of every other endpoint
    const request = Object.assign(ctx.req, { body: ctx.request.body });
    yoga ??= makeYoga(parts);
    const response = await (await yoga).handleNodeRequestAndResponse(request, ctx.res, {
      koa: ctx,
      viewer,
    });
    ctx.status = response.status;
    for (const [name, value] of response.headers) ctx.set(name, value);
    ctx.body = response.body;
  };
}

/** Loaded at the first request: a process that serves REST and git alone saves twenty megabytes. */
async function makeYoga({ schema, contextFor, log }: GraphqlParts) {
  const [{ createYoga, maskError }, { parse }] = await Promise.all([
    import('graphql-yoga'),
    import('graphql'),
  ]);
  return createYoga<{ koa: Koa.Context; viewer: Viewer | null }, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    cors: false,
    logging: false,
    context: ({ koa, viewer }) =>
      contextFor(viewer, {
        limits,
        request: {
          id: koa.state.requestId ?? '',
          address: koa.ip,
          sudoerId: koa.state.sudoerId ?? null,
          isLent: koa.state.credential?.kind === 'oauth',
          get signal() {
            return lostSignal(koa.res);
          },
        },
      }),
    plugins: [
      {
        onParse: ({ setParseFn }: { setParseFn: (parse: (source: string) => unknown) => void }) =>
          setParseFn((source) => parse(source, { maxTokens: mostTokens })),
      },
    ],
    maskedErrors: {
      maskError: (error, message) => {
        const cause = (error as { originalError?: unknown }).originalError ?? error;
        if (cause instanceof DomainError) return error as Error;
        // somebody else removed the record, or what it refers to, at the same moment
        if (isGone(cause)) return recordNotFound();
        if (cause !== error) log.error({ err: cause }, 'an operation failed');
        return maskError(error, message);
      },
    },
  });
}

/**
 * Whether whoever asks may be taken for who is signed in in the browser: a page of another site sends
 * the cookie along, but neither hides that it is one nor sends JSON unasked. A token is always meant.
 */
const isOurs = (ctx: Koa.Context, baseUrl: string): boolean =>
  ctx.state.credential?.kind !== 'session' ||
  (!isFromElsewhere(ctx, baseUrl) && (ctx.method === 'GET' || Boolean(ctx.is('application/json'))));

/** Longer than any document a person writes, and short of what a parser's stack can bear. */
const mostTokens = 2_000;

/** Somebody looking, not somebody asking: HTML wanted and no operation in the address. */
const isBrowserVisit = (ctx: Koa.Context) =>
  ctx.method === 'GET' && ctx.query.query === undefined && ctx.accepts('json', 'html') === 'html';

/** PostgreSQL keeps no NUL, so none gets as far: raw, as an escape of JSON, or as one of GraphQL. */
const holdsNul = (ctx: Koa.Context): boolean =>
  /\\u0000|\\u\{0+\}|%00/i.test(JSON.stringify(ctx.request.body ?? '') + ctx.querystring);

function refuse(ctx: Koa.Context, message: string): void {
  ctx.status = 400;
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify({ errors: [{ message }] });
}
