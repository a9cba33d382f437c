import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { git, tryGit, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, remote, db, url } = testWorld;
const { projectWithCi } = await ciOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');
await seed.group('acme', {}, { visibility: 'public' });
const folder = await workTree({ 'README.md': '# App\n' });
afterAll(() => rm(folder, { recursive: true }));

let count = 0;
async function createProject(visibility: 'public' | 'private' = 'public') {
  count += 1;
  const fullPath = `acme/app-${count}`;
  const roles = { master: ada, developer: bob, reporter: carl };
  const { id } = await seed.project(fullPath, roles, { visibility });
  await git(folder, 'push', '--quiet', remote(fullPath, root), 'master');
  return {
    id,
    fullPath,
    tags: `/projects/${id}/repository/tags`,
    rules: `/projects/${id}/protected_tags`,
  };
}

const descriptions = { 0: 'No one', 30: 'Developers + Masters', 40: 'Masters' } as const;
const rule = (name: string, level: keyof typeof descriptions = 40) => ({
  name,
  create_access_levels: [{ access_level: level, access_level_description: descriptions[level] }],
});

describe('POST /projects/:id/protected_tags', () => {
  test('protects the tags that match', async () => {
    const { rules } = await createProject();
    expect(await as(ada).post(rules, { name: 'v*' })).toEqual({ status: 201, body: rule('v*') });
    const open = { name: 'open', create_access_level: 30 };
    expect((await as(ada).post(rules, open)).body).toEqual(rule('open', 30));
    expect(await as(ada).post(rules, open)).toEqual(
      refused.conflict("Protected tag 'open' already exists"),
    );
  });

  test('rejects invalid values', async () => {
    const { rules } = await createProject();
    expect(await as(ada).post(rules, {})).toEqual(refused.parameter('name is missing'));
    expect(await as(ada).post(rules, { name: ' ' })).toEqual(refused.parameter('name is empty'));
    expect(await as(ada).post(rules, { name: 'x', create_access_level: 20 })).toEqual(
      refused.parameter('create_access_level does not have a valid value'),
    );
    expect(await as(ada).post(rules, { name: 'x'.repeat(1025) })).toEqual(
      refused.invalid({ name: ['is too long (maximum is 1024 characters)'] }),
    );
  });

  test('is for masters', async () => {
    const { rules } = await createProject('private');
    const body = { name: 'v*' };
    for (const user of [bob, carl]) {
      expect(await as(user).post(rules, body)).toEqual(refused.forbidden);
    }
    expect(await as(eve).post(rules, body)).toEqual(refused.missing('Project'));
    expect(await as(null).post(rules, body)).toEqual(refused.anonymous);
  });
});

describe('GET and DELETE /projects/:id/protected_tags/:name', () => {
  test('list, show and delete rules', async () => {
    const { rules } = await createProject();
    await as(ada).post(rules, { name: 'v*' });
    await as(ada).post(rules, { name: 'a/b', create_access_level: 0 });
    expect((await as(ada).get(rules)).body).toEqual([rule('a/b', 0), rule('v*')]);
    expect((await as(ada).get(`${rules}/a%2Fb`)).body).toEqual(rule('a/b', 0));
    expect(await as(ada).get(`${rules}/none`)).toEqual(refused.record);
    expect(await as(ada).delete(`${rules}/a%2Fb`)).toEqual({ status: 204, body: null });
    expect(await as(ada).delete(`${rules}/a%2Fb`)).toEqual(refused.record);
    expect((await as(ada).get(rules)).body).toEqual([rule('v*')]);
  });

  test('are for masters', async () => {
    const { rules } = await createProject('private');
    await as(ada).post(rules, { name: 'v*' });
    for (const path of [rules, `${rules}/v*`]) {
      expect(await as(bob).get(path)).toEqual(refused.forbidden);
      expect(await as(eve).get(path)).toEqual(refused.missing('Project'));
      expect(await as(null).get(path)).toEqual(refused.anonymous);
    }
    expect(await as(bob).delete(`${rules}/v*`)).toEqual(refused.forbidden);
    expect(await as(eve).delete(`${rules}/v*`)).toEqual(refused.missing('Project'));
    expect(await as(null).delete(`${rules}/v*`)).toEqual(refused.anonymous);
  });
});

describe('a protected tag', async () => {
  const { id, fullPath, tags, rules } = await createProject();
  await as(ada).post(rules, { name: 'v*' });
  await as(ada).post(rules, { name: 'none', create_access_level: 0 });
  const texts = {
    create: 'You are not allowed to create this tag as it is protected.',
    update: 'Protected tags cannot be updated.',
  };
  const push = async (user: TestUser, ...refspecs: string[]) => {
    const address = remote(fullPath, user);
    const { code, stderr } = await tryGit(folder, 'push', address, ...refspecs);
    return code === 0
      ? 'done'
      : (Object.values(texts).find((text) => stderr.includes(text)) ?? stderr);
  };
  const graphql = async (user: TestUser, query: string): Promise<unknown> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Private-Token': user.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return response.json();
  };

  test('is created over git, REST, GraphQL and with a release only at its level', async () => {
    expect(await push(bob, 'master:refs/tags/v1')).toBe(texts.create);
    expect(await as(bob).post(tags, { tag_name: 'v1', ref: 'master' })).toEqual({
      status: 405,
      body: { message: texts.create },
    });
    const release = { tag_name: 'v1', ref: 'master', description: 'One' };
    const response = await as(bob).post(`/projects/${id}/releases`, release);
    expect([response.status, JSON.stringify(response.body)]).toEqual([
      expect.toSatisfy((status: number) => status >= 400 && status < 500),
      expect.stringContaining(texts.create),
    ]);
    const mutation = (name: string) =>
      `mutation { createTag(input: { projectId: "${fullPath}", name: "${name}", ref: "master" }) { tag { name isProtected } } }`;
    expect(await graphql(bob, mutation('v1'))).toMatchObject({
      errors: [{ message: texts.create }],
    });
    expect(await as(bob).get(`${tags}/v1`)).toEqual(refused.missing('Tag'));
    expect(await push(ada, 'master:refs/tags/v1')).toBe('done');
    expect((await as(ada).post(tags, { tag_name: 'v2', ref: 'master' })).status).toBe(201);
    expect(await graphql(ada, mutation('v3'))).toEqual({
      data: { createTag: { tag: { name: 'v3', isProtected: true } } },
    });
    expect(await push(ada, 'master:refs/tags/none')).toBe(texts.create);
    expect(await push(bob, 'master:refs/tags/other')).toBe('done');
  });

  test('is shown as protected', async () => {
    const { body } = await as(null).get(tags);
    const shown = (body as { name: string; protected: boolean }[]).map((tag) => [
      tag.name,
      tag.protected,
    ]);
    expect(Object.fromEntries(shown)).toMatchObject({ v1: true, v2: true, other: false });
    expect((await as(null).get(`${tags}/v1`)).body).toMatchObject({ protected: true });
  });

  test('is never moved, and deleted by masters only', async () => {
    await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Next');
    expect(await push(ada, '--force', 'HEAD:refs/tags/v1')).toBe(texts.update);
    expect(await push(ada, '--force', 'HEAD:refs/tags/other')).toBe('done');
    expect((await as(bob).delete(`${tags}/v1`)).status).toBe(400);
    expect(await push(ada, '--delete', 'refs/tags/v1')).toBe('done');
    expect((await as(ada).delete(`${tags}/v2`)).status).toBe(204);
  });
});

describe('pipelines of a protected tag', () => {
  test('are protected, and run by users who may create the tag', async () => {
    const { id } = await projectWithCi('acme/ci', { master: ada, developer: bob });
    await as(ada).post(`/projects/${id}/repository/tags`, { tag_name: 'v1', ref: 'master' });
    await expect.poll(() => db.pipeline.count({ where: { projectId: id } })).toBe(1);
    await as(ada).post(`/projects/${id}/protected_tags`, { name: 'v*' });
    const run = (user: TestUser) => as(user).post(`/projects/${id}/pipeline`, { ref: 'v1' });
    expect(await run(bob)).toEqual(
      refused.invalid({ base: ["Insufficient permissions for protected ref 'v1'"] }),
    );
    const { status, body } = await run(ada);
    expect(status).toBe(201);
    const pipeline = (body as { readonly id: number }).id;
    const isProtected = { isProtected: true };
    expect(await db.pipeline.findUnique({ where: { id: pipeline } })).toMatchObject(isProtected);
    expect(await db.job.findFirst({ where: { pipelineId: pipeline } })).toMatchObject(isProtected);
    const cancel = `/projects/${id}/pipelines/${pipeline}/cancel`;
    expect(await as(bob).post(cancel)).toEqual(refused.forbidden);
    expect((await as(ada).post(cancel)).status).toBe(200);
  });
});
