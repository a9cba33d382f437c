import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { git, temporaryFolder, tryGit, workTree } from '../support/git.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const server = await world();
const { as, seed, db, url } = server;
const { deletePushPipelines } = await ciOf(server);
const runners = runnersOf(server);
const ada = await seed.user('ada');
const dan = await seed.user('dan');
// an administrator who is a member of nothing
const boss = await seed.user('boss', { isAdmin: true });

await seed.group('acme', { owner: ada }, { visibility: 'public' });
const { id: project } = await seed.project(
  'acme/app',
  { developer: dan },
  { visibility: 'private' },
);
await seed.push('acme/app', { '.gitlab-ci.yml': 'one: { script: a }' });
await deletePushPipelines(project);
await db.protectedBranch.deleteMany({ where: { projectId: project } });
await seed.project('acme/library', { reporter: dan });
await seed.push('acme/library', { 'a.c': 'a' });
await seed.project('acme/secret');
await seed.push('acme/secret', { 'b.c': 'b' });
await seed.project('acme/open', {}, { visibility: 'public' });
await seed.push('acme/open', { 'c.c': 'c' });

await seed.project('acme/inside', {}, { visibility: 'internal' });
await seed.push('acme/inside', { 'e.c': 'e' });
const { id: moved } = await seed.project('acme/former');
await as(server.root).put(`/projects/${moved}`, { path: 'current' });

const runner = runnerClient(url, (await runners.specific([project])).token);

/** Starts a job as a user. */
async function startJob(user: TestUser = dan) {
  await as(user).post(`/projects/${project}/pipeline`, { ref: 'master' });
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was assigned');
  return job;
}

/** Retries a job as a user and starts the new one; its predecessor has failed. */
async function startRetried(user: TestUser) {
  const failed = await startJob();
  await runner.update(failed, { state: 'failed' });
  await as(user).post(`/projects/${project}/jobs/${failed.id}/retry`);
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was assigned');
  return job;
}

const missing = 'The project you were looking for could not be found.\n';
const denied = 'HTTP Basic: Access denied\n';

/** The first request of git. */
async function handshake(
  path: string,
  token: string,
  service = 'upload',
  username = 'gitlab-ci-token',
) {
  const credentials = Buffer.from(`${username}:${token}`).toString('base64');
  const response = await fetch(`${url}/${path}.git/info/refs?service=git-${service}-pack`, {
    headers: { Authorization: `Basic ${credentials}` },
  });
  const text = await response.text();
  return response.status === 200 ? 200 : { status: response.status, text };
}

describe('git with the token of a job', () => {
  test('clones with the URL in the job payload', async () => {
    const job = await startJob();
    const folder = await temporaryFolder();
    await git(folder, 'clone', '--quiet', job.git_info.repo_url, '.');
    expect(await git(folder, 'rev-parse', 'HEAD')).toBe(job.git_info.sha);
    await rm(folder, { recursive: true });
  });

  test('has no rights of an administrator who started or retried the job', async () => {
    for (const { token } of [await startJob(boss), await startRetried(boss)]) {
      expect(await handshake('acme/app', token)).toBe(200);
      expect(await handshake('acme/open', token)).toBe(200);
      expect(await handshake('acme/inside', token)).toBe(200);
      for (const path of ['acme/secret', 'acme/library', 'acme/secret.wiki', 'acme/former']) {
        expect(await handshake(path, token)).toEqual({ status: 404, text: missing });
      }
    }
  });

  test('reads private projects where its administrator is a member', async () => {
    const admin = await seed.user('chief', { isAdmin: true });
    const { id } = await seed.project('acme/joined');
    const member = await db.member.create({
      data: { projectId: id, userId: admin.id, accessLevel: 20 },
    });
    const { token } = await startJob(admin);
    expect(await handshake('acme/joined', token)).toBe(200);
    await db.member.update({ where: { id: member.id }, data: { accessLevel: 10 } });
    expect(await handshake('acme/joined', token)).toMatchObject({ status: 403 });
    expect(await handshake('acme/joined.wiki', token)).toMatchObject({ status: 403 });
  });

  test('reads its own project when its user is no member any more', async () => {
    const gil = await seed.user('gil');
    await db.member.create({ data: { projectId: project, userId: gil.id, accessLevel: 30 } });
    const { token } = await startJob(gil);
    await as(ada).delete(`/projects/${project}/members/${gil.id}`);
    expect(await handshake('acme/app', token)).toBe(200);
    expect(await handshake('acme/app.wiki', token)).toBe(200);
    expect(await handshake('acme/secret', token)).toEqual({ status: 404, text: missing });
  });

  test('reads no internal project for an external user', async () => {
    const max = await seed.user('max');
    await db.member.create({ data: { projectId: project, userId: max.id, accessLevel: 30 } });
    const { token } = await startJob(max);
    expect(await handshake('acme/inside', token)).toBe(200);
    await as(server.root).put(`/users/${max.id}`, { external: true });
    expect(await handshake('acme/inside', token)).toEqual({ status: 404, text: missing });
    expect(await handshake('acme/app', token)).toBe(200);
  });

  test('reads exactly the projects that the job’s user can read', async () => {
    const { token } = await startJob();
    expect(await handshake('acme/app', token)).toBe(200);
    expect(await handshake('acme/library', token)).toBe(200);
    expect(await handshake('acme/open', token)).toBe(200);
    expect(await handshake('acme/secret', token)).toEqual({ status: 404, text: missing });
  });

  test('cannot push, whatever the user’s level', async () => {
    const { token, git_info } = await startJob(ada);
    for (const path of ['acme/app', 'acme/open', 'acme/secret', 'acme/none', 'acme/app.wiki']) {
      expect(await handshake(path, token, 'receive')).toEqual({
        status: 403,
        text: 'You are not allowed to upload code for this project.\n',
      });
    }
    const folder = await workTree({ 'd.c': 'd' });
    const { code, stderr } = await tryGit(
      folder,
      'push',
      git_info.repo_url,
      'master:refs/heads/new',
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain('403');
    await rm(folder, { recursive: true });
  });

  test('expires with the job', async () => {
    const refusal = { status: 401, text: denied };
    for (const state of ['success', 'failed']) {
      const job = await startJob();
      expect(await handshake('acme/app', job.token)).toBe(200);
      await runner.update(job, { state });
      expect(await handshake('acme/app', job.token)).toEqual(refusal);
    }
    const job = await startJob();
    await db.job.update({ where: { id: job.id }, data: { status: 'canceled' } });
    expect(await handshake('acme/app', job.token)).toEqual(refusal);
  });

  test('does not count as a password guess after the job, however often it is sent', async () => {
    const job = await startJob();
    await runner.update(job, { state: 'success' });
    for (let turn = 0; turn < 12; turn += 1) {
      expect(await handshake('acme/app', job.token)).toEqual({ status: 401, text: denied });
    }
    expect(await db.$queryRaw`SELECT key FROM sign_in_attempts WHERE points > 9`).toEqual([]);
  });

  test('is rejected where jobs are disabled', async () => {
    const { token } = await startJob();
    await as(ada).put(`/projects/${project}`, { jobs_enabled: false });
    expect(await handshake('acme/app', token)).toEqual({ status: 401, text: denied });
    await as(ada).put(`/projects/${project}`, { jobs_enabled: true });
    expect(await handshake('acme/app', token)).toBe(200);
  });

  test('is rejected when the job’s user is blocked or deleted', async () => {
    const eve = await seed.user('eve');
    await db.member.create({ data: { projectId: project, userId: eve.id, accessLevel: 30 } });
    const { id, token } = await startJob(eve);
    expect(await handshake('acme/app', token)).toBe(200);
    await server.as(server.root).post(`/users/${eve.id}/block`);
    expect(await handshake('acme/app', token)).toEqual({ status: 401, text: denied });
    await db.job.update({ where: { id }, data: { userId: null } });
    expect(await handshake('acme/app', token)).toEqual({ status: 401, text: denied });
  });

  test('is neither a user’s password nor an API token', async () => {
    const { token } = await startJob();
    expect(await handshake('acme/app', token, 'upload', 'dan')).toMatchObject({ status: 401 });
    expect(await handshake('acme/app', `${token}x`)).toMatchObject({ status: 401 });
    expect(await handshake('acme/app', '')).toMatchObject({ status: 401 });
    const response = await fetch(`${url}/api/v4/user`, { headers: { 'Private-Token': token } });
    expect(response.status).toBe(401);
  });
});
