import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const eve = await seed.user('eve');

const roles = { master: ada, developer: bob, reporter: carl, guest: dora };
await seed.group('acme', {}, { visibility: 'public' });

const folder = await workTree({ 'README.md': '# App\n' });
afterAll(() => rm(folder, { recursive: true }));
const first = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'branch', 'done');
await git(folder, 'branch', 'v1.0-done');
await git(folder, 'checkout', '--quiet', '-b', 'feature/x.y');
const feature = await commit(folder, { 'x.txt': 'x' }, 'On a branch');
await git(folder, 'checkout', '--quiet', 'master');
const tip = await commit(folder, { 'second.txt': '2' }, 'Second commit\n\nWith a body.');
await git(folder, 'branch', 'same');
await git(folder, 'tag', '--annotate', '--message=One', 'v1', first);

let count = 0;
/** Creates a project with all branches above. */
async function createProject(visibility: 'public' | 'private' = 'public') {
  count += 1;
  const fullPath = `acme/app-${count}`;
  const { id } = await seed.project(fullPath, roles, { visibility });
  await git(folder, 'push', '--quiet', remote(fullPath, root), '--all');
  await git(folder, 'push', '--quiet', remote(fullPath, root), '--tags');
  return { id, fullPath, branches: `/projects/${id}/repository/branches` };
}

const commits = {
  [first]: { title: 'Initial commit', message: 'Initial commit\n', parent_ids: [] },
  [feature]: { title: 'On a branch', message: 'On a branch\n', parent_ids: [first] },
  [tip]: {
    title: 'Second commit',
    message: 'Second commit\n\nWith a body.\n',
    parent_ids: [first],
  },
};

const shape = (name: string, sha: string, overrides: object = {}) => ({
  name,
  commit: {
    id: sha,
    short_id: sha.slice(0, 8),
    created_at: '2017-10-01T12:00:00.000Z',
    author_name: 'Ada',
    author_email: 'ada@example.com',
    authored_date: '2017-10-01T12:00:00.000Z',
    committer_name: 'Ada',
    committer_email: 'ada@example.com',
    committed_date: '2017-10-01T12:00:00.000Z',
    ...commits[sha],
  },
  merged: false,
  protected: false,
  developers_can_push: false,
  developers_can_merge: false,
  ...overrides,
});

const all = [
  shape('done', first, { merged: true }),
  shape('feature/x.y', feature),
  shape('master', tip, { protected: true }),
  shape('same', tip),
  shape('v1.0-done', first, { merged: true }),
];

const app = await createProject();
const closed = await createProject('private');
const { id: empty } = await seed.project('acme/empty', roles, { visibility: 'public' });
const x = encodeURIComponent('feature/x.y');

/** Names that git does not allow, or that a program could mistake for an option. */
const oddNames = ['-d', '--upload-pack=x', '../x', 'a..b', 'a b', 'a\tb', 'a~1', 'x.lock', 'a//b'];

describe('GET /projects/:id/repository/branches', () => {
  test('anonymous users list the branches of a public project by name', async () => {
    expect(await as(null).get(app.branches)).toEqual({ status: 200, body: all });
  });

  test('is paginated and searched by a part of the name', async () => {
    const page = await as(null).fetch(`${app.branches}?per_page=2&page=2`);
    expect([page.headers.get('X-Total'), await page.json()]).toEqual(['5', all.slice(2, 4)]);
    const response = await as(null).fetch(`${app.branches}?search=DONE&per_page=1&page=2`);
    expect([response.headers.get('X-Total'), await response.json()]).toEqual(['2', all.slice(4)]);
    expect((await as(null).get(`${app.branches}?search=%25`)).body).toEqual([]);
  });

  test('an empty repository has no branches', async () => {
    const path = `/projects/${empty}/repository/branches`;
    expect(await as(null).get(path)).toEqual({ status: 200, body: [] });
  });

  test('a private project requires a reporter', async () => {
    expect(await as(carl).get(closed.branches)).toEqual({ status: 200, body: all });
    expect(await as(dora).get(closed.branches)).toEqual(refused.forbidden);
    expect(await as(eve).get(closed.branches)).toEqual(refused.missing('Project'));
    expect(await as(null).get(closed.branches)).toEqual(refused.missing('Project'));
    expect(await as(null).get(`${closed.branches}?page=x`)).toEqual(refused.missing('Project'));
    expect(await as(null).get(`${app.branches}?page=x`)).toEqual(
      refused.parameter('page is invalid'),
    );
  });

  test('branches that the default branch contains are merged', async () => {
    const { fullPath, branches } = await createProject();
    const mergedOf = async () => {
      const { body } = await as(null).get(branches);
      return (body as ReturnType<typeof shape>[]).filter((b) => b.merged).map((b) => b.name);
    };
    expect(await mergedOf()).toEqual(['done', 'v1.0-done']);
    await git(folder, 'push', '--quiet', '--force', remote(fullPath, root), `${feature}:master`);
    expect(await mergedOf()).toEqual(['done', 'v1.0-done']);
    await git(folder, 'push', '--quiet', '--force', remote(fullPath, root), `${tip}:master`);
    await git(folder, 'push', '--quiet', '--force', remote(fullPath, root), `${first}:same`);
    expect(await mergedOf()).toEqual(['done', 'same', 'v1.0-done']);
  });
});

describe('GET /projects/:id/repository/branches/:branch', () => {
  test('shows a branch with any name', async () => {
    expect(await as(null).get(`${app.branches}/${x}`)).toEqual({ status: 200, body: all[1] });
    const dotted = `${app.branches}/v1%2E0-done`;
    expect(await as(null).get(dotted)).toEqual({ status: 200, body: all[4] });
    expect(await as(carl).get(`${closed.branches}/master`)).toEqual({ status: 200, body: all[2] });
  });

  test.each([...oddNames, 'nowhere', 'feature', 'refs/heads/master', 'v1', first, 'HEAD'])(
    '%j gives 404',
    async (name) => {
      expect(await as(null).get(`${app.branches}/${encodeURIComponent(name)}`)).toEqual(
        refused.missing('Branch'),
      );
    },
  );

  test('a name with NUL is rejected', async () => {
    expect(await as(null).get(`${app.branches}/a%00b`)).toEqual(
      refused.parameter('400 Bad Request'),
    );
  });

  test('users who cannot read the code are refused', async () => {
    expect(await as(dora).get(`${closed.branches}/master`)).toEqual(refused.forbidden);
    expect(await as(null).get(`${closed.branches}/master`)).toEqual(refused.missing('Project'));
    expect(await as(null).get(`/projects/${empty}/repository/branches/master`)).toEqual(
      refused.missing('Branch'),
    );
  });
});

describe('HEAD /projects/:id/repository/branches/:branch', () => {
  const head = async (person: TestUser | null, path: string) => {
    const response = await as(person).fetch(path, { method: 'HEAD' });
    return { status: response.status, body: await response.text() };
  };

  test('the status tells whether the branch exists', async () => {
    expect(await head(null, `${app.branches}/${x}`)).toEqual({ status: 204, body: '' });
    expect(await head(null, `${app.branches}/nowhere`)).toEqual({ status: 404, body: '' });
    expect(await head(null, `${closed.branches}/master`)).toEqual({ status: 404, body: '' });
    expect(await head(dora, `${closed.branches}/master`)).toEqual({ status: 403, body: '' });
    expect(await head(null, app.branches)).toEqual({ status: 200, body: '' });
  });
});

describe('POST /projects/:id/repository/branches', () => {
  const text = (message: string) => ({ status: 400, body: { message } });

  test.each([
    ['a branch', 'from-branch', 'feature/x.y', feature],
    ['a tag', 'with/slash.and-dot', 'v1', first],
    ['a commit', 'ümlaut', tip, tip],
    ['a full name', 'from-full', 'refs/heads/master', tip],
  ])('a developer creates a branch from %s', async (_label, branch, ref, sha) => {
    const { branches, fullPath } = await createProject();
    const created = shape(branch, sha, { merged: sha === first });
    expect(await as(bob).post(branches, { branch, ref })).toEqual({ status: 201, body: created });
    expect(await as(bob).get(`${branches}/${encodeURIComponent(branch)}`)).toEqual({
      status: 200,
      body: created,
    });
    expect(await git(folder, 'ls-remote', remote(fullPath, bob), `refs/heads/${branch}`)).toBe(
      `${sha}\trefs/heads/${branch}`,
    );
  });

  test('a form is equivalent to JSON, and the former name of the parameter is accepted', async () => {
    const { branches } = await createProject();
    const body = new URLSearchParams({ branch_name: 'formerly', ref: 'master' });
    const response = await as(ada).fetch(branches, { method: 'POST', body });
    expect([response.status, await response.json()]).toEqual([201, shape('formerly', tip)]);
    expect(await db.push.count()).toBe(0);
  });

  test('users who cannot push get an error before the parameters are checked', async () => {
    const input = { branch: 'new', ref: 'master' };
    for (const body of [input, {}]) {
      expect(await as(null).post(app.branches, body)).toEqual(refused.anonymous);
      expect(await as(carl).post(app.branches, body)).toEqual(refused.forbidden);
      expect(await as(eve).post(app.branches, body)).toEqual(refused.forbidden);
      expect(await as(eve).post(closed.branches, body)).toEqual(refused.missing('Project'));
    }
    await as(root).post(`/projects/${closed.id}/archive`);
    expect(await as(ada).post(closed.branches, input)).toEqual(refused.forbidden);
    await as(root).post(`/projects/${closed.id}/unarchive`);
  });

  test.each([
    [{}, 'ref is missing, branch is missing'],
    [{ branch: 'x' }, 'ref is missing'],
    [{ ref: 'master' }, 'branch is missing'],
    [{ branch: ['x'], ref: 'master' }, 'branch is invalid'],
    [{ branch: 'a\0b', ref: 'master' }, 'branch is invalid'],
  ])('%j is rejected', async (body, message) => {
    expect(await as(bob).post(app.branches, body)).toEqual(refused.parameter(message));
  });

  test.each([
    ...[...oddNames, '', ' ', 'HEAD', '@', '/a', 'a/', 'x'.repeat(300), 'refs/heads/x'],
    'deadbeef'.repeat(5),
  ])('%j is rejected as a name', async (branch) => {
    expect(await as(bob).post(app.branches, { branch, ref: 'master' })).toEqual(
      text('Branch name is invalid'),
    );
  });

  test('a name that conflicts with the folder of another branch is rejected', async () => {
    for (const branch of ['feature', 'master/x']) {
      expect(await as(bob).post(app.branches, { branch, ref: 'master' })).toEqual(
        text('Branch name is invalid'),
      );
    }
  });

  test.each([...oddNames, '', 'nowhere', 'master:README.md', '0'.repeat(40), '--all'])(
    '%j is rejected as a ref',
    async (ref) => {
      expect(await as(bob).post(app.branches, { branch: 'new', ref })).toEqual(
        text('Invalid reference name'),
      );
    },
  );

  test('an empty repository has no ref to create a branch from', async () => {
    const path = `/projects/${empty}/repository/branches`;
    expect(await as(ada).post(path, { branch: 'master', ref: 'master' })).toEqual(
      text('Invalid reference name'),
    );
  });

  test('a protected name requires permission to push to it', async () => {
    const { id, branches } = await createProject();
    await as(ada).post(`/projects/${id}/protected_branches`, { name: 'release/*' });
    const input = { branch: 'release/1', ref: 'master' };
    expect(await as(bob).post(branches, input)).toEqual(
      text('You are not allowed to push code to protected branches on this project.'),
    );
    expect(await as(ada).post(branches, input)).toEqual({
      status: 201,
      body: shape('release/1', tip, { protected: true }),
    });
  });

  test('one of fifty concurrent requests for a branch succeeds', async () => {
    const { branches } = await createProject();
    const body = { branch: 'wanted', ref: 'master' };
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => as(bob).post(branches, body)),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 201)).toEqual(
      Array(49).fill(text('Branch already exists')),
    );
  });
});

describe('DELETE /projects/:id/repository/branches/:branch', () => {
  const protectedText =
    'You are not allowed to delete protected branches from this project. ' +
    'Only a project master or owner can delete a protected branch.';

  test('a developer deletes a branch', async () => {
    const { branches, fullPath } = await createProject();
    expect(await as(bob).delete(`${branches}/${x}`)).toEqual({ status: 204, body: null });
    expect(await as(bob).delete(`${branches}/${x}`)).toEqual(refused.missing('Branch'));
    expect(await git(folder, 'ls-remote', remote(fullPath, bob), 'refs/heads/feature/*')).toBe('');
  });

  test('the default branch cannot be deleted', async () => {
    for (const person of [bob, ada, root]) {
      expect(await as(person).delete(`${app.branches}/master`)).toEqual({
        status: 400,
        body: { message: 'The default branch of a project cannot be deleted.' },
      });
    }
  });

  test('only masters delete a protected branch', async () => {
    const { branches } = await createProject();
    await as(ada).put(`${branches}/done/protect`, { developers_can_push: true });
    expect(await as(bob).delete(`${branches}/done`)).toEqual({
      status: 400,
      body: { message: protectedText },
    });
    expect(await as(ada).delete(`${branches}/done`)).toEqual({ status: 204, body: null });
  });

  test('If-Unmodified-Since keeps a branch with a newer commit', async () => {
    const { branches } = await createProject();
    const since = (date: string) =>
      as(bob).fetch(`${branches}/done`, {
        method: 'DELETE',
        headers: { 'If-Unmodified-Since': date },
      });
    const response = await since('Sun, 01 Oct 2017 11:59:59 GMT');
    expect([response.status, await response.json()]).toEqual([
      412,
      { message: '412 Precondition Failed' },
    ]);
    expect((await since('Sun, 01 Oct 2017 12:00:00 GMT')).status).toBe(204);
  });

  test('users who cannot push get an error, and an invalid name gives 404', async () => {
    expect(await as(null).delete(`${app.branches}/done`)).toEqual(refused.anonymous);
    expect(await as(carl).delete(`${app.branches}/done`)).toEqual(refused.forbidden);
    expect(await as(eve).delete(`${closed.branches}/done`)).toEqual(refused.missing('Project'));
    for (const name of oddNames) {
      expect(await as(bob).delete(`${app.branches}/${encodeURIComponent(name)}`)).toEqual(
        refused.missing('Branch'),
      );
    }
  });

  test('one of twenty concurrent deletions succeeds', async () => {
    const { branches } = await createProject();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => as(bob).delete(`${branches}/done`)),
    );
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 204)).toEqual(
      Array(19).fill(refused.missing('Branch')),
    );
  });
});

describe('DELETE /projects/:id/repository/merged_branches', () => {
  const accepted = { status: 202, body: { message: '202 Accepted' } };

  test('a developer deletes the branches that are merged and not protected', async () => {
    const { id, branches } = await createProject();
    await as(ada).post(`/projects/${id}/protected_branches`, { name: 'v1*' });
    expect(await as(bob).delete(`/projects/${id}/repository/merged_branches`)).toEqual(accepted);
    expect(await as(bob).get(branches)).toEqual({
      status: 200,
      body: [...all.slice(1, 4), shape('v1.0-done', first, { merged: true, protected: true })],
    });
    const many = Array.from({ length: 120 }, (_, n) => `${first}:refs/heads/old/${n}`);
    const { fullPath } = await db.project.findUniqueOrThrow({ where: { id } });
    expect((await tryGit(folder, 'push', remote(fullPath, bob), ...many)).code).toBe(0);
    expect(
      await Promise.all(
        [bob, ada].map((p) => as(p).delete(`/projects/${id}/repository/merged_branches`)),
      ),
    ).toEqual([accepted, accepted]);
    expect((await as(bob).get(`${branches}?search=old`)).body).toEqual([]);
    expect(await db.push.count()).toBe(0);
  });

  test('an empty repository has nothing to delete', async () => {
    expect(await as(bob).delete(`/projects/${empty}/repository/merged_branches`)).toEqual(accepted);
  });

  test('users who cannot push get an error', async () => {
    const path = `/projects/${app.id}/repository/merged_branches`;
    expect(await as(null).delete(path)).toEqual(refused.anonymous);
    expect(await as(carl).delete(path)).toEqual(refused.forbidden);
    expect(await as(eve).delete(`/projects/${closed.id}/repository/merged_branches`)).toEqual(
      refused.missing('Project'),
    );
    expect(await as(null).get(app.branches)).toEqual({ status: 200, body: all });
  });
});
