import type { Context, Middleware } from 'koa';
import { explain as explainUnavailable } from '../../rest-facade/kernel/errors.ts';
import { receiverOf } from '../../rest-facade/kernel/receiver.ts';
import { type ReportOutage, unavailableOf } from '../../schema/client/execute.ts';
import { DomainError } from '../../schema/kernel/errors.ts';
import type { OpenSessions } from '../accounts/open-sessions.ts';
import { repositoryFolder, type Storages } from '../git/address.ts';
import { GitFailure } from '../git/process/run.ts';
import type { ReserveStream } from '../http/stream-gate.ts';
import type { GitService, Granted, Moved, Refused } from './access.ts';
import { type GitAddress, readGitAddress } from './address.ts';
import { advertiser } from './advertisement.ts';
import { blamesRequest } from './complaints.ts';
import { readCredentials } from './credentials.ts';
import { readGitProtocol } from './protocol.ts';
import { BodyRefused } from './request-body.ts';
import { accessDenied, answerText, projectNotFound, unavailableText } from './responses.ts';
import { packServices, type ServiceParts } from './services.ts';

interface GitHttpParts extends Omit<ServiceParts, 'maxPushBytes' | 'freeLocks'> {
  readonly storages: Storages;
  readonly reportOutage?: ReportOutage;
  readonly freeLocks?: ServiceParts['freeLocks'];
  /** Limits concurrent requests; each may hold a git process. */
  readonly reserveStream: ReserveStream;
  /** Ends transfers with the permission to do them. */
  readonly sessions?: Pick<OpenSessions, 'watch'>;
  /** Public base URL without a trailing slash, for redirects. */
  readonly baseUrl: string;
  /** Maximum bytes of a push; default 10 GiB. */
  readonly maxPushBytes?: number;
}

/** Bytes. */
export const defaultMaxPushBytes = 10 * 1024 ** 3;
const statusOfRefusal: Readonly<Record<Refused['outcome'], number>> = {
  unauthenticated: 401,
  denied: 403,
  missing: 404,
  throttled: 429,
};

/** Git over HTTP under `/<full path>.git/`: the smart protocol only. Passes other requests on. */
export function gitHttp(parts: GitHttpParts): Middleware {
  const {
    access,
    log,
    storages,
    baseUrl,
    reserveStream,
    maxPushBytes = defaultMaxPushBytes,
  } = parts;
  const { reportOutage = () => {}, freeLocks = async () => null } = parts;
  const advertise = advertiser();
  const serve = packServices({ ...parts, maxPushBytes, freeLocks });

  /** Git follows a redirect of its first request, and sends the others to the new address. */
  const redirectToNewPath = (
    ctx: Context,
    { fullPath, text }: Moved,
    action: GitAddress['action'],
  ) => {
    if (action !== 'info/refs') return answerText(ctx, 404, text);
    ctx.set('Location', `${baseUrl}/${fullPath}.git/info/refs${ctx.search}`);
    answerText(ctx, 301, text);
  };

  const enter = async (
    ctx: Context,
    path: string,
    service: GitService,
    action: GitAddress['action'],
  ) => {
    const credentials = readCredentials(ctx.get('Authorization'));
    if (credentials === 'malformed') {
      answerText(ctx, 401, accessDenied);
      return null;
    }
    const answer = await access.authorize({ path, service, credentials, address: ctx.ip });
    const isPush = service === 'git-receive-pack';
    if (answer.outcome === 'moved') redirectToNewPath(ctx, answer, action);
    else if (answer.outcome !== 'granted') {
      const text = answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`;
      if (answer.retryAfter !== undefined) ctx.set('Retry-After', String(answer.retryAfter));
      answerText(ctx, statusOfRefusal[answer.outcome], text);
    } else if (isPush && answer.userId === null) answerText(ctx, 401, accessDenied);
    else return answer;
    return null;
  };

  const watch = (ctx: Context, { right }: Granted) => {
    if (!right || !parts.sessions) return;
    const unwatch = parts.sessions.watch({ ...right, end: () => ctx.res.destroy() });
    receiverOf(ctx).onClose(unwatch);
  };

  const handle = async (ctx: Context, path: string, { action }: GitAddress) => {
    const service = action === 'info/refs' ? requestedService(ctx) : action;
    if (service === null) return answerText(ctx, 403, 'Only the smart protocol is served\n');
    const granted = await enter(ctx, path, service, action);
    if (!granted) return;
    const folder = repositoryFolder(storages, granted.repository);
    const protocol = readGitProtocol(ctx.get('Git-Protocol'));
    try {
      await reserveStream(receiverOf(ctx));
      if (action === 'info/refs') await advertise(ctx, { folder, service, protocol });
      else {
        watch(ctx, granted);
        await serve[action](ctx, { folder, protocol }, granted);
      }
    } catch (error) {
      if (ctx.res.destroyed) return;
      if (isRefusedStream(error)) return answerTooMany(ctx, error);
      const refusal = explain(error, action);
      if (!refusal && !ctx.headerSent && respondUnavailable(ctx, error)) return;
      if (!refusal) log.error({ err: error, projectId: granted.projectId }, 'git failed');
      if (ctx.headerSent) ctx.res.destroy();
      else answerText(ctx, ...(refusal ?? [500, 'The repository could not be read\n']));
    }
  };

  /** For failures of a part of the service, responds with a text that git shows. */
  const respondUnavailable = (ctx: Context, error: unknown): boolean => {
    const unavailable = unavailableOf(error, reportOutage, ctx.state.requestId);
    const explained = explainUnavailable(unavailable);
    if (!unavailable || !explained) return false;
    ctx.set({ ...explained.headers });
    answerText(ctx, explained.status, `${unavailableText(unavailable)}\n`);
    return true;
  };

  return async (ctx, next) => {
    const address = readGitAddress(ctx.path);
    if (!address) return next();
    if (!address.hasSuffix) {
      const isHandshake = ctx.method === 'GET' && address.path !== null && isPlainHandshake(ctx);
      if (!isHandshake) return next();
      const location = `${baseUrl}/${address.path}.git/info/refs${ctx.search}`;
      ctx.set('Location', location);
      return answerText(ctx, 301, `${location}\n`);
    }
    if (address.path === null) return answerText(ctx, 404, projectNotFound);
    const refused = refusedForm(ctx, address);
    if (refused) return answerText(ctx, ...refused);
    ctx.state.route = `/:project.git/${address.action}`;
    try {
      await handle(ctx, address.path, address);
    } catch (error) {
      if (ctx.headerSent || !respondUnavailable(ctx, error)) throw error;
    }
  };
}

/** The client's error, or null when the failure is ours. */
function explain(error: unknown, action: GitAddress['action']): readonly [number, string] | null {
  if (error instanceof BodyRefused) return [error.status, error.message];
  const isClients =
    error instanceof GitFailure && action !== 'info/refs' && blamesRequest(error.message);
  return isClients ? [400, 'The request could not be understood\n'] : null;
}

const isRefusedStream = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.retryAfter !== undefined;

/** Responds when too many requests are active, of this address or in total. */
function answerTooMany(ctx: Context, { code, retryAfter = 1 }: DomainError) {
  ctx.set('Retry-After', String(retryAfter));
  // do not read the rest of the pack
  if (!ctx.req.complete) ctx.set('Connection', 'close');
  const [status, reason] =
    code === 'UNAVAILABLE'
      ? [503, 'The server is busy with too many git requests.']
      : [429, 'There are too many git requests from your address.'];
  answerText(ctx, status, `${reason} Try again in ${retryAfter} seconds.\n`);
}

const requestedService = (ctx: Context): GitService | null => {
  const service = /(?:^\?|&)service=(git-(?:upload|receive)-pack)(?:&|$)/.exec(ctx.search)?.[1];
  return (service as GitService | undefined) ?? null;
};

/** Only git's first request is redirected. */
const isPlainHandshake = (ctx: Context) =>
  /^(?:\?service=git-(?:upload|receive)-pack)?$/.test(ctx.search);

function refusedForm(ctx: Context, { action }: GitAddress): readonly [number, string] | null {
  if (action === 'info/refs')
    return ctx.method === 'GET' || ctx.method === 'HEAD' ? null : [405, 'Method not allowed\n'];
  if (ctx.method !== 'POST') return [405, 'Method not allowed\n'];
  const isRightType = ctx.request.type === `application/x-${action}-request`;
  return isRightType ? null : [415, 'Unsupported media type\n'];
}
