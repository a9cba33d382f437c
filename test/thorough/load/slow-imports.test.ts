import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { importer, importPorts } from '../../../server/git/repositories/import.ts';
import { git } from '../../support/git.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-slow-'));
const storages = new Map([['default', folder]]);
const address = { storage: 'default', diskPath: `ab/cd/${'abcd'.padEnd(32, '0')}` };
await mkdir(join(folder, `${address.diskPath}.git`), { recursive: true });
await git(join(folder, `${address.diskPath}.git`), 'init', '--quiet', '--bare');

const sockets = new Set<Socket>();
const servers: Server[] = [];
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  await rm(folder, { recursive: true, force: true });
});

const sha = 'a'.repeat(40);
const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
const refs = [
  line(`${sha} HEAD\0 symref=HEAD:refs/heads/master side-band-64k ofs-delta\n`),
  line(`${sha} refs/heads/master\n`),
  '0000',
].join('');

/** A source that lists its references and then sends its pack byte by byte, endlessly. */
async function trickle(onData: (socket: Socket, text: string) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => onData(socket, chunk.toString('latin1')));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

const keepAlive = (socket: Socket) => {
  const timer = setInterval(() => socket.write(line('\x02.')), 100);
  socket.on('close', () => clearInterval(timer));
};

const slowest = { bytesPerSecond: 10_000, seconds: 1 };
const rules = { ports: importPorts, allowsLocal: true };
const from = (url: string) =>
  importer(storages, rules, slowest).importFrom(address, url, new AbortController().signal);
const tooSlow = { outcome: 'failed', text: 'The source sends too slowly', isPassing: false };

test('an import from a slow git:// source is aborted', async () => {
  const port = await trickle((socket, text) => {
    if (text.includes('git-upload-pack')) socket.write(refs);
    if (text.includes('want ')) {
      socket.write(line('NAK\n'));
      keepAlive(socket);
    }
  });
  expect(await from(`git://127.0.0.1:${port}/slow.git`)).toEqual(tooSlow);
});

test('an import from a slow http source is aborted', async () => {
  const head = (type: string) =>
    `HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-${type}\r\nConnection: close\r\n\r\n`;
  const port = await trickle((socket, text) => {
    if (text.startsWith('GET ')) {
      socket.end(`${head('advertisement')}${line('# service=git-upload-pack\n')}0000${refs}`);
    }
    if (text.startsWith('POST ')) {
      socket.write(`${head('result')}${line('NAK\n')}`);
      keepAlive(socket);
    }
  });
  expect(await from(`http://127.0.0.1:${port}/slow.git`)).toEqual(tooSlow);
});
