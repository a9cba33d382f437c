import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { p, ref } from '../../../rest-facade/kernel/params.ts';
import { route } from '../../../rest-facade/kernel/route.ts';
import { document, serve } from './app.ts';

const echo = document<{ echo: string }, { text: string; unset?: string | null }>(
  'query Echo($text: String!, $unset: String) { echo(text: $text, unset: $unset) }',
);
const may = document<{ may: boolean }, { project: string }>(
  'query May($project: String!) { may(project: $project) }',
);

const common = {
  params: z.object({ ...ref, unset: p.text().optional() }),
  document: echo,
  variables: ({ id, unset }: { id: string; unset?: string | undefined }) => ({ text: id, unset }),
  reshape: (data: { echo: string }) => JSON.parse(data.echo) as unknown,
} as const;

const routes = [
  route({ ...common, method: 'get', path: '/things/:id', access: 'anyone' }),
  route({
    ...common,
    method: 'get',
    path: '/things/owned',
    access: 'anyone',
    params: z.object({}),
    variables: () => ({ text: 'the owned ones' }),
  }),
  route({ ...common, method: 'post', path: '/things/:id', access: 'signed in' }),
  route({ ...common, method: 'get', path: '/things/:id/settings', access: 'admin' }),
  route({ ...common, method: 'get', path: '/things/:id/archive.tar.gz', access: 'anyone' }),
  route({
    method: 'delete',
    path: '/things/:id',
    access: 'signed in',
    params: z.object(ref),
    document: echo,
    variables: ({ id }) => ({ text: id }),
    refusals: { CONFLICT: 405 },
  }),
  route({
    ...common,
    method: 'put',
    path: '/things/:id',
    access: 'anyone',
    status: ({ echo: text }) => (text.includes('same') ? 304 : 200),
    invalidAs: (fields) => `Failed: ${Object.keys(fields).join()}`,
  }),
  route({
    ...common,
    method: 'put',
    path: '/guarded/:id',
    access: 'anyone',
    before: { document: may, variables: ({ id }: { readonly id: string }) => ({ project: id }) },
    params: z.object({ ...ref, level: p.int() }),
    variables: ({ id }) => ({ text: id }),
  }),
];

const app = await serve(routes);
afterAll(app.close);
const { send } = app;
const ada = { headers: { viewer: 'ada' } };

describe('a response', () => {
  test('is JSON without a charset, and an absent variable has its default', async () => {
    const { status, headers, body } = await send('GET', '/things/x');
    expect({ status, type: headers.get('content-type'), body }).toEqual({
      status: 200,
      type: 'application/json',
      body: { text: 'x', unset: 'the default' },
    });
  });

  test('to POST has status 201, to DELETE 204 without body and type', async () => {
    expect((await send('POST', '/things/x', ada)).status).toBe(201);
    const { status, text, headers } = await send('DELETE', '/things/x', ada);
    expect({ status, text, type: headers.get('content-type') }).toEqual({
      status: 204,
      text: '',
      type: null,
    });
  });

  test('can have a status that depends on the data', async () => {
    expect((await send('PUT', '/things/other')).status).toBe(200);
    const { status, text } = await send('PUT', '/things/same');
    expect({ status, text }).toEqual({ status: 304, text: '' });
  });

  test('to HEAD has headers and no body', async () => {
    const { status, text, headers } = await send('HEAD', '/things/x');
    expect({ status, text, length: headers.get('content-length') }).toEqual({
      status: 200,
      text: '',
      length: String(JSON.stringify({ text: 'x', unset: 'the default' }).length),
    });
  });
});

describe('access', () => {
  const anonymous = { status: 401, body: { message: '401 Unauthorized' } };

  test('anonymous callers are refused before the parameters are checked', async () => {
    expect(await send('POST', '/things/x')).toMatchObject(anonymous);
    expect(await send('GET', '/things/x/settings')).toMatchObject(anonymous);
  });

  test('a route for administrators refuses other users', async () => {
    expect(await send('GET', '/things/x/settings', ada)).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
    });
    const root = await send('GET', '/things/x/settings', { headers: { viewer: 'root' } });
    expect(root.status).toBe(200);
  });

  test('a permission in `before` is checked before the parameters', async () => {
    expect(await send('PUT', '/guarded/denied')).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
    });
    expect(await send('PUT', '/guarded/x')).toMatchObject({
      status: 400,
      body: { error: 'level is missing' },
    });
    expect((await send('PUT', '/guarded/x?level=3')).status).toBe(200);
  });
});

describe('a domain error', () => {
  test.each([
    ['hidden', 404, { message: '404 Project Not Found' }],
    ['denied', 403, { message: '403 Forbidden' }],
    ['taken', 409, { message: 'Member already exists' }],
    ['wrong', 400, { message: { name: ['has already been taken'] } }],
    ['worded', 400, { message: 'Tag name invalid' }],
  ])('%s has status %i', async (id, status, body) => {
    expect(await send('GET', `/things/${id}`)).toMatchObject({ status, body });
  });

  test('gets the status and the text of its endpoint', async () => {
    expect(await send('DELETE', '/things/taken', ada)).toMatchObject({
      status: 405,
      body: { message: 'Member already exists' },
    });
    expect(await send('PUT', '/things/wrong')).toMatchObject({
      status: 400,
      body: { message: 'Failed: name' },
    });
  });

  test('an unexpected error is logged with its request id and not explained', async () => {
    const { status, body, headers } = await send('GET', '/things/bug');
    expect({ status, body }).toEqual({
      status: 500,
      body: { message: '500 Internal Server Error' },
    });
    expect(app.lines).toContainEqual(
      expect.objectContaining({
        msg: 'request failed',
        requestId: headers.get('x-request-id'),
        err: expect.objectContaining({ message: 'something with secrets in it' }),
      }),
    );
  });
});

/** Sends a path unchanged; `fetch` would normalize it. */
const statusOf = (path: string, method = 'GET') =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(app.port, '127.0.0.1', () =>
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    let response = '';
    socket
      .setEncoding('utf8')
      .on('data', (text) => {
        response += text;
      })
      .on('end', () => resolve(`${response.split(' ')[1]} ${response.split('\r\n\r\n')[1]}`))
      .on('error', reject);
  });

describe('a path', () => {
  test.each([
    ['a%2Fb%2Ec', 'a/b.c'],
    ['a%252Fb', 'a%2Fb'],
    ['a+b%20c', 'a+b c'],
    ['x.json', 'x.json'],
    ['%C3%A4', 'ä'],
    ['%2E%2E', '..'],
    ['Owned', 'Owned'],
  ])('the segment %s is read as %s', async (segment, text) => {
    expect(await statusOf(`/api/v4/things/${segment}`)).toBe(
      `200 ${JSON.stringify({ text, unset: 'the default' })}`,
    );
  });

  test('prefers a fixed segment, also with encoded dots', async () => {
    expect((await send('GET', '/things/owned')).text).toContain('the owned ones');
    expect(await statusOf('/api/v4/things/a%2Fb/archive%2Etar%2Egz')).toContain(
      '200 {"text":"a/b"',
    );
    expect((await send('GET', '/things/owned/')).text).toContain('the owned ones');
  });

  test.each(['%', '%zz', '%E4', 'a%00b', '%ff%fe'])('with %s gives 400', async (segment) => {
    expect(await statusOf(`/api/v4/things/${segment}`)).toBe('400 {"error":"400 Bad Request"}');
  });

  test.each([
    '/api/v4',
    '/api/v4/',
    '/api/v4/nothing',
    '/api/v4/things/x/nothing',
    '/api/v4/THINGS/x',
  ])('%s gives 404', async (path) => {
    expect(await statusOf(path)).toBe('404 {"error":"404 Not Found"}');
  });

  test('with an unsupported method gives 405 with the allowed methods', async () => {
    const { status, body, headers } = await send('PATCH', '/things/x');
    expect({ status, body, allow: headers.get('allow') }).toEqual({
      status: 405,
      body: { error: '405 Not Allowed' },
      allow: expect.stringMatching(/^(?=.*GET)(?=.*HEAD)(?=.*POST)(?=.*PUT)(?=.*DELETE)/),
    });
    expect(await statusOf('/api/v4/things/x', 'OPTIONS')).toBe('204 ');
  });

  test('outside of the prefix is not handled', async () => {
    expect(await statusOf('/api/v44/things/x')).toBe('404 Not Found');
  });
});

test('a document that does not match the schema is rejected', async () => {
  const invalid = app.execute(document('{ nothing }'), {}, null);
  await expect(invalid).rejects.toThrow(/Cannot query field/);
});
