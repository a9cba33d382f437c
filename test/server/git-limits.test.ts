import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../../server/git/address.ts';
import { type ObjectResponse, ResponseReader } from '../../server/git/objects/response-reader.ts';
import { liveGitChildren } from '../../server/git/process/child.ts';
import { repeatedWork } from '../../server/git/process/shared-work.ts';
import { gitStore } from '../../server/git/store.ts';
import { git, makeObjectHang, temporaryFolder, workTree } from '../support/git.ts';

const root = await temporaryFolder();
const storages = new Map([['default', root]]);
const store = gitStore({ storages });
const repository = store.place('default');
await store.create(repository, async () => {});
const folder = repositoryFolder(storages, repository);
const work = await workTree({ 'README.md': 'hello' });
const first = await git(work, 'rev-parse', 'HEAD');
const tree = await git(work, 'rev-parse', 'HEAD^{tree}');
await git(work, 'push', '--quiet', folder, 'master');
afterAll(async () => {
  await store.close();
  await rm(root, { recursive: true });
  await rm(work, { recursive: true });
});

const mebibyte = 1024 * 1024;
const ada = 'Ada <ada@example.com> 1506859200 +0000';

/** Writes an object without git's validation. */
async function write(type: 'commit' | 'tag', lines: readonly string[], message: string) {
  const file = join(work, 'object');
  await writeFile(file, `${lines.join('\n')}\n\n${message}`);
  return git(folder, 'hash-object', '-t', type, '-w', '--literally', file);
}

const writeCommit = (message: string, parents: readonly string[] = [first], author = ada) =>
  write(
    'commit',
    [
      `tree ${tree}`,
      ...parents.map((id) => `parent ${id}`),
      `author ${author}`,
      `committer ${ada}`,
    ],
    message,
  );

const writeTag = (message: string) =>
  write('tag', [`object ${first}`, 'type commit', 'tag v1', `tagger ${ada}`], message);

const cut = `${'x'.repeat(64 * 1024)}…`;

describe('commits and tags of any size', () => {
  test('a message of 64 KiB is complete, one byte more is truncated', async () => {
    const whole = 'x'.repeat(64 * 1024);
    const ids = [await writeCommit(whole), await writeCommit(`${whole}x`)];
    const commits = await store.commits(repository, ids);
    expect(commits.map(({ message }) => message)).toEqual([whole, cut]);
    const tags = [await writeTag(whole), await writeTag(`${whole}x`)];
    expect(await store.annotation(repository, tags[0] ?? '')).toMatchObject({ message: whole });
    expect(await store.annotation(repository, tags[1] ?? '')).toMatchObject({ message: cut });
  });

  test('truncation does not split a character', async () => {
    const commits = await store.commits(repository, [await writeCommit(`x${'ä'.repeat(40_000)}`)]);
    expect(commits[0]?.message).toBe(`x${'ä'.repeat(32 * 1024 - 1)}…`);
  });

  test('a message of several megabytes is truncated, and its neighbours are complete', async () => {
    const big = 'x'.repeat(3 * mebibyte);
    const ids = [
      await writeCommit(big),
      first,
      await writeCommit(`${big}y`),
      await writeCommit(`${big}z`),
      first,
    ];
    const commits = await store.commits(repository, ids);
    expect(commits.map(({ id }) => id)).toEqual(ids);
    const messages = [cut, 'Initial commit\n', cut, cut, 'Initial commit\n'];
    expect(commits.map(({ message }) => message)).toEqual(messages);
    expect(commits[0]).toMatchObject({ treeId: tree, parentIds: [first], author: { name: 'Ada' } });
  });

  test('the same through a tag, and for the tag itself', async () => {
    const id = await writeCommit('x'.repeat(2 * mebibyte));
    const lines = [`object ${id}`, 'type commit', 'tag v2', `tagger ${ada}`];
    const tag = await write('tag', lines, 'x'.repeat(3 * mebibyte));
    expect(await store.commitBehind(repository, tag)).toMatchObject({ id, message: cut });
    expect(await store.annotation(repository, tag)).toMatchObject({
      id: tag,
      message: cut,
      tagger: { name: 'Ada' },
    });
  });

  test('oversized headers are truncated', async () => {
    const many = await writeCommit('Merge\n', Array(200).fill(first));
    const most = await writeCommit('Merge\n', Array(30_000).fill(first));
    const named = await writeCommit(
      'Named\n',
      [first],
      `${'n'.repeat(5_000)} <n@example.com> 1 +0000`,
    );
    const commits = await store.commits(repository, [many, most, named]);
    expect(commits.map(({ parentIds }) => parentIds.length)).toEqual([100, 100, 1]);
    expect(commits.map(({ message }) => message)).toEqual(['Merge\n', '', 'Named\n']);
    expect(commits[1]).toMatchObject({ author: { name: '', at: '1970-01-01T00:00:00.000Z' } });
    expect(commits[2]?.author.name.length).toBeLessThan(1024);
  });

  test('a batch has at most 16 Mi characters; later messages are shortened', async () => {
    const id = await writeCommit(`${'x'.repeat(64 * 1024 - 1)}y`);
    const commits = await store.commits(repository, Array(300).fill(id));
    expect(commits.slice(0, 256).every(({ message }) => message.length === 64 * 1024)).toBe(true);
    const short = `${'x'.repeat(1024)}…`;
    expect(commits.slice(256).map(({ message }) => message)).toEqual(Array(44).fill(short));
  });
});

describe('AnswerReader', () => {
  test('skips a content that is too large, however it is split', () => {
    const id = '1'.repeat(40);
    const output = Buffer.from(
      `${id} commit 5\n12345\n${id} tag 4\n1234\n${id} blob 9\n\n\n\n\n\n\n\n\n\n\nx missing\n`,
    );
    for (const size of [1, 2, 7, output.length]) {
      const objects: (ObjectResponse | null)[] = [];
      const expected = () => ({ name: 'x', wantsContent: true });
      const onObject = (object: ObjectResponse | null) => objects.push(object);
      const reader = new ResponseReader({ expected, deliver: onObject, maxContentBytes: 4 });
      for (let at = 0; at < output.length; at += size) reader.read(output.subarray(at, at + size));
      expect(objects).toEqual([
        { info: { id, type: 'commit', size: 5 }, content: null },
        { info: { id, type: 'tag', size: 4 }, content: Buffer.from('1234') },
        { info: { id, type: 'blob', size: 9 }, content: null },
        null,
      ]);
    }
  });
});

describe('repeatedWork', () => {
  const turns: PromiseWithResolvers<number>[] = [];
  const work = repeatedWork<number>();
  const start = () => {
    const turn = Promise.withResolvers<number>();
    turns.push(turn);
    return turn.promise;
  };
  const flush = () => new Promise((resolve) => setImmediate(resolve));

  test('requests during a run share the next run', async () => {
    const firstRequest = work('a', start);
    const secondRequest = work('a', start);
    const thirdRequest = work('a', start);
    const otherKey = work('b', start);
    expect(turns).toHaveLength(2);
    turns[0]?.resolve(1);
    expect(await firstRequest).toBe(1);
    await flush();
    expect(turns).toHaveLength(3);
    const fourthRequest = work('a', start);
    turns[2]?.resolve(2);
    expect(await Promise.all([secondRequest, thirdRequest])).toEqual([2, 2]);
    await flush();
    turns[3]?.resolve(3);
    turns[1]?.resolve(4);
    expect(await Promise.all([fourthRequest, otherKey])).toEqual([3, 4]);
  });

  test('a failure rejects only the requests of that run', async () => {
    turns.length = 0;
    const firstRequest = work('a', start);
    const secondRequest = work('a', start);
    turns[0]?.reject(new Error('broken'));
    await expect(firstRequest).rejects.toThrow('broken');
    await flush();
    turns[1]?.resolve(5);
    expect(await secondRequest).toBe(5);
  });
});

describe('references', () => {
  test('concurrent reads are never older than their request', async () => {
    // more folders than are watched
    const input = Array.from({ length: 70 }, (_, n) => `refs/heads/f${n}/x`);
    for (const ref of input) await git(folder, 'update-ref', ref, first);
    for (let round = 0; round < 5; round += 1) {
      const early = Array.from({ length: 5 }, () => store.refs(repository, 'refs/heads/'));
      await git(folder, 'update-ref', `refs/heads/round-${round}`, first);
      const late = Array.from({ length: 5 }, () => store.refs(repository, 'refs/heads/'));
      for (const list of await Promise.all(late)) expect(list.total).toBe(72 + round);
      for (const list of await Promise.all(early)) {
        expect(list.total).toBeGreaterThanOrEqual(71 + round);
      }
    }
  });
});

describe('merged', () => {
  test('git exits when its caller disconnects, and the next call succeeds', async () => {
    const master = await git(folder, 'rev-parse', 'master');
    const tip = await writeCommit('Tip\n', [master]);
    const side = await writeCommit('Side\n', [first]);
    const path = join(folder, 'objects', side.slice(0, 2), side.slice(2));
    const content = await readFile(path);
    await makeObjectHang(folder, side);
    const before = liveGitChildren();
    const leaving = new AbortController();
    const pending = [1, 2].map(() => store.merged(repository, tip, [side], leaving.signal));
    await expect.poll(liveGitChildren).toBe(before + 1);
    leaving.abort();
    for (const request of pending) await expect(request).rejects.toThrow('aborted');
    await expect.poll(liveGitChildren).toBe(before);
    await rm(path);
    await writeFile(path, content);
    expect(await store.merged(repository, tip, [side, first])).toEqual(new Set([first]));
  });
});
