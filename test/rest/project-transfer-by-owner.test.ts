import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { git, temporaryFolder } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, db, seed, root, url, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');
const visibility = 'internal';
const acme = await seed.group('acme', { master: ada, developer: carl }, { visibility });
const hidden = await seed.group('hidden', { owner: eve });
const scratch = await temporaryFolder();
afterAll(() => rm(scratch, { recursive: true }));

const transfer = (user: TestUser | null, project: number | string, namespace?: unknown) =>
  as(user).put(`/projects/${project}/transfer`, namespace === undefined ? {} : { namespace });

const failed = (text: string) => ({
  status: 400,
  body: { message: `Failed to transfer project {:new_namespace=>["${text}"]}` },
});
const notThere = failed('Transfer failed, please contact an admin.');

describe('PUT /projects/:id/transfer', () => {
  test.each([
    ['the id', 'by-id', acme.id],
    ['the path', 'by-path', 'acme'],
  ])('moves a project into a group by %s', async (_what, name, namespace) => {
    const { id } = await seed.project(`ada/${name}`, {}, { visibility: 'public' });
    const sha = await seed.push(`ada/${name}`, { 'README.md': '# App' });
    const response = await transfer(ada, encodeURIComponent(`ada/${name}`), namespace);
    expect(response).toMatchObject({
      status: 200,
      body: {
        id,
        name_with_namespace: `acme / ${name}`,
        path_with_namespace: `acme/${name}`,
        http_url_to_repo: `${url}/acme/${name}.git`,
        namespace: { id: acme.id, kind: 'group', full_path: 'acme' },
        // lowered to the visibility of the group
        visibility: 'internal',
      },
    });
    // git follows the redirect of the former path
    const head = await git(scratch, 'ls-remote', remote(`ada/${name}`, ada), 'HEAD');
    expect(head.split('\n').at(-1)).toBe(`${sha}\tHEAD`);
  });

  test('moves a project into a personal namespace, up to the limit of its user', async () => {
    const group = await seed.group('own', { owner: bob });
    const first = await seed.project('own/first', {}, { visibility: 'private' });
    const second = await seed.project('own/second');
    await db.user.update({ where: { id: bob.id }, data: { projectsLimit: 1 } });
    expect(await transfer(bob, first.id, 'bob')).toMatchObject({
      status: 200,
      body: {
        path_with_namespace: 'bob/first',
        visibility: 'private',
        owner: { id: bob.id },
        namespace: { kind: 'user', full_path: 'bob' },
      },
    });
    expect(await transfer(bob, second.id, 'bob')).toEqual({
      status: 403,
      body: { error: [expect.stringContaining('Your project limit is 1 projects!')] },
    });
    expect((await as(bob).get(`/projects/${second.id}`)).body).toMatchObject({
      namespace: { id: group.id },
    });
  });

  test('requires an owner of the project', async () => {
    const { id } = await seed.project('acme/kept', { master: bob }, { visibility });
    expect(await transfer(null, id, 'acme')).toEqual(refused.anonymous);
    expect(await transfer(eve, id, 'eve')).toEqual(refused.forbidden);
    for (const user of [bob, ada, carl]) {
      expect(await transfer(user, id, user.username)).toEqual(refused.forbidden);
    }
    const secret = await seed.project('hidden/secret');
    expect(await transfer(ada, secret.id, 'ada')).toEqual(refused.missing('Project'));
    expect(await transfer(eve, secret.id, 'eve')).toMatchObject({ status: 200 });
  });

  test('requires the right to create projects in the namespace', async () => {
    const { id } = await seed.project('carl/app');
    // a developer of the group
    expect(await transfer(carl, id, 'acme')).toEqual(notThere);
    for (const namespace of ['hidden', hidden.id, 'bob', 'nowhere', 0, '/']) {
      expect(await transfer(carl, id, namespace)).toEqual(refused.missing('Namespace'));
    }
    expect(await transfer(carl, id)).toEqual(refused.parameter('namespace is missing'));
    expect(await transfer(carl, id, '')).toEqual(refused.parameter('namespace is empty'));
    expect(await transfer(root, id, 'hidden')).toMatchObject({ status: 200 });
  });

  test('rejects the present namespace, and a path or name that is taken', async () => {
    const { id } = await seed.project('ada/twin');
    expect(await transfer(ada, id, 'ada')).toEqual(notThere);
    await seed.project('acme/twin');
    expect(await transfer(ada, id, 'acme')).toEqual(
      failed('Project with same path in target namespace already exists'),
    );
    const named = await seed.project('ada/other', {}, { name: 'twin two' });
    await seed.project('acme/third', {}, { name: 'twin two' });
    expect(await transfer(ada, named.id, 'acme')).toEqual(
      failed('Project with same name or path in target namespace already exists'),
    );
  });

  test('concurrent transfers between two users do not block each other', async () => {
    const projects = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        seed.project(`${index % 2 ? 'ada' : 'carl'}/crossing-${index}`),
      ),
    );
    const responses = await Promise.all(
      projects.map(({ id }, index) => transfer(root, id, index % 2 ? 'carl' : 'ada')),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
  });
});
