import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { commandsOf } from '../../support/commands.ts';
import { world } from '../../support/world.ts';

const { db, databaseUrl, dataFolder, seed } = await world();
const { run } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });

const token = 'token-of-the-source';
const project = {
  id: 7,
  name: 'Shop',
  path: 'shop',
  path_with_namespace: 'acme/shop',
  visibility: 'public',
  created_at: '2020-01-02T03:04:05.678+02:00',
  web_url: 'https://code.example/acme/shop',
};

/** Answers as a source; returns its address and the requests that it got. */
async function sourceWith(answer: RequestListener) {
  const requests: { readonly url: string; readonly token: unknown }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', token: request.headers['private-token'] });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const importFrom = (url: string) =>
  run(['import', '--url', url, '--token', token, '--project', 'acme/shop']);

test('sends its token to no other address that the source redirects to', async () => {
  const other = await sourceWith((_, response) => response.end('{}'));
  const source = await sourceWith((_, response) =>
    response.writeHead(302, { Location: `${other.url}/api/v4/projects/7` }).end(),
  );
  const { code, stderr } = await importFrom(source.url);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`redirects to ${other.url}`)]);
  expect(source.requests).toEqual([{ url: '/api/v4/projects/acme%2Fshop', token }]);
  expect(other.requests).toEqual([]);
});

test('waits as long as a busy source says, and asks again', async () => {
  let isBusy = true;
  const source = await sourceWith((_, response) => {
    if (isBusy) response.writeHead(429, { 'Retry-After': '0' }).end();
    else response.writeHead(404).end();
    isBusy = false;
  });
  const { code, stderr } = await importFrom(source.url);
  expect([code, stderr]).toEqual([1, 'projects/acme%2Fshop: the source answers 404\n']);
  expect(source.requests).toHaveLength(2);
});

test.each([
  ['no JSON', '<html>', 'does not answer with JSON'],
  ['other records', '{"id":"x"}', 'projects/acme%2Fshop: id: Invalid input'],
  ['a path outside its namespace', JSON.stringify({ ...project, path: '../x' }), 'path'],
])('refuses %s', async (_, body, message) => {
  await seed.group('acme').catch(() => {});
  const source = await sourceWith((_, response) => response.end(body));
  const { code, stderr } = await importFrom(source.url);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(await db.project.count()).toBe(0);
});

test('ends a response that is too long for a page', async () => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const source = await sourceWith((_, response) => {
    const send = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', send);
    };
    send();
  });
  const { code, stderr } = await importFrom(source.url);
  expect([code, stderr]).toEqual([1, expect.stringContaining('is longer than 134217728 bytes')]);
});
