import { describe, expect, test } from 'vitest';
import { deleteOldAuditEvents } from '../../schema/audit/retention.ts';
import { ciOf } from '../support/ci.ts';
import { commandsOf } from '../support/commands.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../support/runner-jobs.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

const server = await world();
const { as, seed, root, url, db, databaseUrl, dataFolder } = server;
const ada = await seed.user('ada');
const { id: projectId } = await seed.project('root/app', {});
const { id: groupId } = await seed.group('tools', {});

/** The newest event. */
const newest = () => db.auditEvent.findFirst({ orderBy: { id: 'desc' } });

const signIn = (login: string, password: string) =>
  fetch(`${url}/api/v4/session`, {
    method: 'POST',
    body: new URLSearchParams({ login, password }),
  });

/** The response of GraphQL to a user. */
async function query(token: string, text: string) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: text }),
  });
  return response.json();
}

interface Action {
  readonly method?: 'post' | 'put' | 'delete';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly event: object;
}

const actions: readonly Action[] = [
  {
    path: '/users',
    body: { username: 'bob', name: 'Bob', email: 'bob@example.com', password: 'a long password' },
    event: {
      name: 'create_user',
      details: { user: { username: 'bob', email: 'bob@example.com', password: '[hidden]' } },
    },
  },
  { path: `/users/${ada.id}/block`, event: { name: 'block_user', userId: ada.id } },
  { path: `/users/${ada.id}/unblock`, event: { name: 'unblock_user', userId: ada.id } },
  {
    method: 'put',
    path: `/users/${ada.id}`,
    body: { admin: false, password: 'another password' },
    event: { name: 'update_user', userId: ada.id, details: { user: { password: '[hidden]' } } },
  },
  {
    path: `/users/${ada.id}/impersonation_tokens`,
    body: { name: 'script', scopes: ['api'] },
    event: {
      name: 'create_impersonation_token',
      userId: ada.id,
      details: { name: 'script', scopes: ['api'] },
    },
  },
  {
    path: '/user/keys',
    body: { title: 'laptop', key: newPublicKey() },
    event: { name: 'create_ssh_key', details: { title: 'laptop', key: '[hidden]' } },
  },
  {
    method: 'put',
    path: '/application/settings',
    body: { signup_enabled: false },
    event: { name: 'update_application_settings', details: { settings: { signupEnabled: false } } },
  },
  {
    path: '/projects/root%2Fapp/members',
    body: { user_id: ada.id, access_level: 30 },
    event: { name: 'add_member', projectId, userId: ada.id, details: { accessLevel: 30 } },
  },
  {
    method: 'delete',
    path: `/projects/${projectId}/members/${ada.id}`,
    event: { name: 'remove_member', projectId, userId: ada.id },
  },
  {
    path: `/groups/tools/members`,
    body: { user_id: ada.id, access_level: 20 },
    event: { name: 'add_member', groupId, userId: ada.id },
  },
  {
    path: `/projects/${projectId}/variables`,
    body: { key: 'KEY', value: 'a value' },
    event: { name: 'create_variable', projectId, details: { key: 'KEY', value: '[hidden]' } },
  },
  {
    path: `/projects/${projectId}/hooks`,
    body: { url: 'https://hooks.example.com/?secret=1', token: 'a secret' },
    event: { name: 'create_hook', projectId, details: { hook: { token: '[hidden]' } } },
  },
  {
    path: '/projects',
    body: { name: 'fresh' },
    event: { name: 'create_project', projectId: expect.any(Number) },
  },
  {
    method: 'delete',
    path: '/projects/root%2Ffresh',
    event: { name: 'delete_project', projectId: expect.any(Number) },
  },
  { method: 'delete', path: '/groups/tools', event: { name: 'delete_group', groupId } },
];

/** A project, and what starts and finishes a job of it with artifacts; gives its id. */
async function jobsWithArtifacts() {
  const ci = await ciOf(server);
  const app = await projectWithJobs(server, ci, 'root/ci', 'unit: { script: make }\n');
  const assign = await jobAssigner(server, ci);
  const finished = async () => {
    const pipelineId = await app.pipeline();
    const job = await assign(pipelineId, 'unit');
    await jobClient(url).leave(job, { file: new File(['PK'], 'artifacts.zip') });
    await ci.move(pipelineId, 'unit', 'success');
    return job.id;
  };
  return { app: app.id, finished };
}

describe('the audit log', () => {
  test.each(actions)('records $event.name', async ({ method = 'post', path, body, event }) => {
    const client = as(root);
    const { status } =
      method === 'delete' ? await client.delete(path) : await client[method](path, body);
    expect(status).toBeLessThan(300);
    const { details, ...facts } = event as { readonly details?: object };
    expect(await newest()).toMatchObject({
      authorId: root.id,
      authorName: 'root',
      sudoerId: null,
      ...facts,
      ...(details && { details }),
    });
  });

  test('records removed fork relations, erased jobs and deleted artifacts', async () => {
    const client = as(root);
    const fork = await seed.project('root/fork');
    expect((await client.post(`/projects/${fork.id}/fork/${projectId}`)).status).toBe(201);
    expect((await client.delete(`/projects/${fork.id}/fork`)).status).toBe(204);
    expect(await newest()).toMatchObject({ name: 'delete_fork_relation', projectId: fork.id });

    const { app, finished } = await jobsWithArtifacts();
    const [first, second, third] = [await finished(), await finished(), await finished()];
    const fourth = await finished();
    const jobs = `/projects/${app}/jobs`;
    const event = { projectId: app, authorId: root.id };
    expect((await client.delete(`${jobs}/${first}/artifacts`)).status).toBe(204);
    const deletion = { ...event, name: 'delete_artifacts', details: { id: first } };
    expect(await newest()).toMatchObject(deletion);
    expect((await client.post(`${jobs}/${second}/erase`)).status).toBe(201);
    const erasure = { ...event, name: 'erase_job', details: { id: second } };
    expect(await newest()).toMatchObject(erasure);
    const input = (id: number) => `(input: { id: "Job:${id}" }) { job { id } }`;
    await query(root.token, `mutation { deleteArtifacts${input(third)} }`);
    expect(await newest()).toMatchObject({ ...deletion, details: { id: third } });
    await query(root.token, `mutation { eraseJob${input(fourth)} }`);
    expect(await newest()).toMatchObject({ ...erasure, details: { id: fourth } });
  });

  test('has no event of a change that failed, nor of ordinary work', async () => {
    const before = await newest();
    expect((await as(ada).post(`/users/${root.id}/block`)).status).toBe(403);
    expect((await as(root).post('/users', { username: '-' })).status).toBe(400);
    expect((await as(root).post(`/projects/${projectId}/issues`, { title: 'a' })).status).toBe(201);
    expect((await newest())?.id).toBe(before?.id);
  });

  test('records sign-ins, and rejected ones with the name that was tried', async () => {
    const cid = await seed.user('cid');
    expect((await signIn('cid', cid.password)).status).toBe(201);
    expect(await newest()).toMatchObject({
      name: 'sign_in',
      authorId: cid.id,
      authorName: 'cid',
      userId: cid.id,
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
    });
    expect((await signIn('cid', 'a wrong password')).status).toBe(401);
    expect(await newest()).toMatchObject({
      name: 'sign_in_failed',
      authorId: null,
      details: { login: 'cid' },
    });
    const grant = { grant_type: 'password', username: 'cid' };
    const exchange = (password: string) =>
      fetch(`${url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...grant, password }),
      });
    expect((await exchange('another wrong one')).ok).toBe(false);
    expect(await newest()).toMatchObject({ name: 'sign_in_failed', details: { login: 'cid' } });
    expect((await exchange(cid.password)).status).toBe(200);
    expect(await newest()).toMatchObject({ name: 'sign_in', userId: cid.id });
    const credential = Buffer.from('cid:a third wrong one').toString('base64');
    await fetch(`${url}/root/app.git/info/refs?service=git-upload-pack`, {
      headers: { Authorization: `Basic ${credential}` },
    });
    expect(await newest()).toMatchObject({ name: 'sign_in_failed', address: expect.any(String) });
  });

  test('records what commands change, and exports all as lines of JSON', async () => {
    const { run } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });
    expect((await run(['settings', 'set', 'home_page_url=https://example.com'])).code).toBe(0);
    expect(await newest()).toMatchObject({
      name: 'command',
      authorId: null,
      authorName: 'operator',
      details: { command: 'settings set', subject: 'home_page_url' },
    });
    expect((await run(['settings', 'get'])).code).toBe(0);
    expect((await run(['user', 'block', 'nobody'])).code).toBe(1);
    expect(await newest()).toMatchObject({
      details: { command: 'user block', subject: 'nobody', failed: true },
    });
    await run(['doctor', '--fix']);
    expect(await newest()).toMatchObject({ details: { command: 'doctor --fix' } });
    const { stdout } = await run(['audit', 'export', '--after', '2020-01-01']);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(await db.auditEvent.count());
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      name: 'command',
      author_name: 'operator',
    });
    expect((await run(['audit', 'export', '--before', '2020-01-01'])).stdout).toBe('');
  });

  test('begins with the first administrator', async () => {
    expect(await db.auditEvent.findFirst({ orderBy: { id: 'asc' } })).toMatchObject({
      name: 'create_user',
      authorId: null,
      authorName: 'first start',
      userId: root.id,
    });
  });

  test('has no event of what anonymous clients may repeat', async () => {
    const before = await newest();
    const body = new URLSearchParams({ token: 'unknown' });
    await fetch(`${url}/oauth/revoke`, { method: 'POST', body });
    expect((await newest())?.id).toBe(before?.id);
  });

  test('names the administrator who acts as another user', async () => {
    const key = { title: 'sudo', key: newPublicKey() };
    expect((await as(root).post('/user/keys?sudo=ada', key)).status).toBe(201);
    expect(await newest()).toMatchObject({ authorId: ada.id, sudoerId: root.id });
  });

  test('is read by administrators only, with filters', async () => {
    const document = `{ admin { auditEvents(filter: { name: "block_user", userId: ${ada.id} }) {
      nodes { name authorName userId details createdAt } } } }`;
    expect(await query(root.token, document)).toMatchObject({
      data: { admin: { auditEvents: { nodes: [{ name: 'block_user', authorName: 'root' }] } } },
    });
    expect(await query(ada.token, document)).toMatchObject({ data: { admin: null } });
  });

  test('keeps no secret', async () => {
    const text = JSON.stringify(await db.auditEvent.findMany());
    for (const secret of [
      'a long password',
      'another password',
      'a value',
      'a secret',
      'ssh-rsa',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test('forgets events after the time that the operator set', async () => {
    const count = await db.auditEvent.count();
    const { id = 0 } = (await newest()) ?? {};
    await db.auditEvent.update({ where: { id }, data: { createdAt: new Date('2020-01-01') } });
    await deleteOldAuditEvents(365, { db });
    expect(await db.auditEvent.count()).toBe(count - 1);
    expect((await newest())?.id).not.toBe(id);
  });
});
