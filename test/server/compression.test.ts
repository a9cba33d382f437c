import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { seed, url, root } = await world();
const ada = await seed.user('ada');
for (let n = 1; n <= 5; n += 1) await seed.project(`ada/app-${n}`, {}, { visibility: 'public' });

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Uses Node's HTTP client, which neither sends Accept-Encoding nor decompresses. */
const send = (path: string, { method = 'GET', headers = {}, body }: RequestOptions = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, agent: false }, async (response) => {
      const content = Buffer.concat((await response.toArray()) as Buffer[]);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content });
    });
    sent.once('error', reject).end(body);
  });

const gzip = { 'Accept-Encoding': 'gzip, deflate' };
const projects = '/api/v4/projects';
const token = { 'Private-Token': ada.token };
const cookie = { Cookie: `_millrace_session=${'0'.repeat(64)}` };
const page = '/users/sign_up';
const html = { Accept: 'text/html' };

const isCompressed = ({ headers, body }: Answer) => {
  expect(Number(headers['content-length'])).toBe(body.length);
  return headers['content-encoding'] === 'gzip';
};

describe('a response of a kilobyte or more', () => {
  test('is compressed for a client that accepts it, with the same content', async () => {
    const [plain, packed] = [await send(projects), await send(projects, { headers: gzip })];
    expect([isCompressed(plain), isCompressed(packed)]).toEqual([false, true]);
    expect(gunzipSync(packed.body)).toEqual(plain.body);
    expect(packed.body.length).toBeLessThan(plain.body.length / 3);
    for (const { headers } of [plain, packed]) {
      expect(headers.vary).toBe('Origin, Accept-Encoding');
      expect(headers.etag).toBe(plain.headers.etag);
      expect(headers.etag).toMatch(/^W\//);
    }
  });

  test('has the same headers for HEAD', async () => {
    const [get, head] = [
      await send(projects, { headers: gzip }),
      await send(projects, { method: 'HEAD', headers: gzip }),
    ];
    const names = ['content-length', 'content-encoding', 'content-type', 'etag', 'vary'];
    for (const name of names) expect(head.headers[name]).toBe(get.headers[name]);
    expect(head.body).toHaveLength(0);
  });

  test('is 304 for a matching If-None-Match, compressed or not', async () => {
    const { headers } = await send(projects, { headers: gzip });
    for (const accepted of [gzip, {}]) {
      const again = await send(projects, {
        headers: { ...accepted, 'If-None-Match': String(headers.etag) },
      });
      expect(again).toMatchObject({
        status: 304,
        headers: { etag: headers.etag, vary: 'Origin, Accept-Encoding' },
        body: Buffer.alloc(0),
      });
      expect(again.headers['content-encoding']).toBeUndefined();
    }
  });

  test.each([
    ['a page', page, html],
    ['the WSDL', '/api/soap?wsdl', {}],
    ['a listing by a token', projects, token],
    ['GraphQL', `/graphql?query=${encodeURIComponent('{__schema{types{name}}}')}`, token],
  ])('is compressed: %s', async (_what, path, headers) => {
    const response = await send(path, { headers: { ...headers, ...gzip } });
    expect(response.status).toBe(200);
    expect(isCompressed(response)).toBe(true);
    expect(gunzipSync(response.body).length).toBeGreaterThan(response.body.length);
  });

  test.each([
    ['no Accept-Encoding', projects, {}],
    ['gzip excluded', projects, { 'Accept-Encoding': 'gzip;q=0' }],
    ['an unknown encoding', projects, { 'Accept-Encoding': 'snappy' }],
    ['a short response', '/api/v4/projects/1/labels', { ...gzip, ...token }],
  ])('is not compressed: %s', async (_why, path, headers) => {
    expect(isCompressed(await send(path, { headers }))).toBe(false);
  });
});

describe('a response that may contain a secret and text of an attacker', () => {
  const own = {
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  };
  const basic = { Authorization: `Basic ${Buffer.from('ada:x').toString('base64')}` };

  test.each([
    ['a page with the browser’s cookie', page, { ...html, ...cookie }],
    ['a listing with the browser’s cookie', projects, cookie],
    [
      'a page opened from another site',
      page,
      { ...cookie, ...own, 'Sec-Fetch-Site': 'cross-site' },
    ],
    [
      'a page opened from a sibling site',
      page,
      { ...cookie, ...own, 'Sec-Fetch-Site': 'same-site' },
    ],
    ['a page as an image', page, { ...cookie, ...own, 'Sec-Fetch-Dest': 'image' }],
    ['a page by a script', page, { ...cookie, ...own, 'Sec-Fetch-Mode': 'cors' }],
    ['the password that a browser keeps', '/api/soap?wsdl', basic],
  ])('is not compressed: %s', async (_what, path, headers) => {
    const response = await send(path, { headers: { ...html, ...headers, ...gzip } });
    expect(response.body.length).toBeGreaterThan(1024);
    expect(isCompressed(response)).toBe(false);
  });

  test('is compressed for same-origin navigation and typed addresses', async () => {
    for (const site of ['same-origin', 'none']) {
      const headers = { ...html, ...cookie, ...own, 'Sec-Fetch-Site': site, ...gzip };
      expect(isCompressed(await send(page, { headers }))).toBe(true);
    }
  });

  test('does not include the public stylesheet', async () => {
    const { body } = await send(page, { headers: html });
    const stylesheet = /href="(\/assets\/[^"]+)"/.exec(body.toString())?.[1] ?? '';
    expect(isCompressed(await send(stylesheet, { headers: { ...cookie, ...gzip } }))).toBe(true);
  });

  test.each([
    ['a sign-in', '/api/v4/session', { login: root.username, password: root.password }],
    ['a created project', projects, { name: 'created', description: 'x'.repeat(2000) }],
  ])('is not compressed: the response to %s', async (_what, path, body) => {
    const headers = { ...token, ...gzip, 'Content-Type': 'application/json' };
    const response = await send(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(201);
    expect(isCompressed(response)).toBe(false);
  });
});
