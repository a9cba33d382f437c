import { chmod, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../../server/git/address.ts';
import { hasGitProcess } from '../../server/git/process/active-writers.ts';
import { commit, git, makeObjectHang, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, url, db, dataFolder } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');

await seed.group('acme', {}, { visibility: 'public' });
const { id: app } = await seed.project('acme/app', {}, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });
const { id: empty } = await seed.project('ada/empty');
await seed.push('ada/closed', { 'secret.txt': 'secret' });
const compare = `/projects/${app}/repository/compare`;

const module = '1234567890123456789012345678901234567890';
const lines = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join('');
const folder = await workTree({
  'changed.txt': 'one\ntwo\n',
  'gone.txt': 'gone\n',
  'kind.txt': 'README.md',
  'moved.txt': lines,
  'run.sh': '#!/bin/sh\n',
});
const base = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'checkout', '--quiet', '-b', 'feature/x');
await writeFile(join(folder, 'menu.txt'), Buffer.from('caf\xe9\n', 'latin1'));
const first = await commit(folder, { 'changed.txt': 'one\n2\n' }, 'First\n\nWith a body');
await unlink(join(folder, 'gone.txt'));
await rename(join(folder, 'moved.txt'), join(folder, 'new place.txt'));
await chmod(join(folder, 'run.sh'), 0o755);
await unlink(join(folder, 'kind.txt'));
await symlink('README.md', join(folder, 'kind.txt'));
await git(folder, 'update-index', '--add', '--cacheinfo', `160000,${module},vendor`);
await git(folder, 'add', '--all', ':!vendor');
const second = await commit(
  folder,
  { 'empty.txt': '', 'logo.bin': Buffer.from([0, 1, 2]), 'ä"b.txt': 'ä\n' },
  'Second',
).then(async () => {
  await git(folder, 'update-index', '--add', '--cacheinfo', `160000,${module},vendor`);
  await git(folder, 'commit', '--quiet', '--amend', '--no-edit');
  return git(folder, 'rev-parse', 'HEAD');
});
await git(folder, 'tag', '-a', 'v1', '-m', 'annotated');
await git(folder, 'checkout', '--quiet', '--force', 'master');
const ahead = await commit(folder, { 'only-on-master.txt': 'x\n' }, 'Ahead');
await git(folder, 'checkout', '--quiet', '--orphan', 'unrelated');
await git(folder, 'rm', '-r', '--quiet', '--force', '.');
const unrelated = await commit(folder, { 'alone.txt': 'alone\n' }, 'Nothing in common');
await git(folder, 'push', '--quiet', remote('acme/app', root), '--all');
await git(folder, 'push', '--quiet', remote('acme/app', root), '--tags');
afterAll(() => rm(folder, { recursive: true }));

const record = (id: string, message: string, parents: readonly string[]) => ({
  id,
  short_id: id.slice(0, 8),
  title: message.split('\n')[0],
  created_at: '2017-10-01T12:00:00.000Z',
  parent_ids: parents,
  message: `${message}\n`,
  author_name: 'Ada',
  author_email: 'ada@example.com',
  authored_date: '2017-10-01T12:00:00.000Z',
  committer_name: 'Ada',
  committer_email: 'ada@example.com',
  committed_date: '2017-10-01T12:00:00.000Z',
});
const commits = [record(first, 'First\n\nWith a body', [base]), record(second, 'Second', [first])];

const file = (path: string, overrides: object) => ({
  old_path: path,
  new_path: path,
  a_mode: '100644',
  b_mode: '100644',
  new_file: false,
  renamed_file: false,
  deleted_file: false,
  diff: '',
  ...overrides,
});
const added = { a_mode: '0', new_file: true };
const deleted = { b_mode: '0', deleted_file: true };
const diffs = [
  file('changed.txt', {
    diff: '--- a/changed.txt\n+++ b/changed.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
  }),
  file('empty.txt', added),
  file('gone.txt', { ...deleted, diff: '--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n' }),
  file('kind.txt', {
    ...deleted,
    diff: '--- a/kind.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-README.md\n\\ No newline at end of file\n',
  }),
  file('kind.txt', {
    ...added,
    b_mode: '120000',
    diff: '--- /dev/null\n+++ b/kind.txt\n@@ -0,0 +1 @@\n+README.md\n\\ No newline at end of file\n',
  }),
  file('logo.bin', { ...added, diff: 'Binary files /dev/null and b/logo.bin differ\n' }),
  file('menu.txt', { ...added, diff: '--- /dev/null\n+++ b/menu.txt\n@@ -0,0 +1 @@\n+café\n' }),
  file('moved.txt', { new_path: 'new place.txt', renamed_file: true }),
  file('run.sh', { b_mode: '100755' }),
  file('vendor', {
    ...added,
    b_mode: '160000',
    diff: `--- /dev/null\n+++ b/vendor\n@@ -0,0 +1 @@\n+Subproject commit ${module}\n`,
  }),
  file('ä"b.txt', {
    ...added,
    diff: '--- /dev/null\n+++ "b/\\303\\244\\"b.txt"\n@@ -0,0 +1 @@\n+ä\n',
  }),
];
const allChanges = {
  status: 200,
  body: {
    commit: commits[1],
    commits,
    diffs,
    compare_timeout: false,
    compare_same_ref: false,
  },
};
const same = (isSame: boolean) => ({
  status: 200,
  body: {
    commit: null,
    commits: [],
    diffs: [],
    compare_timeout: false,
    compare_same_ref: isSame,
  },
});

describe('GET /projects/:id/repository/compare', () => {
  test('shows the changes of a branch since its merge base with another', async () => {
    expect(await as(null).get(`${compare}?from=master&to=feature/x`)).toEqual(allChanges);
  });

  test.each([
    ['commits', base, second],
    ['a short id and a tag', base.slice(0, 8), 'v1'],
    ['full names', 'refs/heads/master', 'refs/tags/v1'],
  ])('%s are accepted as names', async (_name, from, to) => {
    expect(await as(eve).get(`${compare}?from=${from}&to=${to}`)).toEqual(allChanges);
  });

  test('the reverse comparison shows the changes of the other branch', async () => {
    expect(await as(root).get(`${compare}?from=feature/x&to=master`)).toEqual({
      status: 200,
      body: {
        commit: record(ahead, 'Ahead', [base]),
        commits: [record(ahead, 'Ahead', [base])],
        diffs: [
          file('only-on-master.txt', {
            ...added,
            diff: '--- /dev/null\n+++ b/only-on-master.txt\n@@ -0,0 +1 @@\n+x\n',
          }),
        ],
        compare_timeout: false,
        compare_same_ref: false,
      },
    });
  });

  test('branches without a merge base are compared as a whole', async () => {
    expect(await as(null).get(`${compare}?from=master&to=unrelated`)).toEqual({
      status: 200,
      body: {
        commit: record(unrelated, 'Nothing in common', []),
        commits: [record(unrelated, 'Nothing in common', [])],
        diffs: [
          file('alone.txt', {
            ...added,
            diff: '--- /dev/null\n+++ b/alone.txt\n@@ -0,0 +1 @@\n+alone\n',
          }),
        ],
        compare_timeout: false,
        compare_same_ref: false,
      },
    });
  });

  test('an ancestor has no changes', async () => {
    expect(await as(null).get(`${compare}?from=master&to=${base}`)).toEqual(same(false));
  });

  test.each([
    ['master', 'master'],
    ['v1', 'feature%2Fx'],
  ])('%s and %s are the same commit', async (from, to) => {
    expect(await as(null).get(`${compare}?from=${from}&to=${to}`)).toEqual(same(true));
  });

  test.each(['nothing', '--output=x', 'a..b', 'master...v1', '../x', 'a b', 'HEAD^', '', module])(
    'the name %j gives 404',
    async (name) => {
      const encoded = encodeURIComponent(name);
      expect(await as(null).get(`${compare}?from=master&to=${encoded}`)).toEqual(
        refused.missing('Commit'),
      );
      expect(await as(null).get(`${compare}?from=${encoded}&to=master`)).toEqual(
        refused.missing('Commit'),
      );
    },
  );

  test('an empty repository has no commits', async () => {
    expect(
      await as(ada).get(`/projects/${empty}/repository/compare?from=master&to=master`),
    ).toEqual(refused.missing('Commit'));
  });

  test.each([
    ['', 'from is missing, to is missing'],
    ['from=master', 'to is missing'],
    ['to=master', 'from is missing'],
    ['from=a%00&to=master', 'from is invalid'],
    ['from[]=a&to=master', 'from is invalid'],
  ])('?%s is rejected: %s', async (query, text) => {
    expect(await as(null).get(`${compare}?${query}`)).toEqual(refused.parameter(text));
  });

  test('a reporter compares in a private project', async () => {
    expect(
      await as(bob).get(`/projects/${closed}/repository/compare?from=master&to=master`),
    ).toEqual(same(true));
  });

  test('other users are refused before the parameters are checked', async () => {
    for (const query of ['?from=master&to=master', '']) {
      const path = `/projects/${closed}/repository/compare${query}`;
      expect(await as(carl).get(path)).toEqual(refused.forbidden);
      expect(await as(eve).get(path)).toEqual(refused.missing('Project'));
      expect(await as(null).get(path)).toEqual(refused.missing('Project'));
    }
  });

  test.each([
    ['compare', '?from=master&to=work'],
    ['contributors', ''],
  ])('the git process of %s ends when the caller disconnects', async (endpoint, query) => {
    const { id } = await seed.project(`ada/stuck-${endpoint}`, {}, { default_branch: 'master' });
    const work = await workTree({ 'a.txt': 'a\n' });
    await git(work, 'push', '--quiet', remote(`ada/stuck-${endpoint}`, root), 'master');
    await commit(work, { 'a.txt': 'b\n' }, 'Ahead');
    await git(work, 'push', '--quiet', remote(`ada/stuck-${endpoint}`, root), 'master:work');
    const [blob, address] = await Promise.all([
      git(work, 'rev-parse', endpoint === 'compare' ? 'master:a.txt' : 'master~:a.txt'),
      db.project.findUniqueOrThrow({ where: { id } }),
    ]);
    const storages = new Map([['default', join(dataFolder, 'repositories')]]);
    const folder = repositoryFolder(storages, address);
    await makeObjectHang(folder, blob);
    await rm(work, { recursive: true });
    const isWorking = () => hasGitProcess(folder);
    await expect.poll(isWorking).toBe(false);
    const controller = new AbortController();
    const { signal } = controller;
    const response = as(ada).fetch(`/projects/${id}/repository/${endpoint}${query}`, { signal });
    await expect.poll(isWorking).toBe(true);
    controller.abort(new Error('disconnected'));
    await expect(response).rejects.toThrow('disconnected');
    await expect.poll(isWorking).toBe(false);
  });

  test('a GraphQL query with a comparison respects the complexity limit', async () => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        query: `{ project(id: "acme/app") { repository {
          compare(from: "master", to: "v1") { isSame isTimedOut commits { sha } diffs { newPath } }
        } } }`,
      }),
    });
    expect(await response.json()).toEqual({
      data: {
        project: {
          repository: {
            compare: {
              isSame: false,
              isTimedOut: false,
              commits: [{ sha: first }, { sha: second }],
              diffs: diffs.map(({ new_path }) => ({ newPath: new_path })),
            },
          },
        },
      },
    });
  });
});
