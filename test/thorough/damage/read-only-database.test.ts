import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '../../../rest-facade/index.ts';
import { makeReadOnly } from '../../support/failing-database.ts';
import { freePort } from '../../support/free-port.ts';
import { commit, git, temporaryFolder, tryGit, workTree } from '../../support/git.ts';
import { graphqlClientOf } from '../../support/graphql.ts';
import { contentOf, lfsClient } from '../../support/lfs.ts';
import { runnerClient } from '../../support/runner-client.ts';
import { runnersOf } from '../../support/runners.ts';
import { message, soapClientOf } from '../../support/soap.ts';
import { gitWith, sshKeyPair } from '../../support/ssh.ts';
import { visitorAt } from '../../support/visitor.ts';
import { world } from '../../support/world.ts';

/*
 * A database that became read-only, as after a failover to a standby: reads work, writes get 503 in the form of each
 * interface, and all work again without a restart when it is writable, although nothing ends the sessions.
 */

const sshPort = await freePort();
const testWorld = await world({
  variables: { MILLRACE_SSH_PORT: String(sshPort) },
  isOneProcess: true,
});
const { as, seed, root, url, db, databaseUrl, remote, storedKeys } = testWorld;
const [ada, bob] = [await seed.user('ada'), await seed.user('bob')];
const { id } = await seed.project('ada/app', {}, { visibility: 'public' });
await seed.push('ada/app', {
  '.gitlab-ci.yml': 'build: { script: make }\ntest: { script: make }\n',
});
const folder = await temporaryFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));
const key = await sshKeyPair(folder);
await as(ada).post('/user/keys', { title: 'laptop', key: key.publicKey });

const graphql = graphqlClientOf(url);
const lfs = lfsClient(url);
const content = contentOf('a large file');
const runners = runnersOf(testWorld);
const otherRunner = await runners.specific([id]);
const runner = runnerClient(url, (await runners.specific([id])).token);
await vi.waitUntil(
  async () => (await db.job.count({ where: { status: 'pending' } })) === 2,
  20_000,
);
const { job } = await runner.request();
if (!job) throw new Error('no job');
expect(await runner.append(job, 0, 'one\n')).toMatchObject({ status: 202, range: '0-4' });
const soap = soapClientOf(url);
const session = await soap.session(ada);
const browser = visitorAt(url);
await browser.signIn(ada);
const admin = visitorAt(url);
await admin.signIn(root);
const work = await workTree({ 'b.txt': 'two\n' });
const formToken = await browser.formToken('/ada/app/labels/new');
const anonymous = visitorAt(url);
const signInToken = await anonymous.formToken('/users/sign_in');

await as(ada).post(`/projects/${id}/repository/branches`, { branch: 'topic', ref: 'master' });
const actions = [{ action: 'create', file_path: 'a.ts', content: 'a' }];
const added = { branch: 'topic', commit_message: 'Add', actions };
await as(ada).post(`/projects/${id}/repository/commits`, added);
const merging = { source_branch: 'topic', target_branch: 'master', title: 'Add' };
const { iid } = (await as(ada).post(`/projects/${id}/merge_requests`, merging)).body as {
  iid: number;
};

/** Each GET endpoint with an address that mostly exists, and its status for an administrator. */
async function statusesOfReads(): Promise<readonly (readonly [string, number])[]> {
  const values: Readonly<Record<string, string>> = {
    branch: 'master',
    sha: 'master',
    ref: 'master',
    file_path: 'b.ts',
    iid: String(iid),
    merge_request_iid: String(iid),
    job_id: String(job?.id),
  };
  const paths = routes
    // without the token of a job it counts a wrong token, which is no read
    .filter(({ method, path }) => method === 'get' && path !== '/jobs/:id/artifacts')
    .map(({ path }) => path.replace(/[:*](\w+)/g, (_, name: string) => values[name] ?? String(id)));
  const statuses: (readonly [string, number])[] = [];
  for (const path of new Set(paths)) {
    const response = await as(root).fetch(path);
    await response.body?.cancel();
    statuses.push([path, response.status]);
  }
  return statuses;
}

/** Makes due what reads write in passing (statuses, uses of keys and sessions), and the contact of the runner. */
async function makeWritesDue() {
  await db.mergeRequest.updateMany({ data: { mergeStatus: 'unchecked', checkedAgainst: null } });
  await db.projectLanguages.deleteMany();
  await db.job.updateMany({ where: { id: job?.id ?? 0 }, data: { heardAt: new Date(0) } });
  await db.key.updateMany({ data: { lastUsedAt: null } });
  const expiresAt = new Date(Date.now() + 60_000);
  await db.browserSession.updateMany({ data: { expiresAt } });
  await db.soapSession.updateMany({ data: { expiresAt } });
}

const text = 'The service is read-only at the moment';
const json = { 'Content-Type': 'application/json' };
const posted = (body: object, headers: object = {}): RequestInit => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
});
const withToken = { 'Private-Token': ada.token };
const label = (name: string) => ({ name, color: '#112233' });
const createLabel = `mutation ($name: String!) {
  createLabel(input: { projectId: "ada/app", name: $name, color: "#112233" }) { label { name } }
}`;

const answerOf = async (response: Response) => ({
  status: response.status,
  wait: response.headers.get('Retry-After'),
  body: await response.text(),
});

/** Each write, its status on success, and the text of its refusal. */
const writes: readonly (readonly [string, () => Promise<Response>, number, RegExp])[] = [
  [
    'REST',
    () => fetch(`${url}/api/v4/projects/${id}/labels`, posted(label('rest'), withToken)),
    201,
    /^\{"message":"503 The service is read-only at the moment"\}$/,
  ],
  [
    'a GraphQL mutation',
    () =>
      fetch(
        `${url}/graphql`,
        posted({ query: createLabel, variables: { name: 'graphql' } }, withToken),
      ),
    200,
    /"message":"The service is read-only at the moment".*"code":"UNAVAILABLE"/,
  ],
  [
    'SOAP',
    () =>
      fetch(`${url}/api/soap`, {
        method: 'POST',
        headers: { 'Content-Type': 'text/xml' },
        body: message('call', session, 'label.create', [id, label('soap')]),
      }),
    200,
    /<faultstring>The service is read-only at the moment\. Try again later\.<\/faultstring>/,
  ],
  [
    'a SOAP login',
    () =>
      fetch(`${url}/api/soap`, {
        method: 'POST',
        headers: { 'Content-Type': 'text/xml' },
        body: message('login', 'ada', ada.token),
      }),
    200,
    /<faultstring>The service is read-only at the moment\. Try again/,
  ],
  [
    'an OAuth token',
    () =>
      fetch(
        `${url}/oauth/token`,
        posted({ grant_type: 'password', username: 'ada', password: ada.password }),
      ),
    200,
    /^\{"error":"temporarily_unavailable","error_description":"The service is read-only at the moment"\}$/,
  ],
  [
    'a request of a runner for a job',
    () => fetch(`${url}/api/v4/jobs/request`, posted({ token: otherRunner.token })),
    201,
    /503 The service is read-only at the moment/,
  ],
];

const refusedPage = (response: { status: number; text: string; headers: Headers }) => ({
  status: response.status,
  wait: response.headers.get('Retry-After'),
  isNamed: response.text.includes(text),
});

describe('while the database is read-only', () => {
  let makeWritable = async () => {};
  const push = () => tryGit(work, 'push', '-q', remote('ada/app', ada), 'HEAD:refs/heads/http');
  const pushBySsh = () =>
    gitWith(key, work, 'push', '-q', `ssh://git@localhost:${sshPort}/ada/app.git`, 'HEAD:ssh');
  const branches = async () =>
    (await git(work, 'ls-remote', '--heads', remote('ada/app', ada))).split('\n');
  let before: readonly string[] = [];
  let readsBefore: Awaited<ReturnType<typeof statusesOfReads>> = [];
  let upload: Awaited<ReturnType<typeof lfs.actionOf>>;

  beforeAll(async () => {
    before = await branches();
    readsBefore = await statusesOfReads();
    upload = await lfs.actionOf(ada, 'ada/app', 'upload', content);
    await makeWritesDue();
    makeWritable = await makeReadOnly(databaseUrl);
  });

  test('readiness fails with the reason, and liveness succeeds', async () => {
    expect(await answerOf(await fetch(`${url}/-/readiness`))).toMatchObject({
      status: 503,
      body: '{"status":"unavailable","reason":"The database is read-only"}',
    });
    expect((await fetch(`${url}/-/liveness`)).status).toBe(200);
  });

  test.each(writes)('%s gets 503 and Retry-After', async (_name, write, _status, refusal) => {
    expect(await answerOf(await write())).toEqual({
      status: 503,
      wait: '10',
      body: expect.stringMatching(refusal),
    });
  });

  test('a form and the sign-in get a page that says so', async () => {
    const expected = { status: 503, wait: '10', isNamed: true };
    const created = await browser.post('/ada/app/labels', {
      authenticity_token: formToken,
      ...label('page'),
    });
    expect(refusedPage(created)).toEqual(expected);
    const fields = { authenticity_token: signInToken, login: 'ada', password: ada.password };
    expect(refusedPage(await anonymous.post('/users/sign_in', fields))).toEqual(expected);
  });

  test('a push over HTTP or SSH is refused by name, and moves nothing', async () => {
    for (const pushed of [await push(), await pushBySsh()]) {
      expect(pushed.code).not.toBe(0);
      expect(pushed.stderr).toContain(`${text}. Try again in 10 seconds.`);
    }
    expect(await branches()).toEqual(before);
  });

  test('an LFS upload gets 503, and leaves no file', async () => {
    expect(await answerOf(await lfs.put(upload, content.bytes))).toEqual({
      status: 503,
      wait: '10',
      body: expect.stringContaining(text),
    });
    const isFile = (key: string) => !key.endsWith('/maker');
    expect((await storedKeys('lfs/')).filter(isFile)).toEqual([]);
  });

  test('a runner can neither send its trace nor its result, and its job runs on', async () => {
    expect((await runner.append(job, 4, 'two\n')).status).toBe(503);
    expect((await runner.update(job, { state: 'success' })).status).toBe(503);
    expect((await as(ada).get(`/projects/${id}/jobs/${job.id}`)).body).toMatchObject({
      status: 'running',
    });
  });

  test('reads work: REST, GraphQL, SOAP, pages and clones', async () => {
    for (const path of [
      '',
      '/labels',
      '/issues',
      '/repository/commits',
      '/languages',
      `/merge_requests/${iid}`,
      '/jobs',
      '/members',
      '/events',
    ])
      expect([path, (await as(ada).get(`/projects/${id}${path}`)).status]).toEqual([path, 200]);
    for (const path of ['/user', '/user/keys', '/projects', '/groups', '/todos', '/events'])
      expect([path, (await as(ada).get(path)).status]).toEqual([path, 200]);
    const query = '{ currentUser { username } project(id: "ada/app") { name } }';
    expect((await graphql(ada, query)).body.errors).toBeUndefined();
    expect(await soap.invoke('call', session, 'project.info', [id])).toHaveProperty('result');
    for (const path of ['/', '/ada/app', '/ada/app/issues', '/profile', '/ada/app/commits/master'])
      expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
    expect((await visitorAt(url).get('/ada/app')).status).toBe(200);
    const clone = await tryGit(folder, 'clone', '-q', remote('ada/app', bob), 'by-http');
    expect(clone.stderr).toBe('');
    const address = `ssh://git@localhost:${sshPort}/ada/app.git`;
    expect((await gitWith(key, folder, 'clone', '-q', address, 'by-ssh')).code).toBe(0);
  });

  test('each GET endpoint responds as before', async () => {
    expect(readsBefore.filter(([, status]) => status === 200).length).toBeGreaterThan(80);
    expect(await statusesOfReads()).toEqual(readsBefore);
  });

  test('the page of the health says so in plain words', async () => {
    const { status, text: shown } = await admin.get('/admin/health');
    expect(status).toBe(200);
    expect(shown).toContain('The database is read-only');
  });

  describe('and writable again', () => {
    beforeAll(async () => {
      // many connections that were opened while it was read-only
      await Promise.all(Array.from({ length: 60 }, () => as(ada).get('/projects')));
      await makeWritable();
    });

    test('readiness succeeds, and so does each write, without a restart', async () => {
      await expect.poll(async () => (await fetch(`${url}/-/readiness`)).status).toBe(200);
      for (const [name, write, status] of writes) {
        const response = await write();
        expect([name, response.status, await response.text()]).toEqual([
          name,
          status,
          expect.anything(),
        ]);
      }
    });

    test('no connection of the pool is left that cannot write', async () => {
      const issues = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          as(ada).post(`/projects/${id}/issues`, { title: `Issue ${n}` }),
        ),
      );
      expect(issues.map(({ status }) => status)).toEqual(issues.map(() => 201));
    });

    test('pushes, uploads, traces and background jobs continue where they were', async () => {
      expect((await push()).code).toBe(0);
      await commit(work, { 'c.txt': 'three\n' }, 'Three');
      expect((await pushBySsh()).code).toBe(0);
      expect((await lfs.put(upload, content.bytes)).status).toBe(200);
      expect(await lfs.download(ada, 'ada/app', content)).toEqual(content.bytes);
      // what was refused may be in the file: the range tells its size
      expect(await runner.append(job, 4, 'two\n')).toMatchObject({ range: '0-8' });
      expect((await runner.update(job, { state: 'success' })).status).toBe(200);
      const trace = await as(ada).fetch(`/projects/${id}/jobs/${job.id}/trace`);
      expect(await trace.text()).toBe('one\ntwo\n');
      const events = async () => (await as(ada).get(`/projects/${id}/events`)).body as object[];
      await expect.poll(async () => JSON.stringify(await events())).toContain('"ref":"ssh"');
      const waiting = () => db.$queryRaw`
        SELECT name, state FROM pgboss.job WHERE state < 'completed' OR state = 'failed'`;
      await expect.poll(waiting).toEqual([]);
      expect(await db.deadLetter.count()).toBe(0);
    });

    test('the page of the health does not mention it any more', async () => {
      const { status, text: shown } = await admin.get('/admin/health');
      expect(status).toBe(200);
      expect(shown).not.toContain('read-only');
    });
  });
});
