import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const client = new Gitlab({ host: url, token: ada.token });

describe('Repositories', () => {
  test('trees and blobs are read', async () => {
    await seed.project('ada/code');
    await seed.push('ada/code', { 'README.md': '# Code\n', 'src/main.ts': 'export {};\n' });
    const tree = await client.Repositories.allRepositoryTrees('ada/code', { recursive: true });
    expect(tree.map(({ path, type, mode }) => [path, type, mode])).toEqual([
      ['src', 'tree', '040000'],
      ['README.md', 'blob', '100644'],
      ['src/main.ts', 'blob', '100644'],
    ]);
    const { id: sha } = tree[1] ?? { id: '' };
    expect(await client.Repositories.showBlob('ada/code', sha)).toEqual({
      size: 7,
      encoding: 'base64',
      content: Buffer.from('# Code\n').toString('base64'),
      sha,
    });
    const raw = await client.Repositories.showBlobRaw('ada/code', sha);
    expect(typeof raw === 'string' ? raw : await (raw as Blob).text()).toBe('# Code\n');
  });
});
