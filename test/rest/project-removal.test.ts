import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryGit, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, dataFolder, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const limitOne = await seed.user('scarce', { projectsLimit: 1 });

const acme = await seed.group('acme', { owner: ada, master: bob });
const friends = await seed.group('friends', { master: carl }, { visibility: 'public' });

const accepted = { status: 202, body: { message: '202 Accepted' } };
const missing = refused.missing('Project');
const repositories = join(dataFolder, 'repositories');

/** The repository folder of a project. */
async function folderOf(id: number) {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return join(repositories, `${diskPath}.git`);
}

const exists = (folder: string) =>
  access(folder).then(
    () => true,
    () => false,
  );

const idsOf = (body: unknown) => (body as { id: number }[]).map(({ id }) => id);

/** Waits until the job has deleted every removed project. */
const removalsFinished = () =>
  expect.poll(() => db.project.count({ where: { isRemoved: true } })).toBe(0);

describe('DELETE /projects/:id', () => {
  test.each([
    ['the owner', carl, 'carl/doomed'],
    ['an owner of the group', ada, 'acme/doomed'],
    ['an administrator', root, 'acme/condemned'],
  ])('%s removes a project', async (_caller, person, path) => {
    const { id } = await seed.project(path, { guest: limitOne });
    expect(await as(person).delete(`/projects/${id}`)).toEqual(accepted);
    expect(await as(person).delete(`/projects/${id}`)).toEqual(missing);
  });

  test('is refused to masters, lower roles and other users', async () => {
    const { id } = await seed.project('acme/kept', { guest: limitOne, master: carl });
    const path = `/projects/${id}`;
    for (const person of [bob, carl, limitOne]) {
      expect(await as(person).delete(path)).toEqual(refused.forbidden);
    }
    expect(await as(null).delete(path)).toEqual(refused.anonymous);
    const { id: hidden } = await seed.project('acme/hidden');
    expect(await as(carl).delete(`/projects/${hidden}`)).toEqual(missing);
    expect(await as(root).delete('/projects/0')).toEqual(missing);
    expect(await as(root).delete('/projects/acme%2Fnothing')).toEqual(missing);
  });

  test('is forbidden for a master by a share', async () => {
    const { id } = await seed.project('acme/shared');
    const input = { group_id: friends.id, group_access: 40 };
    await as(root).post(`/projects/${id}/share`, input);
    expect(await as(carl).delete(`/projects/${id}`)).toEqual(refused.forbidden);
  });

  test('hides the project immediately from every list and endpoint', async () => {
    const { id } = await seed.project('ada/gone', { developer: bob }, { visibility: 'public' });
    await seed.push('ada/gone', { 'README.md': '# Gone' });
    await as(ada).post(`/projects/${id}/share`, { group_id: friends.id, group_access: 40 });
    await as(bob).post(`/projects/${id}/star`);
    const listings = [
      '',
      '?starred=true',
      '?membership=true',
      '?search=gone',
      '?visibility=public',
    ];
    const isListed = async (person: TestUser | null) => {
      const idsPerList: number[][] = [];
      for (const query of listings) {
        idsPerList.push(idsOf((await as(person).get(`/projects${query}`)).body));
      }
      idsPerList.push(idsOf((await as(person).get('/users/ada/projects')).body));
      idsPerList.push(idsOf((await as(person).get(`/groups/${friends.id}/projects`)).body));
      return idsPerList.map((ids) => ids.includes(id));
    };
    expect((await isListed(bob)).slice(0, 5)).toEqual([true, true, true, true, true]);

    expect(await as(ada).delete(`/projects/${id}`)).toEqual(accepted);
    for (const person of [null, ada, bob, carl, root]) {
      expect(await isListed(person)).toEqual(Array(listings.length + 2).fill(false));
      for (const ref of [id, 'ada%2Fgone']) {
        expect(await as(person).get(`/projects/${ref}`)).toEqual(missing);
        expect(await as(person).get(`/projects/${ref}/users`)).toEqual(missing);
        expect(await as(person).get(`/projects/${ref}/repository/tree`)).toEqual(missing);
      }
    }
    for (const person of [ada, root]) {
      expect(await as(person).get(`/projects/${id}/members`)).toEqual(missing);
      expect(await as(person).get(`/projects/${id}/members/${bob.id}`)).toEqual(missing);
      expect(await as(person).put(`/projects/${id}`, { description: 'back' })).toEqual(missing);
      for (const verb of ['star', 'unstar', 'archive', 'unarchive']) {
        expect(await as(person).post(`/projects/${id}/${verb}`)).toEqual(missing);
      }
      expect(await as(person).delete(`/projects/${id}/share/${friends.id}`)).toEqual(missing);
    }
    const folder = await workTree({ 'a.txt': 'a' });
    expect((await tryGit(folder, 'ls-remote', remote('ada/gone', root))).code).toBe(128);
    expect((await tryGit(folder, 'push', remote('ada/gone', root), 'HEAD:x')).code).toBe(128);
    await rm(folder, { recursive: true });
  });

  test('frees path, name and former paths immediately', async () => {
    const { id } = await seed.project('acme/Once', {}, { name: 'Only Once' });
    await as(ada).put(`/projects/${id}`, { path: 'twice' });
    expect(await as(ada).delete(`/projects/${id}`)).toEqual(accepted);
    const again = { name: 'Only Once', path: 'TWICE', namespace_id: acme.id };
    const { status, body } = await as(bob).post('/projects', again);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'Only Once', path: 'TWICE' },
    });
    expect((await as(bob).post('/projects', { ...again, path: 'once', name: 'x' })).status).toBe(
      201,
    );
    expect((await as(ada).get('/projects/acme%2Ftwice')).body).toMatchObject({
      id: (body as { id: number }).id,
    });
  });

  test('similar names of other projects do not prevent the removal', async () => {
    const { id } = await seed.project('acme/app');
    const names = [`app removed ${id}`, `app ${id}`, `app-${id}`, `app.${id}`, `app+${id}`];
    for (const [index, name] of names.entries()) {
      await seed.project(`acme/near-${index}`, {}, { name });
    }
    expect(await as(ada).delete(`/projects/${id}`)).toEqual(accepted);
  });

  test('a removed project does not count towards the limit', async () => {
    const { body } = await as(limitOne).post('/projects', { path: 'one' });
    expect((await as(limitOne).post('/projects', { path: 'two' })).status).toBe(403);
    await as(limitOne).delete(`/projects/${(body as { id: number }).id}`);
    expect((await as(limitOne).post('/projects', { path: 'two' })).status).toBe(201);
  });

  test('concurrent removals respond with 202 or 404', async () => {
    const { id } = await seed.project('acme/raced');
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => as(ada).delete(`/projects/${id}`)),
    );
    for (const response of responses) expect([accepted, missing]).toContainEqual(response);
    expect(responses).toContainEqual(accepted);
  });

  test('If-Unmodified-Since keeps a project that was changed later', async () => {
    const { id } = await seed.project('acme/changed', { master: carl });
    const updatedAt = new Date('2017-06-01T12:00:00.750Z');
    await db.project.update({ where: { id }, data: { updatedAt } });
    const deleteIfUnmodified = async (person: TestUser, since: string) => {
      const response = await as(person).fetch(`/projects/${id}`, {
        method: 'DELETE',
        headers: { 'If-Unmodified-Since': since },
      });
      return { status: response.status, body: await response.json() };
    };
    const failed = { status: 412, body: { message: '412 Precondition Failed' } };
    expect(await deleteIfUnmodified(ada, 'Thu, 01 Jun 2017 11:59:59 GMT')).toEqual(failed);
    expect(await deleteIfUnmodified(carl, 'Thu, 01 Jun 2017 11:59:59 GMT')).toEqual(
      refused.forbidden,
    );
    expect((await as(ada).get(`/projects/${id}`)).status).toBe(200);
    expect(await deleteIfUnmodified(ada, 'Thu, 01 Jun 2017 12:00:00 GMT')).toEqual(accepted);
    const other = await seed.project('acme/unread');
    const unread = await as(ada).fetch(`/projects/${other.id}`, {
      method: 'DELETE',
      headers: { 'If-Unmodified-Since': 'yesterday, I think' },
    });
    expect(unread.status).toBe(202);
  });

  test('a job deletes the repository and every row', async () => {
    await removalsFinished();
    const before = await readdir(repositories, { recursive: true });
    const { id } = await seed.project('acme/wiped', { guest: carl });
    const folder = await folderOf(id);
    await seed.push('acme/wiped', { 'README.md': '# Wiped' });
    await as(ada).post(`/projects/${id}/share`, { group_id: friends.id, group_access: 10 });
    await as(ada).post(`/projects/${id}/star`);
    expect(await exists(folder)).toBe(true);
    expect(await as(ada).delete(`/projects/${id}`)).toEqual(accepted);
    await expect.poll(() => exists(folder)).toBe(false);
    await removalsFinished();
    const where = { projectId: id };
    const rows = await Promise.all([
      db.project.count({ where: { id } }),
      db.member.count({ where }),
      db.projectGroupLink.count({ where }),
      db.projectStar.count({ where }),
      db.projectStatistics.count({ where }),
      db.push.count({ where }),
      db.route.count({ where }),
    ]);
    expect(rows).toEqual([0, 0, 0, 0, 0, 0, 0]);
    // shared parent folders may have been created meanwhile
    const isFile = (path: string) => path.split('/').some((part) => part.endsWith('.git'));
    const remaining = await readdir(repositories, { recursive: true });
    expect(remaining.filter(isFile).toSorted()).toEqual(before.filter(isFile).toSorted());
  });
});
