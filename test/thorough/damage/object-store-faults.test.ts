import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { ObjectsUnavailable } from '../../../schema/kernel/outage.ts';
import { readConfig } from '../../../server/config.ts';
import { s3Objects } from '../../../server/objects/s3.ts';
import { s3Client } from '../../../server/objects/s3-client.ts';
import { objectVariables } from '../../support/object-store.ts';

/** More than one request reads. */
const content = Buffer.from('0123456789abcdef'.repeat(12_000));

interface Asked {
  readonly start: number;
  readonly end: number;
}

type Respond = (asked: Asked, response: ServerResponse) => void;

const send =
  (
    status: number,
    headers: (asked: Asked) => Record<string, string | number>,
    body: (asked: Asked) => Buffer,
  ): Respond =>
  (asked, response) => {
    response.writeHead(status, headers(asked));
    response.end(body(asked));
  };
const bytesOf = ({ start, end }: Asked) => content.subarray(start, end + 1);
const ranged = (etag: string, shift = 0) =>
  send(
    206,
    ({ start, end }) => ({
      ETag: etag,
      'Content-Range': `bytes ${start - shift}-${end - shift}/${content.length}`,
    }),
    bytesOf,
  );
const first = ranged('"one"');

/** What a store does for each request of the object with this name. */
const stores: Readonly<Record<string, { first: Respond; later: Respond }>> = {
  honest: { first, later: first },
  'ignores ranges': {
    first: send(
      200,
      () => ({ ETag: '"one"', 'Content-Length': content.length }),
      () => content,
    ),
    later: first,
  },
  'ignores later ranges': {
    first,
    later: send(
      200,
      () => ({ ETag: '"one"', 'Content-Length': content.length }),
      () => content,
    ),
  },
  'sends another range': { first, later: ranged('"one"', 16) },
  'sends another object': { first, later: ranged('"two"') },
  'sends less and closes': {
    first,
    later: ({ start, end }, response) => {
      response.writeHead(206, {
        ETag: '"one"',
        'Content-Range': `bytes ${start}-${end}/${content.length}`,
        'Content-Length': end - start + 1,
      });
      response.flushHeaders();
      response.socket?.destroySoon();
    },
  },
  'sends an error page': {
    first,
    later: send(
      500,
      () => ({}),
      () => Buffer.from('<html>'),
    ),
  },
};
const longer: Respond = send(
  206,
  ({ start, end }) => ({
    ETag: '"one"',
    'Content-Range': `bytes ${start}-${end}/${content.length}`,
  }),
  (asked) => Buffer.concat([bytesOf(asked), Buffer.from('more than was asked for')]),
);

const server = createServer((request: IncomingMessage, response) => {
  const name =
    decodeURIComponent(request.url ?? '')
      .split('/')
      .at(-1)
      ?.split('?')[0] ?? '';
  const [, start = '0', end = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
  const asked = { start: Number(start), end: Math.min(Number(end), content.length - 1) };
  const store = name === 'longer' ? { first, later: longer } : stores[name];
  (asked.start === 0 ? store?.first : store?.later)?.(asked, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { objects: config } = readConfig(
  objectVariables((server.address() as AddressInfo).port, 'faults'),
);
if (!config) throw new Error('no object store');
const client = s3Client(config);
const objects = s3Objects(client, config);
afterAll(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

const read = async (name: string) => {
  const reader = await objects.open(name);
  return reader && buffer(reader.stream());
};

describe('an object is read completely and unchanged, or not at all, from a store that', () => {
  test('works', async () => {
    expect((await read('honest'))?.equals(content)).toBe(true);
  });

  test.each(Object.keys(stores).filter((name) => name !== 'honest'))('%s', async (name) => {
    await expect(read(name)).rejects.toBeInstanceOf(ObjectsUnavailable);
  });

  test('sends more than was asked for', async () => {
    expect((await read('longer'))?.equals(content)).toBe(true);
  });
});
