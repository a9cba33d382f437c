import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { git, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');

await seed.group('acme', {}, { visibility: 'public' });
const { id: app } = await seed.project('acme/app', {}, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });
const { id: empty } = await seed.project('acme/empty', {}, { visibility: 'public' });
const { id: long } = await seed.project('acme/long', {}, { visibility: 'public' });
const commits = `/projects/${app}/repository/commits`;

const folder = await workTree({ 'README.md': 'one\n', 'a/b.txt': 'b\nb\nb\n', 'logo.bin': '\0' });
const first = await git(folder, 'rev-parse', 'HEAD');
afterAll(() => rm(folder, { recursive: true }));

const timestampOn = (day: number) => Date.parse(`2017-10-0${day}T12:00:00+03:00`) / 1000;

/** Commits the work tree on a day of October 2017, by an author with a Latin-1 name. */
async function createCommit(day: number, parents: readonly string[], message: string) {
  await git(folder, 'add', '--all');
  const object = [
    `tree ${await git(folder, 'write-tree')}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author J\xf6rg <j@example.com> ${timestampOn(day) - 60} +0300`,
    `committer Ada <ada@example.com> ${timestampOn(day)} +0300`,
    '',
    `${message}\n`,
  ].join('\n');
  const file = join(folder, '.git', 'object');
  await writeFile(file, Buffer.from(object, 'latin1'));
  const id = await git(folder, 'hash-object', '-t', 'commit', '-w', file);
  await git(folder, 'reset', '--quiet', '--hard', id);
  return id;
}

await writeFile(join(folder, 'README.md'), 'one\ntwo\n');
const second = await createCommit(2, [first], 'Say more\n\nWith a body');
await git(folder, 'reset', '--quiet', '--hard', first);
await writeFile(Buffer.from(`${folder}/caf\xe9.txt`, 'latin1'), 'x\n');
const aside = await createCommit(3, [first], 'Open a caf\xe9');
await git(folder, 'branch', 'feature/x');
await git(folder, 'checkout', '--quiet', second, '--', 'README.md');
const merge = await createCommit(4, [second, aside], "Merge branch 'feature/x'");
await git(folder, 'mv', 'a/b.txt', 'a/c.txt');
await writeFile(join(folder, 'logo.bin'), '\0\x01');
const last = await createCommit(5, [merge], 'Rename');
await git(folder, 'tag', '--annotate', 'v1', '--message=One', merge);
await git(folder, 'checkout', '--quiet', '--orphan', 'lonely');
const lonely = await createCommit(6, [], 'Elsewhere');
await git(folder, 'tag', 'away', lonely);
await git(folder, 'tag', 'no-commit', `${first}:README.md`);
for (const path of ['acme/app', 'ada/closed']) {
  await git(folder, 'push', '--quiet', remote(path, root), 'master', 'feature/x', '--tags');
}

/** A commit above in a list. */
const shape = (id: string, day: number, title: string, parents: readonly string[], more = '') => ({
  id,
  short_id: id.slice(0, 8),
  title,
  created_at: `2017-10-0${day}T12:00:00.000+03:00`,
  parent_ids: parents,
  message: `${title}${more}\n`,
  author_name: 'Jörg',
  author_email: 'j@example.com',
  authored_date: `2017-10-0${day}T11:59:00.000+03:00`,
  committer_name: 'Ada',
  committer_email: 'ada@example.com',
  committed_date: `2017-10-0${day}T12:00:00.000+03:00`,
});
const date = '2017-10-01T12:00:00.000Z';
const shapes = {
  first: {
    ...shape(first, 1, 'Initial commit', []),
    author_name: 'Ada',
    author_email: 'ada@example.com',
    created_at: date,
    authored_date: date,
    committed_date: date,
  },
  second: shape(second, 2, 'Say more', [first], '\n\nWith a body'),
  aside: shape(aside, 3, 'Open a café', [first]),
  merge: shape(merge, 4, "Merge branch 'feature/x'", [second, aside]),
  last: shape(last, 5, 'Rename', [merge]),
  lonely: shape(lonely, 6, 'Elsewhere', []),
};
const { last: e, merge: d, aside: c, second: b, first: a } = shapes;

describe('GET /projects/:id/repository/commits', () => {
  test('lists the commits of the default branch, the newest first', async () => {
    expect(await as(null).get(commits)).toEqual({ status: 200, body: [e, d, c, b, a] });
  });

  test.each([
    ['ref_name=master', [e, d, c, b, a]],
    ['ref_name=feature/x', [c, a]],
    ['ref_name=refs/heads/feature/x', [c, a]],
    ['ref_name=v1', [d, c, b, a]],
    [`ref_name=${second}`, [b, a]],
    [`ref_name=${second.slice(0, 8)}`, [b, a]],
    ['all=true', [shapes.lonely, e, d, c, b, a]],
    ['all=true&path=README.md', [shapes.lonely, b, a]],
    ['path=README.md', [b, a]],
    ['path=/README.md', [b, a]],
    ['path=a', [e, a]],
    ['path=a/', [e, a]],
    ['path=a/c.txt', [e]],
    ['path=nowhere', []],
    ['path=*', []],
    ['path=:(top)README.md', []],
    ['path=..', []],
    ['path=a//b.txt', []],
    ['path=--all', []],
    ['since=2017-10-03T12:00:00%2B03:00', [e, d, c]],
    ['since=2017-10-03T12:00:01%2B03:00', [e, d]],
    ['until=2017-10-03T12:00:00%2B03:00', [c, b, a]],
    ['until=2017-10-02', [a]],
    ['since=2017-10-02&until=2017-10-03T23:00:00Z', [c, b]],
    ['since=2017-10-02&until=2017-10-05&path=README.md', [b]],
    ['since=1900-01-01', [e, d, c, b, a]],
    ['until=1900-01-01', []],
    ['since=2500-01-01', []],
    ['until=2500-01-01', [e, d, c, b, a]],
    ['ref_name=', [e, d, c, b, a]],
  ])('%s', async (query, body) => {
    expect(await as(null).get(`${commits}?${query}`)).toEqual({ status: 200, body });
    expect(await as(null).get(`${commits}?${query}`)).toEqual({ status: 200, body });
  });

  test('is paginated', async () => {
    const response = await as(null).fetch(`${commits}?per_page=2&page=2`);
    const { headers } = response;
    expect(await response.json()).toEqual([c, b]);
    expect({
      total: headers.get('X-Total'),
      pages: headers.get('X-Total-Pages'),
      next: headers.get('X-Next-Page'),
    }).toEqual({ total: '5', pages: '3', next: '3' });
    expect(await as(null).get(`${commits}?per_page=2&page=7`)).toEqual({ status: 200, body: [] });
  });

  test('any page of a long history can be requested', async () => {
    const count = 2_150;
    const lines = Array.from({ length: count }, (_, n) =>
      [
        'commit refs/heads/master',
        `committer Ada <ada@example.com> ${1_500_000_000 + n} +0000`,
        `data <<E\n${n}\nE\n`,
      ].join('\n'),
    );
    const target = await workTree({});
    await writeFile(join(target, 'stream'), lines.join('\n'));
    await git(target, '-c', 'alias.load=!git fast-import --force --quiet < stream', 'load');
    await git(target, 'push', '--quiet', remote('acme/long', root), 'master');
    await rm(target, { recursive: true });
    for (const [page, size] of [
      [1, 20],
      [14, 75],
      [27, 75],
      [29, 75],
      [30, 75],
      [100_000_000, 75],
    ] as const) {
      const path = `/projects/${long}/repository/commits?per_page=${size}&page=${page}`;
      const response = await as(null).fetch(path);
      const listed = (await response.json()) as { title: string }[];
      const skipped = (page - 1) * size;
      const remaining = Math.max(0, Math.min(size, count - skipped));
      expect({
        total: response.headers.get('X-Total'),
        titles: listed.map(({ title }) => title),
      }).toEqual({
        total: String(count),
        titles: Array.from({ length: remaining }, (_, n) => String(count - 1 - skipped - n)),
      });
    }
  });

  test('a new commit is listed immediately', async () => {
    const before = (await as(null).get(`/projects/${empty}/repository/commits`)).body;
    const sha = await seed.push('acme/empty', { 'a.txt': 'a' });
    const after = (await as(null).get(`/projects/${empty}/repository/commits`)).body;
    expect({ before, after }).toEqual({
      before: [],
      after: [expect.objectContaining({ id: sha })],
    });
  });

  test('an empty repository has no commits, and an unknown branch gives 404', async () => {
    const { id } = await seed.project('acme/void', {}, { visibility: 'public' });
    const path = `/projects/${id}/repository/commits`;
    expect(await as(null).get(path)).toEqual({ status: 200, body: [] });
    expect(await as(null).get(`${path}?all=true`)).toEqual({ status: 200, body: [] });
    expect(await as(null).get(`${path}?ref_name=master`)).toEqual(refused.missing('Commit'));
  });

  test.each(['nothing', 'v1^', '--all', 'a..b', 'x'.repeat(3000), '0'.repeat(40)])(
    'the commit %s gives 404',
    async (name) => {
      expect(await as(null).get(`${commits}?ref_name=${name}`)).toEqual(refused.missing('Commit'));
      expect(await as(null).get(`${commits}/${name}`)).toEqual(refused.missing('Commit'));
    },
  );

  test('users who cannot read the code are refused before the parameters are checked', async () => {
    for (const more of ['', '?since=yesterday', `/${first}`, `/${first}/diff`, '/x/comments']) {
      const path = `/projects/${closed}/repository/commits${more}`;
      expect(await as(null).get(path)).toEqual(refused.missing('Project'));
      expect(await as(carl).get(path)).toEqual(refused.forbidden);
    }
    for (const person of [bob, ada, root]) {
      const path = `/projects/${closed}/repository/commits`;
      expect(await as(person).get(path)).toEqual({ status: 200, body: [e, d, c, b, a] });
    }
  });

  test.each([
    ['since=yesterday', 'since is invalid'],
    ['until=2017-02-30', 'until is invalid'],
    ['all=perhaps', 'all is invalid'],
    ['path=a%00b', 'path is invalid'],
    ['page=x', 'page is invalid'],
  ])('%s is rejected', async (query, text) => {
    expect(await as(null).get(`${commits}?${query}`)).toEqual(refused.parameter(text));
  });
});

describe('GET /projects/:id/repository/commits/:sha', () => {
  const detail = (commit: object, additions: number, deletions: number) => ({
    ...commit,
    stats: { additions, deletions, total: additions + deletions },
    status: null,
    last_pipeline: null,
  });

  test.each([
    ['the first commit, compared with an empty tree', first, detail(a, 4, 0)],
    ['an ordinary commit', second, detail(b, 1, 0)],
    ['a commit with a path that is not UTF-8', aside, detail(c, 1, 0)],
    ['a merge, compared with its first parent', merge, detail(d, 1, 0)],
    ['a rename and a binary file, which change no lines', last, detail(e, 0, 0)],
    ['a short id', second.slice(0, 7), detail(b, 1, 0)],
    ['a branch', 'master', detail(e, 0, 0)],
    ['a branch with a slash', 'feature%2Fx', detail(c, 1, 0)],
    ['an annotated tag', 'v1', detail(d, 1, 0)],
  ])('%s', async (_label, name, body) => {
    expect(await as(null).get(`${commits}/${name}`)).toEqual({ status: 200, body });
  });

  test('stats=false omits the statistics', async () => {
    const { stats: _, ...body } = detail(a, 4, 0);
    expect(await as(null).get(`${commits}/${first}?stats=false`)).toEqual({ status: 200, body });
  });

  test('a blob or a tree gives 404', async () => {
    for (const name of ['HEAD:README.md', 'HEAD^{tree}']) {
      const id = await git(folder, 'rev-parse', name);
      expect(await as(null).get(`${commits}/${id}`)).toEqual(refused.missing('Commit'));
    }
  });
});

describe('GET /projects/:id/repository/commits/:sha/diff', () => {
  const file = (path: string, diff: string) => ({
    old_path: path,
    new_path: path,
    a_mode: '100644',
    b_mode: '100644',
    new_file: false,
    renamed_file: false,
    deleted_file: false,
    diff,
  });
  const added = { a_mode: '0', new_file: true };

  test('the first commit adds all files', async () => {
    expect(await as(null).get(`${commits}/${first}/diff`)).toEqual({
      status: 200,
      body: [
        { ...file('README.md', '--- /dev/null\n+++ b/README.md\n@@ -0,0 +1 @@\n+one\n'), ...added },
        {
          ...file('a/b.txt', '--- /dev/null\n+++ b/a/b.txt\n@@ -0,0 +1,3 @@\n+b\n+b\n+b\n'),
          ...added,
        },
        { ...file('logo.bin', 'Binary files /dev/null and b/logo.bin differ\n'), ...added },
      ],
    });
  });

  test('a renamed file has both names', async () => {
    expect(await as(null).get(`${commits}/master/diff`)).toEqual({
      status: 200,
      body: [
        { ...file('a/c.txt', ''), old_path: 'a/b.txt', renamed_file: true },
        file('logo.bin', 'Binary files a/logo.bin and b/logo.bin differ\n'),
      ],
    });
  });

  test('a merge is compared with its first parent', async () => {
    const diff = '--- /dev/null\n+++ "b/caf\\351.txt"\n@@ -0,0 +1 @@\n+x\n';
    expect(await as(null).get(`${commits}/${merge}/diff`)).toEqual({
      status: 200,
      body: [{ ...file('caf\ufffd.txt', diff), ...added }],
    });
  });

  test('an unknown commit gives 404', async () => {
    expect(await as(null).get(`${commits}/nothing/diff`)).toEqual(refused.missing('Commit'));
  });
});
