import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { jobAssigner, projectWithJobs } from '../support/runner-jobs.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const ci = await ciOf(testWorld);
const assign = await jobAssigner(testWorld, ci);
const dev = await seed.user('dev');
const guest = await seed.user('guest');
await seed.group('acme', {}, { visibility: 'private' });
const { id: app } = await projectWithJobs(
  testWorld,
  ci,
  'acme/app',
  'one: { script: a }\ntwo: { script: b }\n',
);
await as(root).post(`/projects/${app}/members`, { user_id: dev.id, access_level: 30 });
await as(root).post(`/projects/${app}/members`, { user_id: guest.id, access_level: 10 });
await db.protectedBranch.deleteMany({ where: { projectId: app } });
const { id: other } = await seed.project('acme/other', { developer: dev });
await seed.push('acme/other', { 'README.md': '# Other' });

/** A running job of a user. */
async function startJob(user = dev) {
  const { body } = await as(dev).post(`/projects/${app}/pipeline`, { ref: 'master' });
  const job = await assign((body as { id: number }).id, 'one');
  await db.job.update({ where: { id: job.id }, data: { userId: user.id } });
  return job;
}

const send = async (token: string, method: string, path: string, body?: object) => {
  const response = await fetch(`${url}/api/v4${path}`, {
    method,
    headers: { 'JOB-TOKEN': token, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
};

const releases = `/projects/${app}/releases`;

describe('a running job', () => {
  test('creates, shows and updates a release of its project with links', async () => {
    const { token } = await startJob();
    const links = [{ name: 'app', url: 'https://files.example/app.tgz', link_type: 'package' }];
    const release = { tag_name: 'v1', ref: 'master', name: 'One', description: 'First' };
    expect(await send(token, 'POST', releases, { ...release, assets: { links } })).toMatchObject({
      status: 201,
      body: { tag_name: 'v1', author: { username: 'dev' }, assets: { links } },
    });
    const path = '/projects/acme%2Fapp/releases/v1';
    expect(await send(token, 'GET', path)).toMatchObject({
      status: 200,
      body: { name: 'One', description_html: '<p>First</p>\n' },
    });
    expect(await send(token, 'PUT', path, { name: 'Two' })).toMatchObject({
      status: 200,
      body: { name: 'Two' },
    });
    expect(await send(token, 'GET', releases)).toMatchObject({ body: [{ name: 'Two' }] });
    const created = await send(token, 'POST', `${path}/assets/links`, {
      name: 'notes',
      url: 'https://files.example/notes',
    });
    expect(created.status).toBe(201);
    const link = `${path}/assets/links/${(created.body as { id: number }).id}`;
    expect(await send(token, 'PUT', link, { name: 'news' })).toMatchObject({
      status: 200,
      body: { name: 'news' },
    });
    expect(await send(token, 'GET', link)).toMatchObject({ body: { name: 'news' } });
    expect(await send(token, 'GET', `${path}/assets/links`)).toMatchObject({ status: 200 });
  });

  test('uses gitbeaker with its token', async () => {
    const { token } = await startJob();
    const { ProjectReleases, ReleaseLinks } = new Gitlab({ host: url, jobToken: token });
    await ProjectReleases.create(app, { tagName: 'g/1', ref: 'master', description: 'By a job' });
    const link = await ReleaseLinks.create(app, 'g/1', 'app', 'https://files.example/g.tgz');
    expect(await ProjectReleases.show('acme/app', 'g/1')).toMatchObject({
      description: 'By a job',
      assets: { links: [{ id: link.id }] },
    });
  });

  test('has the rights of its user', async () => {
    const { token } = await startJob(guest);
    const release = { tag_name: 'v2', ref: 'master', description: 'Second' };
    expect(await send(token, 'POST', releases, release)).toEqual(refused.forbidden);
  });

  test('of an administrator or a former member reads releases and writes none', async () => {
    const gone = await seed.user('gone');
    const boss = await seed.user('boss', { isAdmin: true });
    const release = { tag_name: 'v3', ref: 'master', description: 'Third' };
    for (const user of [boss, gone]) {
      const { token } = await startJob(user);
      expect(await send(token, 'GET', releases)).toMatchObject({ status: 200 });
      expect(await send(token, 'POST', releases, release)).toEqual(refused.forbidden);
    }
  });

  test('finds no other project', async () => {
    const { token } = await startJob();
    const release = { tag_name: 'v1', ref: 'master', description: 'First' };
    for (const project of [other, 'acme%2Fother', 1_000_000, 'acme%2Fnone']) {
      expect(await send(token, 'POST', `/projects/${project}/releases`, release)).toEqual(
        refused.missing('Project'),
      );
    }
  });

  test('cannot delete, and reaches no other endpoint', async () => {
    const { token } = await startJob();
    expect(await send(token, 'DELETE', `${releases}/v1`)).toEqual(refused.anonymous);
    expect(await send(token, 'GET', '/user')).toEqual(refused.anonymous);
    expect(await send(token, 'GET', `/projects/${app}`)).toEqual(refused.missing('Project'));
  });

  test('of an administrator cannot act as another user', async () => {
    const { token } = await startJob(root);
    expect(await send(token, 'GET', `${releases}?sudo=dev`)).toMatchObject({ status: 403 });
  });

  test('of a blocked user is not accepted', async () => {
    const eve = await seed.user('eve');
    const { token } = await startJob(eve);
    await as(root).post(`/users/${eve.id}/block`);
    await expect.poll(() => send(token, 'GET', releases)).toEqual(refused.anonymous);
  });

  test('beside a valid token is ignored', async () => {
    const response = await fetch(`${url}/api/v4${releases}`, {
      headers: { 'JOB-TOKEN': 'nonsense', 'Private-Token': dev.token },
    });
    expect(response.status).toBe(200);
  });
});

test('the token of a finished job is not accepted', async () => {
  const { id, token } = await startJob();
  await db.job.update({ where: { id }, data: { status: 'success' } });
  expect(await send(token, 'GET', releases)).toEqual(refused.anonymous);
});

test('an unknown token is not accepted, also by a public project', async () => {
  await as(root).put('/groups/acme', { visibility: 'public' });
  await as(root).put(`/projects/${app}`, { visibility: 'public' });
  expect(await send('nonsense', 'GET', releases)).toEqual(refused.anonymous);
});
