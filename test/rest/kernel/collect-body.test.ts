import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { collectBody } from '../../../rest-facade/kernel/collect-body.ts';

const request = { id: '', address: '', isDelegated: false };
const sending =
  (body: unknown, type = 'application/octet-stream') =>
  async () => ({ status: 200, headers: { 'Content-Type': type }, body });

const tooLong = { status: 413, body: { message: '413 Request Entity Too Large' } };
const collectFive = (body: unknown) => collectBody(sending(body), 5, request);

test('streamed JSON becomes its value', async () => {
  const pieces = Readable.from([Buffer.from('{"a":'), Buffer.from('[1]}')]);
  expect(await collectBody(sending(pieces, 'application/json'), 100, request)).toEqual({
    status: 200,
    body: { a: [1] },
  });
});

test('a Buffer or stream of another type becomes bytes', async () => {
  const body = Buffer.from([0, 255]);
  for (const sent of [body, Readable.from([body.subarray(0, 1), body.subarray(1)])]) {
    expect(await collectBody(sending(sent), 2, request)).toEqual({ status: 200, body });
  }
  const text = Readable.from(['te', 'xt']);
  expect(await collectBody(sending(text, 'text/plain'), 100, request)).toEqual({
    status: 200,
    body: Buffer.from('text'),
  });
});

test('a value is returned as it is', async () => {
  const outcome = { status: 201, headers: { 'X-Of': 'a value' }, body: { a: 1 } };
  expect(await collectBody(async () => outcome, 1, request)).toEqual(outcome);
});

test('a body over the limit gives 413 and is not read further', async () => {
  expect(await collectFive(Buffer.alloc(6))).toEqual(tooLong);
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(4);
    })(),
  );
  expect(await collectFive(endless)).toEqual(tooLong);
  expect(endless.destroyed).toBe(true);
});

test('streams and their work end when the caller disconnects', async () => {
  const caller = new AbortController();
  const never = new Readable({ read: () => undefined });
  let work: AbortSignal | undefined;
  let isClosed = false;
  const response = collectBody(
    async ({ signal, onClose }) => {
      work = signal;
      onClose(() => {
        isClosed = true;
      });
      return sending(never)();
    },
    100,
    { ...request, signal: caller.signal },
  );
  const closed = once(never, 'close');
  caller.abort();
  await expect(response).rejects.toThrow('Premature close');
  await closed;
  expect({ isAborted: work?.aborted, isClosed }).toEqual({ isAborted: true, isClosed: true });
});
