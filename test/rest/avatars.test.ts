import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, test } from 'vitest';
import { type FormFile, formOf, png } from '../support/form.ts';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db, storedKeys } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const outsider = await seed.user('outsider');
const image = { name: 'face.png', content: png() };

const send = async (
  person: TestUser | null,
  method: 'POST' | 'PUT',
  path: string,
  parts: Readonly<Record<string, string | FormFile>>,
) => {
  const response = await as(person).fetch(path, { method, body: formOf(parts) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** The status and the size in bytes of the response to a user. */
const fetchAvatar = async (person: TestUser | null, address: unknown) => {
  const response = await fetch(String(address), {
    headers: person ? { 'Private-Token': person.token } : {},
  });
  return [response.status, (await response.arrayBuffer()).byteLength];
};

const listStoredFiles = async (folder: string) =>
  (await storedKeys(`uploads/${folder}/`)).map((key) => key.slice(`uploads/${folder}/`.length));

const visible = [200, png().length];
const invisible = [404, '{"error":"404 Not Found"}'.length];
const notImages = refused.invalid({ avatar: ['only images allowed'] });
const tooBig = refused.invalid({ avatar: ['is too big (should be at most 200 KB)'] });

describe('the avatar of a project', () => {
  test('is set at creation, shown with the project, and visible to users who see the project', async () => {
    const created = await send(ada, 'POST', '/projects', { name: 'pretty', avatar: image });
    const { id, avatar_url: address } = created.body;
    expect([created.status, address]).toEqual([
      201,
      `${url}/uploads/-/system/project/avatar/${id}/face.png`,
    ]);
    expect(await as(ada).get(`/projects/${id}`)).toMatchObject({ body: { avatar_url: address } });
    const simple = await as(ada).get('/projects?simple=true&owned=true');
    expect(simple.body).toContainEqual(expect.objectContaining({ id, avatar_url: address }));
    expect(await fetchAvatar(ada, address)).toEqual(visible);
    expect(await fetchAvatar(root, address)).toEqual(visible);
    expect(await fetchAvatar(outsider, address)).toEqual(invisible);
    expect(await fetchAvatar(null, address)).toEqual(invisible);
    await as(ada).put(`/projects/${id}`, { visibility: 'public' });
    expect(await fetchAvatar(null, address)).toEqual(visible);
  });

  test('is replaced, kept by other changes, and removed', async () => {
    const { id } = await seed.project('ada/changing', { master: bob });
    const path = `/projects/${id}`;
    const first = await send(bob, 'PUT', path, { avatar: image });
    expect(first).toMatchObject({ status: 200, body: { avatar_url: expect.any(String) } });
    const second = await send(bob, 'PUT', path, {
      description: 'new',
      avatar: { name: 'My Face.png', content: png(10) },
    });
    const address = `${url}/uploads/-/system/project/avatar/${id}/My_Face.png`;
    expect(second).toMatchObject({
      status: 200,
      body: { description: 'new', avatar_url: address },
    });
    expect(await fetchAvatar(ada, address)).toEqual([200, png(10).length]);
    expect(await fetchAvatar(ada, first.body.avatar_url)).toEqual(invisible);
    expect(await listStoredFiles(`projects/${id}`)).toHaveLength(1);
    expect(await as(ada).put(path, { description: 'newer' })).toMatchObject({
      body: { avatar_url: address },
    });
    expect(await send(ada, 'PUT', path, { avatar: '' })).toMatchObject({
      status: 200,
      body: { avatar_url: null },
    });
    expect(await fetchAvatar(ada, address)).toEqual(invisible);
    expect(await listStoredFiles(`projects/${id}`)).toEqual([]);
    expect(await as(ada).put(path, { avatar: '' })).toMatchObject({ status: 200 });
  });

  test('has at most 200 KB and must be an image by its content', async () => {
    const { id } = await seed.project('ada/strict');
    const path = `/projects/${id}`;
    const largest = { name: 'a.png', content: png(200 * 1024 - png().length) };
    expect(await send(ada, 'PUT', path, { avatar: largest })).toMatchObject({ status: 200 });
    const larger = { name: 'a.png', content: png(200 * 1024 + 1 - png().length) };
    expect(await send(ada, 'PUT', path, { avatar: larger, description: 'x' })).toEqual(tooBig);
    for (const content of ['text', '<svg/>', '<?xml version="1.0"?><svg/>', '%PDF-1.7']) {
      const avatar = { name: 'a.png', content };
      expect(await send(ada, 'PUT', path, { avatar, description: 'x' })).toEqual(notImages);
      expect(await send(ada, 'POST', '/projects', { avatar, name: 'not-made' })).toEqual(notImages);
    }
    expect(await send(ada, 'PUT', path, { avatar: 'a text' })).toEqual(
      refused.parameter('avatar is invalid'),
    );
    expect(await as(ada).get(path)).toMatchObject({ body: { description: null } });
    expect(await as(ada).get('/projects/ada%2Fnot-made')).toEqual(refused.missing('Project'));
    expect(await listStoredFiles(`projects/${id}`)).toHaveLength(1);
  });

  test('is removed by an empty text or an empty file, which some clients send', async () => {
    const { id } = await seed.project('ada/bare');
    const avatar = { name: 'a.png', content: png() };
    for (const empty of ['', { name: 'avatar.png', content: '' }]) {
      await send(ada, 'PUT', `/projects/${id}`, { avatar });
      expect(await send(ada, 'PUT', `/projects/${id}`, { avatar: empty })).toMatchObject({
        status: 200,
        body: { avatar_url: null },
      });
      expect(await listStoredFiles(`projects/${id}`)).toEqual([]);
    }
  });

  test.each([
    ['jpg', [0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0]],
    ['gif', [...Buffer.from('GIF89a')]],
    ['bmp', [...Buffer.from('BM'), ...new Uint8Array(30)]],
    ['ico', [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0]],
    ['webp', [...Buffer.from('RIFF\u0024\0\0\0WEBPVP8 ')]],
    // its directory is at the end of the file
    ['tiff', [0x49, 0x49, 42, 0, 0x40, 0x9c, 0, 0, ...new Uint8Array(40_000)]],
  ])('may be a %s', async (ending, bytes) => {
    const { id } = await seed.project(`ada/as-${ending}`);
    const avatar = { name: 'a.bin', content: new Uint8Array(bytes) };
    expect(await send(ada, 'PUT', `/projects/${id}`, { avatar })).toMatchObject({ status: 200 });
  });

  test('only masters can change it', async () => {
    const { id } = await seed.project('ada/guarded', { developer: bob }, { visibility: 'public' });
    const hidden = await seed.project('ada/hidden');
    const put = (person: TestUser | null, project = id) =>
      send(person, 'PUT', `/projects/${project}`, { avatar: image });
    expect(await put(null)).toEqual(refused.anonymous);
    expect(await put(bob)).toEqual(refused.forbidden);
    expect(await put(outsider, hidden.id)).toEqual(refused.missing('Project'));
    expect(await put(root)).toMatchObject({ status: 200 });
    expect(await listStoredFiles(`projects/${hidden.id}`)).toEqual([]);
  });

  test('is set when an administrator creates the project for a user', async () => {
    const parts = { name: 'created', avatar: image };
    const created = await send(root, 'POST', `/projects/user/${bob.id}`, parts);
    expect(created.status).toBe(201);
    expect(await fetchAvatar(bob, created.body.avatar_url)).toEqual(visible);
  });
});

describe('the avatar of a group', () => {
  test('is set at creation, visible to users who see the group, and deleted with it', async () => {
    const created = await send(ada, 'POST', '/groups', { name: 'Art', path: 'art', avatar: image });
    const { id, avatar_url: address } = created.body;
    expect([created.status, address]).toEqual([
      201,
      `${url}/uploads/-/system/group/avatar/${id}/face.png`,
    ]);
    expect(await as(ada).get('/groups')).toMatchObject({ body: [{ id, avatar_url: address }] });
    expect(await fetchAvatar(ada, address)).toEqual(visible);
    expect(await fetchAvatar(outsider, address)).toEqual(invisible);
    expect(await fetchAvatar(null, address)).toEqual(invisible);
    await as(ada).delete(`/groups/${id}`);
    expect(await fetchAvatar(ada, address)).toEqual(invisible);
    await expect.poll(() => listStoredFiles(`groups/${id}`)).toEqual([]);
  });

  test('only owners change and remove it', async () => {
    const { id } = await seed.group('band', { owner: ada, master: bob });
    const path = `/groups/${id}`;
    const address = `${url}/uploads/-/system/group/avatar/${id}/face.png`;
    expect(await send(bob, 'PUT', path, { avatar: image })).toEqual(refused.forbidden);
    expect(await send(outsider, 'PUT', path, { avatar: image })).toEqual(refused.missing('Group'));
    expect(await send(null, 'PUT', path, { avatar: image })).toEqual(refused.anonymous);
    expect(await send(ada, 'PUT', path, { avatar: image })).toMatchObject({
      status: 200,
      body: { avatar_url: address },
    });
    const text = { name: 'face.png', content: 'text' };
    expect(await send(ada, 'PUT', path, { avatar: text, name: 'x' })).toEqual(notImages);
    expect(await send(ada, 'POST', '/groups', { name: 'n', path: 'n', avatar: text })).toEqual({
      status: 400,
      body: { message: 'Failed to save group {:avatar=>["only images allowed"]}' },
    });
    expect(await as(bob).get(path)).toMatchObject({ body: { name: 'band', avatar_url: address } });
    expect(await as(ada).put(path, { avatar: '' })).toMatchObject({ body: { avatar_url: null } });
    expect(await listStoredFiles(`groups/${id}`)).toEqual([]);
  });
});

describe('the avatar of a user', () => {
  test('is set by administrators and visible to everyone', async () => {
    const created = await send(root, 'POST', '/users', {
      email: 'cleo@example.com',
      name: 'Cleo',
      username: 'cleo',
      password: 'cleopatra',
      avatar: image,
    });
    const { id, avatar_url: address } = created.body;
    expect([created.status, address]).toEqual([
      201,
      `${url}/uploads/-/system/user/avatar/${id}/face.png`,
    ]);
    expect(await fetchAvatar(null, address)).toEqual(visible);
    expect(await as(null).get(`/users/${id}`)).toMatchObject({ body: { avatar_url: address } });
  });

  test('replaces the URL of the avatar service until it is removed', async () => {
    const path = `/users/${bob.id}`;
    const address = `${url}/uploads/-/system/user/avatar/${bob.id}/face.png`;
    expect(await send(bob, 'PUT', path, { avatar: image })).toEqual(refused.forbidden);
    expect(await send(null, 'PUT', path, { avatar: image })).toEqual(refused.anonymous);
    expect(await send(root, 'PUT', path, { avatar: image })).toMatchObject({
      status: 200,
      body: { avatar_url: address },
    });
    const { id } = await seed.project('bob/own');
    expect(await as(bob).get(`/projects/${id}`)).toMatchObject({
      body: { owner: { avatar_url: address } },
    });
    const listed = await as(bob).get('/projects?owned=true');
    expect(listed.body).toContainEqual(
      expect.objectContaining({ owner: expect.objectContaining({ avatar_url: address }) }),
    );
    const text = { name: 'a.png', content: 'x' };
    expect(await send(root, 'PUT', path, { avatar: text })).toEqual(notImages);
    expect(await as(root).put(path, { avatar: '' })).toMatchObject({
      body: { avatar_url: basicUserShape(url, bob).avatar_url },
    });
    expect(await listStoredFiles(`users/${bob.id}`)).toEqual([]);
  });
});

describe('changing an avatar', () => {
  test('concurrent changes leave one complete image, and reads always find one', async () => {
    const { id } = await seed.project('ada/busy', {}, { visibility: 'public' });
    const put = (bytes: number) =>
      send(ada, 'PUT', `/projects/${id}`, { avatar: { name: 'face.png', content: png(bytes) } });
    const { body } = await put(0);
    let isOver = false;
    const read = async () => {
      const responses: unknown[] = [];
      while (!isOver) responses.push(await fetchAvatar(null, body.avatar_url));
      return responses;
    };
    const readers = [read(), read()];
    const sizes = Array.from({ length: 12 }, (_, index) => 1000 * (index + 1));
    const updates = await Promise.all(sizes.map(put));
    isOver = true;
    expect(updates.map(({ status }) => status)).toEqual(sizes.map(() => 200));
    const complete = [0, ...sizes].map((bytes) => [200, png(bytes).length]);
    for (const response of (await Promise.all(readers)).flat())
      expect(complete).toContainEqual(response);
    expect(complete).toContainEqual(await fetchAvatar(null, body.avatar_url));
    await expect.poll(() => listStoredFiles(`projects/${id}`)).toHaveLength(1);
    const { avatar } = await db.project.findUniqueOrThrow({ where: { id } });
    expect(await listStoredFiles(`projects/${id}`)).toEqual([avatar?.split('/')[0]]);
  });

  test('works with gitbeaker', async () => {
    const client = new Gitlab({ host: url, token: ada.token });
    const content = new Blob([png()]);
    const project = await seed.project('ada/beaker');
    const avatar = { content, filename: 'face.png' };
    const path = `${url}/uploads/-/system`;
    expect(await client.Projects.uploadAvatar(project.id, avatar)).toMatchObject({
      avatar_url: `${path}/project/avatar/${project.id}/face.png`,
    });
    expect(await client.Projects.removeAvatar(project.id)).toMatchObject({ avatar_url: null });
    const group = await seed.group('beakers', { owner: ada });
    const filename = 'face.png';
    expect(await client.Groups.uploadAvatar(group.id, content, { filename })).toEqual({
      avatar_url: `${path}/group/avatar/${group.id}/face.png`,
    });
    expect(await client.Groups.removeAvatar(group.id)).toMatchObject({ avatar_url: null });
  });
});

describe('PUT /groups/:id/avatar', () => {
  test('requires a file and an owner', async () => {
    const { id } = await seed.group('bare', { owner: ada, master: bob });
    const path = `/groups/${id}/avatar`;
    expect(await as(ada).put(path)).toEqual(refused.parameter('file is missing'));
    expect(await send(bob, 'PUT', path, { file: image })).toEqual(refused.forbidden);
    expect(await send(outsider, 'PUT', path, { file: image })).toEqual(refused.missing('Group'));
    expect(await send(null, 'PUT', path, { file: image })).toEqual(refused.anonymous);
  });
});
