import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { liveGitChildren } from '../../../server/git/process/child.ts';
import { git, workTree } from '../../support/git.ts';
import { world } from '../../support/world.ts';

const { seed, url, db, dataFolder } = await world({
  limits: { http: { stall: { windowMs: 600, leastBytes: 10_000 } } },
});
await seed.user('ada');
const { id } = await seed.project('ada/app', {}, { visibility: 'public' });
// more than the buffers of two sockets and a pipe hold
const size = 24 * 2 ** 20;
const work = await workTree({ 'large.bin': randomBytes(size) });
afterAll(() => rm(work, { recursive: true }));
const head = await git(work, 'rev-parse', 'HEAD');
const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
// not over HTTP: the window is short for a push on a busy machine
await git(work, 'push', '--quiet', join(dataFolder, 'repositories', `${diskPath}.git`), 'master');

const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

test('a clone whose client stops reading is disconnected, and its git process exits', async () => {
  const idleChildren = liveGitChildren();
  const body = `${line(`want ${head}\n`)}0000${line('done\n')}`;
  const socket = connect(Number(new URL(url).port), 'localhost').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(
    [
      'POST /ada/app.git/git-upload-pack HTTP/1.1',
      'Host: x',
      'Content-Type: application/x-git-upload-pack-request',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  await once(socket, 'readable');
  expect(String(socket.read(12))).toBe('HTTP/1.1 200');
  expect(liveGitChildren()).toBeGreaterThan(idleChildren);

  await expect.poll(liveGitChildren).toBeLessThanOrEqual(idleChildren);
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  await once(socket, 'close');
  expect(received).toBeLessThan(size);
});
