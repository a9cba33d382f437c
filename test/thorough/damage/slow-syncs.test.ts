import { execFileSync } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { syncPath } from '../../../server/disk/files.ts';

test('syncs that hang leave threads to those who read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-syncs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [hanging, file] = [join(folder, 'hanging'), join(folder, 'file')];
  await writeFile(file, 'content');
  // a thread hangs at a pipe that nothing writes to, as at a disk that does not answer
  execFileSync('mkfifo', [hanging]);
  const syncs = Array.from({ length: 8 }, () => syncPath(hanging).catch(() => 'failed'));
  expect(await readFile(file, 'utf8')).toBe('content');
  const writer = await open(hanging, 'r+');
  // a pipe cannot be synced
  expect(new Set(await Promise.all(syncs))).toEqual(new Set(['failed']));
  await writer.close();
});
