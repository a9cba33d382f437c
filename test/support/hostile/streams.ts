import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type HostileCase, statusOf } from './case.ts';
import type { HostileTarget } from './target.ts';

const megabyte = 2 ** 20;

/** The status of the response on a socket; 0 if the server closes it first. */
async function statusLine(socket: Socket): Promise<number> {
  for (let text = ''; ; ) {
    text += socket.read()?.toString('latin1') ?? '';
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
    if (status) return Number(status);
    if (socket.readableEnded || socket.destroyed) return 0;
    // a reset also ends the stream
    const next = Promise.race([once(socket, 'readable'), once(socket, 'close')]);
    await next.catch(() => undefined);
  }
}

/** Sends the same text on many connections and reads only the status of each response. */
async function unread(
  { url }: HostileTarget,
  { text, count, expected = count }: { text: string; count: number; expected?: number },
): Promise<number> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(new URL(url).port), 'localhost').on('error', () => undefined);
    socket.write(text);
    return socket;
  });
  const statuses: number[] = [];
  const enough = Promise.withResolvers<void>();
  for (const socket of sockets) {
    statusLine(socket).then((status) => {
      statuses.push(status);
      if (statuses.length >= expected) enough.resolve();
    });
  }
  await enough.promise;
  for (const socket of sockets) socket.destroy();
  return Math.max(...statuses);
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

/** Streams of one address that are active at once; only these get a response here. */
const mostActiveStreams = 25;

/** A repository with a file larger than the socket buffers; gives its full path. */
async function largeRepository({ seed, attacker }: HostileTarget): Promise<string> {
  const name = `large-${randomBytes(4).toString('hex')}`;
  await seed.project(`${attacker.username}/${name}`, {}, { visibility: 'public' });
  await seed.push(`${attacker.username}/${name}`, { 'large.bin': randomBytes(16 * megabyte) });
  return `${attacker.username}/${name}`;
}

/** The path of the explorer's largest file, which is larger than the socket buffers. */
async function explorerScript({ url }: HostileTarget): Promise<string> {
  const page = await fetch(`${url}/graphql`, { headers: { Accept: 'text/html' } });
  return `/${/src="([^"]+libraries\.js)"/.exec(await page.text())?.[1]}`;
}

const bomb = gzipSync(Buffer.alloc(200 * megabyte), { level: 9 });

const sendBomb = (target: HostileTarget, path: string, type: string) =>
  statusOf(
    fetch(`${target.url}${path}`, {
      method: 'POST',
      headers: {
        'Private-Token': target.attacker.token,
        'Content-Type': type,
        'Content-Encoding': 'gzip',
      },
      body: bomb,
    }),
  );

/** Clients that do not read, send slowly, send much at once, or send decompression bombs. */
export const streamCases: readonly HostileCase[] = [
  {
    title: '60 connections that request the explorer and do not read it',
    expected: [200],
    send: async (target) => unread(target, { text: get(await explorerScript(target)), count: 60 }),
  },
  {
    title: '50 connections that stall on an archive',
    expected: [200],
    send: async (target) => {
      const project = encodeURIComponent(await largeRepository(target));
      const text = get(`/api/v4/projects/${project}/repository/archive.tar`);
      return unread(target, { text, count: 50, expected: mostActiveStreams });
    },
  },
  {
    title: '50 connections that stall on a raw file',
    expected: [200],
    send: async (target) => {
      const text = get(`/${await largeRepository(target)}/raw/master/large.bin`);
      return unread(target, { text, count: 50, expected: mostActiveStreams });
    },
  },
  {
    title: '200 connections that do not read a listing',
    expected: [200],
    send: (target) => unread(target, { text: get('/api/v4/projects?per_page=100'), count: 200 }),
  },
  {
    title: '2,000 requests in one packet',
    expected: [0],
    send: (target) =>
      unread(target, { text: get('/api/v4/projects?per_page=100').repeat(2_000), count: 1 }),
  },
  {
    title: '300 connections that send half a header',
    expected: [200],
    send: async (target) => {
      const half = Array.from({ length: 300 }, () => {
        const socket = connect(Number(new URL(target.url).port), 'localhost');
        socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nX-Slow: ');
        return socket;
      });
      const status = await statusOf(fetch(`${target.url}/api/v4/projects`));
      for (const socket of half) socket.destroy();
      return status;
    },
  },
  ...(['/api/v4/projects', '/api/soap'] as const).map((path) => ({
    title: `200 bodies for ${path} that stop before their end`,
    // the server does not read the rest of a rejected body, so a reset may arrive before the response
    expected: [0, 503],
    send: (target: HostileTarget) => {
      const size = path === '/api/soap' ? megabyte - 1 : 4 * megabyte - 1;
      const type = path === '/api/soap' ? 'text/xml' : 'application/json';
      const headers = `Content-Type: ${type}\r\nContent-Length: ${size + 1}`;
      const text = `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${' '.repeat(size)}`;
      return unread(target, { text, count: 200, expected: 1 });
    },
  })),
  {
    title: 'a gzip of 200 MB of zeros as a REST body',
    expected: [415],
    send: (target) => sendBomb(target, '/api/v4/projects', 'application/json'),
  },
  {
    title: 'a gzip of 200 MB of zeros as a GraphQL document',
    expected: [415],
    send: (target) => sendBomb(target, '/graphql', 'application/json'),
  },
  {
    title: 'a gzip of 200 MB of zeros as a SOAP message',
    expected: [413],
    send: (target) => sendBomb(target, '/api/soap', 'text/xml'),
  },
  {
    title: 'a gzip of 200 MB of zeros as a fetch by git',
    expected: [400, 413],
    send: (target) =>
      sendBomb(
        target,
        `/${target.project.fullPath}.git/git-upload-pack`,
        'application/x-git-upload-pack-request',
      ),
  },
];
