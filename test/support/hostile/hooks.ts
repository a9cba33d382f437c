import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { HostileCase } from './case.ts';
import type { HostileTarget } from './target.ts';

/**
 * Sends a web hook to an endpoint that responds with `pour`, and waits until the server has closed
 * the connection; 200 if it closed while `pour` was still writing.
 */
async function deliverTo(
  pour: (socket: Socket) => void,
  { as, attacker, project }: HostileTarget,
): Promise<number> {
  const listener = createServer((socket) => {
    // the server closes the connection during a write
    socket.on('error', () => undefined);
    socket.once('data', () => pour(socket));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const connected = once(listener, 'connection') as Promise<[Socket]>;
  const api = as(attacker);
  const hooks = `/projects/${project.id}/hooks`;
  const url = `http://127.0.0.1:${port}/`;
  const hook = await api.post(hooks, { url, issues_events: true, push_events: false });
  await api.post(`/projects/${project.id}/issues`, { title: 'A hook is sent' });
  const [socket] = await connected;
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  await api.delete(`${hooks}/${(hook.body as { id: number }).id}`);
  listener.close();
  return 200;
}

/** Writes a text repeatedly, as fast as the peer reads it. */
const repeat = (socket: Socket, text: string) => {
  const write = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', write);
  write();
};

const head = 'HTTP/1.1 200 OK\r\n';

/** Hostile responses of web hook endpoints. */
export const hookCases: readonly HostileCase[] = [
  {
    title: 'a hook endpoint that sends headers without an end',
    expected: [200],
    send: (target) =>
      deliverTo((socket) => {
        socket.write(head);
        repeat(socket, `X-${'a'.repeat(1_000)}: b\r\n`);
      }, target),
  },
  {
    title: 'a hook endpoint that sends one header line without an end',
    expected: [200],
    send: (target) =>
      deliverTo((socket) => {
        socket.write(`${head}X: `);
        repeat(socket, 'a'.repeat(65_536));
      }, target),
  },
  {
    title: 'a hook endpoint that sends a body without an end',
    expected: [200],
    send: (target) =>
      deliverTo((socket) => {
        socket.write(`${head}\r\n`);
        repeat(socket, 'a'.repeat(65_536));
      }, target),
  },
  {
    title: 'a hook endpoint that sends chunks of one byte without an end',
    expected: [200],
    send: (target) =>
      deliverTo((socket) => {
        socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
        repeat(socket, '1\r\na\r\n'.repeat(10_000));
      }, target),
  },
  {
    title: 'a hook endpoint that sends informational responses without an end',
    expected: [200],
    send: (target) =>
      deliverTo((socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)), target),
  },
  {
    title: 'a hook endpoint whose response gzip expands to 64 MB',
    expected: [200],
    send: (target) =>
      deliverTo((socket) => {
        const body = gzipSync(Buffer.alloc(2 ** 26));
        socket.write(`${head}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
        socket.write(body);
      }, target),
  },
  {
    title: 'a hook endpoint that responds in an unknown protocol',
    expected: [200],
    send: (target) => deliverTo((socket) => repeat(socket, '\0'.repeat(65_536)), target),
  },
];
