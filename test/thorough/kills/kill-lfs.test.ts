import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { killable } from '../../support/killable.ts';
import { type Content, lfsClient, randomContent } from '../../support/lfs.ts';
import { rootToken } from '../../support/process.ts';

const asRoot = `Basic ${Buffer.from(`root:${rootToken}`).toString('base64')}`;

test('a kill during uploads loses no acknowledged object, and leaves nothing of the others', async () => {
  const { start, dataFolder } = await killable();
  const acknowledged: Content[] = [];
  for (let round = 0; round < 3; round += 1) {
    const server = await start();
    const { upload } = lfsClient(server.url);
    if (round === 0) await clientOf(server.url, rootToken).post('/projects', { path: 'app' });
    const before = acknowledged.length;
    const work = async () => {
      for (;;) {
        const content = randomContent(200_000);
        const status = await upload(asRoot, 'root/app', content).catch(() => null);
        if (status !== 200) return;
        acknowledged.push(content);
      }
    };
    const workers = [work(), work(), work(), work()];
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 10);
    await server.kill('SIGKILL');
    await Promise.all(workers);
  }

  const last = await start();
  const { download, batch } = lfsClient(last.url);
  for (const content of acknowledged) {
    expect(await download(asRoot, 'root/app', content)).toEqual(content.bytes);
  }
  // an upload whose response was lost is stored as a whole
  const names = await readdir(join(dataFolder, 'lfs'), { recursive: true });
  const files = names.filter((name) => /^..\/..\/[0-9a-f]{60}$/.test(name));
  const stored = files.map((name) => ({ oid: name.replaceAll('/', ''), size: 200_000 }));
  const { body } = await batch(asRoot, 'root/app', 'download', stored.slice(0, 1_000));
  expect(body.objects.filter(({ error }: { error?: object }) => error)).toEqual([]);
  const { body: project } = await clientOf(last.url, rootToken).get(
    '/projects/root%2Fapp?statistics=true',
  );
  expect(project).toMatchObject({ statistics: { lfs_objects_size: stored.length * 200_000 } });
  expect(names.filter((name) => name.startsWith('tmp/'))).toEqual([]);
  expect(await last.kill('SIGTERM')).toBe(0);
}, 120_000);
