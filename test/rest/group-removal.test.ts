import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { eraseNamespace } from '../../schema/namespaces/remove.ts';
import { gitStore } from '../../server/git/store.ts';
import { jobFiles } from '../../server/job-files/job-files.ts';
import { jobFolders } from '../../server/job-files/paths.ts';
import { localPlaces } from '../../server/objects/places.ts';
import { incomingFiles } from '../../server/uploads/incoming.ts';
import { uploadStore } from '../../server/uploads/store.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db, dataFolder } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const storage = join(dataFolder, 'repositories');
const uploads = join(dataFolder, 'uploads');
const within = { timeout: 25_000, interval: 50 };

const repositories = async () =>
  (await readdir(storage, { recursive: true })).filter((entry) => /[0-9a-f]{32}\.git$/.test(entry));

/** The remaining rows of a group and everything below it. */
const rowsOf = async (id: number) => ({
  groups: await db.namespace.count({ where: { ancestorIds: { has: id } } }),
  projects: await db.project.count({ where: { namespace: { ancestorIds: { has: id } } } }),
});
const nothingLeft = { groups: 0, projects: 0 };

const pathsOf = (body: unknown) =>
  (body as { full_path?: string; path_with_namespace?: string }[]).map(
    ({ full_path, path_with_namespace }) => full_path ?? path_with_namespace,
  );

const handshake = async (fullPath: string) => {
  const authorization = `Basic ${Buffer.from(`ada:${ada.token}`).toString('base64')}`;
  const address = `${url}/${fullPath}.git/info/refs?service=git-upload-pack`;
  return (await fetch(address, { headers: { authorization } })).status;
};

describe('DELETE /groups/:id', () => {
  test('hides everything in the group immediately, and nothing else', async () => {
    const { id } = await seed.group('doomed', { owner: ada }, { visibility: 'public' });
    const inner = await seed.group('doomed/inner', {}, { visibility: 'public' });
    const app = await seed.project('doomed/inner/app', {}, { visibility: 'public' });
    const kept = await seed.group('kept', { owner: ada });
    const guest = await seed.project('kept/guest');
    await as(root).post(`/projects/${app.id}/share`, { group_id: kept.id, group_access: 30 });
    await as(root).post(`/projects/${guest.id}/share`, { group_id: id, group_access: 30 });
    await as(ada).put(`/groups/${id}`, { path: 'bound' });
    expect(await handshake('bound/inner/app')).toBe(200);

    expect(await as(ada).delete(`/groups/${id}`)).toEqual({ status: 204, body: null });
    for (const person of [ada, root, null]) {
      for (const group of [id, inner.id, 'bound', 'doomed', 'bound%2Finner']) {
        expect(await as(person).get(`/groups/${group}`)).toEqual(refused.missing('Group'));
        expect(await as(person).get(`/groups/${group}/projects`)).toEqual(refused.missing('Group'));
        expect(await as(person).get(`/groups/${group}/subgroups`)).toEqual(
          refused.missing('Group'),
        );
      }
      expect(await as(person).get(`/projects/${app.id}`)).toEqual(refused.missing('Project'));
    }
    expect(await as(ada).get(`/groups/${id}/members`)).toEqual(refused.missing('Group'));
    expect(pathsOf((await as(root).get('/groups')).body)).toEqual(['kept']);
    expect(pathsOf((await as(ada).get('/groups?owned=true')).body)).toEqual(['kept']);
    expect(pathsOf((await as(root).get('/projects')).body)).toEqual(['kept/guest']);
    expect(pathsOf((await as(root).get('/namespaces?search=bound')).body)).toEqual([]);
    expect((await as(ada).get('/groups/kept')).body).toMatchObject({ shared_projects: [] });
    expect((await as(root).get(`/projects/${guest.id}`)).body).toMatchObject({
      shared_with_groups: [],
    });
    for (const path of ['bound', 'doomed']) expect(await handshake(`${path}/inner/app`)).toBe(404);
    expect(await as(ada).delete(`/groups/${id}`)).toEqual(refused.missing('Group'));
    await expect.poll(() => rowsOf(id), within).toEqual(nothingLeft);
  });

  test('frees every path immediately, including former ones', async () => {
    const { id } = await seed.group('freed', { owner: ada });
    await seed.group('freed/inner');
    await seed.project('freed/inner/app');
    await as(ada).put(`/groups/${id}`, { path: 'free', name: 'Freed' });
    for (let time = 0; time < 3; time += 1) {
      const again = time === 0 ? { id } : await seed.group('free', { owner: ada });
      if (time > 0) {
        await seed.group('free/inner', {}, { name: 'inner' });
        await seed.project('free/inner/app');
      }
      expect((await as(ada).delete(`/groups/${again.id}`)).status).toBe(204);
    }
    const last = await seed.group('freed', { owner: ada });
    await seed.group('free');
    expect((await as(ada).get('/groups/freed')).body).toMatchObject({ id: last.id });
  });

  test('frees the name among its siblings', async () => {
    const parent = await seed.group('siblings', { owner: ada });
    const { id } = await seed.group('siblings/one');
    const like = { name: `one removed ${id}`, path: 'like', parent_id: parent.id };
    expect((await as(ada).post('/groups', like)).status).toBe(201);
    expect((await as(ada).delete(`/groups/${id}`)).status).toBe(204);
    const again = { name: 'one', path: 'one', parent_id: parent.id };
    expect((await as(ada).post('/groups', again)).status).toBe(201);
  });

  test('works by path, for an administrator and for an owner of the parent group', async () => {
    await seed.group('upper', { owner: ada });
    await seed.group('upper/lower', { master: bob });
    expect(await as(bob).delete('/groups/upper%2Flower')).toEqual(refused.forbidden);
    expect(await as(ada).delete('/groups/upper%2FLOWER')).toEqual({ status: 204, body: null });
    expect(await as(root).delete('/groups/upper')).toEqual({ status: 204, body: null });
  });

  test('is refused to anonymous users, other users and masters', async () => {
    const { id } = await seed.group('guarded');
    expect(await as(null).delete(`/groups/${id}`)).toEqual(refused.anonymous);
    expect(await as(bob).delete(`/groups/${id}`)).toEqual(refused.missing('Group'));
    expect(await as(root).delete('/groups/bob')).toEqual(refused.missing('Group'));
    expect((await as(root).get(`/groups/${id}`)).status).toBe(200);
  });
});

describe('DELETE /groups/:id with If-Unmodified-Since', async () => {
  const remove = async (id: number, since: string) => {
    const headers = { 'If-Unmodified-Since': since };
    const response = await as(ada).fetch(`/groups/${id}`, { method: 'DELETE', headers });
    return { status: response.status, text: await response.text() };
  };
  const changed = { status: 412, text: '{"message":"412 Precondition Failed"}' };
  const removed = { status: 204, text: '' };

  test('responds with 412 if the group was changed later', async () => {
    const { id } = await seed.group('newer', { owner: ada });
    expect(await remove(id, 'Sun, 06 Nov 1994 08:49:37 GMT')).toEqual(changed);
    expect(await remove(id, '1994-11-06T08:49:37Z')).toEqual(changed);
    expect((await as(ada).get(`/groups/${id}`)).status).toBe(200);
  });

  test('removes an unchanged group', async () => {
    const { id } = await seed.group('stayed', { owner: ada });
    const { updatedAt } = await db.namespace.findUniqueOrThrow({ where: { id } });
    expect(await remove(id, updatedAt.toUTCString())).toEqual(removed);
  });

  test('a new path is a change', async () => {
    const { id } = await seed.group('earlier', { owner: ada });
    await db.$executeRaw`
      UPDATE namespaces SET updated_at = now() - interval '1 hour' WHERE id = ${id}`;
    await as(ada).put(`/groups/${id}`, { path: 'later' });
    const since = new Date(Date.now() - 1_800_000).toUTCString();
    expect(await remove(id, since)).toEqual(changed);
  });

  test.each(['soon', '1', 'Mon, 32 Jan 2020 00:00:00 GMT', ''])(
    'ignores the invalid date %j',
    async (text) => {
      const { id } = await seed.group('vague', { owner: ada });
      expect(await remove(id, text)).toEqual(removed);
    },
  );
});

describe('after the removal of a group', () => {
  const git = gitStore({ storages: new Map([['default', storage]]) });
  const folders = jobFolders(dataFolder);
  const places = localPlaces(dataFolder);
  const parts = {
    db,
    git,
    uploads: uploadStore(places.objects, incomingFiles(uploads)),
    jobFiles: jobFiles({ folders, places, incoming: incomingFiles(folders.artifacts) }),
  };
  afterAll(() => git.close());

  test('nothing remains of 300 projects in nested groups', async () => {
    const before = (await repositories()).length;
    const { id } = await seed.group('large', { owner: ada });
    const groups = [id];
    for (const parent of ['large', 'large/0', 'large/0/0', 'large', 'large/1']) {
      const path = parent === 'large' ? String(groups.length === 1 ? 0 : 1) : '0';
      groups.push((await seed.group(`${parent}/${path}`)).id);
    }
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    const makers = Array.from({ length: 8 }, async () => {
      for (let n = numbers.shift(); n !== undefined; n = numbers.shift()) {
        const project = { path: `p${n}`, namespace_id: groups[n % groups.length] };
        expect((await as(ada).post('/projects', project)).status).toBe(201);
      }
    });
    await Promise.all(makers);
    expect(await rowsOf(id)).toEqual({ groups: 6, projects: 300 });
    expect((await repositories()).length).toBe(before + 300);
    const files = [join('groups', String(groups.at(-1))), join('groups', String(id))];
    for (const folder of files) {
      await mkdir(join(uploads, folder), { recursive: true });
      await writeFile(join(uploads, folder, 'picture'), 'pixels');
    }

    expect(await as(ada).delete(`/groups/${id}`)).toEqual({ status: 204, body: null });
    expect((await as(ada).post('/groups', { name: 'large', path: 'large' })).status).toBe(201);
    await expect.poll(() => rowsOf(id), within).toEqual(nothingLeft);
    await expect.poll(async () => (await repositories()).length, within).toBe(before);
    expect(files.filter((folder) => existsSync(join(uploads, folder)))).toEqual([]);
    expect((await as(ada).get('/groups/large')).status).toBe(200);
  }, 60_000);

  test('nothing remains if the job runs twice or concurrently', async () => {
    const { id } = await seed.group('twice', { owner: ada });
    await seed.group('twice/inner');
    await seed.project('twice/inner/app');
    const other = await seed.project('ada/other');
    await as(ada).delete(`/groups/${id}`);
    await Promise.all([eraseNamespace(id, parts), eraseNamespace(id, parts)]);
    await eraseNamespace(id, parts);
    expect(await rowsOf(id)).toEqual(nothingLeft);
    expect((await as(ada).get(`/projects/${other.id}`)).status).toBe(200);
  });

  test('the job ignores a group that is not removed', async () => {
    const { id } = await seed.group('standing', { owner: ada });
    await seed.project('standing/app');
    await eraseNamespace(id, parts);
    expect(await rowsOf(id)).toEqual({ groups: 1, projects: 1 });
    expect((await as(ada).get('/projects/standing%2Fapp')).status).toBe(200);
  });
});
