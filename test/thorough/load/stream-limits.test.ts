import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { liveGitChildren } from '../../../server/git/process/child.ts';
import { temporaryFolder, tryGit } from '../../support/git.ts';
import { world } from '../../support/world.ts';

const streams = { total: 3, perAddress: 2, waiting: 10, waitingPerAddress: 5, waitMs: 0 };
const { seed, url } = await world({
  limits: { http: { streams } },
  variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1' },
});
await seed.user('ada');
const { id } = await seed.project('ada/app', {}, { visibility: 'public' });
// more than the buffers of two sockets and a pipe hold
await seed.push('ada/app', { 'large.bin': randomBytes(24 * 2 ** 20) });

/** The cat-file process stays idle for a while; all other git processes of the push must have exited. */
const idleChildren = 1;
const untilIdle = () => vi.waitUntil(() => liveGitChildren() <= idleChildren, 10_000);
beforeAll(untilIdle);

const repository = `/api/v4/projects/${id}/repository`;
const archive = `${repository}/archive.tar`;
const raw = '/ada/app/raw/master/large.bin';
const [firstAddress, secondAddress, thirdAddress] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await untilIdle();
});

/** Requests a path, and reads only the first bytes of the response. */
async function stalled(path: string, address: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), 'localhost').on('error', () => undefined);
  open.push(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  await once(socket, 'readable');
  expect(String(socket.read(12))).toBe('HTTP/1.1 200');
  return socket;
}

async function send(path: string, address: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}${path}`, {
    headers: { 'X-Forwarded-For': address, ...headers },
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('Retry-After'),
    text: response.status === 200 ? await response.body?.cancel() : await response.text(),
  };
}

describe('streams', () => {
  test.each([
    ['archives', archive],
    ['raw files', raw],
  ])(
    '%s beyond the limit of an address get 429, beyond the total limit 503',
    async (_what, path) => {
      await stalled(path, firstAddress);
      await stalled(path, firstAddress);
      const refusal = { status: 429, retryAfter: '30' };
      expect(await send(archive, firstAddress)).toMatchObject({
        ...refusal,
        text: expect.stringContaining('429 Too Many Requests'),
      });
      expect(await send(raw, firstAddress, { Accept: 'text/html' })).toMatchObject(refusal);
      await stalled(path, secondAddress);
      expect(await send(archive, thirdAddress)).toMatchObject({ status: 503, retryAfter: '30' });
      expect(await send(raw, thirdAddress)).toMatchObject({ status: 503, retryAfter: '30' });
      expect(await send(`${repository}/tree`, firstAddress)).toMatchObject({ status: 200 });
    },
  );

  test('the end of a stream lets another one start', async () => {
    const [first] = [await stalled(archive, firstAddress), await stalled(archive, firstAddress)];
    first.destroy();
    await expect.poll(() => send(archive, firstAddress)).toMatchObject({ status: 200 });
  });

  test('git prints the reason for a rejected clone', async () => {
    await stalled(archive, firstAddress);
    await stalled(archive, firstAddress);
    const clone = async (address: string) =>
      tryGit(
        await temporaryFolder(),
        '-c',
        `http.extraHeader=X-Forwarded-For: ${address}`,
        'ls-remote',
        `${url}/ada/app.git`,
      );
    const refused = await clone(firstAddress);
    expect(refused.stderr).toContain('too many git requests from your address');
    expect(refused.stderr).toContain('429');
    await stalled(archive, secondAddress);
    expect((await clone(thirdAddress)).stderr).toContain('503');
  });
});

describe('the git process behind a stream', () => {
  test.each([
    ['closes', (socket: Socket) => socket.destroy()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])('exits when the client %s the connection', async (_how, leave) => {
    const socket = await stalled(archive, firstAddress);
    expect(liveGitChildren()).toBe(idleChildren + 1);
    leave(socket);
    await untilIdle();
  });
});
