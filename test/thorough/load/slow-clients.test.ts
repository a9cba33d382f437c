import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createHttpServer,
  type HttpLimits,
  httpLimits,
  listen,
} from '../../../server/http/http-server.ts';

const megabyte = 2 ** 20;
const stall = { windowMs: 600, leastBytes: 10_000 };

/** A server with a fake clock. */
async function serve(listener: RequestListener, limits: Partial<HttpLimits> = {}) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const cuts: unknown[] = [];
  const server = createHttpServer(listener, {
    limits: { ...httpLimits, stall, ...limits },
    trustedProxies: [],
    log: { info: (details: unknown) => cuts.push(details) },
  });
  const port = await listen(server, { port: 0, host: '127.0.0.1' });
  const sockets: Socket[] = [];
  onTestFinished(() => {
    vi.useRealTimers();
    server.close().closeAllConnections();
    for (const socket of sockets) socket.destroy();
  });
  return {
    cuts,
    /** The client's end of a new connection and the server's, with what was sent on it. */
    open: async (text: string) => {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      client.on('error', () => undefined).write(text);
      sockets.push(client);
      const [peer] = (await once(server, 'connection')) as [Socket];
      return { client, peer };
    },
  };
}

const passWindow = () => vi.advanceTimersByTime(stall.windowMs * 1.5);

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n';

/** Waits until the server has written data that the client does not read. */
const untilStuck = (peer: Socket) => expect.poll(() => peer.writableLength).toBeGreaterThan(0);

describe('a response that is not read', () => {
  test.each([
    ['in one piece', (): RequestListener => (_, res) => res.end(Buffer.alloc(20 * megabyte))],
    [
      'in many pieces',
      (): RequestListener => (_, res) => {
        for (let piece = 0; piece < 200; piece += 1) res.write(Buffer.alloc(100_000));
      },
    ],
  ])('%s closes the connection', async (_how, listener) => {
    const { open, cuts } = await serve(listener());
    const { client, peer } = await open(get);
    client.pause();
    await untilStuck(peer);
    passWindow();
    passWindow();
    expect(peer.destroyed).toBe(true);
    expect(cuts).toEqual([{ address: '127.0.0.1', slowAt: 'reading' }]);
  });

  test('also closes a half-closed connection', async () => {
    const { open } = await serve((_, res) => res.end(Buffer.alloc(20 * megabyte)));
    const { client, peer } = await open(get);
    client.pause();
    await untilStuck(peer);
    client.end();
    passWindow();
    passWindow();
    expect(peer.destroyed).toBe(true);
  });

  test('keeps the connection while it is read at a sufficient rate, even one large chunk', async () => {
    const { open, cuts } = await serve((_, res) => res.end(Buffer.alloc(100 * megabyte)));
    const { client, peer } = await open(get);
    client.pause();
    await untilStuck(peer);
    const { _handle: handle } = peer as Socket & { _handle: { writeQueueSize: number } };
    for (let window = 0; window < 5; window += 1) {
      const enough = handle.writeQueueSize - stall.leastBytes;
      while (handle.writeQueueSize > enough) {
        if (client.read() === null) await once(client, 'readable');
      }
      vi.advanceTimersByTime(stall.windowMs);
    }
    expect(peer.destroyed).toBe(false);
    expect(cuts).toEqual([]);
  });

  test('keeps the connection while the server has nothing to send', async () => {
    const responding = Promise.withResolvers<void>();
    const { open } = await serve(async (_, res) => {
      res.write('begun\n');
      await responding.promise;
      res.end('done\n');
    });
    const { client, peer } = await open(get);
    await once(client, 'data');
    for (let window = 0; window < 10; window += 1) passWindow();
    expect(peer.destroyed).toBe(false);
    responding.resolve();
    const [chunk] = await once(client, 'data');
    expect(String(chunk)).toContain('done');
  });
});

describe('a body that does not arrive', () => {
  const reading: RequestListener = (req) => req.resume();

  test('closes the connection', async () => {
    const { open, cuts } = await serve(reading);
    const { peer } = await open(`${post}name=`);
    await expect.poll(() => peer.bytesRead).toBe(post.length + 5);
    passWindow();
    passWindow();
    expect(peer.destroyed).toBe(true);
    expect(cuts).toEqual([{ address: '127.0.0.1', slowAt: 'sending' }]);
  });

  test('also closes it after the response', async () => {
    const { open } = await serve((_, res) => res.end('answered'));
    const { client, peer } = await open(post);
    const [chunk] = await once(client, 'data');
    expect(String(chunk)).toContain('answered');
    passWindow();
    passWindow();
    expect(peer.destroyed).toBe(true);
  });

  test('keeps the connection while it arrives at a sufficient rate', async () => {
    const { open } = await serve(reading);
    const { client, peer } = await open(post);
    const send = async (bytes: number) => {
      const before = peer.bytesRead;
      client.write('x'.repeat(bytes));
      await expect.poll(() => peer.bytesRead).toBe(before + bytes);
      vi.advanceTimersByTime(stall.windowMs);
    };
    await expect.poll(() => peer.bytesRead).toBe(post.length);
    vi.advanceTimersByTime(stall.windowMs / 6);
    await send(10_000);
    await send(10_000);
    expect(peer.destroyed).toBe(false);
    await send(9_999);
    expect(peer.destroyed).toBe(true);
  });

  test('keeps the connection while the server does not read it', async () => {
    const { open } = await serve(() => undefined);
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n';
    const { client, peer } = await open(head);
    client.write(Buffer.alloc(4 * megabyte));
    await expect.poll(() => peer.bytesRead).toBeGreaterThan(65_536);
    for (let window = 0; window < 10; window += 1) passWindow();
    expect(peer.destroyed).toBe(false);
  });
});

describe('connections', () => {
  test('beyond the limit of an address are closed, and earlier ones are served', async () => {
    const { open } = await serve((_, res) => res.end('served'), { connectionsPerAddress: 2 });
    const [first, , third] = [await open(''), await open(''), await open(get)];
    await expect.poll(() => third.client.readableEnded || third.client.destroyed).toBe(true);
    first.client.write(get);
    const [chunk] = await once(first.client, 'data');
    expect(String(chunk)).toContain('served');
    third.client.destroy();
    first.client.destroy();
    await expect.poll(() => first.peer.destroyed).toBe(true);
    const again = await open(get);
    expect(String((await once(again.client, 'data'))[0])).toContain('served');
  });

  test('with pipelined requests get responses in order', async () => {
    const turns: PromiseWithResolvers<void>[] = [];
    const { open } = await serve(async ({ url }, res) => {
      const turn = Promise.withResolvers<void>();
      turns.push(turn);
      await turn.promise;
      res.end(`response to ${url}\n`);
    });
    const requests = ['/a', '/b', '/c'].map((path) => get.replace('/', path)).join('');
    const { client } = await open(requests);
    let text = '';
    client.on('data', (chunk) => {
      text += chunk;
    });
    for (let turn = 0; turn < 3; turn += 1) {
      await expect.poll(() => turns.length).toBe(turn + 1);
      turns[turn]?.resolve();
    }
    await expect
      .poll(() => text.match(/response to \S+/g))
      .toEqual(['response to /a', 'response to /b', 'response to /c']);
  });

  test('with too many pipelined requests are closed', async () => {
    let count = 0;
    const { open } = await serve(
      () => {
        count += 1;
      },
      { pipelined: 10 },
    );
    const { peer } = await open(get.repeat(2_000));
    await expect.poll(() => peer.destroyed).toBe(true);
    expect(count).toBe(1);
  });
});
