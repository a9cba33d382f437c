import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Koa from 'koa';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readBody } from '../../server/http/body.ts';
import { bodyDeadline } from '../../server/http/body-deadline.ts';
import { world } from '../support/world.ts';

const { url, root } = await world();

const app = new Koa();
app.silent = true;
app.use(bodyDeadline(200)).use(readBody());
app.use((ctx) => {
  ctx.body = 'answered';
});
const server = createServer(app.callback());
server.requestTimeout = 0;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.close();
});

/** A request whose body never ends, and the answer up to a text or to the end of the connection. */
async function unfinished(port: number, head: string, until?: string): Promise<string> {
  const socket = connect(port, 'localhost');
  socket.write(`${head}\r\nHost: x\r\nContent-Length: 100\r\n\r\nname=`);
  let answer = '';
  socket.setEncoding('utf8').on('error', () => undefined);
  for await (const text of socket) {
    answer += text;
    if (until && answer.includes(until)) break;
  }
  return answer;
}

describe('a body that does not arrive', () => {
  const { port } = server.address() as AddressInfo;

  test('costs the connection, and nobody else', async () => {
    expect(await unfinished(port, 'POST /api/v4/x HTTP/1.1')).not.toContain('answered');
    const response = await fetch(`http://127.0.0.1:${port}/api/v4/x`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'x' }),
    });
    expect(await response.text()).toBe('answered');
  });

  test('costs it also where it was answered', async () => {
    expect(await unfinished(port, 'POST /elsewhere HTTP/1.1')).toContain('answered');
  });

  test('costs nothing as long as it comes at a fair pace', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const socket = connect(port, 'localhost').on('error', () => undefined);
    const [peer] = (await once(server, 'connection')) as [Socket];
    const send = async (bytes: number) => {
      const before = peer.bytesRead;
      socket.write('x'.repeat(bytes));
      await expect.poll(() => peer.bytesRead).toBe(before + bytes);
    };
    socket.write('POST /elsewhere HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n');
    await once(socket, 'data');
    await send(8_000);
    vi.advanceTimersByTime(200);
    await send(7_000);
    vi.advanceTimersByTime(200);
    expect(peer.destroyed).toBe(false);
    await send(6_999);
    vi.advanceTimersByTime(200);
    expect(peer.destroyed).toBe(true);
  });
});

describe('a token that is not good', () => {
  const port = Number(new URL(url).port);
  const post = 'POST /api/v4/projects';

  test.each([
    ['a header', `${post} HTTP/1.1\r\nPrivate-Token: no-token-of-anybody`],
    ['the query', `${post}?private_token=no-token-of-anybody HTTP/1.1`],
  ])('in %s is refused before the body is there', async (_where, head) => {
    expect(await unfinished(port, head, '}')).toContain('HTTP/1.1 401');
  });

  test('in the body is refused, too, whatever good one the header has', async () => {
    const response = await fetch(`${url}/api/v4/projects`, {
      method: 'POST',
      headers: { 'Private-Token': root.token },
      body: new URLSearchParams({ private_token: 'no-token-of-anybody' }),
    });
    expect(response.status).toBe(401);
  });
});
