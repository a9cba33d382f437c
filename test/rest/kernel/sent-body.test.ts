import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { expect, test } from 'vitest';
import { disconnectSignal } from '../../../rest-facade/kernel/disconnect-signal.ts';
import { sentBody } from '../../../rest-facade/kernel/sent-body.ts';

const request = { id: '', address: '', isDelegated: false };
const sending =
  (body: unknown, type = 'application/octet-stream') =>
  async (ctx: Context) => {
    ctx.set('Content-Type', type);
    ctx.body = body;
  };

const tooLong = { status: 413, body: { message: '413 Request Entity Too Large' } };
const tooLongFor = (body: unknown) => sentBody(sending(body), 5, request);

test('what is sent as JSON is what it says', async () => {
  const pieces = Readable.from([Buffer.from('{"a":'), Buffer.from('[1]}')]);
  expect(await sentBody(sending(pieces, 'application/json'), 100, request)).toEqual({
    status: 200,
    body: { a: [1] },
  });
});

test('anything else is bytes', async () => {
  const body = Buffer.from([0, 255]);
  for (const sent of [body, Readable.from([body.subarray(0, 1), body.subarray(1)])]) {
    expect(await sentBody(sending(sent), 2, request)).toEqual({ status: 200, body });
  }
  expect(await sentBody(sending('text', 'text/plain'), 100, request)).toEqual({
    status: 200,
    body: Buffer.from('text'),
  });
});

test('what is too long is refused, and read no further', async () => {
  expect(await tooLongFor(Buffer.alloc(6))).toEqual(tooLong);
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(4);
    })(),
  );
  expect(await tooLongFor(endless)).toEqual(tooLong);
  expect(endless.destroyed).toBe(true);
});

test('the work behind it ends with the caller', async () => {
  const leaving = new AbortController();
  const never = new Readable({ read: () => undefined });
  let work: AbortSignal | undefined;
  const answer = sentBody(
    async (ctx) => {
      work = disconnectSignal(ctx.res);
      ctx.res.once('close', () => never.destroy());
      await sending(never)(ctx);
    },
    100,
    { ...request, signal: leaving.signal },
  );
  const closed = once(never, 'close');
  leaving.abort();
  await expect(answer).rejects.toThrow('Premature close');
  await closed;
  expect(work?.aborted).toBe(true);
});
