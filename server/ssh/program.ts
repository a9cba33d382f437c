import { once } from 'node:events';
import { createServer, type Socket, type Server as SocketServer } from 'node:net';
import process from 'node:process';
import ssh2 from 'ssh2';
import { type Admission, admission } from './admission.ts';
import { serveClient } from './client.ts';
import { serverLink } from './link.ts';
import type { ToSsh } from './messages.ts';

/*
 * A program of its own, so that the encryption of clones takes no time of the requests that the server
 * answers. It asks the server who a client is and what it may do, and runs git.
 */

/**
 * Ciphers and hashes that OpenSSH itself no longer offers are left out. The client's order decides. The
 * library makes a new cipher for each packet with ChaCha20, the first choice of OpenSSH, and with AES-GCM, a
 * third of this process's time in a clone: so ChaCha20 is left out, and AES-GCM is there for clients without AES-CTR.
 */
const algorithms = {
  cipher: [
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
  ],
  hmac: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha2-256',
    'hmac-sha2-512',
  ],
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group16-sha512',
  ],
  serverHostKey: ['ssh-ed25519', 'rsa-sha2-512', 'rsa-sha2-256'],
  compress: ['none'],
} as const;

/** A client that sends nothing for two minutes, not even a reply to this, is gone. */
const keepalive = { keepaliveInterval: 30_000, keepaliveCountMax: 4 } as const;

let listening: SocketServer | null = null;
let admitted: Admission | null = null;

const link = serverLink((message) => {
  if (message.type === 'listen') void listen(message);
  else if (message.type === 'ping') link.tell({ type: 'pong' });
  else if (message.type === 'stop') stop(message.patience);
});

async function listen({ port, host, isShared, hostKeys, limits }: ToSsh & { type: 'listen' }) {
  const connections = admission(limits, (count) => link.tell({ type: 'connections', count }));
  admitted = connections;
  try {
    const protocol = new ssh2.Server(
      {
        hostKeys: [...hostKeys],
        algorithms: structuredClone(algorithms) as never,
        ident: 'Millrace',
        ...keepalive,
      },
      (client, { ip, port: clientPort }) =>
        serveClient(client, {
          ...{ address: ip, port: clientPort, link, limits, admitted: connections },
        }),
    );
    const server = createServer((socket) => {
      if (!connections.enter(socket)) return socket.destroy();
      // requests and replies are short, and wait for each other
      socket.setNoDelay();
      joinWrites(socket);
      protocol.injectSocket(socket);
    });
    server.listen({ port, host, reusePort: isShared });
    await once(server, 'listening');
    listening = server;
    link.tell({ type: 'listening' });
  } catch (error) {
    link.tell({ type: 'failed', code: (error as NodeJS.ErrnoException).code ?? String(error) });
  }
}

/** A chunk of git's output is several packets, which the library writes one by one: they become one system call. */
function joinWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]) => {
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    return write(...args);
  };
}

function stop(patience: number): void {
  const end = () => process.exit(0);
  setTimeout(end, patience);
  if (!listening) end();
  listening?.close(end);
  admitted?.closeIdle();
}

// the server has died: git's processes end with their clients
process.once('disconnect', () => process.exit(1));
process.on('uncaughtException', (error) => {
  link.tell({ type: 'fault', message: error.stack ?? String(error) });
});
