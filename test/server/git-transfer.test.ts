import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { pipeAndFree, writeAndFree } from '../../server/git-http/transfer.ts';

/** Two ends of a connection. */
async function connection(): Promise<readonly [Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const near = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [far] = (await accepted) as [Socket];
  onTestFinished(() => {
    for (const socket of [near, far]) socket.destroy();
    server.close();
  });
  return [near, far];
}

/** Chunks with their own memory, as sockets give them. */
const chunks = (count: number, length: number) =>
  Array.from({ length: count }, (_, number) => Buffer.from(new ArrayBuffer(length)).fill(number));

test('frees the memory of a chunk once it has been sent', async () => {
  const [near, far] = await connection();
  const [first, second] = chunks(2, 64 * 1024) as [Buffer<ArrayBuffer>, Buffer<ArrayBuffer>];
  const expected = Buffer.concat([first, second]);
  writeAndFree(near, first);
  writeAndFree(near, second);
  near.end();
  expect(expected.equals(await buffer(far))).toBe(true);
  expect([first.length, second.length]).toEqual([0, 0]);
});

test('keeps the memory that a chunk shares with others', async () => {
  const [near, far] = await connection();
  const shared = Buffer.from(new ArrayBuffer(64)).fill('a');
  writeAndFree(near, shared.subarray(0, 8));
  near.end();
  expect((await buffer(far)).toString()).toBe('aaaaaaaa');
  expect(shared.toString()).toBe('a'.repeat(64));
});

test('pipes every byte to a target that is slower than the source', async () => {
  const [near, far] = await connection();
  const sent = chunks(500, 10_000);
  const expected = Buffer.concat(sent);
  pipeAndFree(Readable.from(sent), near);
  expect(expected.equals(await buffer(far))).toBe(true);
  expect(sent.every(({ length }) => length === 0)).toBe(true);
});

test('discards the rest once the target has been ended', async () => {
  const [near, far] = await connection();
  near.end('end');
  const source = Readable.from(chunks(500, 10_000));
  pipeAndFree(source, near);
  await once(source, 'end');
  expect((await buffer(far)).toString()).toBe('end');
});
