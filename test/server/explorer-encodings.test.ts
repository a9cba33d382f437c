import { describe, expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { url } = await world();

const send = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(`${url}/graphql`, {
    method,
    headers: { Accept: 'text/html', 'Accept-Encoding': 'identity', ...headers },
  });

const page = await (await send()).text();

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
      encoding ? page.length / 3 : Number.POSITIVE_INFINITY,
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
