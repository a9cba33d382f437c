import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lfsAuthentication } from '../../schema/lfs/authentication.ts';
import type { Credentials } from '../accounts/credentials.ts';
import { noUser, type OpenSessions } from '../accounts/open-sessions.ts';
import { repositoryFolder, type Storages } from '../git/address.ts';
import { gitEnvironment } from '../git/process/environment.ts';
import { prepareGit } from '../git/process/intact-caches.ts';
import type { GitLog, PushRules } from '../git-http/access.ts';
import { applyPushRules, settleAdmitted } from '../git-http/apply-push-rules.ts';
import { readGitProtocol } from '../git-http/protocol.ts';
import { sweepQuarantines } from '../git-http/quarantine.ts';
import { pushEnvironment, type ServiceParts } from '../git-http/services.ts';
import type { ReserveStream } from '../http/stream-gate.ts';
import type { Caller } from '../scheduling/caller.ts';
import { runAs } from '../scheduling/scope.ts';
import {
  authorize,
  callerOfConnection,
  holderOfConnection,
  permissionOf,
  type SshAccessParts,
  type SshGrant,
} from './access.ts';
import type { Identity, Opened, Questions } from './messages.ts';
import { type CommandPlace, commandPlaces } from './places.ts';
import { readSessionId } from './session-id.ts';

export interface SessionParts
  extends Pick<ServiceParts, 'hooks' | 'maxPushBytes' | 'freeLocks' | 'decisionLimit'> {
  readonly core: SshAccessParts;
  readonly identities: Pick<Credentials, 'ofName'>;
  /** Where connections and commands are checked again. */
  readonly sessions: Pick<OpenSessions, 'watch'>;
  readonly rules: PushRules;
  readonly storages: Storages;
  readonly reserveStream: ReserveStream;
  readonly log: GitLog;
}

/** A running command of a client. */
interface Session {
  readonly caller: Caller;
  readonly grant: SshGrant;
  readonly folder: string;
  isGone: boolean;
  /** Whether the command is still permitted. */
  readonly isPermitted: () => Promise<boolean>;
  /** The ledger row of a push, once its hook has asked. */
  decided: Promise<bigint | null> | null;
  readonly place: CommandPlace;
  readonly unwatch: () => void;
}

/** Seconds after which upload-pack gives up a client that neither sends nor reads. */
const fetchTimeout = 900;

/**
 * The connections and commands of clients of SSH: permission, the conversation with hooks, consequences. `end`
 * is called with the id of a connection or command whose permission has ended.
 */
export async function sshSessions(parts: SessionParts, end: (target: string) => void) {
  const { core, storages, log, rules, identities } = parts;
  const sessions = new Map<string, Session>();
  const connections = new Map<string, () => void>();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-ssh-'));
  const hookSocket = join(folder, 'hooks');
  const hooks = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    readSessionId(socket).then(
      (id) => converse(sessions.get(id), socket),
      () => socket.destroy(),
    );
  });
  hooks.listen(hookSocket).unref();
  const pushing = pushEnvironment(parts);
  const findPlace = commandPlaces(parts.reserveStream);
  // of the SSH process, which may die while a command waits for a place
  let generation = 0;

  const converse = (session: Session | undefined, channel: Socket) => {
    if (!session || session.grant.userId === null) return channel.destroy();
    const { repository, projectId, userId, deployKeyId, isWiki } = session.grant;
    const push = { repository, projectId, userId, deployKeyId, isWiki };
    const isClientGone = () => session.isGone;
    const { folder: repositoryPath, isPermitted } = session;
    const shared = { channel, folder: repositoryPath, access: rules, log };
    const limit = parts.decisionLimit;
    const input = { ...push, ...shared, isClientGone, isPermitted, limit };
    const decide = () => applyPushRules({ ...input, freeLocks: parts.freeLocks });
    session.decided = runAs(session.caller, decide);
    return channel;
  };

  const argsOf = (service: Questions['open']['ask']['service'], place: string) =>
    service === 'git-upload-pack'
      ? ['upload-pack', '--strict', `--timeout=${fetchTimeout}`, place]
      : [service.slice('git-'.length), place];

  const open = async (ask: Questions['open']['ask']): Promise<Questions['open']['answer']> => {
    const caller = await callerOfConnection(ask.identity, ask.address, identities);
    return runAs(caller, () => openFor(caller, ask));
  };

  const openFor = async (
    caller: Caller,
    ask: Questions['open']['ask'],
  ): Promise<Questions['open']['answer']> => {
    const { identity, service, path } = ask;
    const isPush = service === 'git-receive-pack';
    const needed = isPush ? service : 'git-upload-pack';
    const grant = await authorize(identity, { path, service: needed }, core, identities);
    if ('refusal' in grant) return grant;
    const askedBy = generation;
    const place = await findPlace(caller);
    if ('refusal' in place) return place;
    if (askedBy !== generation) {
      place.release();
      return { refusal: 'The server is restarting.' };
    }
    const repositoryPath = repositoryFolder(storages, grant.repository);
    const id = randomUUID();
    const check = () => permissionOf(identity, grant, needed, { parts: core, identities });
    const unwatch = parts.sessions.watch({
      // of a deploy key that pushes, also the user whose right it uses
      userIds: [identity.userId ?? noUser, grant.userId ?? noUser],
      projectId: grant.projectId,
      check,
      end: () => {
        leave(id);
        end(id);
      },
    });
    sessions.set(id, {
      caller,
      grant,
      folder: repositoryPath,
      isGone: false,
      isPermitted: async () => (await check()) !== null,
      decided: null,
      place,
      unwatch,
    });
    const protocol = readGitProtocol(ask.protocol ?? undefined);
    const reading = protocol ? { ...gitEnvironment, GIT_PROTOCOL: protocol } : gitEnvironment;
    const args = argsOf(service, repositoryPath);
    const git = await prepareGit(args, isPush ? pushing : reading, 'now');
    return {
      session: id,
      args: git.args,
      environment: git.environment,
      hookSocket: isPush ? hookSocket : null,
      notice: grant.notice,
    } satisfies Opened;
  };

  const lfs = async ({
    identity,
    path,
    operation,
  }: Questions['lfs']['ask']): Promise<Questions['lfs']['answer']> => {
    const service = operation === 'upload' ? 'git-receive-pack' : 'git-upload-pack';
    const grant = await authorize(identity, { path, service }, core, identities);
    if ('refusal' in grant) return grant;
    const { projectId, fullPath } = grant;
    const { keyId, userId } = identity;
    const holder = userId === null ? { deployKeyId: keyId } : { userId, credential: { keyId } };
    return {
      text: JSON.stringify(lfsAuthentication({ holder, projectId, operation, fullPath }, core)),
    };
  };

  const close = async (id: string): Promise<readonly string[]> => {
    const session = sessions.get(id);
    if (!session) return [];
    sessions.delete(id);
    try {
      const ledger = await session.decided;
      if (ledger === null) return [];
      const settle = () => settleAdmitted(ledger, session.grant, { access: rules, log });
      const lines = await runAs(session.caller, settle);
      await sweepQuarantines(session.folder).catch((error: Error) =>
        log.warn({ err: error }, 'quarantines of former pushes are left'),
      );
      return lines;
    } finally {
      session.unwatch();
      session.place.release();
    }
  };

  /** The client of a session has disconnected. */
  const leave = (id: string): void => {
    const session = sessions.get(id);
    if (session) session.isGone = true;
  };

  const setSilent = async ({ session: id, isSilent }: Questions['silence']['ask']) => ({
    refusal: (await sessions.get(id)?.place.setSilent(isSilent)) ?? null,
  });

  return {
    open,
    lfs,
    close,
    leave,
    setSilent,
    /** A client has authenticated. */
    connect: (id: string, identity: Identity): void => {
      const unwatch = parts.sessions.watch({
        userIds: [identity.userId ?? noUser],
        check: () => holderOfConnection(identity, core, identities),
        end: () => end(id),
      });
      connections.set(id, unwatch);
    },
    /** A client has disconnected. */
    disconnect: (id: string): void => {
      connections.get(id)?.();
      connections.delete(id);
    },
    /** Closes the sessions and connections of an SSH process that has died. */
    closeAll: async (): Promise<void> => {
      generation += 1;
      for (const unwatch of connections.values()) unwatch();
      connections.clear();
      await Promise.all([...sessions.keys()].map(close));
    },
    stop: async (): Promise<void> => {
      hooks.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
