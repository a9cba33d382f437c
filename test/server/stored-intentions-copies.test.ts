import { describe, expect, onTestFinished, test } from 'vitest';
import { git, tryGit } from '../support/git.ts';
import { holdJobs } from '../support/held-jobs.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, dataFolder, remote } = await world({
  variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
await seed.group('acme', { owner: ada }, { visibility: 'public' });

let count = 0;

const nextName = () => {
  count += 1;
  return `p${count}`;
};

interface Project {
  readonly id: number;
  readonly visibility: string;
  readonly import_status: string;
  readonly import_error: string | null;
}

/** Blocks a user until the test ends. */
async function block(user: TestUser) {
  expect((await as(root).post(`/users/${user.id}/block`)).status).toBe(201);
  onTestFinished(async () => void (await as(root).post(`/users/${user.id}/unblock`)));
}

/** Waits until the repository of a project has come or failed to. */
async function arrived(id: number) {
  const read = async () => (await as(root).get(`/projects/${id}`)).body as Project;
  await expect.poll(async () => (await read()).import_status).toMatch(/finished|failed/);
  return read();
}

describe('a fork whose copy has not begun', () => {
  /** Bob forks a project of acme; `change` happens before the copy. */
  async function forkAndChange(
    visibility: string,
    change: (source: string) => Promise<unknown>,
    roles = {},
  ) {
    const name = nextName();
    const source = await seed.project(`acme/${name}`, roles, { visibility });
    await seed.push(`acme/${name}`, { 'secret.txt': 'secret' });
    const held = await holdJobs(db, 'fork-project');
    const { status, body } = await as(bob).post(`/projects/${source.id}/fork`);
    expect(status).toBe(201);
    expect(await held.count()).toBe(1);
    await change(`/projects/${source.id}`);
    await held.release();
    const fork = await arrived((body as Project).id);
    return { fork, refs: await git(dataFolder, 'ls-remote', remote(`bob/${name}`, root)) };
  }

  const denied = {
    import_status: 'failed',
    import_error: 'The user who forked it may no longer read the code of the project.',
  };

  test('is not filled if the source became private', async () => {
    const { fork, refs } = await forkAndChange('public', (source) =>
      as(ada).put(source, { visibility: 'private' }),
    );
    expect(fork).toMatchObject({ ...denied, visibility: 'private' });
    expect(refs).toBe('');
  });

  test.each([
    [
      'was removed from the source',
      (source: string) => as(ada).delete(`${source}/members/${bob.id}`),
    ],
    [
      'became a guest of the source',
      (source: string) => as(ada).put(`${source}/members/${bob.id}`, { access_level: 10 }),
    ],
    ['was blocked', () => block(bob)],
  ] as const)('is not filled if its user %s', async (_what, change) => {
    const { fork, refs } = await forkAndChange('private', change, { developer: bob });
    expect(fork).toMatchObject(denied);
    expect(refs).toBe('');
  });

  test('becomes as private as the source if its user still reads that', async () => {
    const { fork, refs } = await forkAndChange(
      'public',
      (source) => as(ada).put(source, { visibility: 'private' }),
      { reporter: bob },
    );
    expect(fork).toMatchObject({ import_status: 'finished', visibility: 'private' });
    expect(refs).toContain('refs/heads/master');
  });

  test('is filled if the source became more visible', async () => {
    const { fork, refs } = await forkAndChange(
      'private',
      (source) => as(ada).put(source, { visibility: 'public' }),
      { reporter: bob },
    );
    expect(fork).toMatchObject({ import_status: 'finished', visibility: 'private' });
    expect(refs).toContain('refs/heads/master');
  });
});

describe('an import that has not begun', () => {
  const denied = {
    import_status: 'failed',
    import_error: 'The user who started the import may no longer change the project.',
  };

  /** Bob, a master of a group, imports into it; `change` happens before the import begins. */
  async function importAndChange(change: (namespace: string) => Promise<unknown>) {
    const name = nextName();
    await seed.project(`acme/${name}`, {}, { visibility: 'public' });
    await seed.push(`acme/${name}`, { 'a.txt': 'a' });
    const group = await seed.group(`g${name}`, { owner: ada, master: bob });
    const held = await holdJobs(db, 'import-project');
    const { status, body } = await as(bob).post('/projects', {
      path: name,
      namespace_id: group.id,
      import_url: remote(`acme/${name}`, null),
    });
    expect(status).toBe(201);
    expect(await held.count()).toBe(1);
    await change(`/groups/${group.id}`);
    await held.release();
    const project = await arrived((body as Project).id);
    const row = await db.project.findUniqueOrThrow({ where: { id: project.id } });
    expect(row.importSourceSealed).toBeNull();
    return { project, refs: await git(dataFolder, 'ls-remote', remote(`g${name}/${name}`, root)) };
  }

  test('brings the repository for a master', async () => {
    const { project, refs } = await importAndChange(async () => {});
    expect(project).toMatchObject({ import_status: 'finished' });
    expect(refs).toContain('refs/heads/master');
  });

  test.each([
    ['was removed from the group', (group: string) => as(ada).delete(`${group}/members/${bob.id}`)],
    [
      'became a developer of the group',
      (group: string) => as(ada).put(`${group}/members/${bob.id}`, { access_level: 30 }),
    ],
    ['was blocked', () => block(bob)],
  ] as const)('fails and forgets its URL if its user %s', async (_what, change) => {
    const { project, refs } = await importAndChange(change);
    expect(project).toMatchObject(denied);
    expect(refs).toBe('');
  });
});

test('an approved access request gives nothing to a requester who was blocked meanwhile', async () => {
  const eve = await seed.user('eve');
  const { id } = await seed.project(
    `acme/${nextName()}`,
    {},
    {
      visibility: 'public',
      request_access_enabled: true,
    },
  );
  expect((await as(eve).post(`/projects/${id}/access_requests`)).status).toBe(201);
  await as(ada).put(`/projects/${id}`, { visibility: 'private' });
  expect(await as(eve).get(`/projects/${id}`)).toEqual(refused.missing('Project'));
  await block(eve);
  expect(await as(ada).get(`/projects/${id}/access_requests`)).toMatchObject({
    body: [{ id: eve.id, state: 'blocked' }],
  });
  const approve = `/projects/${id}/access_requests/${eve.id}/approve`;
  expect((await as(ada).put(approve, { access_level: 30 })).status).toBe(201);
  expect((await as(eve).get(`/projects/${id}`)).status).toBe(401);
  const { fullPath } = await db.project.findUniqueOrThrow({ where: { id } });
  expect((await tryGit(dataFolder, 'ls-remote', remote(fullPath, eve))).code).not.toBe(0);
});
