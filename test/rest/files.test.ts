import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, temporaryFolder, tryGit, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db, dataFolder } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');

const { id: app } = await seed.project('ada/app', { developer: bob }, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });
const files = `/projects/${app}/repository/files`;

const folder = await workTree({ 'README.md': '# App\n', 'lib/a b.rb': 'one\n' });
const first = await git(folder, 'rev-parse', 'HEAD');
const tip = await commit(
  folder,
  { 'lib/a b.rb': 'two\n', 'logo.bin': Buffer.from([0, 255]) },
  'Two',
);
await git(folder, 'tag', 'v1');
await git(folder, 'push', '--quiet', remote('ada/app', root), 'master', 'v1');
// developers can push, as with the setting 0
await db.protectedBranch.deleteMany({ where: { projectId: app } });
await seed.push('ada/closed', { 'secret.txt': 'secret' });
afterAll(() => rm(folder, { recursive: true }));

/** The path of a project's bare repository. */
async function repositoryPath(id: number): Promise<string> {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return join(dataFolder, 'repositories', `${diskPath}.git`);
}

/** Deletes with parameters in the query, as most clients do. */
const remove = (path: string, parameters: Readonly<Record<string, string>>) =>
  as(bob).delete(`${path}?${new URLSearchParams(parameters)}`);

const text = (message: string) => ({ status: 400, body: { message } });
const change = { branch: 'master', commit_message: 'A change' };

describe('GET /projects/:id/repository/files/:file_path', () => {
  test('shows a file with its content, its commit and the last commit that changed it', async () => {
    for (const ref of ['master', 'v1', tip]) {
      expect(await as(null).get(`${files}/README.md?ref=${ref}`)).toEqual({
        status: 200,
        body: {
          file_name: 'README.md',
          file_path: 'README.md',
          size: 6,
          encoding: 'base64',
          content: 'IyBBcHAK',
          ref,
          blob_id: await git(folder, 'rev-parse', 'v1:README.md'),
          commit_id: tip,
          last_commit_id: first,
        },
      });
    }
    expect((await as(null).get(`${files}/lib%2Fa%20b%2Erb?ref=${first}`)).body).toMatchObject({
      file_name: 'a b.rb',
      file_path: 'lib/a b.rb',
      content: 'b25lCg==',
      last_commit_id: first,
    });
  });

  test.each([
    ['README.md', 'nothing', 'Commit'],
    ['README.md', '--all', 'Commit'],
    ['README.md', 'master:README.md', 'Commit'],
    ['nothing', 'master', 'File'],
    ['lib', 'master', 'File'],
    ['lib%2F..%2FREADME.md', 'master', 'File'],
    ['%2FREADME.md', 'master', 'File'],
    [':(top)README.md', 'master', 'File'],
  ])('%s at %s gives 404 for the %s', async (path, ref, resource) => {
    for (const end of ['', '/raw']) {
      expect(await as(null).get(`${files}/${path}${end}?ref=${ref}`)).toEqual(
        refused.missing(resource),
      );
    }
  });

  test('the ref is required; permissions are checked first', async () => {
    for (const end of ['', '/raw']) {
      expect(await as(null).get(`${files}/README.md${end}`)).toEqual(
        refused.parameter('ref is missing'),
      );
      const secret = `/projects/${closed}/repository/files/secret.txt${end}`;
      expect(await as(carl).get(secret)).toEqual(refused.forbidden);
      expect(await as(null).get(secret)).toEqual(refused.missing('Project'));
      expect((await as(bob).get(`${secret}?ref=master`)).status).toBe(200);
    }
  });
});

describe('GET /projects/:id/repository/files/:file_path/raw', () => {
  test('returns the file byte for byte', async () => {
    const response = await as(null).fetch(`${files}/lib%2Fa%20b.rb/raw?ref=master`);
    expect([
      response.status,
      response.headers.get('Content-Type'),
      response.headers.get('Content-Disposition'),
      await response.text(),
    ]).toEqual([200, 'text/plain; charset=utf-8', 'inline; filename="a b.rb"', 'two\n']);
    const binary = await as(null).fetch(`${files}/logo.bin/raw?ref=master`);
    expect(Buffer.from(await binary.arrayBuffer())).toEqual(Buffer.from([0, 255]));
    expect(binary.headers.get('Content-Disposition')).toBe('attachment; filename="logo.bin"');
  });

  test('returns a large file, and a file name that headers cannot contain', async () => {
    const { id } = await seed.project('ada/large');
    const large = Buffer.alloc(3 * 1024 * 1024 + 1, 'millrace\n');
    await seed.push('ada/large', { 'groß "1".txt': large });
    const path = `/projects/${id}/repository/files/${encodeURIComponent('groß "1".txt')}`;
    const response = await as(ada).fetch(`${path}/raw?ref=master`);
    expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);
    const { status, body } = await as(ada).get(`${path}?ref=master`);
    const { content, ...rest } = body as { content: string };
    expect({ status, rest }).toMatchObject({
      status: 200,
      rest: { file_name: 'groß "1".txt', size: large.length, ref: 'master' },
    });
    expect(Buffer.from(content, 'base64').equals(large)).toBe(true);
  });
});

describe('POST /projects/:id/repository/files/:file_path', () => {
  test('a developer creates a file as the author', async () => {
    const input = { branch: 'master', content: 'three\n', commit_message: 'Make it\n\nwith care' };
    expect(await as(bob).post(`${files}/lib%2Fdeep%2Fc.txt`, input)).toEqual({
      status: 201,
      body: { file_path: 'lib/deep/c.txt', branch: 'master' },
    });
    const repository = await repositoryPath(app);
    expect(await git(repository, 'log', '-1', '--format=%an <%ae> %cn <%ce>|%B', 'master')).toBe(
      'Bob <bob@example.com> Bob <bob@example.com>|Make it\n\nwith care',
    );
    expect(await git(repository, 'show', 'master:lib/deep/c.txt')).toBe('three');
    expect((await as(null).get(`${files}/lib%2Fdeep%2Fc.txt?ref=master`)).body).toMatchObject({
      last_commit_id: await git(repository, 'rev-parse', 'master'),
    });
  });

  test('accepts Base64 content, another author and a new branch', async () => {
    expect(
      await as(bob).post(`${files}/bytes.bin`, {
        branch_name: 'bytes',
        start_branch: 'master',
        commit_message: 'Bytes',
        content: 'AAH/',
        encoding: 'base64',
        author_name: 'Eve <x>\nNot a header',
        author_email: 'eve@example.com',
      }),
    ).toEqual({ status: 201, body: { file_path: 'bytes.bin', branch: 'bytes' } });
    const repository = await repositoryPath(app);
    expect(await git(repository, 'log', '-1', '--format=%an <%ae> %cn', 'bytes')).toBe(
      'Eve xNot a header <eve@example.com> Bob',
    );
    const raw = await as(null).fetch(`${files}/bytes.bin/raw?ref=bytes`);
    expect(Buffer.from(await raw.arrayBuffer())).toEqual(Buffer.from([0, 1, 255]));
    expect(await git(repository, 'rev-list', '--count', 'master..bytes')).toBe('1');
  });

  test.each([
    ['README.md', 'A file with this name already exists'],
    ['README.md%2Fx', 'A file with this name already exists'],
    ['lib', 'A directory with this name already exists'],
    ['..%2Fx', 'Path cannot include directory traversal'],
    ['a%2F.%2Fx', 'Path cannot include directory traversal'],
    ['%2Fx', "Invalid path: '/x'"],
    ['a%2F%2Fx', "Invalid path: 'a//x'"],
    ['.git%2Fconfig', "Invalid path: '.git/config'"],
    ['a%2F.GIT%20.%2Fx', "Invalid path: 'a/.GIT ./x'"],
    ['GIT~1', "Invalid path: 'GIT~1'"],
    ['.git%3A%3A$INDEX_ALLOCATION%2Fx', "Invalid path: '.git::$INDEX_ALLOCATION/x'"],
    ['a%5C.git%5Cx', "Invalid path: 'a\\.git\\x'"],
    ['.g%E2%80%8Cit%2Fx', "Invalid path: '.g\u200cit/x'"],
  ])('%s is rejected: %s', async (path, message) => {
    expect(await as(bob).post(`${files}/${path}`, { ...change, content: '' })).toEqual(
      text(message),
    );
  });

  test.each([
    [{ branch: 'nowhere' }, 'You can only create or edit files when you are on a branch'],
    [
      { branch: 'new', start_branch: 'nowhere' },
      'You can only create or edit files when you are on a branch',
    ],
    [
      { branch: 'bytes', start_branch: 'master' },
      "A branch called 'bytes' already exists. Switch to that branch in order to make changes",
    ],
    [
      { branch: 'a b', start_branch: 'master' },
      'Something went wrong when we tried to create a b for you: Branch name is invalid',
    ],
    [
      { branch: 'bytes/more', start_branch: 'master' },
      'Something went wrong when we tried to create bytes/more for you: Branch name is invalid',
    ],
  ])('%j is rejected: %s', async (branches, message) => {
    const body = { content: 'x', commit_message: 'x', ...branches };
    expect(await as(bob).post(`${files}/x.txt`, body)).toEqual(text(message));
  });

  test.each([
    [{}, 'commit_message is missing, content is missing, branch is missing'],
    [{ ...change }, 'content is missing'],
    [{ ...change, content: 'x', encoding: 'utf7' }, 'encoding does not have a valid value'],
    [{ ...change, content: 'x', branch: '' }, 'branch is empty'],
    [{ ...change, content: ['x'] }, 'content is invalid'],
  ])('%j is rejected: %s', async (body, problem) => {
    expect(await as(bob).post(`${files}/x.txt`, body)).toEqual(refused.parameter(problem));
  });

  test('content that git rejects in a push is rejected', async () => {
    const bad = '[submodule "a"]\n\tpath = a\n\turl = --upload-pack=evil\n';
    for (const [path, content] of [
      ['.gitmodules', bad],
      ['.gitattributes', `* ${'x'.repeat(3000)}`],
    ]) {
      expect(await as(bob).post(`${files}/${path}`, { ...change, content })).toEqual(
        text('The content of this file would be refused by git'),
      );
    }
    const hidden = [
      { action: 'create', file_path: 'x', content: bad },
      { action: 'move', previous_path: 'x', file_path: 'sub/.GitModules' },
    ];
    expect(
      await as(bob).post(`/projects/${app}/repository/commits`, { ...change, actions: hidden }),
    ).toEqual(text('The content of this file would be refused by git'));
    const body = { ...change, content: 'no digits!', encoding: 'base64' };
    expect(await as(bob).post(`${files}/x.txt`, body)).toEqual(
      refused.invalid({ content: ['is no Base64'] }),
    );
  });

  test.each([
    ['post', { ...change, content: 'x' }],
    ['put', { ...change, content: 'x' }],
    ['delete', change],
  ] as const)('users who cannot push cannot %s', async (method, body) => {
    const secret = `/projects/${closed}/repository/files/secret.txt`;
    expect(await as(null)[method](`${files}/README.md`, body)).toEqual(refused.anonymous);
    expect(await as(carl)[method](`${files}/README.md`, body)).toEqual(refused.forbidden);
    expect(await as(bob)[method](secret, body)).toEqual(refused.forbidden);
    expect(await as(bob)[method](secret, {})).toEqual(refused.forbidden);
    const eve = await seed.user(`eve-${method}`);
    expect(await as(eve)[method](secret, body)).toEqual(refused.missing('Project'));
  });

  test('developers cannot write to a protected branch', async () => {
    const { id } = await seed.project('ada/guarded', { developer: bob });
    await seed.push('ada/guarded', { a: 'a' });
    const path = `/projects/${id}/repository/files/b`;
    await db.protectedBranch.updateMany({
      where: { projectId: id },
      data: { pushAccessLevel: 40 },
    });
    expect(await as(bob).post(path, { ...change, content: 'b' })).toEqual(
      text('You are not allowed to push into this branch'),
    );
    expect((await as(ada).post(path, { ...change, content: 'b' })).status).toBe(201);
  });

  test('the first file of an empty repository creates the default branch', async () => {
    const { id } = await seed.project('ada/empty', { developer: bob });
    const path = `/projects/${id}/repository/files/a.txt`;
    const body = { branch: 'main', content: 'a', commit_message: 'First' };
    expect(await as(bob).post(path, body)).toEqual(
      text('You are not allowed to push into this branch'),
    );
    expect((await as(ada).post(path, body)).status).toBe(201);
    expect((await as(ada).get(`/projects/${id}`)).body).toMatchObject({ default_branch: 'main' });
    expect(await git(await repositoryPath(id), 'symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(await db.protectedBranch.count({ where: { projectId: id, name: 'main' } })).toBe(1);
  });
});

describe('PUT /projects/:id/repository/files/:file_path', () => {
  test('updates the content and preserves the mode', async () => {
    const work = await workTree({ 'run.sh': '#!/bin/sh\n', 'other.txt': 'x' });
    await git(work, 'update-index', '--chmod=+x', 'run.sh');
    await git(work, 'update-index', '--add', '--cacheinfo', `160000,${tip},vendor`);
    const link = await git(work, 'hash-object', '-w', 'other.txt');
    await git(work, 'update-index', '--add', '--cacheinfo', `120000,${link},link`);
    await git(work, 'commit', '--quiet', '--message=Modes');
    const { id } = await seed.project('ada/modes');
    await git(work, 'push', '--quiet', remote('ada/modes', root), 'master');
    const filesPath = `/projects/${id}/repository/files`;
    expect(await as(ada).put(`${filesPath}/run.sh`, { ...change, content: 'echo\n' })).toEqual({
      status: 200,
      body: { file_path: 'run.sh', branch: 'master' },
    });
    expect(await git(await repositoryPath(id), 'ls-tree', 'master')).toBe(
      [
        `120000 blob ${link}\tlink`,
        `100644 blob ${await git(work, 'rev-parse', 'HEAD:other.txt')}\tother.txt`,
        `100755 blob ${await git(await repositoryPath(id), 'rev-parse', 'master:run.sh')}\trun.sh`,
        `160000 commit ${tip}\tvendor`,
      ].join('\n'),
    );
    expect(await as(ada).put(`${filesPath}/link`, { ...change, content: 'x' })).toEqual(
      text('A symbolic link cannot be edited'),
    );
    expect(await as(ada).put(`${filesPath}/vendor`, { ...change, content: 'x' })).toEqual(
      text("A file with this name doesn't exist"),
    );
    await rm(work, { recursive: true });
  });

  test('rejects a change if last_commit_id is outdated', async () => {
    await as(bob).post(`${files}/seen.txt`, { ...change, content: '1' });
    const fetchLastCommitId = async () => {
      const { body } = await as(bob).get(`${files}/seen.txt?ref=master`);
      return (body as { last_commit_id: string }).last_commit_id;
    };
    const last_commit_id = await fetchLastCommitId();
    await as(bob).post(`${files}/unseen.txt`, { ...change, content: '1' });
    const body = { ...change, content: '2', last_commit_id };
    expect((await as(bob).put(`${files}/seen.txt`, body)).status).toBe(200);
    const changed = text(
      'You are attempting to update a file that has changed since you started editing it.',
    );
    expect(await as(bob).put(`${files}/seen.txt`, { ...body, content: '3' })).toEqual(changed);
    expect(await remove(`${files}/seen.txt`, body)).toEqual(changed);
    const now = { ...change, last_commit_id: await fetchLastCommitId() };
    expect(await remove(`${files}/seen.txt`, now)).toEqual({ status: 204, body: null });
  });

  test('rejects a missing file and a folder', async () => {
    for (const path of ['nothing', 'lib', 'lib%2Fnothing', 'README.md%2Fx']) {
      const missing = text("A file with this name doesn't exist");
      expect(await as(bob).put(`${files}/${path}`, { ...change, content: 'x' })).toEqual(missing);
      expect(await remove(`${files}/${path}`, change)).toEqual(missing);
    }
  });
});

describe('DELETE /projects/:id/repository/files/:file_path', () => {
  test('deletes a file and empty folders, and accepts query parameters', async () => {
    await as(bob).post(`${files}/x%2Fy%2Fz.txt`, { ...change, content: 'z' });
    expect(
      await as(bob).delete(`${files}/x%2Fy%2Fz.txt?branch=master&commit_message=Delete`),
    ).toEqual({ status: 204, body: null });
    expect((await as(null).get(`${files}/x%2Fy%2Fz.txt?ref=master`)).status).toBe(404);
    const { code } = await tryGit(await repositoryPath(app), 'rev-parse', '--verify', 'master:x');
    expect(code).not.toBe(0);
  });
});

test('all repositories pass git fsck and can be cloned', async () => {
  for (const { id } of await db.project.findMany({ where: { isRemoved: false } })) {
    const { code, stdout, stderr } = await tryGit(await repositoryPath(id), 'fsck', '--strict');
    expect({
      code,
      lines: `${stdout}${stderr}`.replace(/^dangling .*\n|^notice: .*\n/gm, ''),
    }).toEqual({
      code: 0,
      lines: '',
    });
  }
  const target = await temporaryFolder();
  await git(target, 'clone', '--quiet', remote('ada/app', root), 'app');
  await rm(target, { recursive: true });
});
