import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { FileDiff } from '../../schema/ports/git/diff.ts';
import { repositoryFolder } from '../../server/git/address.ts';
import { contributorReader } from '../../server/git/history/contributors.ts';
import { diffReader } from '../../server/git/history/diff.ts';
import { type DiffLimits, diffOutput } from '../../server/git/history/diff-output.ts';
import { diffParser } from '../../server/git/history/diff-parser.ts';
import { liveGitChildren } from '../../server/git/process/child.ts';
import { hasProgram } from '../../server/git/process/program.ts';
import { sharedWork } from '../../server/git/process/shared-work.ts';
import { gitStore } from '../../server/git/store.ts';
import { commit, git, makeObjectHang, temporaryFolder, workTree } from '../support/git.ts';

const root = await temporaryFolder();
const storages = new Map([['default', root]]);
const store = gitStore({ storages });
const repository = store.place('default');
await store.create(repository, async () => {});
const bare = repositoryFolder(storages, repository);

const work = await workTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
const first = await git(work, 'rev-parse', 'HEAD');
await writeFile(Buffer.from(`${work}/\xff.txt`, 'latin1'), 'strange\n');
await writeFile(join(work, 'line\nbreak --- a'), 'odd\n');
const second = await commit(
  work,
  { 'a.txt': '-- a\ndiff --git a/x b/x\n', 'b.txt': 'x\n'.repeat(1000), 'c.txt': 'c\n' },
  'Second',
);
await git(work, 'push', '--quiet', bare, 'master');
const stuck = store.place('default');
await store.create(stuck, async () => {});
await git(work, 'push', '--quiet', repositoryFolder(storages, stuck), 'master');
const id = await git(work, 'rev-parse', `${second}:b.txt`);
await makeObjectHang(repositoryFolder(storages, stuck), id);

afterAll(async () => {
  await store.close();
  expect(liveGitChildren()).toBe(0);
  await Promise.all([root, work].map((path) => rm(path, { recursive: true, force: true })));
});

const ample: DiffLimits = { files: 100, text: 100_000, allTexts: 1_000_000, timeMs: 60_000 };
const reader = (limits: Partial<DiffLimits> = {}) =>
  diffReader(storages, diffOutput({ ...ample, ...limits }));
const textsOf = ({ files }: { files: readonly FileDiff[] }) =>
  files.map(({ newPath, diff }) => [newPath, diff.length]);

describe('diff', () => {
  test('file lines that look like diff headers are file lines', async () => {
    const { files } = await reader().diff(repository, { from: first, to: second });
    expect(files[0]?.diff).toBe(
      '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n-a\n+-- a\n+diff --git a/x b/x\n',
    );
  });

  test('unusual file names are decoded', async () => {
    const { files } = await reader().diff(repository, { from: first, to: second });
    expect(files.map(({ newPath }) => newPath)).toEqual([
      'a.txt',
      'b.txt',
      'c.txt',
      'line\nbreak --- a',
      '\ufffd.txt',
    ]);
    expect(files[3]?.diff).toBe(
      '--- /dev/null\n+++ "b/line\\nbreak --- a"\t\n@@ -0,0 +1 @@\n+odd\n',
    );
  });

  test('a root commit is compared with the empty tree', async () => {
    const { files, isTimedOut } = await reader().diff(repository, { from: null, to: first });
    expect(files.map(({ newPath, isNew, diff }) => [newPath, isNew, diff])).toEqual([
      ['a.txt', true, '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n'],
      ['b.txt', true, '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n'],
    ]);
    expect(isTimedOut).toBe(false);
  });

  test('a commit has no diff to itself', async () => {
    expect(await reader().diff(repository, { from: first, to: first })).toEqual({
      files: [],
      isTimedOut: false,
    });
  });

  test('a diff that is too long is omitted, and the others are present', async () => {
    const diff = await reader({ text: 1_000 }).diff(repository, { from: first, to: second });
    expect(textsOf(diff)[1]).toEqual(['b.txt', 0]);
    expect(textsOf(diff)[2]).toEqual(['c.txt', 43]);
    expect(diff.isTimedOut).toBe(false);
  });

  test('when the total is too long, the remaining files have no text', async () => {
    const diff = await reader({ allTexts: 500 }).diff(repository, { from: first, to: second });
    expect(textsOf(diff)).toEqual([
      ['a.txt', 67],
      ['b.txt', 0],
      ['c.txt', 0],
      ['line\nbreak --- a', 0],
      ['\ufffd.txt', 0],
    ]);
    expect(diff.isTimedOut).toBe(true);
  });

  test('too many files are truncated', async () => {
    const diff = await reader({ files: 1 }).diff(repository, { from: first, to: second });
    expect(textsOf(diff)).toEqual([['a.txt', 67]]);
    expect(diff.isTimedOut).toBe(true);
  });

  test('a diff that takes too long is truncated', async () => {
    const diff = await reader({ timeMs: 50 }).diff(stuck, { from: first, to: second });
    expect(diff.isTimedOut).toBe(true);
  });

  test('a diff is aborted with its signal', async () => {
    const aborted = AbortSignal.abort(new Error('gone'));
    const range = { from: first, to: second };
    await expect(reader().diff(repository, range, aborted)).rejects.toThrow('gone');
    const leaving = new AbortController();
    const running = reader().diff(stuck, range, leaving.signal);
    await expect.poll(liveGitChildren).toBe(1);
    leaving.abort(new Error('disconnected'));
    await expect(running).rejects.toThrow('disconnected');
    await expect.poll(liveGitChildren).toBe(0);
  });

  test('an unknown object is one clear error', async () => {
    const nowhere = '1'.repeat(40);
    await expect(reader().diff(repository, { from: nowhere, to: second })).rejects.toThrow(
      /git diff-tree: fatal: bad object/,
    );
    await expect(store.compare(repository, { from: first, to: nowhere })).rejects.toThrow(
      /bad object|Invalid symmetric/,
    );
    await expect(reader().diff(repository, { from: '--all', to: second })).rejects.toThrow(
      'malformed id',
    );
    await expect.poll(liveGitChildren).toBe(0);
  });
});

test('output is parsed equally however it is split', () => {
  const output = Buffer.from(
    ':100644 100644 a b M\0a\0:100644 100644 a b R100\0old\0new\0:000000 100644 a b A\0c\0\0' +
      'diff --git a/a b/a\nindex 1..2\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n' +
      'diff --git a/old b/new\nsimilarity index 100%\n' +
      'diff --git a/c b/c\nnew file mode 100644\nBinary files /dev/null and b/c differ\n',
  );
  const read = (size: number) => {
    const entries: unknown[] = [];
    const parts = diffParser(1_000, {
      cut: () => entries.push('cut'),
      entry: ({ status, oldPath, newPath }) => void entries.push([status, oldPath, newPath]),
      section: (text) => entries.push(text?.toString() ?? null) > 0,
    });
    for (let at = 0; at < output.length; at += size) parts.read(output.subarray(at, at + size));
    parts.end();
    return entries;
  };
  const whole = read(output.length);
  expect(whole.slice(0, 3)).toEqual([
    ['M', 'a', 'a'],
    ['R', 'old', 'new'],
    ['A', 'c', 'c'],
  ]);
  expect(whole.length).toBe(6);
  for (const size of [1, 2, 3, 7, 11, 12, 13, 64]) expect(read(size)).toEqual(whole);
});

describe('contributors', () => {
  const ada = { name: 'Ada', email: 'ada@example.com', commits: 2 };

  test('commits are counted completely even without time for line counts', async () => {
    const [hurried] = await contributorReader(storages, store.commits, {
      lines: 50,
      commits: 60_000,
    }).contributors(stuck, second);
    expect(hurried).toMatchObject(ada);
    expect(await store.contributors(repository, second)).toEqual([
      { ...ada, additions: 1007, deletions: 2 },
    ]);
  });

  test('concurrent equal requests share one computation', async () => {
    const work = sharedWork<number>();
    let started = 0;
    const start = async () => {
      started += 1;
      return started;
    };
    const callAll = () => Promise.all(['a', 'a', 'b'].map((key) => work(key, null, start)));
    expect(await callAll()).toEqual([1, 1, 2]);
    expect(await callAll()).toEqual([3, 3, 4]);
  });

  test('the computation is aborted only after its last caller disconnects', async () => {
    const { contributors } = contributorReader(storages, store.commits);
    const [firstCaller, secondCaller] = [new AbortController(), new AbortController()];
    const aborted = contributors(repository, second, firstCaller.signal);
    const completed = contributors(repository, second, secondCaller.signal);
    firstCaller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    expect(await completed).toEqual([{ ...ada, additions: 1007, deletions: 2 }]);
    const pooled = liveGitChildren();
    const fresh = contributorReader(storages, store.commits);
    const onlyCaller = new AbortController();
    const third = fresh.contributors(repository, second, onlyCaller.signal);
    onlyCaller.abort(new Error('disconnected'));
    await expect(third).rejects.toThrow('disconnected');
    await expect.poll(liveGitChildren).toBe(pooled);
    expect(await fresh.contributors(repository, second)).toHaveLength(1);
  });
});

test('a program exists if a folder of PATH contains it', async () => {
  expect(await hasProgram('git', '/nowhere:/usr/local/bin:/usr/bin:/bin')).toBe(true);
  expect(await hasProgram('git', root)).toBe(false);
});
