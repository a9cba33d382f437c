import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { initialCommitShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');

await seed.group('acme', {}, { visibility: 'public' });
const folder = await workTree({ 'README.md': '# App\n' });
afterAll(() => rm(folder, { recursive: true }));
await git(folder, 'branch', 'stable/1.0');
await git(folder, 'branch', 'work');

let count = 0;
/** Creates a project with three branches; the default branch is protected by the settings. */
async function createProject(visibility: 'public' | 'private' = 'public') {
  count += 1;
  const fullPath = `acme/app-${count}`;
  const roles = { master: ada, developer: bob, reporter: carl };
  const { id } = await seed.project(fullPath, roles, { visibility });
  await git(folder, 'push', '--quiet', '--force', remote(fullPath, root), '--all');
  const branches = `/projects/${id}/repository/branches`;
  return { id, fullPath, branches, rules: `/projects/${id}/protected_branches` };
}

const descriptions = { 0: 'No one', 30: 'Developers + Masters', 40: 'Masters' } as const;
type Level = keyof typeof descriptions;

const rule = (name: string, push: Level = 40, merge: Level = 40) => ({
  name,
  push_access_levels: [{ access_level: push, access_level_description: descriptions[push] }],
  merge_access_levels: [{ access_level: merge, access_level_description: descriptions[merge] }],
});

const sha = await git(folder, 'rev-parse', 'HEAD');
const branch = (name: string, overrides: object = {}) => ({
  name,
  commit: initialCommitShape(sha),
  merged: false,
  protected: false,
  developers_can_push: false,
  developers_can_merge: false,
  ...overrides,
});

const app = await createProject();
const closed = await createProject('private');
const stable = encodeURIComponent('stable/1.0');

/** Pushes a new commit to `name`; false if the push was rejected. */
async function pushes(person: TestUser, fullPath: string, name: string): Promise<boolean> {
  await commit(folder, {}, `For ${name}`);
  const target = `HEAD:refs/heads/${name}`;
  const { code } = await tryGit(folder, 'push', '--quiet', remote(fullPath, person), target);
  await git(folder, 'reset', '--quiet', '--hard', sha);
  return code === 0;
}

describe('PUT /projects/:id/repository/branches/:branch/protect', () => {
  test('a master protects a branch and changes what developers can do', async () => {
    const { branches, rules, fullPath } = await createProject();
    const path = `${branches}/${stable}/protect`;
    const shown = (push: boolean, merge: boolean) => ({
      status: 200,
      body: branch('stable/1.0', {
        protected: true,
        developers_can_push: push,
        developers_can_merge: merge,
      }),
    });
    expect(await as(ada).put(path)).toEqual(shown(false, false));
    expect(await pushes(bob, fullPath, 'stable/1.0')).toBe(false);
    expect(await as(ada).put(path, { developers_can_merge: true })).toEqual(shown(false, true));
    expect(await as(ada).put(path, { developers_can_push: 'yes' })).toEqual(shown(true, true));
    expect(await as(ada).put(path)).toEqual(shown(true, true));
    expect(await as(ada).get(`${rules}/${stable}`)).toEqual({
      status: 200,
      body: rule('stable/1.0', 30, 30),
    });
    expect(await as(ada).put(path, { developers_can_merge: false })).toEqual(shown(true, false));
    expect(await pushes(bob, fullPath, 'stable/1.0')).toBe(true);
  });

  test('twenty concurrent requests protect a branch once', async () => {
    const { id, branches } = await createProject();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        as(ada).put(`${branches}/work/protect`, { developers_can_push: n % 2 === 0 }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await db.protectedBranch.count({ where: { projectId: id, name: 'work' } })).toBe(1);
  });

  test.each(['protect', 'unprotect'])('users below master cannot %s a branch', async (verb) => {
    const path = `${app.branches}/work/${verb}`;
    expect(await as(null).put(path)).toEqual(refused.anonymous);
    for (const person of [bob, carl, eve]) {
      expect(await as(person).put(path)).toEqual(refused.forbidden);
    }
    expect(await as(eve).put(`${closed.branches}/work/${verb}`)).toEqual(
      refused.missing('Project'),
    );
    for (const name of ['nowhere', '..%2Fx', '-d', 'sta*', '*']) {
      expect(await as(ada).put(`${app.branches}/${name}/${verb}`)).toEqual(
        refused.missing('Branch'),
      );
    }
  });

  test('rejects flags that are not booleans', async () => {
    const invalidFlags = { developers_can_push: 'perhaps', developers_can_merge: 2 };
    expect(await as(ada).put(`${app.branches}/work/protect`, invalidFlags)).toEqual(
      refused.parameter('developers_can_push is invalid, developers_can_merge is invalid'),
    );
    expect(await as(eve).put(`${closed.branches}/work/protect`, invalidFlags)).toEqual(
      refused.missing('Project'),
    );
  });
});

describe('PUT /projects/:id/repository/branches/:branch/unprotect', () => {
  test('a master unprotects a branch; repeating it changes nothing', async () => {
    const { branches, fullPath } = await createProject();
    expect(await pushes(bob, fullPath, 'master')).toBe(false);
    for (const person of [ada, root, ada]) {
      expect(await as(person).put(`${branches}/master/unprotect`)).toEqual({
        status: 200,
        body: branch('master'),
      });
    }
    expect(await pushes(bob, fullPath, 'master')).toBe(true);
  });

  test('a wildcard rule that matches the branch stays', async () => {
    const { branches, rules } = await createProject();
    await as(ada).post(rules, { name: 'w*', push_access_level: 0, merge_access_level: 30 });
    expect(await as(ada).put(`${branches}/work/unprotect`)).toEqual({
      status: 200,
      body: branch('work', { protected: true, developers_can_merge: true }),
    });
  });
});

describe('GET /projects/:id/protected_branches', () => {
  test('masters list the rules by name', async () => {
    const { rules } = await createProject();
    for (const name of ['work', 'stable/*']) await as(ada).post(rules, { name });
    const all = ['master', 'stable/*', 'work'].map((name) => rule(name));
    for (const person of [ada, root]) {
      expect(await as(person).get(rules)).toEqual({ status: 200, body: all });
    }
    const page = await as(ada).fetch(`${rules}?per_page=2&page=2`);
    expect([page.headers.get('X-Total'), await page.json()]).toEqual(['3', all.slice(2)]);
  });

  test('users below master are refused before the parameters are checked', async () => {
    for (const query of ['', '?page=x']) {
      expect(await as(null).get(`${app.rules}${query}`)).toEqual(refused.anonymous);
      for (const person of [bob, carl, eve]) {
        expect(await as(person).get(`${app.rules}${query}`)).toEqual(refused.forbidden);
      }
      expect(await as(eve).get(`${closed.rules}${query}`)).toEqual(refused.missing('Project'));
    }
    expect(await as(ada).get(`${app.rules}?page=x`)).toEqual(refused.parameter('page is invalid'));
  });
});

describe('GET /projects/:id/protected_branches/:name', () => {
  test('shows the rule with exactly this name', async () => {
    const { rules } = await createProject();
    await as(ada).post(rules, { name: 'stable/*', push_access_level: 0 });
    expect(await as(ada).get(`${rules}/stable%2F*`)).toEqual({
      status: 200,
      body: rule('stable/*', 0),
    });
    for (const name of [stable, 'work', 'Master']) {
      expect(await as(ada).get(`${rules}/${name}`)).toEqual(refused.record);
    }
    expect(await as(bob).get(`${rules}/master`)).toEqual(refused.forbidden);
    expect(await as(eve).get(`${closed.rules}/master`)).toEqual(refused.missing('Project'));
    expect(await as(null).get(`${rules}/master`)).toEqual(refused.anonymous);
  });
});

describe('POST /projects/:id/protected_branches', () => {
  test.each<[Level, Level]>([
    [0, 0],
    [30, 30],
    [40, 0],
    [0, 40],
  ])('a master protects a wildcard with push level %i and merge level %i', async (push, merge) => {
    const { rules, branches } = await createProject();
    const input = { name: '*/1.0', push_access_level: push, merge_access_level: merge };
    expect(await as(ada).post(rules, input)).toEqual({
      status: 201,
      body: rule('*/1.0', push, merge),
    });
    expect(await as(bob).get(`${branches}?search=stable`)).toEqual({
      status: 200,
      body: [
        branch('stable/1.0', {
          protected: true,
          developers_can_push: push === 30,
          developers_can_merge: merge === 30,
        }),
      ],
    });
  });

  test('omitted levels are master; a form is equivalent to JSON', async () => {
    const { rules } = await createProject();
    const body = new URLSearchParams({ name: 'later', merge_access_level: '30' });
    const response = await as(root).fetch(rules, { method: 'POST', body });
    expect([response.status, await response.json()]).toEqual([201, rule('later', 40, 30)]);
  });

  test('the rule decides which users can push', async () => {
    const { rules, fullPath } = await createProject();
    await as(ada).post(rules, { name: 'work', push_access_level: 0 });
    await as(ada).post(rules, { name: 'stable/*', push_access_level: 30 });
    expect(await pushes(ada, fullPath, 'work')).toBe(false);
    expect(await pushes(bob, fullPath, 'stable/1.0')).toBe(true);
  });

  test('one of twenty concurrent requests with one name creates a rule', async () => {
    const { rules } = await createProject();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => as(ada).post(rules, { name: "it's" })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 201)).toEqual(
      Array(19).fill(refused.conflict("Protected branch 'it's' already exists")),
    );
  });

  test.each([
    [{}, 'name is missing'],
    [{ name: '' }, 'name is empty'],
    [{ name: 'a\0b' }, 'name is invalid'],
    [{ name: 'x', push_access_level: 20 }, 'push_access_level does not have a valid value'],
    [{ name: 'x', merge_access_level: 'all' }, 'merge_access_level does not have a valid value'],
  ])('%j is rejected', async (body, message) => {
    expect(await as(ada).post(app.rules, body)).toEqual(refused.parameter(message));
    expect(await as(bob).post(app.rules, body)).toEqual(refused.forbidden);
    expect(await as(eve).post(closed.rules, body)).toEqual(refused.missing('Project'));
    expect(await as(null).post(app.rules, body)).toEqual(refused.anonymous);
  });

  test('a name has at most 1024 bytes', async () => {
    const tooLong = refused.invalid({ name: ['is too long (maximum is 1024 characters)'] });
    expect(await as(ada).post(app.rules, { name: 'x'.repeat(1025) })).toEqual(tooLong);
    expect(await as(ada).post(app.rules, { name: 'ü'.repeat(513) })).toEqual(tooLong);
    const name = 'ü'.repeat(512);
    expect(await as(ada).post(app.rules, { name })).toEqual({ status: 201, body: rule(name) });
  });
});

describe('DELETE /projects/:id/protected_branches/:name', () => {
  test('a master deletes a rule once', async () => {
    const { rules, branches } = await createProject();
    await as(ada).post(rules, { name: 'stable/*' });
    expect(await as(ada).delete(`${rules}/stable%2F*`)).toEqual({ status: 204, body: null });
    expect(await as(ada).delete(`${rules}/stable%2F*`)).toEqual(refused.record);
    expect((await as(bob).get(`${branches}/${stable}`)).body).toEqual(branch('stable/1.0'));
  });

  test('If-Unmodified-Since keeps a rule that was created later', async () => {
    const { rules } = await createProject();
    const since = (date: string) =>
      as(ada).fetch(`${rules}/master`, {
        method: 'DELETE',
        headers: { 'If-Unmodified-Since': date },
      });
    const response = await since('Sun, 01 Oct 2017 11:59:59 GMT');
    expect([response.status, await response.json()]).toEqual([
      412,
      { message: '412 Precondition Failed' },
    ]);
    expect((await since('Sun, 01 Oct 2999 12:00:00 GMT')).status).toBe(204);
  });

  test('users below master cannot delete a rule', async () => {
    expect(await as(null).delete(`${app.rules}/master`)).toEqual(refused.anonymous);
    expect(await as(bob).delete(`${app.rules}/master`)).toEqual(refused.forbidden);
    expect(await as(eve).delete(`${app.rules}/nowhere`)).toEqual(refused.forbidden);
    expect(await as(eve).delete(`${closed.rules}/master`)).toEqual(refused.missing('Project'));
  });
});
