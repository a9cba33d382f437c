import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { p } from '../../../rest-facade/kernel/params.ts';
import { route } from '../../../rest-facade/kernel/route.ts';
import { document, serve } from './app.ts';

const things = document<
  { page: { total: number; nodes: readonly unknown[] } },
  { level?: number | null; page?: number | null; perPage?: number | null }
>(
  `query Things($level: Int, $page: Int, $perPage: Int) {
    page: things(level: $level, page: $page, perPage: $perPage) { total nodes { page perPage } }
  }`,
);

const list = route({
  method: 'get',
  path: '/groups/:id/things',
  access: 'anyone',
  params: z.object({ level: p.int().optional() }),
  document: things,
});

const app = await serve([list], 'https://code.example/millrace');
afterAll(app.close);
const send = (query: string) => app.send('GET', `/groups/a%2Fb/things${query}`);

const names = ['total', 'total-pages', 'per-page', 'page', 'next-page', 'prev-page'];
const numbers = (headers: Headers) => names.map((name) => headers.get(`x-${name}`));
const base = 'https://code.example/millrace/api/v4/groups/a%2Fb/things';

describe('a list of 45 records', () => {
  test('starts with 20 records, and the headers link the next page', async () => {
    const { headers, body } = await send('');
    expect(body).toEqual([{ page: 1, perPage: 20 }]);
    expect(numbers(headers)).toEqual(['45', '3', '20', '1', '2', '']);
    expect(headers.get('link')).toBe(
      [
        `<${base}?page=2&per_page=20>; rel="next"`,
        `<${base}?page=1&per_page=20>; rel="first"`,
        `<${base}?page=3&per_page=20>; rel="last"`,
      ].join(', '),
    );
  });

  test('keeps the query parameters in the links, sorted by name', async () => {
    const { headers } = await send('?z=1&page=2&a%5B%5D=x&per_page=10&q=a%20b');
    expect(numbers(headers)).toEqual(['45', '5', '10', '2', '3', '1']);
    const query = (page: number) => `?a%5B%5D=x&page=${page}&per_page=10&q=a+b&z=1`;
    expect(headers.get('link')).toBe(
      [
        `<${base}${query(1)}>; rel="prev"`,
        `<${base}${query(3)}>; rel="next"`,
        `<${base}${query(1)}>; rel="first"`,
        `<${base}${query(5)}>; rel="last"`,
      ].join(', '),
    );
  });

  test.each([
    ['?page=3', ['45', '3', '20', '3', '', '2']],
    ['?page=9', ['45', '3', '20', '9', '', '']],
    ['?page=0', ['45', '3', '20', '1', '2', '']],
    ['?page=-4&per_page=-1', ['45', '3', '20', '1', '2', '']],
    ['?per_page=500', ['45', '1', '100', '1', '', '']],
    ['?per_page=2147483648', ['45', '1', '100', '1', '', '']],
    [`?per_page=${'9'.repeat(400)}`, ['45', '1', '100', '1', '', '']],
    [`?per_page=-${'9'.repeat(400)}`, ['45', '3', '20', '1', '2', '']],
    ['?page=99999999999', ['45', '3', '20', '2147483647', '', '']],
    [`?page=-${'9'.repeat(400)}`, ['45', '3', '20', '1', '2', '']],
    ['?page=&per_page=', ['45', '3', '20', '1', '2', '']],
  ])('%s', async (query, expected) => {
    expect(numbers((await send(query)).headers)).toEqual(expected);
  });

  test.each([
    ['?page=x', 'page is invalid'],
    ['?per_page=1.5', 'per_page is invalid'],
    ['?per_page=0', 'per_page does not have a valid value'],
    [`?per_page=${'9'.repeat(400)}x`, 'per_page is invalid'],
    ['?page=a&level=b', 'level is invalid, page is invalid'],
  ])('%s is rejected', async (query, error) => {
    expect(await send(query)).toMatchObject({ status: 400, body: { error } });
  });
});
