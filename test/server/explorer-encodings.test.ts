import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { url } = await world();

const send = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(`${url}/graphql`, {
    method,
    headers: { Accept: 'text/html', 'Accept-Encoding': 'identity', ...headers },
  });

const page = await (await send()).text();

/** The paths of the files by their names. */
const files = new Map(
  [...page.matchAll(/"(assets\/[\w-]+\/([a-z.-]+))"/g)].map(([, path = '', name = '']) => [
    name,
    path,
  ]),
);
const pathOf = (name: string) => files.get(name) ?? '';

const sendFile = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/${path}`, { headers: { 'Accept-Encoding': 'br', ...headers } });

/** Bytes of the body as it is sent. */
const sizeOf = async (response: Response) => {
  await response.body?.cancel();
  return Number(response.headers.get('Content-Length'));
};

describe('the explorer', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['identity', null],
    ['zstd', null],
    ['identity;q=0', null],
  ])('is the same page for Accept-Encoding: %s, encoded as %s', async (accepted, encoding) => {
    const response = await send({ 'Accept-Encoding': accepted });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Encoding')).toBe(encoding);
    expect(response.headers.get('Vary')).toBe('Origin, Accept, Accept-Encoding');
    expect((await response.text()) === page).toBe(true);
    expect(Number(response.headers.get('Content-Length'))).toBeLessThan(
      encoding ? page.length / 2 : Number.POSITIVE_INFINITY,
    );
  });

  test.each(['br', 'gzip', 'identity'])(
    'has an ETag for %s, and responds with 304 to it',
    async (encoding) => {
      const { headers } = await send({ 'Accept-Encoding': encoding }, 'HEAD');
      const tag = headers.get('ETag') ?? '';
      expect(tag).toMatch(new RegExp(`^"[\\w-]{43}-${encoding}"$`));
      expect(headers.get('Cache-Control')).toBe('public, no-cache');
      const again = await send({ 'Accept-Encoding': encoding, 'If-None-Match': tag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('ETag')).toBe(tag);
      expect(again.headers.get('Vary')).toContain('Accept-Encoding');
      const other = await send({ 'Accept-Encoding': 'x', 'If-None-Match': `"other-${encoding}"` });
      expect(other.status).toBe(200);
      await other.body?.cancel();
    },
  );

  test('responds to HEAD with the headers of GET', async () => {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => send({ 'Accept-Encoding': 'br' }, method)),
    );
    const names = ['Content-Length', 'Content-Encoding', 'Content-Type', 'ETag', 'Vary'];
    const of = (response: Response | undefined) => names.map((name) => response?.headers.get(name));
    expect(of(head)).toEqual(of(get));
    expect(await head?.text()).toBe('');
    await get?.body?.cancel();
  });
});

describe('the files of the explorer', () => {
  test('have relative addresses, with a folder that changes with the content', () => {
    expect(files.size).toBeGreaterThan(5);
    for (const path of files.values())
      expect(path).toMatch(/^assets\/explorer-[\w-]{16}\/[a-z.-]+$/);
    expect(page).not.toMatch(/(?:href|src)="(?:\/|https?:)/);
  });

  test('are 500 KB with the page', async () => {
    const responses = [
      await send({ 'Accept-Encoding': 'br' }),
      ...(await Promise.all([...files.values()].map((path) => sendFile(path)))),
    ];
    const sizes = await Promise.all(responses.map(sizeOf));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(500_000);
  });

  test.each([...files.keys()])('are cached for a year, and have an ETag: %s', async (name) => {
    const path = pathOf(name);
    const response = await sendFile(path);
    expect(response.status).toBe(200);
    await response.body?.cancel();
    const { headers } = response;
    expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('Content-Encoding')).toBe('br');
    const again = await sendFile(path, { 'If-None-Match': headers.get('ETag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test.each(['br', 'gzip', 'identity'])('are the same in the encoding %s', async (encoding) => {
    const path = pathOf('libraries.js');
    const response = await sendFile(path, { 'Accept-Encoding': encoding });
    expect(response.headers.get('Content-Encoding')).toBe(
      encoding === 'identity' ? null : encoding,
    );
    const script = await (await sendFile(path, { 'Accept-Encoding': 'identity' })).text();
    expect((await response.text()) === script).toBe(true);
    expect(Number(response.headers.get('Content-Length'))).toBeLessThanOrEqual(
      encoding === 'identity' ? script.length * 2 : script.length / 3,
    );
  });

  test('are not found in another folder or by another name', async () => {
    const path = pathOf('main.js');
    for (const wrong of [path.replace(/-.{4}/, '-xxxx'), `${path}x`, `${path}/x`]) {
      const response = await sendFile(wrong);
      expect(response.status).toBe(404);
      await response.body?.cancel();
    }
  });

  test('contain the schema that the endpoint serves', async () => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: getIntrospectionQuery({ oneOf: true, specifiedByUrl: true }) }),
    });
    const { data } = (await response.json()) as { data: IntrospectionQuery };
    const served = printSchema(lexicographicSortSchema(buildClientSchema(data)));
    const shown = buildSchema(await (await sendFile(pathOf('schema.graphql'))).text());
    expect(printSchema(lexicographicSortSchema(shown))).toBe(served);
  });
});
