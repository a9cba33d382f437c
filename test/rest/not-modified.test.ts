import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { formOf, png } from '../support/form.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const ada = await seed.user('ada');
const { id: app } = await seed.project('ada/app', {}, { visibility: 'public' });
await as(ada).post(`/projects/${app}/issues`, { title: 'An issue' });
await as(ada).post(`/projects/${app}/labels`, { name: 'bug', color: '#f00' });

/** The response on the socket: `fetch` hides some headers of responses without a body. */
async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const { token }: TestUser = ada;
  const outgoing = request(`${url}${path}`, {
    method,
    headers: { 'Private-Token': token, ...headers },
  });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let body = '';
  for await (const piece of response) body += piece;
  return { status: response.statusCode, body, headers: response.headers };
}

const notModified = async (method: string, path: string, headers?: Record<string, string>) => {
  const { status, body, headers: sent } = await send(method, path, headers);
  const names = ['content-type', 'content-length', 'transfer-encoding'];
  expect({ status, body, sent: names.filter((name) => name in sent) }).toEqual({
    status: 304,
    body: '',
    sent: [],
  });
};

test.each([
  ['POST', `/projects/${app}/unstar`],
  ['POST', `/projects/${app}/issues/1/subscribe`],
  ['POST', `/projects/${app}/labels/bug/unsubscribe`],
  ['DELETE', `/projects/${app}/fork`],
])('a 304 of %s %s has neither Content-Type nor Content-Length', (method, path) =>
  notModified(method, `/api/v4${path}`),
);

test.each(['GET', 'HEAD'])(
  'a 304 of a conditional %s has neither Content-Type nor Content-Length',
  async (method) => {
    for (const path of [`/api/v4/projects/${app}`, '/api/v4/projects']) {
      const { headers } = await send(method, path);
      await notModified(method, path, { 'If-None-Match': String(headers.etag) });
    }
  },
);

test('a 304 of an avatar has neither Content-Type nor Content-Length', async () => {
  const body = formOf({ avatar: { name: 'face.png', content: png() } });
  const response = await as(ada).fetch(`/projects/${app}`, { method: 'PUT', body });
  const { avatar_url: address } = (await response.json()) as { avatar_url: string };
  const { headers } = await send('GET', new URL(address).pathname);
  expect(headers['content-type']).toBe('image/png');
  for (const method of ['GET', 'HEAD']) {
    await notModified(method, new URL(address).pathname, { 'If-None-Match': String(headers.etag) });
  }
});
