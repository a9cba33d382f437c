import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { initialCommitShape } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);

const text = async (content: unknown) =>
  typeof content === 'string' ? content : (content as Blob).text();

describe('Repositories', async () => {
  const { id } = await seed.project('ada/code');
  const tip = await seed.push('ada/code', {
    'README.md': '# Code\n',
    'src/main.ts': 'export {};\n',
  });
  const initial = initialCommitShape(tip);

  test('trees and blobs are read', async () => {
    const entry = (path: string, type: string, mode: string) => ({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      name: path.split('/').at(-1),
      path,
      type,
      mode,
    });
    const tree = await client.Repositories.allRepositoryTrees('ada/code', { recursive: true });
    expect(tree).toEqual([
      entry('src', 'tree', '040000'),
      entry('README.md', 'blob', '100644'),
      entry('src/main.ts', 'blob', '100644'),
    ]);
    const { id: sha } = tree[1] ?? { id: '' };
    expect(await client.Repositories.showBlob(id, sha)).toEqual({
      size: 7,
      encoding: 'base64',
      content: Buffer.from('# Code\n').toString('base64'),
      sha,
    });
    expect(await text(await client.Repositories.showBlobRaw(id, sha))).toBe('# Code\n');
  });

  test('commits are compared', async () => {
    const { id: edited } = await seed.project('ada/edited');
    await seed.push('ada/edited', { [randomUUID()]: 'apart' });
    const { id: head } = await client.Commits.create(
      edited,
      'work',
      'Second',
      [{ action: 'create', filePath: 'b.txt', content: 'b\n' }],
      { startBranch: 'master' },
    );
    expect(await client.Repositories.compare(edited, 'master', 'work')).toEqual({
      commit: expect.objectContaining({ id: head, title: 'Second' }),
      commits: [expect.objectContaining({ id: head, title: 'Second' })],
      diffs: [
        {
          old_path: 'b.txt',
          new_path: 'b.txt',
          a_mode: '0',
          b_mode: '100644',
          new_file: true,
          renamed_file: false,
          deleted_file: false,
          diff: '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n',
        },
      ],
      compare_timeout: false,
      compare_same_ref: false,
    });
    expect(await client.Repositories.compare(id, 'master', initial.id)).toEqual({
      commit: null,
      commits: [],
      diffs: [],
      compare_timeout: false,
      compare_same_ref: true,
    });
    await expect(client.Repositories.compare(id, 'master', 'nothing')).rejects.toThrow(
      '404 Commit Not Found',
    );
  });

  test('the merge base of two commits is shown', async () => {
    expect(await client.Repositories.mergeBase(id, ['master', initial.id])).toEqual(initial);
  });

  test('contributors are counted', async () => {
    expect(await client.Repositories.allContributors(id)).toEqual([
      { name: 'Ada', email: 'ada@example.com', commits: 1, additions: 2, deletions: 0 },
    ]);
  });

  test('archives are downloaded as binary data', async () => {
    const archive = await client.Repositories.showArchive(id, { fileType: 'tar', sha: 'master' });
    const content = Buffer.from(await (archive as unknown as Blob).arrayBuffer());
    expect(content.includes(`code-master-${tip}/README.md`)).toBe(true);
    const packed = await client.Repositories.showArchive(id);
    const start = Buffer.from(await (packed as unknown as Blob).arrayBuffer()).subarray(0, 2);
    expect(start).toEqual(Buffer.from([0x1f, 0x8b]));
  });
});

test('every method of Repositories was called, or has no endpoint in Millrace', () => {
  const missing = methodsOf(client, 'Repositories').filter((method) => !called.has(method));
  expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
});
