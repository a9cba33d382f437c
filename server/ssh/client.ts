import { createHash, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import ssh2, {
  type AuthContext,
  type Connection,
  type PublicKeyAuthContext,
  type ServerChannel,
} from 'ssh2';
import type { Admission } from './admission.ts';
import { runCommand } from './exec.ts';
import { finish } from './finish.ts';
import type { SshLimits } from './limits.ts';
import type { ServerLink } from './link.ts';
import type { Identity } from './messages.ts';

interface ClientParts {
  readonly address: string;
  readonly port: number;
  readonly link: ServerLink;
  readonly admitted: Admission;
  readonly limits: SshLimits;
}

type Work = (channel: ServerChannel, socket: Socket) => Promise<void>;

/** Keys that a client may offer; an agent may hold several. */
const maxOffers = 20;

/** Sessions at a time on one connection, which clients may share. */
const maxSessions = 10;

/** The longest value of a variable. */
const maxVariable = 256;

/** Serves one client: authentication by a key, then commands. Everything else is refused by the library. */
export function serveClient(client: Connection, parts: ClientParts): void {
  const { address, port, link, admitted, limits } = parts;
  const connection = randomUUID();
  let identity: Identity | null = null;
  let offers = 0;
  let sessions = 0;
  let isClosed = false;

  client.on('authentication', (ctx) => {
    const decide = async () => {
      if (ctx.method !== 'publickey' || ctx.username !== 'git') return ctx.reject(['publickey']);
      offers += 1;
      if (offers > maxOffers) return client.end();
      const holder = await holderOf(ctx, link);
      // the server would watch a connection whose end it has been told already
      if (isClosed) return;
      // "permission denied" would blame the key
      if (holder === 'unavailable') return client.end();
      if (!holder) return ctx.reject(['publickey']);
      if (isSigned(ctx)) {
        if (!admitted.authenticated(address, port, holderKey(holder))) return client.end();
        identity = holder;
        link.tell({ type: 'connected', connection, identity });
      }
      ctx.accept();
    };
    decide().catch((error: Error) => {
      link.tell({ type: 'fault', message: error.stack ?? error.message });
      client.end();
    });
  });

  client.on('session', (accept, reject) => {
    if (!identity || sessions >= maxSessions) return reject();
    const user = identity;
    const session = accept();
    let protocol: string | null = null;
    sessions += 1;
    session.once('close', () => {
      sessions -= 1;
    });
    session.on('env', (acceptEnv, _reject, { key, val }) => {
      if (key === 'GIT_PROTOCOL' && val.length <= maxVariable) protocol = val;
      // unknown variables are ignored, as OpenSSH does
      acceptEnv?.();
    });
    session.once('exec', (acceptExec, _reject, { command }) => {
      const input = { identity: user, address, command, protocol };
      run(acceptExec(), (channel, socket) => runCommand({ channel, socket, link, limits }, input));
    });
    session.once('shell', (acceptShell) => {
      const stdout = `Welcome to Millrace, ${user.name}!\n`;
      run(acceptShell(), (channel) => finish(channel, 0, { stdout }));
    });
  });
  /** The library gives no channel for a session that has ended, against its types. */
  const run = (channel: ServerChannel | undefined, work: Work): void => {
    const command = channel && admitted.begin(address, port, channel);
    if (!channel || !command) return;
    work(channel, command.socket)
      .catch((error: Error) => {
        link.tell({ type: 'fault', message: error.stack ?? error.message });
        client.end();
      })
      .finally(command.end);
  };
  const forget = link.onEnd(connection, () => {
    identity = null;
    // the client may have stopped reading, so it is not waited for
    client.end();
    admitted.close(address, port);
  });
  client.once('close', () => {
    isClosed = true;
    forget();
    link.tell({ type: 'disconnected', connection });
  });
  // the library reports clients that break the protocol or the connection
  client.on('error', () => client.end());
}

const holderKey = ({ keyId, userId }: Identity): string =>
  userId === null ? `key ${keyId}` : `user ${userId}`;

/** The holder of the offered key, whose signature is right if there is one. */
async function holderOf(
  ctx: PublicKeyAuthContext,
  link: ServerLink,
): Promise<Identity | 'unavailable' | null> {
  const key = ssh2.utils.parseKey(ctx.key.data);
  if (key instanceof Error) return null;
  if (isSigned(ctx)) {
    const { blob, signature, hashAlgo } = ctx;
    if (!blob || !signature || key.verify(blob, signature, hashAlgo) !== true) return null;
  }
  const fingerprint = createHash('sha256').update(ctx.key.data).digest('base64');
  return link.ask('identify', { fingerprint });
}

/** At first a client only asks whether a key would do. */
const isSigned = (ctx: AuthContext): boolean =>
  ctx.method === 'publickey' && Boolean(ctx.signature);
