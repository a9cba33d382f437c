import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { repositoryFolder, type Storages } from '../git/address.ts';
import { GitFailure } from '../git/run.ts';
import type { GitService, Moved, Refused } from './access.ts';
import { type GitAddress, readGitAddress } from './address.ts';
import { advertiser } from './advertisement.ts';
import { ACCESS_DENIED, answerText, PROJECT_MISSING } from './answers.ts';
import { readCredentials } from './credentials.ts';
import { readGitProtocol } from './protocol.ts';
import { BodyRefused } from './request-body.ts';
import { packServices, type ServiceParts } from './services.ts';

export interface GitHttpParts extends Omit<ServiceParts, 'maxPushBytes'> {
  readonly storages: Storages;
  /** Public base URL without a trailing slash, for redirects. */
  readonly baseUrl: string;
  /** Packs beyond this are refused; 10 GiB unless told. */
  readonly maxPushBytes?: number;
}

const DEFAULT_MAX_PUSH = 10 * 1024 ** 3;
const STATUS: Readonly<Record<Refused['outcome'], number>> = {
  unauthenticated: 401,
  denied: 403,
  missing: 404,
  throttled: 429,
};

/** Git over HTTP under `/<full path>.git/`: the smart protocol only. Anything else passes on. */
export function gitHttp(parts: GitHttpParts): Middleware {
  const { access, log, storages, baseUrl, maxPushBytes = DEFAULT_MAX_PUSH } = parts;
  const advertise = advertiser();
  const serve = packServices({ access, log, hooks: parts.hooks, maxPushBytes });

  /** Git follows its first request, and goes on where that was answered. */
  const leadOn = (ctx: Context, { fullPath, text }: Moved, action: GitAddress['action']) => {
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
      answerText(ctx, 401, ACCESS_DENIED);
      return null;
    }
    const answer = await access.authorize({ path, service, credentials, address: ctx.ip });
    const isPush = service === 'git-receive-pack';
    if (answer.outcome === 'moved') leadOn(ctx, answer, action);
    else if (answer.outcome !== 'granted') {
      const text = answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`;
      if (answer.retryAfter !== undefined) ctx.set('Retry-After', String(answer.retryAfter));
      answerText(ctx, STATUS[answer.outcome], text);
    } else if (isPush && answer.userId === null) answerText(ctx, 401, ACCESS_DENIED);
    else return answer;
    return null;
  };

  const handle = async (ctx: Context, path: string, { action }: GitAddress) => {
    const service = action === 'info/refs' ? serviceAsked(ctx) : action;
    if (service === null) return answerText(ctx, 403, 'Only the smart protocol is served\n');
    const granted = await enter(ctx, path, service, action);
    if (!granted) return;
    const folder = repositoryFolder(storages, granted.repository);
    const protocol = readGitProtocol(ctx.get('Git-Protocol'));
    try {
      if (action === 'info/refs') await advertise(ctx, { folder, service, protocol });
      else await serve[action](ctx, { folder, protocol }, granted);
    } catch (error) {
      if (ctx.res.destroyed) return;
      const refusal = await explain(error, folder, action);
      if (!refusal) log.error({ err: error, projectId: granted.projectId }, 'git failed');
      if (ctx.headerSent) ctx.res.destroy();
      else answerText(ctx, ...(refusal ?? [500, 'The repository could not be read\n']));
    }
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
    if (address.path === null) return answerText(ctx, 404, PROJECT_MISSING);
    const refused = refusedForm(ctx, address);
    if (refused) return answerText(ctx, ...refused);
    await handle(ctx, address.path, address);
  };
}

/** What the client did wrong, or null when the failure is ours. */
async function explain(
  error: unknown,
  folder: string,
  action: GitAddress['action'],
): Promise<readonly [number, string] | null> {
  if (error instanceof BodyRefused) return [error.status, error.message];
  if (!(error instanceof GitFailure) || action === 'info/refs') return null;
  const isThere = await stat(join(folder, 'HEAD')).catch(() => null);
  return isThere && [400, 'The request could not be understood\n'];
}

const serviceAsked = (ctx: Context): GitService | null => {
  const service = /(?:^\?|&)service=(git-(?:upload|receive)-pack)(?:&|$)/.exec(ctx.search)?.[1];
  return (service as GitService | undefined) ?? null;
};

/** Only git's own first request is led to the right place. */
const isPlainHandshake = (ctx: Context) =>
  /^(?:\?service=git-(?:upload|receive)-pack)?$/.test(ctx.search);

function refusedForm(ctx: Context, { action }: GitAddress): readonly [number, string] | null {
  if (action === 'info/refs')
    return ctx.method === 'GET' || ctx.method === 'HEAD' ? null : [405, 'Method not allowed\n'];
  if (ctx.method !== 'POST') return [405, 'Method not allowed\n'];
  const isRightType = ctx.request.type === `application/x-${action}-request`;
  return isRightType ? null : [415, 'Unsupported media type\n'];
}
