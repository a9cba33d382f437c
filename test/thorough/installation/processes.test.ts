import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { commit, git, workTree } from '../../support/git.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';
import { soapClientOf } from '../../support/soap.ts';

describe('two processes on one database and one data folder', () => {
  let first: ServerProcess;
  let second: ServerProcess;
  let drop: () => Promise<void>;
  let dataFolder: string;
  let work: string;

  beforeAll(async () => {
    const database = await cloneDatabase(inject('databaseUrl'));
    drop = database.drop;
    dataFolder = await mkdtemp(join(tmpdir(), 'millrace-two-'));
    const variables = { DATABASE_URL: database.url, MILLRACE_DATA: dataFolder };
    const ports = [await freePort(), await freePort()] as const;
    // simultaneously, to check that migrations, the key and the administrator are created once
    [first, second] = await Promise.all([
      startProcess(ports[0], variables),
      startProcess(ports[1], variables),
    ]);
    work = await workTree({ 'README.md': '# App' });
  });

  afterAll(async () => {
    await Promise.all([first, second].map((server) => server.kill('SIGKILL')));
    await drop();
    for (const folder of [dataFolder, work]) await rm(folder, { recursive: true, force: true });
  });

  test('the first requests for the keys of ID tokens create one key', async () => {
    const sets = await Promise.all(
      [first, second, first, second].map(async ({ url }) =>
        (await fetch(`${url}/oauth/discovery/keys`)).json(),
      ),
    );
    expect(sets[0]).toEqual({ keys: [expect.objectContaining({ kty: 'RSA' })] });
    expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(1);
  });

  const remoteAt = ({ url }: ServerProcess) =>
    `${url.replace('://', `://root:${rootToken}@`)}/root/app.git`;

  test('a SOAP session works in both, and ends in both', async () => {
    const [firstSoap, secondSoap] = [soapClientOf(first.url), soapClientOf(second.url)];
    const { result: session } = await firstSoap.invoke('login', 'root', rootToken);
    const callSecond = () =>
      secondSoap.invoke('call', session, 'project.list', [{ search: 'no such' }]);
    expect(await callSecond()).toEqual({ result: [] });
    expect(await firstSoap.invoke('endSession', session)).toEqual({ result: true });
    await expect.poll(callSecond).toMatchObject({ fault: { code: '5' } });
  });

  test('a project created in one is visible in the other', async () => {
    const created = await clientOf(first.url, rootToken).post('/projects', { path: 'app' });
    expect(created.status).toBe(201);
    expect(await clientOf(second.url, rootToken).get('/projects/root%2Fapp')).toMatchObject({
      status: 200,
      body: { path: 'app', default_branch: null },
    });
  });

  test('a push to one can be cloned and browsed in the other', async () => {
    await git(work, 'push', '--quiet', remoteAt(first), 'master');
    const head = await git(work, 'rev-parse', 'HEAD');
    expect(await git(work, 'ls-remote', remoteAt(second), 'HEAD')).toBe(`${head}\tHEAD`);
    const tree = '/projects/root%2Fapp/repository/tree';
    expect(await clientOf(second.url, rootToken).get(tree)).toMatchObject({
      status: 200,
      body: [{ name: 'README.md' }],
    });
    await commit(work, { 'more.txt': 'more' }, 'More');
    await git(work, 'push', '--quiet', remoteAt(second), 'master');
    expect(await clientOf(first.url, rootToken).get(tree)).toMatchObject({
      status: 200,
      body: [{ name: 'README.md' }, { name: 'more.txt' }],
    });
  });

  test('a membership change in one applies in the other', async () => {
    const [firstClient, secondClient] = [first, second].map(({ url }) => clientOf(url, rootToken));
    if (!firstClient || !secondClient) throw new Error('there are two');
    const ada = {
      username: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      password: 'password of ada',
    };
    const { body: user } = await firstClient.post('/users', ada);
    const { body: session } = await secondClient.post('/session', {
      login: 'ada',
      password: ada.password,
    });
    const { id } = user as { id: number };
    const { private_token: token } = session as { private_token: string };
    const { body: group } = await firstClient.post('/groups', { name: 'Tools', path: 'tools' });
    const { id: groupId } = group as { id: number };
    const seen = async () => (await clientOf(second.url, token).get(`/groups/${groupId}`)).status;
    expect(await seen()).toBe(404);
    await firstClient.post(`/groups/${groupId}/members`, { user_id: id, access_level: 30 });
    await expect.poll(seen).toBe(200);
    await firstClient.delete(`/groups/${groupId}/members/${id}`);
    await expect.poll(seen).toBe(404);
  });

  test('failed sign-ins in one count in the other', async () => {
    const statuses = [];
    for (let n = 0; n < 11; n += 1) {
      const { url } = n % 2 === 0 ? first : second;
      const guess = { login: 'no-such-user', password: 'wrong' };
      statuses.push((await clientOf(url, null).post('/session', guess)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });
});

describe('one process', () => {
  const folders: string[] = [];
  const folder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-process-'));
    folders.push(folder);
    return folder;
  };
  afterAll(() =>
    Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))),
  );

  test('a second process on the same embedded database fails with a clear error', async () => {
    const data = { MILLRACE_DATA: await folder() };
    const first = await startProcess(await freePort(), data);
    await expect(startProcess(await freePort(), data)).rejects.toThrow(String(first.child.pid));
    expect(await first.kill('SIGTERM')).toBe(0);
  });

  test('SIGINT shuts it down cleanly, and the next start has the same key and users', async () => {
    const data = { MILLRACE_DATA: await folder() };
    const first = await startProcess(await freePort(), data);
    expect(await first.kill('SIGINT', 'group')).toBe(0);
    const second = await startProcess(await freePort(), data);
    expect(await clientOf(second.url, rootToken).get('/user')).toMatchObject({ status: 200 });
    expect(await second.kill('SIGTERM')).toBe(0);
  });

  test('a missing secret.key is a clear error', async () => {
    const data = await folder();
    const first = await startProcess(await freePort(), { MILLRACE_DATA: data });
    await first.kill('SIGTERM');
    await rm(join(data, 'secret.key'));
    await expect(startProcess(await freePort(), { MILLRACE_DATA: data })).rejects.toThrow(
      'secret.key',
    );
  });

  test.each([
    ['PORT', 'many', 'PORT must be a port number'],
    ['MILLRACE_URL', 'ftp://x', 'MILLRACE_URL must be an http'],
    ['DATABASE_URL', 'mysql://x', 'DATABASE_URL must be a postgresql:// URL'],
    ['MILLRACE_STORAGES', 'default', 'MILLRACE_STORAGES must be name=/folder'],
    ['MILLRACE_LOG', 'loud', 'MILLRACE_LOG must be one of'],
    ['MILLRACE_TRUSTED_PROXIES', 'proxy', 'MILLRACE_TRUSTED_PROXIES must be addresses'],
  ])('%s=%s is rejected', async (name, value, message) => {
    const variables = { MILLRACE_DATA: await folder(), [name]: value };
    await expect(startProcess(await freePort(), variables)).rejects.toThrow(message);
  });
});
