import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordFailedImport } from '../../schema/imports/record-failure.ts';
import { importPorts } from '../../server/git/repositories/import.ts';
import { destinationOf, urlFault } from '../../server/outgoing/destination.ts';
import type { Parameters } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { git } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db, remote, dataFolder } = await world({
  variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const master = await seed.user('master');
await seed.group('acme', { owner: ada });
const source = await seed.project('acme/source');
const sha = await seed.push('acme/source', { 'README.md': '# Source\n', 'a/b.txt': 'b' });
await as(root).post(`/projects/${source.id}/repository/tags`, { tag_name: 'v1', ref: 'master' });

interface Project {
  readonly id: number;
  readonly import_status: string;
  readonly import_error: string | null;
}

const projectOf = async (id: number) => (await as(ada).get(`/projects/${id}`)).body as Project;

/** Creates a project with `import_url` and waits until the import has ended. */
async function importProject(path: string, import_url: string): Promise<Project> {
  const response = await as(ada).post('/projects', { path, import_url });
  // the job may have started before the response
  const body = { import_status: expect.not.stringMatching('none') };
  expect(response).toMatchObject({ status: 201, body });
  expect(JSON.stringify(response.body)).not.toContain(import_url);
  return importEnded((response.body as Project).id);
}

async function importEnded(id: number): Promise<Project> {
  await expect
    .poll(async () => (await projectOf(id)).import_status, { interval: 50 })
    .toMatch(/finished|failed/);
  return projectOf(id);
}

const address = remote('acme/source', ada);

describe('POST /projects with import_url', () => {
  test('imports every branch and tag and reports the status', async () => {
    const project = await importProject('whole', address);
    expect(project).toMatchObject({
      import_status: 'finished',
      import_error: null,
      default_branch: 'master',
    });
    const refs = await git(dataFolder, 'ls-remote', remote('ada/whole', ada));
    expect(refs).toBe(await git(dataFolder, 'ls-remote', address));
    expect(refs).toContain(`${sha}\tHEAD`);
    expect((await as(ada).get(`/projects/${project.id}/repository/tree`)).body).toHaveLength(2);
    await expect
      .poll(() => db.projectStatistics.findUnique({ where: { projectId: project.id } }))
      .toMatchObject({ commitCount: 1n });
    expect(await db.protectedBranch.findMany({ where: { projectId: project.id } })).toMatchObject([
      { name: 'master', pushAccessLevel: 40 },
    ]);
    expect(await db.push.count({ where: { projectId: project.id } })).toBe(0);
  });

  test('the URL is encrypted during the import and then deleted', async () => {
    const response = await as(ada).post('/projects', { path: 'sealed', import_url: address });
    const { id } = response.body as Project;
    const { importSourceSealed } = await db.project.findUniqueOrThrow({ where: { id } });
    if (importSourceSealed !== null) expect(importSourceSealed).not.toContain('acme');
    await importEnded(id);
    expect(await db.project.findUniqueOrThrow({ where: { id } })).toMatchObject({
      importSourceSealed: null,
    });
  });

  test('an empty source can be imported', async () => {
    await seed.project('acme/empty');
    expect(await importProject('from-empty', remote('acme/empty', ada))).toMatchObject({
      import_status: 'finished',
      default_branch: null,
    });
  });

  test.each([
    [
      'without credentials',
      () => remote('acme/source', null),
      'The source rejects the credentials',
    ],
    [
      'with wrong credentials',
      () => remote('acme/source', { ...ada, token: 'wrong-token-00000000' }),
      'The source rejects the credentials',
    ],
    [
      'that does not exist',
      () => remote('acme/nothing', ada),
      'There is no repository at the source',
    ],
    ['that is not a repository', () => `${url}/-/liveness`, 'There is no repository at the source'],
  ])('the import of a source %s fails with a reason', async (name, from, text) => {
    const project = await importProject(`failing-${name.replaceAll(' ', '-')}`, from());
    expect(project).toMatchObject({
      import_status: 'failed',
      import_error: text,
      default_branch: null,
    });
  });

  test('redirects are not followed', async () => {
    const requestedPaths: (string | undefined)[] = [];
    const server = createServer(({ url: path }, response) => {
      requestedPaths.push(path);
      response.writeHead(302, { Location: `${url}/acme/source.git${path}` }).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    expect(await importProject('led-on', `http://127.0.0.1:${port}/a`)).toMatchObject({
      import_status: 'failed',
      import_error: 'The source redirects, which is not followed',
    });
    expect(requestedPaths.map((path) => path?.split('/info')[0])).toEqual(['/a', '/a.git']);
  });

  test('accepts the URL of a project page', async () => {
    const page = remote('acme/source', ada).replace(/\.git$/, '');
    expect(await importProject('by-page', page)).toMatchObject({ import_status: 'finished' });
  });

  test('the import fails with a reason after the last attempt', async () => {
    const { id } = await seed.project('ada/stuck');
    const data = { importStatus: 'started', importSourceSealed: 'sealed' } as const;
    await db.project.update({ where: { id }, data });
    await recordFailedImport(id, { db });
    expect(await projectOf(id)).toMatchObject({
      import_status: 'failed',
      import_error: 'The repository could not be brought here.',
    });
    expect(await db.project.findUniqueOrThrow({ where: { id } })).toMatchObject({
      importSourceSealed: null,
    });
    const { id: done } = await importProject('unstuck', address);
    await recordFailedImport(done, { db });
    expect(await projectOf(done)).toMatchObject({ import_status: 'finished' });
  });

  test('an unreachable source is retried before the import fails', async () => {
    const response = await as(ada).post('/projects', {
      path: 'unreachable',
      import_url: `http://127.0.0.1:${await freePort()}/a.git`,
    });
    const { id } = response.body as Project;
    const tries = () => db.$queryRaw<{ count: number }[]>`
      SELECT retry_count AS count FROM pgboss.job
      WHERE name = 'import-project' AND (data->>'projectId')::int = ${id}`;
    await expect.poll(async () => (await tries())[0]?.count).toBe(1);
    expect(await projectOf(id)).toMatchObject({ import_status: 'started', import_error: null });
  });

  test('supports git:// with a host name', async () => {
    const port = await freePort();
    const { diskPath } = await db.project.findUniqueOrThrow({ where: { id: source.id } });
    const folder = join(dataFolder, 'repositories', `${diskPath}.git`);
    const daemon = spawn(
      'git',
      [
        'daemon',
        '--export-all',
        `--port=${port}`,
        '--listen=127.0.0.1',
        `--base-path=${folder}`,
        '--verbose',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    onTestFinished(() => void daemon.kill());
    await once(daemon.stderr, 'data');
    expect(await importProject('by-daemon', `git://localhost:${port}/`)).toMatchObject({
      import_status: 'finished',
      default_branch: 'master',
    });
  });

  test('credentials are sent to the source only', async () => {
    const authorizations: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      authorizations.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const project = await importProject('redirected', `http://me:s%40crt@127.0.0.1:${port}/a.git`);
    expect(authorizations[0]).toBe(`Basic ${Buffer.from('me:s@crt').toString('base64')}`);
    expect(JSON.stringify(project)).not.toMatch(/s@crt|s%40crt/);
    expect((await as(bob).get(`/projects/${project.id}`)).status).toBe(404);
  });

  test.each([
    'ftp://example.com/a.git',
    'file:///etc/passwd',
    'ssh://git@example.com/a.git',
    'git@example.com:a.git',
    'ext::sh -c id',
    '/etc',
    'http://',
    'http://exa mple.com/a.git',
    `http://example.com/${'a'.repeat(2100)}`,
    '--upload-pack=id',
  ])('rejects the import URL %s', async (import_url) => {
    expect(await as(ada).post('/projects', { path: 'bad', import_url })).toEqual(
      refused.invalid({ import_url: ['must be a valid URL'] }),
    );
  });
});

describe('PUT /projects/:id with import_url', () => {
  const put = (id: number, input: Parameters) => as(ada).put(`/projects/${id}`, input);

  test('imports into an empty repository and retries a failed import', async () => {
    const { id } = await seed.project('ada/late');
    await put(id, { import_url: remote('acme/nothing', ada) });
    expect(await importEnded(id)).toMatchObject({ import_status: 'failed' });
    expect(await put(id, { import_url: address })).toMatchObject({
      status: 200,
      body: { import_status: expect.not.stringMatching('failed'), import_error: null },
    });
    expect(await importEnded(id)).toMatchObject({
      import_status: 'finished',
      default_branch: 'master',
    });
    expect(await put(id, { import_url: address })).toEqual(
      refused.invalid({ import_url: ['can only be given to a project without a repository'] }),
    );
  });

  test('one of several concurrent requests succeeds', async () => {
    const { id } = await seed.project('ada/twice');
    const responses = await Promise.all([1, 2, 3, 4].map(() => put(id, { import_url: address })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    expect(await importEnded(id)).toMatchObject({ import_status: 'finished' });
  });

  test('an invalid URL changes nothing', async () => {
    const { id } = await seed.project('ada/unchanged');
    expect(await put(id, { import_url: 'nowhere', description: 'new' })).toEqual(
      refused.invalid({ import_url: ['must be a valid URL'] }),
    );
    expect(await projectOf(id)).toMatchObject({ description: null, import_status: 'none' });
  });
});

describe('addresses that are not public', () => {
  const rules = { ports: importPorts, allowsLocal: false };

  test.each([
    'http://localhost/a.git',
    'http://app.localhost/a.git',
    'http://127.0.0.1/a.git',
    'http://2130706433/a.git',
    'http://0x7f.1/a.git',
    'http://10.1.2.3/a.git',
    'http://169.254.169.254/latest',
    'http://192.168.0.1/a.git',
    'http://100.64.0.1/a.git',
    'http://0.0.0.0/a.git',
    'http://[::1]/a.git',
    'http://[::ffff:127.0.0.1]/a.git',
    'http://[fd00::1]/a.git',
    'http://[fe80::1]/a.git',
    'http://[::7f00:1]/a.git',
    'git://127.0.0.1/a.git',
  ])('rejects %s', (address) => {
    expect(urlFault(address, rules)).toBe('leads to an address that requests are not allowed to');
  });

  test('public addresses are allowed', () => {
    expect(urlFault('https://user:secret@93.184.216.34:8443/a.git', rules)).toBeNull();
    expect(urlFault('git://example.com/a.git', rules)).toBeNull();
  });

  test('a host name is checked by its addresses', async () => {
    await expect(destinationOf(`http://${hostname()}/a.git`, rules)).rejects.toThrow(
      /leads to an address|could not be resolved/,
    );
    await expect(destinationOf('git://0x7f.1/a.git', rules)).rejects.toThrow('leads to an address');
  });
});

describe('POST /projects/:id/housekeeping', () => {
  test('packs the repository at most once an hour', async () => {
    const { id } = await seed.project('acme/untidy', { master });
    await seed.push('acme/untidy', { 'a.txt': 'a' });
    const path = `/projects/${id}/housekeeping`;
    expect(await as(master).post(path)).toEqual({ status: 201, body: {} });
    const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
    const folder = join(dataFolder, 'repositories', `${diskPath}.git`);
    await expect
      .poll(() => git(folder, 'count-objects', '-v'))
      .toMatch(/^count: 0\n(.*\n)*in-pack: 3\npacks: 1\n/);
    expect(await as(master).post(path)).toEqual(
      refused.conflict(
        'Somebody already triggered housekeeping for this project in the past 60 minutes',
      ),
    );
    expect(await git(dataFolder, 'ls-remote', remote('acme/untidy', ada))).toContain('master');
    expect((await as(ada).get(`/projects/${id}/repository/tree`)).body).toHaveLength(1);
  });

  test('requires a master', async () => {
    const { id } = await seed.project('acme/tidy', { developer: bob });
    const path = `/projects/${id}/housekeeping`;
    expect(await as(null).post(path)).toEqual(refused.anonymous);
    expect(await as(bob).post(path)).toEqual(refused.forbidden);
    expect(await as(await seed.user('eve')).post(path)).toEqual(refused.missing('Project'));
  });
});

test('a user has two imports running; further ones wait, and delay no other user', async () => {
  const silent = createServer(() => {});
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const projects: number[] = [];
  onTestFinished(async () => {
    for (const project of projects) await as(ada).delete(`/projects/${project}`);
  });
  // other names for another attempt
  const attempt = crypto.randomUUID();
  for (const number of [1, 2, 3, 4, 5]) {
    const path = `slow-${number}-${attempt}`;
    const import_url = `http://127.0.0.1:${port}/${path}.git`;
    projects.push(((await as(ada).post('/projects', { path, import_url })).body as Project).id);
  }
  const statuses = async () =>
    (await Promise.all(projects.map(projectOf))).map(({ import_status }) => import_status).sort();
  const expected = ['scheduled', 'scheduled', 'scheduled', 'started', 'started'];
  await expect.poll(statuses).toEqual(expected);
  const response = await as(bob).post('/projects', {
    path: `quick-${attempt}`,
    import_url: `${url}/-/liveness`,
  });
  const { id } = response.body as Project;
  await expect
    .poll(async () => ((await as(bob).get(`/projects/${id}`)).body as Project).import_status, {
      timeout: 20_000,
    })
    .toBe('failed');
  expect(await statuses()).toEqual(expected);
});
