import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connect, type Database } from '../../prisma/client.ts';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { type Client, clientOf } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { rootToken, type ServerProcess, startProcess } from '../support/process.ts';

let servers: readonly ServerProcess[];
let first: Client;
let second: Client;
let db: Database;
let drop: () => Promise<void>;
let dataFolder: string;

beforeAll(async () => {
  const database = await cloneDatabase(inject('databaseUrl'));
  drop = database.drop;
  db = connect(database.url, { poolSize: 2 });
  dataFolder = await mkdtemp(join(tmpdir(), 'millrace-two-'));
  const variables = {
    DATABASE_URL: database.url,
    MILLRACE_DATA: dataFolder,
    MILLRACE_LOG: 'trace',
  };
  servers = [
    await startProcess(await freePort(), variables),
    await startProcess(await freePort(), variables),
  ];
  [first, second] = servers.map(({ url }) => clientOf(url, rootToken)) as [Client, Client];
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  await db.$disconnect();
  await drop();
  await rm(dataFolder, { recursive: true, force: true });
});

const urlOf = (place: 0 | 1) => servers[place]?.url ?? '';
const passwordOf = (username: string) => `password of ${username}`;

async function user(username: string) {
  const { body } = await first.post('/users', {
    username,
    name: username,
    email: `${username}@example.com`,
    password: passwordOf(username),
  });
  return (body as { id: number }).id;
}

async function token(userId: number) {
  const path = `/users/${userId}/impersonation_tokens`;
  const { body } = await first.post(path, { name: 'x', scopes: ['api'] });
  const created = body as { id: number; token: string };
  return { path: `${path}/${created.id}`, token: created.token };
}

/** The second process's status for this token. */
const statusAtSecond = (token: string) => async () =>
  (await clientOf(urlOf(1), token).get('/user')).status;

describe('a change in one process applies in another within a second', () => {
  const patience = { timeout: 1_000, interval: 20 };

  test('a token is revoked', async () => {
    const { path, token: secret } = await token(await user('ada'));
    const status = statusAtSecond(secret);
    expect(await status()).toBe(200);
    await first.delete(path);
    await expect.poll(status, patience).toBe(401);
  });

  test('an access token is revoked', async () => {
    await user('olga');
    const ask = async (path: string, form: Record<string, string>) =>
      fetch(`${urlOf(0)}/oauth${path}`, { method: 'POST', body: new URLSearchParams(form) });
    const response = await ask('/token', {
      grant_type: 'password',
      username: 'olga',
      password: passwordOf('olga'),
    });
    const { access_token: secret } = (await response.json()) as { access_token: string };
    const status = statusAtSecond(secret);
    expect(await status()).toBe(200);
    await ask('/revoke', { token: secret });
    await expect.poll(status, patience).toBe(401);
  });

  test('a client-credentials token is revoked', async () => {
    const application = await db.oauthApplication.create({
      data: { name: 'Robot', uid: 'a'.repeat(64), secretDigest: Buffer.from('x') },
    });
    const { id } = await db.oauthToken.create({
      data: {
        applicationId: application.id,
        digest: (await unlockSecrets(dataFolder, db)).digest('f'.repeat(64)),
        scopes: ['api'],
        family: randomUUID(),
        expiresAt: new Date(Date.now() + 3_600_000),
      },
    });
    const status = async () => (await clientOf(urlOf(1), 'f'.repeat(64)).get('/projects')).status;
    expect(await status()).toBe(200);
    await db.oauthToken.update({ where: { id }, data: { revokedAt: new Date() } });
    await expect.poll(status, patience).toBe(401);
  });

  test('a user is blocked and unblocked, including git and sudo', async () => {
    const id = await user('bob');
    const { token: secret } = await token(id);
    const status = statusAtSecond(secret);
    const git = async (secret: string) => {
      const response = await fetch(`${urlOf(1)}/bob/app.git/info/refs?service=git-upload-pack`, {
        headers: { Authorization: `Basic ${btoa(`bob:${secret}`)}` },
      });
      await response.arrayBuffer();
      return response.status;
    };
    const sudo = async () => (await second.get('/user?sudo=bob')).status;
    const { body } = await clientOf(urlOf(0), secret).post('/projects', { name: 'app' });
    expect(body).toMatchObject({ path_with_namespace: 'bob/app' });
    const all = async () => [await status(), await git(secret), await sudo()];
    const password = () => git(passwordOf('bob'));
    expect([...(await all()), await password()]).toEqual([200, 200, 200, 200]);
    await first.post(`/users/${id}/block`);
    await expect.poll(all, patience).toEqual([401, 401, 404]);
    expect(await password()).toBe(401);
    await first.post(`/users/${id}/unblock`);
    await expect.poll(all, patience).toEqual([200, 200, 200]);
    expect(await password()).toBe(200);
  });

  test('a user is deleted', async () => {
    const id = await user('carol');
    const { token: secret } = await token(id);
    const status = statusAtSecond(secret);
    expect(await status()).toBe(200);
    await first.delete(`/users/${id}`);
    await expect.poll(status, patience).toBe(401);
  });

  test('a user gains and loses administrator rights', async () => {
    const id = await user('dave');
    const { token: secret } = await token(id);
    const status = async () =>
      (await clientOf(urlOf(1), secret).get('/users/1/impersonation_tokens')).status;
    expect(await status()).toBe(403);
    await first.put(`/users/${id}`, { admin: true });
    await expect.poll(status, patience).toBe(200);
    await first.put(`/users/${id}`, { admin: false });
    await expect.poll(status, patience).toBe(403);
  });

  test('failed sign-ins share one counter', async () => {
    await user('erin');
    const tries = Array.from({ length: 12 }, (_, n) =>
      clientOf(urlOf(n % 2 ? 1 : 0), null).post('/session', { login: 'erin', password: 'wrong' }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(10).fill(401), 429, 429]);
  });
});

describe('the log', () => {
  const lines = () =>
    servers.flatMap((server) =>
      server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    );

  test('names the administrator and the sudo user', async () => {
    const id = await user('frank');
    const response = await first.fetch('/user?sudo=frank', {
      headers: { 'X-Request-Id': 'in-the-place-of-frank' },
    });
    expect(response.status).toBe(200);
    const line = () => lines().find(({ requestId }) => requestId === 'in-the-place-of-frank');
    await expect.poll(line).toMatchObject({ userId: id, sudoerId: 1, status: 200 });
  });

  test('contains no token, password or digest, even after errors', async () => {
    const id = await user('gina');
    const { token: secret } = await token(id);
    await db.$executeRaw`ALTER TABLE access_tokens ADD CONSTRAINT never CHECK (name <> 'never')`;
    await db.$executeRaw`ALTER TABLE users ADD CONSTRAINT never CHECK (name <> 'never')`;
    const password = 'never seen in a log';
    const newUser = { username: 'hugo', name: 'never', email: 'hugo@example.com', password };
    expect((await first.post('/users', newUser)).status).toBe(500);
    const newToken = { name: 'never', scopes: ['api'] };
    expect((await first.post(`/users/${id}/impersonation_tokens`, newToken)).status).toBe(500);
    const anonymous = clientOf(urlOf(0), null);
    for (const name of ['private_token', 'access_token', 'bearer_token']) {
      await anonymous.get(`/user?${name}=${secret}`);
    }
    const query = new URLSearchParams({ login: 'gina', password: passwordOf('gina') });
    expect((await anonymous.post(`/session?${query}`)).status).toBe(201);
    await first.fetch('/version', { headers: { 'X-Request-Id': 'the-last-one' } });
    await expect
      .poll(() => lines().some(({ requestId }) => requestId === 'the-last-one'))
      .toBe(true);

    const rows = await db.accessToken.findMany();
    const users = await db.user.findMany();
    const secrets = [
      secret,
      rootToken,
      password,
      encodeURIComponent(passwordOf('gina')),
      query.get('password') ?? '',
      '$argon2',
      'Failing row',
      ...rows.flatMap(({ digest, sealed }) => [
        Buffer.from(digest).toString('hex').slice(0, 16),
        Buffer.from(digest).toString('base64url').slice(0, 16),
        sealed?.slice(0, 24) ?? secret,
      ]),
      ...users.map(({ passwordDigest }) => passwordDigest ?? secret),
    ];
    const output = servers.map((server) => server.output()).join('');
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
    expect(output).toContain('request failed');
  });
});
