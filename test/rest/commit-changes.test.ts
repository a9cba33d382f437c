import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { git, tryGit, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db, dataFolder } = await world({
  settings: { defaultBranchProtection: 0 },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');

const { id: app } = await seed.project('ada/app', { developer: bob, reporter: carl });
const commits = `/projects/${app}/repository/commits`;

const folder = await workTree({ 'README.md': '# App\n', 'a/b.txt': 'b\n', 'a/c.txt': 'c\n' });
// a name that is not UTF-8, an executable and a submodule
await writeFile(Buffer.concat([Buffer.from(`${folder}/a/`), Buffer.from([0x63, 0xe9])]), 'latin');
await writeFile(join(folder, 'run.sh'), '#!/bin/sh\n');
await git(folder, 'add', '--all');
await git(folder, 'update-index', '--chmod=+x', 'run.sh');
await git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor`);
await git(folder, 'commit', '--quiet', '--message=Unusual files');
await git(folder, 'push', '--quiet', remote('ada/app', root), 'master');
afterAll(() => rm(folder, { recursive: true }));

async function repositoryPath(id: number): Promise<string> {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return join(dataFolder, 'repositories', `${diskPath}.git`);
}
const repository = await repositoryPath(app);

/** Nothing is missing or damaged; rejected requests leave dangling objects. */
async function check(id: number): Promise<void> {
  const { code, stdout, stderr } = await tryGit(await repositoryPath(id), 'fsck', '--strict');
  const lines = `${stdout}${stderr}`.replace(/^(?:dangling|notice).*\n/gm, '');
  expect({ code, lines }).toEqual({ code: 0, lines: '' });
}

const text = (message: string) => ({ status: 400, body: { message } });
const changeOn = (branch: string, ...actions: readonly Record<string, unknown>[]) => ({
  branch,
  commit_message: 'Many changes',
  actions,
});

describe('POST /projects/:id/repository/commits', () => {
  test('several actions create one commit, and other files stay byte for byte', async () => {
    const before = await git(repository, 'rev-parse', 'master');
    const { status, body } = await as(bob).post(commits, {
      ...changeOn(
        'master',
        { action: 'create', file_path: 'new/x.txt', content: 'x\n' },
        { action: 'update', file_path: 'README.md', content: 'IyBOZXcK', encoding: 'base64' },
        { action: 'move', file_path: 'bin/run.sh', previous_path: 'run.sh' },
        { action: 'move', file_path: 'a/d.txt', previous_path: 'a/c.txt', content: 'd\n' },
        { action: 'delete', file_path: 'a/b.txt' },
      ),
      author_name: 'Eve',
      author_email: 'eve@example.com',
    });
    const id = await git(repository, 'rev-parse', 'master');
    const at: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id,
        short_id: id.slice(0, 8),
        title: 'Many changes',
        created_at: at,
        parent_ids: [before],
        message: 'Many changes',
        author_name: 'Eve',
        author_email: 'eve@example.com',
        authored_date: at,
        committer_name: 'Bob',
        committer_email: 'bob@example.com',
        committed_date: at,
        stats: { additions: 3, deletions: 3, total: 6 },
        status: null,
        last_pipeline: null,
      },
    });
    expect(await git(repository, 'diff', '--name-status', before, id)).toBe(
      [
        'M\tREADME.md',
        'D\ta/b.txt',
        'D\ta/c.txt',
        'A\ta/d.txt',
        'R100\trun.sh\tbin/run.sh',
        'A\tnew/x.txt',
      ].join('\n'),
    );
    expect(await git(repository, 'ls-tree', 'master', 'bin/run.sh')).toMatch(/^100755 /);
    expect(await git(repository, 'ls-tree', '-r', '--name-only', 'master')).toBe(
      ['README.md', '"a/c\\351"', 'a/d.txt', 'bin/run.sh', 'new/x.txt', 'vendor'].join('\n'),
    );
  });

  test('an action sees the result of earlier actions', async () => {
    const body = changeOn(
      'steps',
      { action: 'create', file_path: 'dir/only', content: '1' },
      { action: 'update', file_path: 'dir/only', content: '2' },
      { action: 'move', file_path: 'dir', previous_path: 'dir/only' },
      { action: 'move', file_path: 'dir/again', previous_path: 'dir' },
    );
    expect((await as(bob).post(commits, { ...body, start_branch: 'master' })).status).toBe(201);
    expect(await git(repository, 'diff', '--name-status', 'master', 'steps')).toBe('A\tdir/again');
    expect(await git(repository, 'show', 'steps:dir/again')).toBe('2');
  });

  test('creates a commit without actions, with the message unchanged', async () => {
    const message = '\n  Odd \r\n\n\n';
    const { body } = await as(bob).post(commits, { ...changeOn('steps'), commit_message: message });
    expect(body).toMatchObject({ message });
    expect(await git(repository, 'rev-parse', 'steps^{tree}')).toBe(
      await git(repository, 'rev-parse', 'steps^^{tree}'),
    );
  });

  test.each([
    [{ action: 'create', file_path: 'README.md' }, 'A file with this name already exists'],
    [{ action: 'create', file_path: 'new' }, 'A directory with this name already exists'],
    [{ action: 'create', file_path: 'vendor/x' }, 'A file with this name already exists'],
    [{ action: 'update', file_path: 'no', content: '' }, "A file with this name doesn't exist"],
    [{ action: 'delete', file_path: 'new' }, "A file with this name doesn't exist"],
    [
      { action: 'move', file_path: 'README.md', previous_path: 'README.md' },
      'A file with this name already exists',
    ],
    [
      { action: 'move', file_path: 'x', previous_path: 'no' },
      "A file with this name doesn't exist",
    ],
    [{ action: 'move', file_path: 'x' }, 'You must provide a file path'],
    [{ action: 'chmod', file_path: 'README.md' }, "Unknown action 'chmod'"],
    [
      { action: 'update', file_path: 'README.md', content: '', last_commit_id: '1'.repeat(40) },
      'You are attempting to update a file that has changed since you started editing it.',
    ],
    [{ action: 'create', file_path: 'a/.git/x' }, "Invalid path: 'a/.git/x'"],
  ])('%j is rejected and nothing is changed: %s', async (action, message) => {
    const before = await git(repository, 'rev-parse', 'master');
    const first = { action: 'create', file_path: 'first', content: '' };
    expect(await as(bob).post(commits, changeOn('master', first, action))).toEqual(text(message));
    expect(await git(repository, 'rev-parse', 'master')).toBe(before);
  });

  test.each([
    [{}, 'commit_message is missing, actions is missing, branch is missing'],
    [changeOn('master', { action: 'create' }), 'actions[0][file_path] is missing'],
    [{ ...changeOn('master'), actions: 'none' }, 'actions is invalid'],
    [{ ...changeOn('master'), actions: ['none'] }, 'actions[0] is invalid'],
    [
      changeOn('master', { action: 'create', file_path: 'x', encoding: 'x' }),
      'actions[0][encoding] does not have a valid value',
    ],
  ])('%j is rejected: %s', async (body, problem) => {
    expect(await as(bob).post(commits, body)).toEqual(refused.parameter(problem));
  });

  test('accepts forms, also without indexes of the items', async () => {
    const form = new URLSearchParams([
      ['branch', 'forms'],
      ['start_branch', 'master'],
      ['commit_message', 'From a form'],
      ['actions[][action]', 'create'],
      ['actions[][file_path]', 'one'],
      ['actions[][content]', '1'],
      ['actions[][action]', 'create'],
      ['actions[][file_path]', 'two'],
      ['actions[][content]', '2'],
    ]);
    const response = await as(bob).fetch(commits, { method: 'POST', body: form });
    expect(response.status).toBe(201);
    expect(await git(repository, 'diff', '--name-only', 'master', 'forms')).toBe('one\ntwo');
  });

  test('requires permission to push', async () => {
    const body = changeOn('master', { action: 'create', file_path: 'x', content: '' });
    const eve = await seed.user('eve');
    expect(await as(null).post(commits, body)).toEqual(refused.anonymous);
    expect(await as(eve).post(commits, {})).toEqual(refused.missing('Project'));
    expect(await as(carl).post(commits, {})).toEqual(refused.forbidden);
    expect(await as(carl).post(commits, body)).toEqual(refused.forbidden);
    expect((await as(root).post(commits, { ...body, branch: 'steps' })).status).toBe(201);
  });
});

describe('concurrent requests', () => {
  test('fifty new files on one branch and pushes lose no acknowledged change', async () => {
    const { id } = await seed.project('ada/busy', { developer: bob });
    const files = `/projects/${id}/repository/files`;
    const work = await workTree({ start: '' });
    await git(work, 'push', '--quiet', remote('ada/busy', root), 'master');
    const pushes = (async () => {
      const pushed: string[] = [];
      for (let round = 0; round < 5; round += 1) {
        await git(work, 'fetch', '--quiet', remote('ada/busy', root), 'master');
        await git(work, 'reset', '--quiet', '--hard', 'FETCH_HEAD');
        await writeFile(join(work, `pushed-${round}`), '');
        await git(work, 'add', '--all');
        await git(work, 'commit', '--quiet', '--message=Pushed');
        const { code } = await tryGit(work, 'push', '--quiet', remote('ada/busy', root), 'master');
        if (code === 0) pushed.push(`pushed-${round}`);
      }
      return pushed;
    })();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        as(n % 2 ? ada : bob).post(`${files}/made-${n}`, {
          branch: 'master',
          content: String(n),
          commit_message: `Make ${n}`,
        }),
      ),
    );
    const pushed = await pushes;
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    const names = (await git(await repositoryPath(id), 'ls-tree', '--name-only', 'master')).split(
      '\n',
    );
    const expectedNames = responses.map((_, n) => `made-${n}`);
    expect(names.toSorted()).toEqual([...expectedNames, ...pushed, 'start'].toSorted());
    expect(await db.push.count({ where: { projectId: id } })).toBe(0);
    await check(id);
    await rm(work, { recursive: true });
  });

  test('one of several requests creates a file, and conflicting updates are rejected', async () => {
    const { id } = await seed.project('ada/same');
    const file = `/projects/${id}/repository/files/one`;
    const body = (n: number) => ({ branch: 'main', content: `${n}`, commit_message: 'x' });
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => as(ada).post(file, body(n))),
    );
    const alreadyExists = text('A file with this name already exists');
    expect(responses.filter(({ status }) => status === 400)).toEqual(Array(9).fill(alreadyExists));
    const written = await Promise.all(
      Array.from({ length: 10 }, (_, n) => as(ada).put(file, body(n + 20))),
    );
    const changed = text(
      'You are attempting to update a file that has changed since you started editing it.',
    );
    const rejected = written.filter(({ status }) => status === 400);
    expect(rejected).toEqual(rejected.map(() => changed));
    const successCount = written.length - rejected.length;
    expect(successCount).toBeGreaterThan(0);
    expect(await git(await repositoryPath(id), 'rev-list', '--count', 'main')).toBe(
      String(1 + successCount),
    );
    await check(id);
  });

  test('one of several requests creates a branch from another', async () => {
    const body = { branch: 'raced', start_branch: 'master', content: '', commit_message: 'x' };
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        as(bob).post(`/projects/${app}/repository/files/raced-${n}`, body),
      ),
    );
    const exists = text(
      "A branch called 'raced' already exists. Switch to that branch in order to make changes",
    );
    expect(responses.filter(({ status }) => status === 400)).toEqual(Array(7).fill(exists));
    expect(await git(repository, 'rev-list', '--count', 'master..raced')).toBe('1');
    await check(app);
  });
});
