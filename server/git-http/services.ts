import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { GitChild } from '../git/process/child.ts';
import { startGit } from '../git/process/child.ts';
import {
  type Environment,
  gitEnvironment,
  gitEnvironmentWith,
} from '../git/process/environment.ts';
import { prepareGit } from '../git/process/intact-caches.ts';
import type { Locks } from '../git/refs/locks.ts';
import { lockWait } from '../git/refs/ref-updates.ts';
import type { GitAccess, GitLog, Granted } from './access.ts';
import { applyPushRules, settleAdmitted } from './apply-push-rules.ts';
import { sweepQuarantines } from './quarantine.ts';
import { relay } from './relay.ts';
import { BodyRefused, openBody } from './request-body.ts';
import { pushOutput } from './side-band.ts';
import { pipeAndFree } from './transfer.ts';

/** Git holds a fetch request in memory: wants and haves, some 50 bytes each. */
const maxFetchRequestBytes = 64 * 1024 * 1024;
/** The part of a push before its pack: commands and options. */
const maxCommandBytes = 64 * 1024 * 1024;

const pushLockWaitMs = 10_000;

export interface ServiceParts {
  readonly access: GitAccess;
  readonly log: GitLog;
  /** The folder that `installHooks` wrote. */
  readonly hooks: string;
  readonly maxPushBytes: number;
  readonly freeLocks: Locks['free'];
  /** Milliseconds that the hook of a push waits for the push rules. */
  readonly decisionLimit?: number | undefined;
}

interface Request {
  readonly folder: string;
  readonly protocol: string | null;
}

/** The environment of a `git receive-pack` whose hook asks the server. */
export const pushEnvironment = ({
  hooks,
  maxPushBytes,
}: Pick<ServiceParts, 'hooks' | 'maxPushBytes'>): Environment =>
  gitEnvironmentWith({
    'core.hooksPath': hooks,
    // wait for references that concurrent pushes are updating
    ...lockWait(pushLockWaitMs),
    'receive.maxInputSize': String(maxPushBytes),
  });

/** The two requests that carry packs, each served by a git process of its own. */
export function packServices(parts: ServiceParts) {
  const { access, log, hooks, maxPushBytes, freeLocks, decisionLimit: limit } = parts;
  const environment = pushEnvironment({ hooks, maxPushBytes });

  const uploadPack = async (ctx: Context, { folder, protocol }: Request, granted: Granted) => {
    const environment = protocol ? { ...gitEnvironment, GIT_PROTOCOL: protocol } : gitEnvironment;
    const git = await prepareGit(['upload-pack', '--stateless-rpc', folder], environment, 'now');
    const body = openBody(ctx.req, maxFetchRequestBytes);
    const child = startGit(git.args, { environment: git.environment, isHeavy: true });
    const refusal = feed(body, child, child.stop);
    const contentType = 'application/x-git-upload-pack-result';
    const failure = await relay(ctx, { child, contentType, abandon: child.stop })
      .catch(refusal)
      // the next attempt of the client finds damaged caches set aside
      .finally(async () => {
        if (await child.exit) await prepareGit(git.args, environment, 'suspect');
      });
    const { projectId } = granted;
    if (failure) log.warn({ err: failure, projectId }, 'git aborted the response to a fetch');
  };

  const receivePack = async (ctx: Context, { folder }: Request, granted: Granted) => {
    const { repository, projectId, userId, isWiki, right } = granted;
    const isPermitted = right && (async () => (await right.check()) !== null);
    const git = await prepareGit(['receive-pack', '--stateless-rpc', folder], environment, 'now');
    const body = openBody(ctx.req, maxPushBytes + maxCommandBytes);
    const child = startGit(git.args, { environment: git.environment, hasChannel: true });
    if (!child.channel || userId === null) throw new Error('A push needs a user and a channel');
    const { channel } = child;
    const isClientGone = () => ctx.res.destroyed;
    const input = { channel, folder, access, log, freeLocks, limit, isClientGone, isPermitted };
    const decided = applyPushRules({ ...input, repository, projectId, userId, isWiki });
    // on a signal receive-pack would leave its quarantine behind; at the end of input it stops by
    // itself
    const abandon = () => child.stdin.end();
    const refusal = feed(body, child, abandon);
    const output = pushOutput(child.stdout);
    await relay(ctx, {
      child: { ...child, stdout: output.stream },
      contentType: 'application/x-git-receive-pack-result',
      abandon,
      beforeEnd: async () =>
        output.end(await settleAdmitted(await decided, { projectId }, { access, log })),
    }).catch(refusal);
    // the push has happened, and the next one cleans up
    await sweepQuarantines(folder).catch((error: Error) =>
      log.warn({ err: error, projectId }, 'quarantines of former pushes are left'),
    );
  };

  return { 'git-upload-pack': uploadPack, 'git-receive-pack': receivePack };
}

/**
 * Pipes a body to git and discards what git does not read, so that the client receives the error.
 * The returned function throws the body's error, or else the failure that followed.
 */
function feed(body: Readable, child: GitChild, abandon: () => void): (failure: Error) => never {
  let refusal: BodyRefused | null = null;
  body.on('error', (error) => {
    if (error instanceof BodyRefused) refusal = error;
    abandon();
  });
  child.stdin.once('close', () => body.resume());
  pipeAndFree(body, child.stdin);
  return (failure) => {
    throw refusal ?? failure;
  };
}
