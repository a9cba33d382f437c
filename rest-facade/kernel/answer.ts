import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Outcome } from '../../schema/client/endpoint.ts';
import type { Execute, RequestFacts, Viewer } from '../../schema/client/execute.ts';
import type { Operation, Paging, Site } from '../../schema/client/operation.ts';
import { requestFacts } from '../../schema/client/request-facts.ts';
import { chosenBy } from './choice.ts';
import { refused } from './errors.ts';
import { headerInstant } from './instant.ts';
import {
  isKeyset,
  readKeysetPaging,
  readPaging,
  setKeysetHeaders,
  setPageHeaders,
} from './page.ts';
import { queryOf } from './query.ts';
import { merged, type Raw, type Reading, readerOf } from './read.ts';
import { type Receiver, receiverOf } from './receiver.ts';
import type { PathParams, Route, Streams } from './route.ts';

export interface Parts {
  readonly execute: Execute;
  /** Public base URL without a trailing slash. */
  readonly url: string;
  readonly streamsFor: (receiver: Receiver) => Streams;
}

/** A refusal by the facade itself. */
export class Refusal extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(`Responded with ${outcome.status}`);
    this.outcome = outcome;
  }
}

/** Whether a body is sent as it is, not as JSON. */
export const isContent = (body: unknown): body is Buffer | Readable =>
  Buffer.isBuffer(body) || body instanceof Readable;

/** Writes a response: bytes and streams as they are, any other body as JSON. */
export function respond(ctx: Context, { status, body, headers = {} }: Outcome): void {
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value);
  ctx.status = status;
  if (isContent(body)) {
    // also if it is never read, as for HEAD
    if (!Buffer.isBuffer(body)) receiverOf(ctx).onClose(() => body.destroy());
    ctx.body = body;
    // a redirect has no content
    if (status === 302) ctx.remove('Content-Type');
  } else if (status === 204 || status === 304) {
    ctx.body = null;
  } else {
    // old clients compare the type for equality, so it carries no charset
    ctx.res.setHeader('Content-Type', 'application/json');
    // a Buffer: measuring, tagging and writing would each encode a string again
    ctx.body = Buffer.from(JSON.stringify(body ?? null));
  }
}

function checkAccess(access: Route['access'], viewer: Viewer | null): void {
  if (access === 'anyone') return;
  if (!viewer) throw new Refusal(refused.anonymous);
  if (access === 'admin' && !viewer.isAdmin) throw new Refusal(refused.ordinary);
}

/** A reader of an operation's parameters, including the page of a listing. */
function parametersOf(operation: Operation): (raw: Raw) => Reading<object> {
  const own = readerOf(operation.params) as (raw: Raw) => Reading<object>;
  const readPage = operation.nextCursor ? readKeysetPaging : operation.total && readPaging;
  if (!readPage) return own;
  return (raw) => {
    const read = own(raw);
    const paging = readPage(raw);
    if (read.params && paging.params) return { params: { ...read.params, ...paging.params } };
    return { problem: [read.problem, paging.problem].filter(Boolean).join(', ') };
  };
}

/** The current user, and the facts of the request. */
export interface Caller {
  readonly viewer: Viewer | null;
  readonly request: RequestFacts;
}

/** Runs a route: checks access, reads the parameters, executes the document. Throws refusals. */
export function executeRoute({ access, before, operation }: Route, execute: Execute) {
  const { document, variables } = operation;
  const read = parametersOf(operation);
  return async (raw: () => Raw, path: PathParams, { viewer, request }: Caller) => {
    checkAccess(access, viewer);
    const { params, problem } = read(raw());
    if (problem !== undefined) {
      // check the permission only now: valid parameters then need no second query
      if (before) await execute(before.document, before.variables(path), viewer, request);
      throw new Refusal(refused.parameters(problem));
    }
    return { params, data: await execute(document, variables(params, viewer), viewer, request) };
  };
}

/** Turns a route's data into a status and a body. */
export function showing({ operation, status, method }: Route) {
  const usual = !operation.body ? 204 : method === 'post' ? 201 : 200;
  return (data: unknown, params: object, site: Site): Outcome => {
    const code = typeof status === 'function' ? status(data) : (status ?? usual);
    const isEmpty = code === 204 || code === 304;
    return { status: code, body: isEmpty ? null : operation.body?.(data, site, params) };
  };
}

/** A listing as it is read by keys; its document is derived at the first request. */
function keysetRoute(route: Route, operation: Operation, execute: Execute) {
  const { nextCursor = () => null } = operation;
  return { ask: executeRoute({ ...route, operation }, execute), nextCursor };
}

type KeysetRoute = ReturnType<typeof keysetRoute>;

type Answer = (ctx: Context, path: PathParams) => Promise<void>;

/** Handles the requests of one endpoint. */
export function answering(route: Route, parts: Parts): Answer {
  const { choices } = route;
  const own = answeringOne(route, parts);
  if (!choices) return own;
  const answers = new Map([...choices.routes].map(([v, each]) => [v, answeringOne(each, parts)]));
  return (ctx, path) => {
    const given = merged(queryOf(ctx), ctx.request.body, path);
    return (chosenBy(answers, choices, given) ?? own)(ctx, path);
  };
}

/** Handles the requests of one route. */
function answeringOne(route: Route, { execute, url, streamsFor }: Parts): Answer {
  const { operation, send, method } = route;
  const headers = Object.entries(route.headers ?? {});
  const ask = executeRoute(route, execute);
  const show = showing(route);
  let keyset: KeysetRoute | null = null;

  return async (ctx, path) => {
    const viewer: Viewer | null = ctx.state.viewer ?? null;
    const unmodifiedSince =
      method === 'delete' ? headerInstant(ctx.get('If-Unmodified-Since')) : null;
    const request = requestFacts(ctx, { unmodifiedSince });
    const raw = () => {
      const given = merged(queryOf(ctx), ctx.request.body, path);
      for (const [name, header] of headers) given[name] ??= ctx.get(header) || undefined;
      return given;
    };
    if (operation.byKeys && isKeyset(queryOf(ctx))) {
      keyset ??= keysetRoute(route, operation.byKeys(), execute);
      const { params, data } = await keyset.ask(raw, path, { viewer, request });
      setKeysetHeaders(ctx, url, params as Paging, keyset.nextCursor(data));
      return respond(ctx, show(data, params, { url, viewer }));
    }
    const { params, data } = await ask(raw, path, { viewer, request });
    if (send) return respond(ctx, await send(data, params, streamsFor(receiverOf(ctx))));
    if (operation.total) setPageHeaders(ctx, url, params as Paging, operation.total(data));
    respond(ctx, show(data, params, { url, viewer }));
  };
}
