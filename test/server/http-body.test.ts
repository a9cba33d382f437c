import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fileNames } from '../../rest-facade/kernel/files.ts';
import { p } from '../../rest-facade/kernel/params.ts';
import { route } from '../../rest-facade/kernel/route.ts';
import { incomingFiles } from '../../server/uploads/incoming.ts';
import { document, serve } from '../rest/kernel/app.ts';

const echo = document<{ echo: string }, { text: string }>(
  'query Echo($text: String!) { echo(text: $text) }',
);

const routes = (['post', 'delete', 'get'] as const).map((method) =>
  route({
    method,
    path: '/echo',
    access: 'anyone',
    status: 200,
    params: z.object({
      name: p.text().optional(),
      tags: p.list().optional(),
      variables: p.hash().optional(),
    }),
    document: echo,
    variables: (params) => ({ text: JSON.stringify(params) }),
    reshape: (data) => JSON.parse(JSON.parse(data.echo).text),
  }),
);

/** Responds with whether the file existed during the request. */
const withFile = route({
  method: 'post',
  path: '/files',
  access: 'anyone',
  status: 200,
  params: z.object({ name: p.text().optional(), file: p.file().optional() }),
  document: echo,
  variables: ({ name, file }) => {
    if (name === 'wrong') return { text: 'wrong' };
    const isThere = file !== undefined && existsSync(file.path);
    return { text: JSON.stringify({ name, file, isThere }) };
  },
  reshape: (data) => JSON.parse(JSON.parse(data.echo).text),
});

const folder = await mkdtemp(join(tmpdir(), 'millrace-files-'));
const limit = 2 ** 20;
const all = [...routes, withFile];
const app = await serve(all, undefined, {
  ...incomingFiles(folder),
  namesOf: fileNames(all, '/api/v4'),
  limit: () => limit,
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
const { send, post } = app;
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const malformed = { status: 400, body: { error: 'message body does not match declared format' } };

describe('parameters in a body', () => {
  const all = { name: 'ä', tags: ['a', 'b'], variables: { KEY: 'v' } };

  test('are read as JSON', async () => {
    const text = JSON.stringify({ ...all, other: { deep: [1] } });
    expect(await post('/echo', json, text)).toMatchObject({ status: 200, body: all });
    expect(await post('/echo', `${json}; charset=UTF-8`, text)).toMatchObject({ body: all });
  });

  test('are read as a form', async () => {
    const text = 'name=%C3%A4&tags[]=a&tags[]=b&variables[KEY]=v';
    expect(await post('/echo', form, text)).toMatchObject({ status: 200, body: all });
    expect(await post('/echo', `${form}; charset=utf-8`, 'tags=a,b')).toMatchObject({
      body: { tags: ['a', 'b'] },
    });
  });

  test('are read from a multipart form, without its files', async () => {
    const parts = new FormData();
    parts.append('name', 'ä');
    parts.append('tags[]', 'a');
    parts.append('avatar', new Blob([new Uint8Array(3 * 2 ** 20)]), 'big.png');
    parts.append('tags[]', 'b');
    parts.append('variables[KEY]', 'v');
    expect(await post('/echo', '', parts)).toMatchObject({ status: 200, body: all });
  });

  test('override the query, are read with DELETE, and can be absent', async () => {
    expect(await post('/echo?name=query&tags=q', json, '{"name":"body"}')).toMatchObject({
      body: { name: 'body', tags: ['q'] },
    });
    const headers = { 'content-type': json };
    expect(await send('DELETE', '/echo', { headers, body: '{"name":"gone"}' })).toMatchObject({
      body: { name: 'gone' },
    });
    expect(await send('DELETE', '/echo', { headers })).toMatchObject({ status: 200, body: {} });
    expect(await post('/echo', json, ' ')).toMatchObject({ status: 200, body: {} });
  });
});

describe('files of a form', () => {
  const files = async () => (await readdir(folder, { recursive: true })).filter(isFile);
  const isFile = (name: string) => /\/[^/]+\/[^/]+$/.test(name) && !name.endsWith('/maker');

  test('are on disk during the request, and not after', async () => {
    const parts = new FormData();
    parts.append('name', 'ä');
    parts.append('file', new Blob(['content']), 'Größe.txt');
    parts.append('other', new Blob(['dropped']), 'other.txt');
    const { status, body } = await post('/files', '', parts);
    const path = expect.stringContaining(folder);
    const file = { name: 'Größe.txt', size: 7, path };
    expect([status, body]).toEqual([200, { name: 'ä', file, isThere: true }]);
    expect(await files()).toEqual([]);
  });

  test('are discarded by routes without files, and by other methods', async () => {
    const parts = new FormData();
    parts.append('name', 'x');
    parts.append('file', new Blob(['content']), 'a.txt');
    expect(await post('/echo', '', parts)).toMatchObject({ status: 200, body: { name: 'x' } });
    expect(await send('DELETE', '/files', { body: parts })).toMatchObject({ status: 405 });
    expect(await files()).toEqual([]);
  });

  test('that are too large in total are rejected, and the connection stays open', async () => {
    const parts = new FormData();
    parts.append('file', new Blob([new Uint8Array(limit)]), 'a');
    expect(await post('/files', '', parts)).toMatchObject({ status: 200 });
    parts.append('file', new Blob(['x']), 'b');
    expect(await post('/files', '', parts)).toMatchObject({
      status: 413,
      body: { message: '413 Request Entity Too Large' },
    });
    expect(await files()).toEqual([]);
  });

  test('are also deleted when the request is rejected', async () => {
    const parts = new FormData();
    parts.append('file', new Blob(['content']), 'a.txt');
    parts.append('name', 'wrong');
    expect(await post('/files', '', parts)).toMatchObject({ status: 400 });
    expect(await files()).toEqual([]);
  });
});

describe('a body is rejected', () => {
  test.each(['{', '[1]', '"text"', '1', '{"name":"x"', '\ufeff{'])(
    'as JSON that is not an object: %s',
    async (text) => expect(await post('/echo', json, text)).toMatchObject(malformed),
  );

  test('when it is too deep or has too many values', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await post('/echo', json, deep)).toMatchObject(malformed);
    const manyValues = JSON.stringify({ a: new Array(20_000).fill(1) });
    expect(await post('/echo', json, manyValues)).toMatchObject(malformed);
    expect(await post('/echo', form, 'a=1&'.repeat(2000))).toMatchObject({ status: 400 });
    expect(await post('/echo', form, `a${'[b]'.repeat(50)}=1`)).toMatchObject({ status: 400 });
  });

  test('when it is not UTF-8', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"name":"'), 0xe4, ...Buffer.from('"}')]);
    expect(await post('/echo', json, bytes)).toMatchObject(malformed);
    expect(await post('/echo', form, 'name=%E4')).toMatchObject({ status: 400 });
    expect(await post('/echo', `${json}; charset=latin1`, '{}')).toMatchObject({ status: 406 });
  });

  test('when its type or encoding is unknown', async () => {
    expect(await post('/echo', 'application/xml', '<a/>')).toMatchObject({
      status: 406,
      body: { error: "The requested content-type 'application/xml' is not supported." },
    });
    const headers = { 'content-type': json, 'content-encoding': 'gzip' };
    expect(await send('POST', '/echo', { headers, body: 'x' })).toMatchObject({ status: 415 });
  });

  test.each(['multipart/form-data', 'multipart/form-data; boundary=x'])(
    'when it has no parts: %s',
    async (type) => expect(await post('/echo', type, 'nothing')).toMatchObject(malformed),
  );

  test('names cannot pollute a prototype', async () => {
    const body = '{"__proto__":{"name":"x"},"constructor":{"prototype":{"name":"x"}}}';
    expect(await post('/echo', json, body)).toMatchObject({ status: 200, body: {} });
    expect(({} as { name?: string }).name).toBeUndefined();
  });
});

describe('a body that is too long', () => {
  const tooLong = { status: 413, body: { message: '413 Request Entity Too Large' } };

  test('is rejected, and the connection stays open', async () => {
    const text = JSON.stringify({ name: 'x'.repeat(5 * 2 ** 20) });
    expect(await post('/echo', json, text)).toMatchObject(tooLong);
    expect((await post('/echo', json, '{"name":"after"}')).body).toEqual({ name: 'after' });
    const parts = new FormData();
    parts.append('name', 'x'.repeat(5 * 2 ** 20));
    expect(await post('/echo', '', parts)).toMatchObject(tooLong);
  });

  /** The response to a request head and endless content. */
  const flood = (head: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(app.port, '127.0.0.1', () => {
        socket.write(
          `POST /api/v4/echo HTTP/1.1\r\nHost: x\r\nContent-Type: ${json}\r\n${head}\r\n`,
        );
        const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
        const more = () => {
          while (!socket.destroyed && socket.write(chunk));
        };
        socket.on('drain', more);
        more();
      });
      let response = '';
      socket.setEncoding('utf8').on('data', (text) => {
        response += text;
      });
      socket.on('error', () => undefined).on('close', () => resolve(response));
    });

  test.each(['Content-Length: 99999999999\r\n', 'Transfer-Encoding: chunked\r\n'])(
    'is rejected and disconnected if endless: %s',
    async (head) => {
      // the reset may arrive before the response: then retry
      await expect.poll(() => flood(head)).toMatch(/^HTTP\/1\.1 413[\s\S]*connection: close/i);
    },
  );

  test('a client that disconnects during the body affects no other request', async () => {
    const socket = connect(app.port, '127.0.0.1');
    const type = `Content-Type: ${json}`;
    socket.end(
      `POST /api/v4/echo HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 50\r\n\r\n{"na`,
    );
    await new Promise((resolve) => socket.on('close', resolve).resume());
    expect((await post('/echo', json, '{"name":"next"}')).body).toEqual({ name: 'next' });
    expect(app.lines.filter(({ msg }) => msg === 'request failed')).toEqual([]);
  });
});
