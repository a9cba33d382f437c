import type { Context } from 'koa';
import type { Execute, RequestFacts, Viewer } from '../../schema/client/execute.ts';
import type { Paging } from '../../schema/client/operation.ts';
import { type Explanation, refused } from './errors.ts';
import { headerInstant } from './instant.ts';
import { lostSignal } from './lost.ts';
import { readPaging, setPageHeaders } from './page.ts';
import { queryOf } from './query.ts';
import { merged, type Raw, type Reading, readerOf } from './read.ts';
import type { PathParams, Route, Streams } from './route.ts';

/** What every answer is made with. */
export interface Parts {
  readonly execute: Execute;
  /** Public base URL without a trailing slash. */
  readonly url: string;
  readonly streams: Streams;
}

/** A refusal of the facade itself, on its way to the answer. */
export class Refusal extends Error {
  readonly explanation: Explanation;

  constructor(explanation: Explanation) {
    super(`Answered with ${explanation.status}`);
    this.explanation = explanation;
  }
}

/** Sends JSON; old clients compare the type for equality, so it carries no charset. */
export function sendJson(ctx: Context, status: number, value: unknown): void {
  ctx.status = status;
  if (status === 204 || status === 304) {
    ctx.body = null;
    return;
  }
  ctx.res.setHeader('Content-Type', 'application/json');
  // bytes at once: they are measured, tagged and written, each of which would encode a text again
  ctx.body = Buffer.from(JSON.stringify(value ?? null));
}

function checkAccess(access: Route['access'], viewer: Viewer | null): void {
  if (access === 'anyone') return;
  if (!viewer) throw new Refusal(refused.anonymous);
  if (access === 'admin' && !viewer.isAdmin) throw new Refusal(refused.ordinary);
}

/** Reads the parameters of a route; a listing's page is among them. */
function parametersOf({ operation }: Route): (raw: Raw) => Reading<object> {
  const own = readerOf(operation.params) as (raw: Raw) => Reading<object>;
  if (!operation.page) return own;
  return (raw) => {
    const read = own(raw);
    const paging = readPaging(raw);
    if (read.params && paging.params) return { params: { ...read.params, ...paging.params } };
    return { problem: [read.problem, paging.problem].filter(Boolean).join(', ') };
  };
}

/** Answers one route: access, then parameters, then the core, then the wire's shape. */
export function answering(route: Route, { execute, url, streams }: Parts) {
  const { access, before, operation, send, status, method } = route;
  const headers = Object.entries(route.headers ?? {});
  const { document, variables, reshape, page } = operation;
  const read = parametersOf(route);
  const usual = !reshape ? 204 : method === 'post' ? 201 : 200;

  return async (ctx: Context, path: PathParams): Promise<void> => {
    const viewer: Viewer | null = ctx.state.viewer ?? null;
    checkAccess(access, viewer);
    const request: RequestFacts = {
      id: ctx.state.requestId ?? '',
      address: ctx.ip,
      sudoerId: ctx.state.sudoerId ?? null,
      isLent: ctx.state.credential?.kind === 'oauth',
      get signal() {
        return lostSignal(ctx.res);
      },
      ...(method === 'delete' && {
        unmodifiedSince: headerInstant(ctx.get('If-Unmodified-Since')),
      }),
    };

    const given = merged(queryOf(ctx), ctx.request.body, path);
    for (const [name, header] of headers) given[name] ??= ctx.get(header) || undefined;
    const { params, problem } = read(given);
    if (problem !== undefined) {
      // a permission that comes first is asked for only now: the good case needs no second query
      if (before) await execute(before.document, before.variables(path), viewer, request);
      throw new Refusal(refused.parameters(problem));
    }

    const data = await execute(document, variables(params, viewer), viewer, request);
    if (send) return send(data, params, ctx, streams);
    if (page) setPageHeaders(ctx, url, params as Paging, page(data));
    const code = typeof status === 'function' ? status(data) : (status ?? usual);
    sendJson(
      ctx,
      code,
      code === 204 || code === 304 ? null : reshape?.(data, params, { url, viewer }),
    );
  };
}
