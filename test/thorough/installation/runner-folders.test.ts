import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { lockFolder, removeTree, sweepFolders } from '../../../server/runner/folders.ts';
import { protocolAt } from '../../../server/runner/protocol.ts';
import { runnerCommand } from '../../support/millrace-runner.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-runner-folders-'));
const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await removeTree(folder);
});

/** Folders in folders, together longer than the system takes as a path. */
async function deepTree(path: string): Promise<void> {
  await mkdir(path);
  const script = 'n=$(printf %0200d 0); for i in $(seq 30); do mkdir $n; cd $n; done; chmod 0 .';
  await promisify(execFile)('bash', ['-c', script], { cwd: path });
}

describe('a work folder', () => {
  test('is exclusive to one job, even with many simultaneous starts', async () => {
    const builds = join(folder, 'at-once');
    for (let round = 0; round < 5; round += 1) {
      const locks = await Promise.all(Array.from({ length: 40 }, () => lockFolder(builds, 1)));
      expect(new Set(locks.map(({ source }) => source)).size).toBe(40);
      await Promise.all(locks.map(({ release }) => release()));
    }
    expect(await readdir(builds).then(([only = '']) => readdir(join(builds, only)))).toHaveLength(
      40,
    );
  });

  test('is deleted however deep its folders are', async () => {
    const { source, release } = await lockFolder(join(folder, 'deep'), 1);
    await deepTree(join(source, 'deep'));
    await release();
    await expect(readdir(source)).rejects.toThrow('ENOENT');
  });

  test('of a killed runner is also deleted', async () => {
    const builds = join(folder, 'killed');
    const jobFolder = join(builds, '1', '0');
    await mkdir(join(jobFolder, 'source'), { recursive: true });
    await deepTree(join(jobFolder, 'source', 'deep'));
    await writeFile(join(jobFolder, 'lock'), `${process.pid} previous-process`);
    await sweepFolders(builds);
    expect(await readdir(jobFolder)).toEqual([]);
  });
});

async function serverAt(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a service with invalid responses', () => {
  test('is retried', async () => {
    const responses: readonly (readonly [number, string])[] = [
      [201, 'null'],
      [201, '<html>'],
      [404, '{}'],
      [403, '{}'],
    ];
    let requests = 0;
    const url = await serverAt((_, response) => {
      const [status, body] = responses[requests] ?? [500, ''];
      requests += 1;
      response.writeHead(status).end(body);
    });
    const config = join(folder, 'config.json');
    await writeFile(config, JSON.stringify({ url, token: 'own', check_interval: 0.1 }));
    await chmod(config, 0o600);
    const { code, output } = await runnerCommand('run', '--config', config);
    expect([code, requests]).toEqual([1, 4]);
    expect(output).toContain('no job: the service sent an unexpected response\n');
    expect(output).toContain('The service does not know this runner any more.');
  });

  test('is not read endlessly', async () => {
    const piece = Buffer.alloc(1024 * 1024, ' ');
    let sent = 0;
    const url = await serverAt((_, response) => {
      const more = () => {
        for (; !response.destroyed && response.write(piece); sent += 1);
      };
      response.on('drain', more).on('error', () => {});
      more();
    });
    const request = protocolAt(url).requestJob('own', null, new AbortController().signal);
    await expect(request).rejects.toThrow('the response of the service is too long');
    expect(sent).toBeLessThan(200);
  });

  test('is redirected to another host once, without its token', async () => {
    const received: unknown[] = [];
    const elsewhere = await serverAt((request, response) => {
      received.push(request.headers['job-token']);
      if (request.url === '/again') response.writeHead(302, { Location: '/' });
      response.end('archive');
    });
    const redirecting = (path: string) =>
      serverAt((_, response) => {
        response.writeHead(302, { Location: `${elsewhere}${path}` }).end();
      });
    const { signal } = new AbortController();
    const job = { id: 1, token: 'secret' };
    const response = await protocolAt(await redirecting('/')).downloadArtifacts(job, signal);
    expect([response.status, await response.text(), received]).toEqual([
      200,
      'archive',
      [undefined],
    ]);
    const again = protocolAt(await redirecting('/again')).downloadArtifacts(job, signal);
    await expect(again).rejects.toThrow('fetch failed');
    expect(received).toEqual([undefined, undefined]);
  });
});
