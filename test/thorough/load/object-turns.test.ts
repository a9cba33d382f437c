import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CatFile, catFileArgs } from '../../../server/git/objects/cat-file.ts';
import { unverified } from '../../../server/git/process/intact-caches.ts';
import { callerOf } from '../../../server/scheduling/caller.ts';
import { runAs } from '../../../server/scheduling/scope.ts';
import { git, workTree } from '../../support/git.ts';

test('objects that one caller reads delay no other caller of the repository', async () => {
  const folder = await workTree({ 'large.bin': randomBytes(512 * 1024) });
  const process = new CatFile(unverified(catFileArgs(join(folder, '.git'))), 2 ** 20);
  const [busy, other] = ['192.0.2.1', '192.0.2.2'].map((address) => callerOf(null, address)) as [
    ReturnType<typeof callerOf>,
    ReturnType<typeof callerOf>,
  ];
  const blob = await git(folder, 'rev-parse', 'HEAD:large.bin');
  const finished: string[] = [];
  const read = (name: string, wantsContent: boolean, reader: string) =>
    process.request(name, wantsContent).then((answer) => {
      finished.push(reader);
      return answer;
    });
  const many = runAs(busy, () => Array.from({ length: 100 }, () => read(blob, true, 'busy')));
  // the process is at work
  await many[0];
  const answer = await runAs(other, () => read('HEAD', false, 'other'));
  expect(answer?.info.type).toBe('commit');
  expect(finished.indexOf('other')).toBeLessThan(50);
  process.end();
  expect((await Promise.all(many)).every((each) => each?.content?.length === 512 * 1024)).toBe(
    true,
  );
  await process.ended;
  await rm(folder, { recursive: true });
});
