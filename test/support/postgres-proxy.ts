import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/** When to cut a connection: before a statement, or after it and before the response is forwarded. */
export interface Cut {
  readonly moment: 'before' | 'after';
  /** The statement's text. */
  readonly statement: RegExp;
  /** A statement that the transaction must have run before; any transaction by default. */
  readonly within?: RegExp;
}

/** PostgreSQL behind a proxy that can fail as networks and servers do. */
export interface PostgresProxy {
  readonly url: string;
  /** Cuts one connection; resolves after the cut. */
  readonly cut: (cut: Cut) => Promise<void>;
  /** Stops forwarding without closing connections; also affects new connections. */
  readonly freeze: () => void;
  /** Loses the connections without notice: nothing answers on them, not even their ends. New ones work. */
  readonly loseAll: () => void;
  /** Closes all connections and refuses new ones. */
  readonly stop: () => void;
  /** Forwards again; closes the frozen connections. */
  readonly resume: () => void;
}

interface Message {
  readonly type: string;
  readonly body: Buffer;
}

/** Splits the stream of one side into messages. A client's first message has no type. */
function messageReader(hasStartup: boolean) {
  let unread: Buffer = Buffer.alloc(0);
  let isStartup = hasStartup;
  return (chunk: Buffer): Message[] => {
    unread = Buffer.concat([unread, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const head = isStartup ? 0 : 1;
      if (unread.length < head + 4) return messages;
      const length = head + unread.readInt32BE(head);
      if (unread.length < length) return messages;
      const type = isStartup ? 'startup' : String.fromCharCode(unread[0] ?? 0);
      messages.push({ type, body: unread.subarray(head + 4, length) });
      unread = unread.subarray(length);
      isStartup = false;
    }
  };
}

const textAt = (body: Buffer, start: number) => {
  const end = body.indexOf(0, start);
  return [body.toString('utf8', start, end), end + 1] as const;
};

/** Reads a client's statements: texts of simple queries, and of prepared statements when bound. */
function statementReader() {
  const read = messageReader(true);
  const prepared = new Map<string, string>();
  const textOf = ({ type, body }: Message): string | null => {
    if (type === 'Q') return textAt(body, 0)[0];
    if (type === 'P') {
      const [name, next] = textAt(body, 0);
      prepared.set(name, textAt(body, next)[0]);
    }
    if (type !== 'B') return null;
    const [, next] = textAt(body, 0);
    return prepared.get(textAt(body, next)[0]) ?? null;
  };
  return (chunk: Buffer): string[] => read(chunk).flatMap((message) => textOf(message) ?? []);
}

interface Armed extends Cut {
  readonly happened: () => void;
}

/** Starts a proxy for the database at `url`, which is closed after the test file. */
export async function postgresProxy(url: string): Promise<PostgresProxy> {
  // the URL parser rejects the empty host of a Unix socket
  const address = new URL(url.replace('@/', '@socket/'));
  const folder = address.searchParams.get('host');
  const target = () =>
    folder?.startsWith('/')
      ? connect(`${folder}/.s.PGSQL.${address.searchParams.get('port') ?? 5432}`)
      : connect(Number(address.port || 5432), address.hostname);
  const sockets = new Set<Socket>();
  let state: 'forwarding' | 'frozen' | 'stopped' = 'forwarding';
  let armed: Armed | null = null;
  /** Connections before this one are lost. */
  let firstOpen = 0;
  let count = 0;

  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  const serve = (client: Socket) => {
    if (state === 'stopped') return client.destroy();
    const server = target();
    const number = count;
    count += 1;
    const isLost = () => number < firstOpen;
    for (const socket of [client, server]) {
      sockets.add(socket);
      // either side may reset the connection; the close event that follows ends the other side
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        if (isLost()) return;
        client.destroy();
        server.destroy();
      });
      socket.once('end', () => {
        if (!isLost()) socket.end();
      });
    }
    const statementsIn = statementReader();
    const messagesIn = messageReader(false);
    let transaction = '';
    let isCut = false;

    const cutHere = (chunk: Buffer): boolean => {
      for (const text of statementsIn(chunk)) {
        if (/^BEGIN/.test(text)) transaction = '';
        const isMet = armed?.statement.test(text) && (armed.within?.test(transaction) ?? true);
        transaction += `${text}\n`;
        if (isMet) return true;
      }
      return false;
    };

    client.on('data', (chunk: Buffer) => {
      if (state === 'frozen' || isLost() || isCut) return;
      if (cutHere(chunk) && armed) {
        const { moment, happened } = armed;
        armed = null;
        isCut = true;
        if (moment === 'after') {
          // the statement is complete when the server is ready for the next one
          server.removeAllListeners('data');
          server.on('data', (response: Buffer) => {
            if (!messagesIn(response).some(({ type }) => type === 'Z')) return;
            client.destroy();
            happened();
          });
        } else {
          client.destroy();
          server.destroy();
          happened();
          return;
        }
      }
      server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => {
      if (state === 'frozen' || isLost()) return;
      messagesIn(chunk);
      client.write(chunk);
    });
    return undefined;
  };

  const listener = createServer({ allowHalfOpen: true }, serve).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  afterAll(() => {
    closeAll();
    listener.close();
  });
  const name = address.pathname;
  const user = address.username;
  return {
    url: `postgresql://${user}@127.0.0.1:${port}${name}?sslmode=disable`,
    cut: (cut) =>
      new Promise((happened) => {
        armed = { ...cut, happened };
      }),
    freeze: () => {
      state = 'frozen';
    },
    loseAll: () => {
      firstOpen = count;
    },
    stop: () => {
      state = 'stopped';
      closeAll();
    },
    resume: () => {
      if (state === 'frozen') closeAll();
      state = 'forwarding';
    },
  };
}
