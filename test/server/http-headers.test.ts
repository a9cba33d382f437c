import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { p } from '../../rest-facade/kernel/params.ts';
import { route } from '../../rest-facade/kernel/route.ts';
import { redact } from '../../server/http/redact.ts';
import { document, serve } from '../rest/kernel/app.ts';

const echo = document<{ echo: string }, { text: string }>(
  'query Echo($text: String!) { echo(text: $text) }',
);
const routes = (['get', 'post'] as const).map((method) =>
  route({
    method,
    path: '/things/:id',
    access: 'anyone',
    params: z.object({ id: p.text() }),
    document: echo,
    variables: ({ id }) => ({ text: id }),
    reshape: (data) => JSON.parse(data.echo),
  }),
);
const app = await serve(routes);
afterAll(app.close);
const { send } = app;

describe('every response', () => {
  test.each(['/things/x', '/things/hidden', '/things/bug', '/nothing'])(
    'carries the standard headers: %s',
    async (path) => {
      const { headers } = await send('GET', path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/json',
        'x-frame-options': 'SAMEORIGIN',
        'x-content-type-options': 'nosniff',
        vary: 'Origin',
        'access-control-allow-origin': '*',
        'x-runtime': expect.stringMatching(/^\d+\.\d{6}$/),
        'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
        'cache-control': path === '/things/x' ? 'max-age=0, private, must-revalidate' : 'no-cache',
      });
    },
  );

  test('repeats the caller’s request id if it is valid', async () => {
    const named = (id: string) =>
      send('GET', '/things/x', { headers: { 'x-request-id': id } }).then(({ headers }) =>
        headers.get('x-request-id'),
      );
    expect(await named('abc-123')).toBe('abc-123');
    expect(await named('a b"c')).not.toBe('a b"c');
    expect(await named('x'.repeat(65))).toHaveLength(36);
  });
});

describe('conditional reading', () => {
  test('a matching ETag gives 304 without body and type', async () => {
    const first = await send('GET', '/things/x');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{20,}"$/);
    for (const value of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      const again = await send('GET', '/things/x', { headers: { 'if-none-match': value } });
      expect([again.status, again.text, again.headers.get('content-type')]).toEqual([
        304,
        '',
        null,
      ]);
      expect(again.headers.get('etag')).toBe(tag);
    }
  });

  test('another response has another ETag, and a write has none', async () => {
    const [x, y] = await Promise.all([send('GET', '/things/x'), send('GET', '/things/y')]);
    expect(x.headers.get('etag')).not.toBe(y.headers.get('etag'));
    expect((await send('POST', '/things/x')).headers.get('etag')).toBeNull();
    expect((await send('GET', '/things/hidden')).headers.get('etag')).toBeNull();
  });
});

describe('other origins', () => {
  test('can send a preflight for any method and header', async () => {
    const { status, text, headers } = await send('OPTIONS', '/things/x', {
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'private-token, x-other',
      },
    });
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(headers.get('access-control-allow-headers')).toBe('private-token, x-other');
  });

  test('can read pagination headers', async () => {
    const { headers } = await send('GET', '/things/x', {
      headers: { origin: 'https://e.example' },
    });
    expect(headers.get('access-control-expose-headers')).toBe(
      'Link,X-Total,X-Total-Pages,X-Per-Page,X-Page,X-Next-Page,X-Prev-Page',
    );
  });
});

describe('the log', () => {
  test('has a line for each request, without secrets', async () => {
    const { headers } = await send('GET', '/things/seen?private%5Ftoken=abc&q=1', {
      headers: { viewer: 'ada' },
    });
    const id = headers.get('x-request-id');
    await expect
      .poll(() => app.lines.find(({ requestId }) => requestId === id))
      .toMatchObject({
        msg: 'request',
        method: 'GET',
        path: '/api/v4/things/seen',
        query: 'private%5Ftoken=[hidden]&q=1',
        status: 200,
        userId: 7,
        duration: expect.any(Number),
      });
  });

  test.each([
    ['access_token=x&a=token', 'access_token=[hidden]&a=token'],
    ['user[password]=x&page=2', 'user[password]=[hidden]&page=2'],
    ['PRIVATE_TOKEN=x', 'PRIVATE_TOKEN=[hidden]'],
    ['code=x&state=y', 'code=[hidden]&state=[hidden]'],
    ['key=DEPLOY&value=x', 'key=[hidden]&value=[hidden]'],
    ['variables[A]=x&ref=a', 'variables[A]=[hidden]&ref=a'],
    ['%zz=x', '%zz=[hidden]'],
    ['flag', 'flag'],
    ['query={viewer{id}}&x=1', 'query=[hidden]&x=1'],
    ['return_to=%2Fx%3Fprivate_token%3Dabc', 'return_to=[hidden]'],
    ['abcdefghij0123456789', '[hidden]'],
    ['from=https%3A%2F%2Fada%3Apw%40host%2Fx', 'from=[hidden]'],
    ['filter=private_token%3Dabc', 'filter=[hidden]'],
    ['from=https%3A%2F%2Fhost%2Fx', 'from=https%3A%2F%2Fhost%2Fx'],
  ])('%s is written as %s', (query, written) => expect(redact(query)).toBe(written));

  test('counts by the endpoint’s pattern', async () => {
    await send('GET', '/nothing/here');
    const text = () => app.registry.metrics();
    await expect
      .poll(text)
      .toMatch(
        /http_requests_total\{method="GET",route="\/api\/v4\/things\/:id",status="404"\} \d/,
      );
    await expect.poll(text).toMatch(/route="other",status="404"/);
    await expect.poll(text).toContain('http_request_duration_seconds_bucket');
  });
});
