import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyFork } from '../../schema/forks/copy.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { gitStore } from '../../server/git/store.ts';
import { commit, git, temporaryFolder, tryGit, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { basicProjectShape, masterFields, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, url, dataFolder, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const limitZero = await seed.user('full', { projectsLimit: 0 });

const acme = await seed.group('acme', { owner: ada, developer: bob }, { visibility: 'public' });
const closed = await seed.group('closed', { master: [ada, bob] });
const app = await seed.project('acme/app', {}, { visibility: 'public', description: 'An app' });
const head = await seed.push('acme/app', { 'README.md': '# App', 'src/a.txt': 'a' });

const missing = refused.missing('Project');
const namespaceNotFound = refused.missing('Target Namespace');
const alreadyTaken = {
  status: 409,
  body: { message: { name: ['has already been taken'], path: ['has already been taken'] } },
};

interface Project {
  readonly id: number;
  readonly import_status: string;
}

const namespaceOf = async ({ username }: TestUser) =>
  (await db.route.findUniqueOrThrow({ where: { key: username } })).namespaceId as number;

/** Waits until the copy of a fork has finished or failed. */
const copyStatus = async (id: number) => {
  const statusOf = async () =>
    (await db.project.findUniqueOrThrow({ where: { id } })).importStatus as string;
  await expect.poll(statusOf).toMatch(/^(finished|failed)$/);
  return statusOf();
};

/** Forks a project and returns the fork as in the response. */
async function createFork(person: TestUser, project: number | string, input: object = {}) {
  const { status, body } = await as(person).post(`/projects/${project}/fork`, { ...input });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body as Project;
}

const folderOf = async (id: number) => {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return join(dataFolder, 'repositories', `${diskPath}.git`);
};

const forksCount = async (id: number) =>
  (await db.project.findUniqueOrThrow({ where: { id } })).forksCount;

const source = () => ({
  ...basicProjectShape(url, {
    id: app.id,
    fullPath: 'acme/app',
    creatorId: root.id,
    namespaceId: acme.id,
  }),
  description: 'An app',
  default_branch: 'master',
  forks_count: expect.any(Number),
});

describe('POST /projects/:id/fork', () => {
  test('a user forks a readable project with its code', async () => {
    const response = await as(bob).post(`/projects/${app.id}/fork`);
    const { id } = response.body as Project;
    const namespaceId = await namespaceOf(bob);
    expect(response).toEqual({
      status: 201,
      body: {
        ...projectShape(
          url,
          {
            id,
            fullPath: 'bob/app',
            visibility: 'public',
            creatorId: bob.id,
            namespaceId,
            owner: bob,
          },
          [40, null],
        ),
        ...masterFields,
        description: 'An app',
        default_branch: 'master',
        forked_from_project: source(),
        import_status: 'scheduled',
      },
    });
    expect(await copyStatus(id)).toBe('finished');
    expect(await as(bob).get(`/projects/${id}`)).toMatchObject({
      status: 200,
      body: { import_status: 'finished', import_error: null, default_branch: 'master' },
    });
    const clone = await temporaryFolder();
    await git(clone, 'clone', '--quiet', remote('bob/app', bob), '.');
    expect(await git(clone, 'rev-parse', 'HEAD')).toBe(head);
    await rm(clone, { recursive: true });
    const rules = await db.protectedBranch.findMany({ where: { projectId: id } });
    expect(rules).toMatchObject([{ name: 'master', pushAccessLevel: 40 }]);
    const { commitCount, repositorySize } = await db.projectStatistics.findUniqueOrThrow({
      where: { projectId: id },
    });
    expect(commitCount).toBe(1n);
    expect(repositorySize).toBeGreaterThan(0n);
  });

  test('copies every branch and tag; fork and source are then independent', async () => {
    const { id } = await seed.project('acme/wide', { developer: bob });
    const folder = await workTree({ 'a.txt': 'a' });
    await git(folder, 'tag', '--annotate', '--message=One', 'v1');
    await git(folder, 'branch', 'feature/one');
    await git(folder, 'push', '--quiet', remote('acme/wide', root), '--all');
    await git(folder, 'push', '--quiet', remote('acme/wide', root), '--tags');
    // some objects packed, some loose
    await git(await folderOf(id), 'repack', '-adq');
    const before = await commit(folder, { 'b.txt': 'b' }, 'Later');
    await git(folder, 'push', '--quiet', remote('acme/wide', root), 'master');
    const fork = await createFork(bob, id);
    await copyStatus(fork.id);
    const refsOf = async (project: number) =>
      git(await folderOf(project), 'for-each-ref', '--format=%(objectname) %(refname)');
    expect(await refsOf(fork.id)).toBe(await refsOf(id));
    expect(await git(await folderOf(fork.id), 'count-objects', '-v')).not.toContain('alternate');
    await commit(folder, { 'c.txt': 'c' }, 'In the fork');
    await git(folder, 'push', '--quiet', remote('bob/wide', bob), 'master');
    expect(await git(await folderOf(id), 'rev-parse', 'master')).toBe(before);

    // the fork does not need the source
    expect((await as(root).delete(`/projects/${id}`)).status).toBe(202);
    await expect.poll(() => db.project.count({ where: { id } })).toBe(0);
    await git(await folderOf(fork.id), 'fsck', '--strict');
    const clone = await temporaryFolder();
    await git(clone, 'clone', '--quiet', remote('bob/wide', bob), '.');
    expect(await git(clone, 'rev-list', '--count', 'HEAD')).toBe('3');
    expect(await as(bob).get(`/projects/${fork.id}`)).not.toHaveProperty(
      'body.forked_from_project',
    );
    await rm(folder, { recursive: true });
    await rm(clone, { recursive: true });
  });

  test('forks into a group by id, path or name, with another name and path', async () => {
    const targets = [
      [acme.id, 'one'],
      ['acme', 'two'],
      ['ACME', 'three'],
      [await namespaceOf(ada), 'four'],
    ] as const;
    for (const [namespace, path] of targets) {
      const { id } = await createFork(ada, app.id, { namespace, name: `Fork ${path}`, path });
      expect(await as(ada).get(`/projects/${id}`)).toMatchObject({
        body: { path, name: `Fork ${path}`, forked_from_project: { id: app.id } },
      });
      await copyStatus(id);
    }
    await as(root).put(`/groups/${closed.id}`, { name: 'Closed Circle' });
    const { id } = await createFork(ada, app.id, { namespace: 'Closed Circle' });
    expect(await as(ada).get(`/projects/${id}`)).toMatchObject({
      body: { path_with_namespace: 'closed/app', visibility: 'private' },
    });
    await as(root).put(`/groups/${closed.id}`, { name: 'closed' });
    await copyStatus(id);
  });

  test('an unknown namespace, or one without permission, gives 404', async () => {
    for (const namespace of ['nowhere', '0', '2147483647', '9999999999', 'acme/app']) {
      expect(await as(ada).post(`/projects/${app.id}/fork`, { namespace })).toEqual(
        namespaceNotFound,
      );
    }
    const path = `/projects/${app.id}/fork`;
    expect(await as(bob).post(path, { namespace: 'acme' })).toEqual(namespaceNotFound);
    expect(await as(bob).post(path, { namespace: 'ada' })).toEqual(namespaceNotFound);
    expect(await as(carl).post(path, { namespace: closed.id })).toEqual(namespaceNotFound);
  });

  test('a name or path that is taken gives 409', async () => {
    await seed.project('carl/app');
    expect(await as(carl).post(`/projects/${app.id}/fork`)).toEqual(alreadyTaken);
    const same = { namespace: 'acme' };
    expect(await as(ada).post(`/projects/${app.id}/fork`, same)).toEqual(alreadyTaken);
    const named = { path: 'other', name: 'app' };
    expect(await as(carl).post(`/projects/${app.id}/fork`, named)).toEqual({
      status: 409,
      body: { message: { name: ['has already been taken'] } },
    });
    const before = await forksCount(app.id);
    expect(await as(carl).post(`/projects/${app.id}/fork`, { path: 'app' })).toEqual(alreadyTaken);
    expect(await forksCount(app.id)).toBe(before);
  });

  test('requires access to the project and its code', async () => {
    const { id } = await seed.project('acme/secret', { guest: carl });
    expect(await as(limitZero).post(`/projects/${id}/fork`)).toEqual(missing);
    expect(await as(carl).post(`/projects/${id}/fork`)).toEqual(refused.forbidden);
    expect(await as(null).post(`/projects/${id}/fork`)).toEqual(refused.anonymous);
    expect(await as(null).post(`/projects/${app.id}/fork`)).toEqual(refused.anonymous);
    expect(await as(root).post('/projects/0/fork')).toEqual(missing);
    expect(await as(root).post('/projects/acme%2Fnothing/fork')).toEqual(missing);
  });

  test('rejects invalid parameters by name', async () => {
    const path = `/projects/${app.id}/fork`;
    expect(await as(ada).post(path, { namespace: '' })).toEqual(
      refused.parameter('namespace is empty'),
    );
    expect(await as(ada).post(path, { path: '../up' })).toMatchObject({ status: 400 });
    expect(await as(ada).post(path, { namespace: ['a'] })).toEqual(
      refused.parameter('namespace is invalid'),
    );
  });

  test('the project limit applies', async () => {
    expect(await as(limitZero).post(`/projects/${app.id}/fork`)).toEqual({
      status: 403,
      body: {
        error: [
          'Personal project creation is not allowed. Please contact your administrator with questions',
        ],
      },
    });
  });

  test('copies the settings, with the visibility limited by the group', async () => {
    const settings = {
      visibility: 'internal',
      description: 'Much is off',
      issues_enabled: false,
      wiki_enabled: false,
      snippets_enabled: true,
      shared_runners_enabled: false,
      ci_config_path: 'ci.yml',
    };
    const { id } = await seed.project('acme/full', {}, settings);
    const fork = await createFork(carl, id);
    expect(await as(carl).get(`/projects/${fork.id}`)).toMatchObject({ body: settings });
    const inside = await createFork(ada, id, { namespace: 'closed' });
    expect(await as(ada).get(`/projects/${inside.id}`)).toMatchObject({
      body: { ...settings, visibility: 'private' },
    });
    expect([await copyStatus(fork.id), await copyStatus(inside.id)]).toEqual([
      'finished',
      'finished',
    ]);
  });

  test('copies the avatar, which stays when the source is removed', async () => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { id } = await seed.project('acme/pictured', {}, { visibility: 'public' });
    const form = new FormData();
    form.set('avatar', new Blob([Buffer.from(pixel, 'base64')]), 'pixel.png');
    expect((await as(ada).fetch(`/projects/${id}`, { method: 'PUT', body: form })).status).toBe(
      200,
    );
    const fork = (await createFork(bob, id)) as Project & { readonly avatar_url: string };
    expect(fork.avatar_url).toBe(`${url}/uploads/-/system/project/avatar/${fork.id}/pixel.png`);
    await copyStatus(fork.id);
    await as(ada).delete(`/projects/${id}`);
    await expect.poll(() => db.project.count({ where: { id } })).toBe(0);
    const picture = await fetch(fork.avatar_url);
    expect(Buffer.from(await picture.arrayBuffer()).toString('base64')).toBe(pixel);
  });

  test('a fork can be forked, even before its copy has finished', async () => {
    const first = await createFork(carl, app.id, { name: 'first', path: 'first' });
    const second = await createFork(bob, first.id);
    expect(second).toMatchObject({ forked_from_project: { id: first.id } });
    expect(await copyStatus(second.id)).toBe('finished');
    expect(await git(await folderOf(second.id), 'rev-parse', 'HEAD')).toBe(head);
  });

  test('a fork of an empty project is empty', async () => {
    const { id } = await seed.project('acme/empty', {}, { visibility: 'public' });
    const fork = await createFork(bob, id);
    expect(await copyStatus(fork.id)).toBe('finished');
    await seed.push('bob/empty', { 'README.md': '# First' });
    expect(await as(bob).get(`/projects/${fork.id}`)).toMatchObject({
      body: { default_branch: 'master', import_status: 'finished' },
    });
  });

  test('counts each of several concurrent forks', async () => {
    const { id } = await seed.project('acme/popular', {}, { visibility: 'public' });
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        as(ada).post(`/projects/${id}/fork`, { name: `popular-${n}`, path: `popular-${n}` }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(await forksCount(id)).toBe(6);
    const ids = responses.map(({ body }) => (body as Project).id);
    for (const fork of ids) await copyStatus(fork);
    await Promise.all(ids.slice(0, 4).map((fork) => as(ada).delete(`/projects/${fork}`)));
    expect(await forksCount(id)).toBe(2);
    // removing a group removes its forks
    await seed.group('passing', { owner: ada }, { visibility: 'public' });
    await copyStatus((await createFork(ada, id, { namespace: 'passing' })).id);
    expect(await forksCount(id)).toBe(3);
    const passing = await as(ada).delete('/groups/passing');
    expect(passing.status).toBeLessThan(300);
    expect(await forksCount(id)).toBe(2);
  });

  test('an unfinished fork rejects pushes and writes by the API', async () => {
    const fork = await createFork(carl, app.id, { name: 'waiting', path: 'waiting' });
    await copyStatus(fork.id);
    await db.project.update({ where: { id: fork.id }, data: { importStatus: 'started' } });
    const folder = await workTree({ 'x.txt': 'x' });
    const push = await tryGit(folder, 'push', remote('carl/waiting', carl), 'HEAD:mine');
    expect(push).toMatchObject({ code: 128 });
    expect(push.stderr).toContain('The repository is not complete yet.');
    const branch = await as(carl).post(`/projects/${fork.id}/repository/branches`, {
      branch: 'mine',
      ref: 'master',
    });
    expect(branch.status).toBeGreaterThanOrEqual(400);
    await db.project.update({ where: { id: fork.id }, data: { importStatus: 'finished' } });
    expect((await tryGit(folder, 'push', remote('carl/waiting', carl), 'HEAD:mine')).code).toBe(0);
    await rm(folder, { recursive: true });
  });

  test('the fork fails with a reason if the source is removed before the copy', async () => {
    const { id } = await seed.project('acme/brief', {}, { visibility: 'public' });
    // an import that never finishes: its forks wait for it
    await db.project.update({ where: { id }, data: { importStatus: 'started' } });
    const fork = await createFork(bob, id);
    expect((await as(root).delete(`/projects/${id}`)).status).toBe(202);
    expect(await copyStatus(fork.id)).toBe('failed');
    expect(await as(bob).get(`/projects/${fork.id}`)).toMatchObject({
      body: {
        import_status: 'failed',
        import_error: 'The project it was to be forked from has been removed.',
      },
    });
  });

  test('the fork of a damaged source fails with a reason after several attempts', async () => {
    const { id } = await seed.project('acme/damaged', {}, { visibility: 'public' });
    await seed.push('acme/damaged', { 'a.txt': 'lost' });
    const folder = await folderOf(id);
    const blob = await git(folder, 'rev-parse', 'master:a.txt');
    await rm(join(folder, 'objects', blob.slice(0, 2)), { recursive: true });
    const fork = await createFork(bob, id);
    const store = gitStore({
      storages: new Map([['default', join(dataFolder, 'repositories')]]),
      allowsLocalRequests: false,
    });
    const parts = { db, git: store } as unknown as Context;
    const attempt = (number: number) =>
      copyFork(
        { projectId: fork.id, sourceId: id },
        { number, isLast: false, signal: new AbortController().signal },
        parts,
      );
    await expect(attempt(5)).rejects.toThrow('git fetch');
    expect(await as(bob).get(`/projects/${fork.id}`)).toMatchObject({
      body: { import_status: 'started' },
    });
    await attempt(6);
    expect(await as(bob).get(`/projects/${fork.id}`)).toMatchObject({
      body: { import_status: 'failed', import_error: 'The repository could not be copied.' },
    });
    expect(await git(await folderOf(fork.id), 'for-each-ref')).toBe('');
    // a late attempt does nothing
    expect(await attempt(7)).toBeUndefined();
    await store.close();
  });
});
