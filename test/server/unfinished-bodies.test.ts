import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { url, root } = await world();

/** Sends a request whose body never ends; gives the response up to a text or the end of the connection. */
async function unfinished(port: number, head: string, until?: string): Promise<string> {
  const socket = connect(port, 'localhost');
  socket.write(`${head}\r\nHost: x\r\nContent-Length: 100\r\n\r\nname=`);
  let response = '';
  socket.setEncoding('utf8').on('error', () => undefined);
  for await (const text of socket) {
    response += text;
    if (until && response.includes(until)) break;
  }
  return response;
}

describe('an invalid token', () => {
  const port = Number(new URL(url).port);
  const post = 'POST /api/v4/projects';

  test.each([
    ['a header', `${post} HTTP/1.1\r\nPrivate-Token: no-valid-token`],
    ['the query', `${post}?private_token=no-valid-token HTTP/1.1`],
  ])('in %s is rejected before the body arrives', async (_where, head) => {
    expect(await unfinished(port, head, '}')).toContain('HTTP/1.1 401');
  });

  test('in the body is also rejected, even with a valid one in the header', async () => {
    const response = await fetch(`${url}/api/v4/projects`, {
      method: 'POST',
      headers: { 'Private-Token': root.token },
      body: new URLSearchParams({ private_token: 'no-valid-token' }),
    });
    expect(response.status).toBe(401);
  });
});
