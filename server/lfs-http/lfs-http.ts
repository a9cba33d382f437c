import type { Middleware, Context as Request } from 'koa';
import type { Logger } from 'pino';
import { explain as explainRefusal } from '../../rest-facade/kernel/errors.ts';
import { receiverOf } from '../../rest-facade/kernel/receiver.ts';
import { type ReportOutage, refusal, unavailableOf } from '../../schema/client/execute.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { authorizeLfs, type LfsCaller, type LfsProject } from '../../schema/lfs/access.ts';
import type { LfsOperation } from '../../schema/lfs/token.ts';
import { noUser, type OpenSessions } from '../accounts/open-sessions.ts';
import type { Refused } from '../git-http/access.ts';
import { readCredentials } from '../git-http/credentials.ts';
import { accessDenied } from '../git-http/responses.ts';
import type { ReserveStream } from '../http/stream-gate.ts';
import { type LfsAddress, type LfsTarget, readLfsAddress } from './address.ts';
import { answerBatch, batchBody, requireServed } from './batch.ts';
import { answerObject } from './download.ts';
import type { IdentifyAgain, IdentifyLfs } from './identify.ts';
import {
  list,
  listQuery,
  lock,
  lockBody,
  unlock,
  unlockBody,
  verify,
  verifyBody,
} from './locks.ts';
import { readBody, readQuery, requireAccept } from './read-request.ts';
import { answerJson, answerRefusal, LfsRefusal } from './responses.ts';
import { receiveObject, requireAcceptable, type UploadParts } from './upload.ts';

interface LfsHttpParts extends UploadParts, Pick<Context, 'db' | 'secrets' | 'baseUrl' | 'sshUrl'> {
  readonly identify: IdentifyLfs;
  readonly identifyAgain: IdentifyAgain;
  /** Ends transfers with the permission to do them. */
  readonly sessions: Pick<OpenSessions, 'watch'>;
  readonly reserveStream: ReserveStream;
  readonly reportOutage: ReportOutage;
  readonly log: Pick<Logger, 'error'>;
}

const statusOf: Readonly<Record<Refused['outcome'], number>> = {
  unauthenticated: 401,
  denied: 403,
  missing: 404,
  throttled: 429,
};

const methods: Readonly<Record<LfsTarget['endpoint'], readonly string[]>> = {
  batch: ['POST'],
  locks: ['GET', 'POST'],
  verify: ['POST'],
  unlock: ['POST'],
  object: ['GET', 'HEAD'],
  upload: ['PUT'],
  unknown: [],
};

/** Thrown to send the client to the new path of a project; git-lfs repeats the request there. */
class Moved extends Error {
  readonly fullPath: string;

  constructor(fullPath: string) {
    super('The project was moved');
    this.fullPath = fullPath;
  }
}

/**
 * Git LFS under `/<full path>.git/`: the batch API, locks, and transfers of objects. Credentials are those
 * of git over HTTP. Passes other requests on.
 */
export function lfsHttp(parts: LfsHttpParts): Middleware {
  const { db, identify, reserveStream } = parts;

  const identified = async (ctx: Request): Promise<LfsCaller> => {
    const credentials = readCredentials(ctx.get('Authorization'));
    if (credentials === 'malformed') throw new LfsRefusal(401, accessDenied);
    const caller = await identify({ credentials, address: ctx.ip });
    if ('outcome' in caller) {
      throw new LfsRefusal(statusOf[caller.outcome], caller.text, caller.retryAfter);
    }
    return caller;
  };

  /** The project at a path, if the caller may do the operation there. */
  const enter = async (
    path: string,
    operation: LfsOperation,
    caller: LfsCaller,
  ): Promise<{ readonly project: LfsProject; readonly caller: LfsCaller }> => {
    const answer = await authorizeLfs({ path, operation }, caller, parts);
    if (answer.outcome === 'moved') throw new Moved(answer.fullPath);
    if (answer.outcome !== 'granted') {
      throw new LfsRefusal(statusOf[answer.outcome], answer.text);
    }
    return { project: answer.project, caller };
  };

  /** Ends a transfer with the credential or the right of its caller. */
  const watch = (
    ctx: Request,
    operation: LfsOperation,
    { caller, project }: Awaited<ReturnType<typeof enter>>,
  ) => {
    const { viewer, holder, grant } = caller;
    const check = async () => {
      const valid = holder ? await parts.identifyAgain(holder) : { viewer: null, validUntil: null };
      if (!valid) return null;
      const current = { viewer: valid.viewer, holder, grant };
      const answer = await authorizeLfs({ projectId: project.id, operation }, current, parts);
      return answer.outcome === 'granted' ? valid : null;
    };
    const userIds = holder ? [viewer?.id ?? noUser] : [];
    const right = { userIds, projectId: project.id, check };
    const unwatch = parts.sessions.watch({ ...right, end: () => ctx.res.destroy() });
    receiverOf(ctx).onClose(unwatch);
  };

  const serve = async (ctx: Request, path: string, target: LfsTarget): Promise<void> => {
    const { endpoint } = target;
    const caller = await identified(ctx);
    if (endpoint === 'object') {
      const session = await enter(path, 'download', caller);
      await reserveStream(receiverOf(ctx));
      watch(ctx, 'download', session);
      return answerObject(ctx, { projectId: session.project.id, oid: target.oid }, parts);
    }
    if (endpoint === 'upload') {
      const session = await enter(path, 'upload', caller);
      requireAcceptable(ctx, target, parts);
      await reserveStream(receiverOf(ctx));
      watch(ctx, 'upload', session);
      return receiveObject(ctx, { projectId: session.project.id, ...target }, parts);
    }
    requireAccept(ctx);
    if (endpoint === 'batch') {
      const body = await readBody(ctx, batchBody);
      requireServed(body);
      const session = await enter(path, body.operation, caller);
      return answerJson(ctx, 200, await answerBatch(body, session, parts));
    }
    if (endpoint === 'locks' && ctx.method === 'GET') {
      const session = await enter(path, 'download', caller);
      return answerJson(ctx, 200, await list(readQuery(ctx, listQuery), session, { db }));
    }
    const session = await enter(path, 'upload', caller);
    if (endpoint === 'locks') {
      const body = await readBody(ctx, lockBody);
      return answerJson(ctx, ...(await lock(body, session, { db })));
    }
    if (endpoint === 'verify') {
      const body = await readBody(ctx, verifyBody);
      return answerJson(ctx, 200, await verify(body, session, { db }));
    }
    if (endpoint === 'unlock') {
      const body = await readBody(ctx, unlockBody);
      return answerJson(ctx, 200, await unlock(target.id, body, session, { db }));
    }
  };

  const explain = (ctx: Request, error: unknown): LfsRefusal => {
    if (error instanceof LfsRefusal) return error;
    const outage = unavailableOf(error, parts.reportOutage, ctx.state.requestId);
    const failure = outage ?? error;
    const explained = explainRefusal(failure);
    if (explained) {
      const { message, retryAfter } = refusal(failure) ?? { message: 'The request was refused' };
      // the status for invalid values of this API
      const status = explained.status === 400 ? 422 : explained.status;
      return new LfsRefusal(status, message, retryAfter);
    }
    const { status, expose } = error as { readonly status?: unknown; readonly expose?: unknown };
    if (expose === true && typeof status === 'number') {
      return new LfsRefusal(status, (error as Error).message);
    }
    parts.log.error({ err: error, requestId: ctx.state.requestId }, 'git lfs failed');
    return new LfsRefusal(500, 'Internal Server Error');
  };

  const respond = async (ctx: Request, { path, target }: LfsAddress): Promise<void> => {
    const allowed = methods[target.endpoint];
    if (path === null || allowed.length === 0) throw new LfsRefusal(404, 'Not found');
    if (!allowed.includes(ctx.method)) {
      ctx.set('Allow', allowed.join(', '));
      throw new LfsRefusal(405, 'Method not allowed');
    }
    await serve(ctx, path, target);
  };

  return async (ctx, next) => {
    const address = readLfsAddress(ctx.path);
    if (!address) return next();
    ctx.state.route = `/:project.git/lfs/${address.target.endpoint}`;
    try {
      await respond(ctx, address);
    } catch (error) {
      if (ctx.res.destroyed) return;
      if (error instanceof Moved && address.target.endpoint !== 'upload') {
        const rest = ctx.path.slice(ctx.path.indexOf('.git/'));
        ctx.set('Location', `${parts.baseUrl}/${error.fullPath}${rest}${ctx.search}`);
        answerJson(ctx, 308, { message: error.message });
        return;
      }
      const refused = error instanceof Moved ? new LfsRefusal(404, error.message) : error;
      answerRefusal(ctx, explain(ctx, refused));
    }
  };
}
