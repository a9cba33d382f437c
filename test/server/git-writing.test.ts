import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../../server/git/address.ts';
import { gitStore } from '../../server/git/store.ts';
import { commit, git, temporaryFolder, workTree } from '../support/git.ts';

const root = await temporaryFolder();
const storages = new Map([['default', root]]);
const store = gitStore({ storages });
const repository = store.place('default');
await store.create(repository, async () => {});
const folder = repositoryFolder(storages, repository);
const work = await workTree({ 'README.md': 'hello' });
const first = await git(work, 'rev-parse', 'HEAD');
const second = await commit(work, { 'a.txt': 'a' }, 'Second\n\nWith a body');
await git(work, 'push', '--quiet', folder, 'master');
afterAll(async () => {
  await store.close();
  await rm(root, { recursive: true });
  await rm(work, { recursive: true });
});

const zeros = '0'.repeat(40);
const names = async (direction: 'asc' | 'desc' = 'asc') =>
  (await store.refs(repository, 'refs/heads/')).slice(0, 100, direction).map(({ name }) => name);

describe('updateRefs', () => {
  test('moves a reference only from the expected value', async () => {
    const ref = 'refs/heads/topic';
    const create = { ref, before: zeros, after: first };
    expect(await store.updateRefs(repository, [create])).toBe('moved');
    expect(await store.updateRefs(repository, [create])).toBe('stale');
    expect(await store.updateRefs(repository, [{ ref, before: first, after: second }])).toBe(
      'moved',
    );
    expect(await git(folder, 'rev-parse', 'topic')).toBe(second);
    expect(await store.updateRefs(repository, [{ ref, before: first, after: zeros }])).toBe(
      'stale',
    );
    expect(await store.updateRefs(repository, [{ ref, before: second, after: zeros }])).toBe(
      'moved',
    );
    expect(await names()).toEqual(['master']);
  });

  test('deletes a reference with a name that the API rejects', async () => {
    const ref = 'refs/heads/-x';
    await git(folder, 'update-ref', ref, first);
    expect(await store.updateRefs(repository, [{ ref, before: first, after: zeros }])).toBe(
      'moved',
    );
    expect(await names()).toEqual(['master']);
  });

  test('moves all references or none', async () => {
    const changes = [
      { ref: 'refs/heads/one', before: zeros, after: first },
      { ref: 'refs/heads/master', before: first, after: first },
    ];
    expect(await store.updateRefs(repository, changes)).toBe('stale');
    expect(await names()).toEqual(['master']);
  });

  test('one of twenty concurrent updates succeeds', async () => {
    const change = { ref: 'refs/heads/race', before: zeros, after: first };
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => store.updateRefs(repository, [change])),
    );
    expect(outcomes.filter((outcome) => outcome === 'moved')).toEqual(['moved']);
    expect(outcomes.filter((outcome) => outcome === 'stale')).toHaveLength(19);
  });

  test.each(['refs/heads/master/below', 'refs/heads/-x', 'refs/heads/a..b', 'HEAD', 'refs/heads/'])(
    'rejects the invalid name %s',
    async (ref) => {
      const change = { ref, before: zeros, after: first };
      expect(await store.updateRefs(repository, [change])).toBe('impossible');
    },
  );
});

describe('refs', () => {
  test('are listed in byte order, ascending or descending, with current values', async () => {
    for (const name of ['Z', 'a', 'ä']) {
      await git(folder, 'update-ref', `refs/heads/${name}`, first);
    }
    await git(folder, 'update-ref', 'refs/heads/deep/er', first);
    expect(await names()).toEqual(['Z', 'a', 'deep/er', 'master', 'race', 'ä']);
    await git(folder, 'pack-refs', '--all');
    expect(await names('desc')).toEqual(['ä', 'race', 'master', 'deep/er', 'a', 'Z']);
    const list = await store.refs(repository, 'refs/heads/');
    expect(list.total).toBe(6);
    expect(list.slice(1, 2, 'desc')).toEqual([
      { name: 'race', id: first },
      { name: 'master', id: second },
    ]);
    expect(list.slice(6, 2, 'asc')).toEqual([]);
    expect(list.slice(6, 2, 'desc')).toEqual([]);
    for (const name of ['Z', 'a', 'deep/er', 'race', 'ä']) {
      await git(folder, 'update-ref', '-d', `refs/heads/${name}`);
    }
    expect(await names()).toEqual(['master']);
  });

  test('rapid changes are all visible', async () => {
    for (let round = 0; round < 30; round += 1) {
      const after = round % 2 === 0 ? first : second;
      await git(folder, 'update-ref', 'refs/heads/swift', after);
      const list = await store.refs(repository, 'refs/heads/');
      expect(list.slice(1, 1, 'asc')).toEqual([{ name: 'swift', id: after }]);
    }
  });
});

describe('commits', () => {
  test('are read with their messages and time zones', async () => {
    const [commit] = await store.commits(repository, [second]);
    const ada = { name: 'Ada', email: 'ada@example.com', at: '2017-10-01T12:00:00.000Z' };
    expect(commit).toEqual({
      id: second,
      treeId: await git(folder, 'rev-parse', `${second}^{tree}`),
      parentIds: [first],
      message: 'Second\n\nWith a body\n',
      author: ada,
      committer: ada,
    });
  });

  test('keep their time zone offset and encoding', async () => {
    const raw = Buffer.concat([
      Buffer.from(`tree ${await git(folder, 'rev-parse', `${first}^{tree}`)}\n`),
      Buffer.from('author J\xf6rg <j@example.com> 1506859200 +0530\n', 'latin1'),
      Buffer.from('committer Ann <> 1506859200 -0800\nencoding ISO-8859-1\n'),
      Buffer.from('gpgsig -----BEGIN\n abc\n -----END\n\nGr\xfc\xdfe\n', 'latin1'),
    ]);
    const file = join(work, 'raw-commit');
    await writeFile(file, raw);
    const id = await git(folder, 'hash-object', '-t', 'commit', '-w', file);
    expect(await store.commitBehind(repository, id)).toMatchObject({
      message: 'Grüße\n',
      author: { name: 'Jörg', email: 'j@example.com', at: '2017-10-01T17:30:00.000+05:30' },
      committer: { name: 'Ann', email: '', at: '2017-10-01T04:00:00.000-08:00' },
    });
  });

  test('a missing commit is an error, another object type is null', async () => {
    await expect(store.commits(repository, ['1'.repeat(40)])).rejects.toThrow('is missing');
    const tree = await git(folder, 'rev-parse', `${first}^{tree}`);
    expect(await store.commitBehind(repository, tree)).toBeNull();
    expect(await store.commitBehind(repository, '--all')).toBeNull();
  });
});

describe('writeTag', () => {
  test('writes a tag that git fsck accepts', async () => {
    const id = await store.writeTag(repository, {
      name: 'v1',
      target: first,
      message: 'One\n\ntwo\n',
      tagger: { name: 'Bob <b>\n', email: 'bob@example.com' },
    });
    await git(folder, 'update-ref', 'refs/tags/v1', id);
    expect(await git(folder, 'cat-file', '-t', 'v1')).toBe('tag');
    await git(folder, 'fsck', '--strict', '--no-dangling');
    const tag = await store.annotation(repository, id);
    expect(tag).toMatchObject({ id, message: 'One\n\ntwo', tagger: { name: 'Bob b' } });
    expect(await store.annotation(repository, first)).toBeNull();
    const leftovers = (await readdir(join(folder, 'objects'))).filter((name) =>
      name.startsWith('tmp'),
    );
    expect(leftovers).toEqual([]);
  });
});
