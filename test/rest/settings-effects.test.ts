import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, type Parameters } from '../support/client.ts';
import { formOf } from '../support/form.ts';
import { temporaryFolder } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { startAnother } from '../support/server-here.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const folder = await temporaryFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));
const storages = ['default', 'fast'].map((name) => [name, join(folder, name)] as const);
for (const [, path] of storages) await mkdir(path);
const variables = { MILLRACE_STORAGES: storages.map((storage) => storage.join('=')).join(',') };
const { as, seed, root, db, url, databaseUrl, dataFolder } = await world({ variables });
const ada = await seed.user('ada');
const initial = await db.applicationSettings.findUniqueOrThrow({ where: { id: 1 } });

beforeEach(async () => {
  const { id: _, ...columns } = initial;
  await db.applicationSettings.update({ where: { id: 1 }, data: columns });
});

/** Changes settings, which apply to the next request. */
async function changeSettings(change: Parameters): Promise<void> {
  const { status, body } = await as(root).put('/application/settings', change);
  expect([status, body]).toMatchObject([200, change]);
}

let count = 0;
const nextName = () => {
  count += 1;
  return `n${count}`;
};

test('default_projects_limit applies to new users', async () => {
  const create = (input: Parameters) => {
    const name = nextName();
    const email = `${name}@example.com`;
    const person = { username: name, name, email, password: `password of ${name}` };
    return as(root).post('/users', { ...person, ...input });
  };
  await changeSettings({ default_projects_limit: 0 });
  expect(await create({})).toMatchObject({
    status: 201,
    body: { projects_limit: 0, can_create_project: false },
  });
  expect((await create({ projects_limit: 3 })).body).toMatchObject({ projects_limit: 3 });
  expect((await as(ada).get('/user')).body).toMatchObject({ projects_limit: 100_000 });
});

test.each([
  ['default_project_visibility', '/projects'],
  ['default_group_visibility', '/groups'],
])('%s is the default', async (name, path) => {
  for (const visibility of ['internal', 'public', 'private']) {
    await changeSettings({ [name]: visibility });
    const value = nextName();
    expect(await as(ada).post(path, { name: value, path: value })).toMatchObject({
      status: 201,
      body: { visibility },
    });
  }
});

test.each([
  ['project', '/projects'],
  ['group', '/groups'],
])('restricted_visibility_levels prevents creating and publishing a %s', async (_kind, path) => {
  const create = (person: TestUser, visibility: string) => {
    const name = nextName();
    return as(person).post(path, { name: name, path: name, visibility });
  };
  const { body } = await create(ada, 'private');
  const { id } = body as { id: number };
  await changeSettings({ restricted_visibility_levels: ['internal', 'public'] });
  const publish = () => as(ada).put(`${path}/${id}`, { visibility: 'public' });
  for (const { status, body: refusal } of [await create(ada, 'public'), await publish()]) {
    expect(status).toBe(400);
    expect(JSON.stringify(refusal)).toContain('public has been restricted by your administrator');
  }
  expect((await create(root, 'public')).status).toBe(201);
  await as(root).put('/application/settings', { restricted_visibility_levels: null });
  expect((await create(ada, 'public')).status).toBe(201);
});

test.each([
  [0, []],
  [1, [30]],
  [2, [40]],
])('default_branch_protection %i protects the first branch', async (protection, levels) => {
  await changeSettings({ default_branch_protection: protection });
  const { id } = await seed.project(`ada/${nextName()}`);
  const first = { branch: 'master', content: 'x', commit_message: 'Begin' };
  await as(ada).post(`/projects/${id}/repository/files/README.md`, first);
  const { body } = await as(ada).get(`/projects/${id}/protected_branches`);
  const pushing = (body as { push_access_levels: { access_level: number }[] }[]).flatMap(
    (branch) => branch.push_access_levels,
  );
  expect(pushing.map(({ access_level }) => access_level)).toEqual(levels);
});

test('max_attachment_size limits uploads', async () => {
  const { id } = await seed.project(`ada/${nextName()}`);
  const upload = async () => {
    const body = formOf({ file: { name: 'a.bin', content: new Uint8Array(1_500_000) } });
    const init = { method: 'POST', body };
    return (await as(ada).fetch(`/projects/${id}/uploads`, init)).status;
  };
  await changeSettings({ max_attachment_size: 1 });
  expect(await upload()).toBe(413);
  await changeSettings({ max_attachment_size: 2 });
  expect(await upload()).toBe(201);
});

test('without avatar_service_enabled only uploaded avatars are shown', async () => {
  const shown = async () => {
    const { body } = await as(null).get(`/users/${ada.id}`);
    return (body as { avatar_url: string | null }).avatar_url;
  };
  await changeSettings({ avatar_service_enabled: false });
  expect(await shown()).toBeNull();
  await changeSettings({ avatar_service_enabled: true });
  expect(await shown()).toContain('gravatar');
});

const handshake = async (project: string, password: string, service = 'git-upload-pack') => {
  const response = await fetch(`${url}/ada/${project}.git/info/refs?service=${service}`, {
    headers: { Authorization: `Basic ${btoa(`ada:${password}`)}` },
  });
  const text = await response.text();
  return response.status === 200 ? 200 : [response.status, text];
};

test('enabled_git_access_protocol ssh disables git over HTTP', async () => {
  const project = nextName();
  await seed.project(`ada/${project}`);
  await changeSettings({ enabled_git_access_protocol: 'ssh' });
  const closed = [403, 'Git access over HTTP is not allowed\n'];
  for (const service of ['git-upload-pack', 'git-receive-pack']) {
    expect(await handshake(project, ada.token, service)).toEqual(closed);
  }
  expect((await as(ada).get(`/projects/ada%2F${project}`)).status).toBe(200);
  for (const protocol of ['http', 'nil']) {
    const change = { enabled_git_access_protocol: protocol };
    expect((await as(root).put('/application/settings', change)).status).toBe(200);
    expect(await handshake(project, ada.token)).toBe(200);
  }
});

describe('repository_storages', () => {
  const placed = async () => {
    const { id } = await seed.project(`ada/${nextName()}`);
    return (await db.project.findUniqueOrThrow({ where: { id } })).storage;
  };

  test('places new projects in the only storage', async () => {
    for (const storage of ['fast', 'default']) {
      await changeSettings({ repository_storages: [storage] });
      expect([await placed(), await placed(), await placed()]).toEqual(Array(3).fill(storage));
    }
  });

  test('places new projects in any of several storages', async () => {
    await changeSettings({ repository_storages: ['default', 'fast'] });
    const usedStorages = new Set<string>();
    await expect
      .poll(async () => [...usedStorages.add(await placed())].toSorted(), {
        timeout: 30_000,
        interval: 0,
      })
      .toEqual(['default', 'fast']);
  });
});

test('without password_authentication_enabled passwords are not accepted', async () => {
  const project = nextName();
  await seed.project(`ada/${project}`);
  const signIn = () => as(null).post('/session', { login: 'ada', password: ada.password });
  expect((await signIn()).status).toBe(201);
  // cached, and invalidated by the change
  expect(await handshake(project, ada.password)).toBe(200);
  await changeSettings({ password_authentication_enabled: false });
  expect(await handshake(project, ada.password)).toMatchObject([401, expect.anything()]);
  expect(await signIn()).toEqual(refused.anonymous);
  expect(await handshake(project, ada.token)).toBe(200);
  await changeSettings({ password_authentication_enabled: true });
  expect((await signIn()).status).toBe(201);
  expect(await handshake(project, ada.password)).toBe(200);
});

test('a change in one process applies to other processes', async () => {
  const place = { MILLRACE_DATA: dataFolder, DATABASE_URL: databaseUrl };
  const other = await startAnother({ ...variables, ...place });
  try {
    const otherProcess = clientOf(other.url, ada.token);
    const restricted = async () => {
      const name = nextName();
      const { status } = await otherProcess.post('/projects', {
        path: name,
        visibility: 'public',
      });
      return status === 400;
    };
    expect(await restricted()).toBe(false);
    await changeSettings({ restricted_visibility_levels: ['public'] });
    await expect.poll(restricted).toBe(true);
    await changeSettings({ restricted_visibility_levels: ['internal'] });
    await expect.poll(restricted).toBe(false);
  } finally {
    await other.stop();
  }
});
