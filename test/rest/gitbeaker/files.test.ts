import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { world } from '../../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);
const { id } = await seed.project('ada/app');
const sha: unknown = expect.stringMatching(/^[0-9a-f]{40}$/);

describe('RepositoryFiles', () => {
  const { RepositoryFiles } = client;
  const path = 'docs/über uns.md';

  test('a file is created, shown, changed and removed', async () => {
    const response = { file_path: path, branch: 'main' };
    expect(await RepositoryFiles.create(id, path, 'main', '# We\n', 'First')).toEqual(response);
    const shown = await RepositoryFiles.show(id, path, 'main');
    expect(shown).toEqual({
      file_name: 'über uns.md',
      file_path: path,
      size: 5,
      encoding: 'base64',
      content: 'IyBXZQo=',
      ref: 'main',
      blob_id: sha,
      commit_id: sha,
      last_commit_id: shown.commit_id,
    });
    expect(
      await RepositoryFiles.edit(id, path, 'main', 'IyBVcwo=', 'Second', {
        encoding: 'base64',
        authorName: 'Eve',
        authorEmail: 'eve@example.com',
        lastCommitId: String(shown.last_commit_id),
      }),
    ).toEqual(response);
    expect(await RepositoryFiles.showRaw(id, path, 'main')).toBe('# Us\n');
    const range = { start: 1, end: 1 };
    expect(await RepositoryFiles.allFileBlames(id, path, 'main', { range })).toEqual([
      { commit: expect.objectContaining({ author_name: 'Eve' }), lines: ['# Us'] },
    ]);
    await expect(
      RepositoryFiles.edit(id, path, 'main', 'x', 'Late', {
        lastCommitId: String(shown.last_commit_id),
      }),
    ).rejects.toThrow('has changed since you started editing it');
    await RepositoryFiles.remove(id, path, 'main', 'Gone');
    await expect(RepositoryFiles.show(id, path, 'main')).rejects.toThrow('404 File Not Found');
  });

  test('every method was called, or has no endpoint in Millrace', () => {
    const missing = methodsOf(client, 'RepositoryFiles').filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  });
});

describe('Commits', () => {
  const { Commits } = client;

  test('are created from actions and cherry-picked', async () => {
    const created = await Commits.create(
      id,
      'topic',
      'On a topic',
      [
        { action: 'create', filePath: 'one.txt', content: '1' },
        { action: 'create', filePath: 'two.bin', content: 'AAE=', encoding: 'base64' },
        { action: 'move', filePath: 'three.txt', previousPath: 'one.txt' },
      ],
      { startBranch: 'main' },
    );
    expect(created).toMatchObject({
      title: 'On a topic',
      committer_name: 'Ada',
      parent_ids: [sha],
    });
    const picked = await Commits.cherryPick(id, created.id, 'main');
    expect(picked).toMatchObject({ title: 'On a topic', author_email: 'ada@example.com' });
    expect(await client.RepositoryFiles.showRaw(id, 'three.txt', 'main')).toBe('1');
    await expect(Commits.cherryPick(id, created.id, 'main')).rejects.toThrow('cannot cherry-pick');
  });
});
