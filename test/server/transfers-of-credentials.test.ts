import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { liveGitChildren } from '../../server/git/process/child.ts';
import { git, workTree } from '../support/git.ts';
import { lfsClient, randomContent } from '../support/lfs.ts';
import { oauthOf } from '../support/oauth.ts';
import type { TestUser } from '../support/seed.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

/*
 * What a credential has opened over HTTP ends with it: transfers that run, and tokens of Git LFS.
 */

const testWorld = await world({ isOneProcess: true });
const { as, seed, root, url, db, dataFolder } = testWorld;
const oauth = oauthOf(testWorld);
await seed.group('acme', {});
const app = await seed.project('acme/app', {});
// more than the buffers of two sockets and a pipe hold
const size = 24 * 2 ** 20;
const work = await workTree({ 'large.bin': randomBytes(size) });
afterAll(() => rm(work, { recursive: true }));
const head = await git(work, 'rev-parse', 'HEAD');
const { diskPath } = await db.project.findUniqueOrThrow({ where: { id: app.id } });
await git(work, 'push', '--quiet', join(dataFolder, 'repositories', `${diskPath}.git`), 'master');

async function developer(): Promise<TestUser> {
  const user = await seed.user(`u${crypto.randomUUID().slice(0, 8)}`);
  const member = { user_id: user.id, access_level: 30 };
  await as(root).post(`/projects/${app.id}/members`, member);
  return user;
}

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** A credential of a user, and how it ends. */
interface Kind {
  readonly name: string;
  readonly create: (
    user: TestUser,
  ) => Promise<{ readonly header: string; readonly end: () => Promise<unknown> }>;
}

const newest = { orderBy: { id: 'desc' } } as const;

async function personalToken(user: TestUser) {
  const body = { name: 'laptop', scopes: ['api'] };
  const path = `/users/${user.id}/impersonation_tokens`;
  const { body: created } = await as(root).post(path, body);
  const { id, token } = created as { id: number; token: string };
  return { id, path: `${path}/${id}`, header: basic(user.username, token) };
}

const kinds: readonly Kind[] = [
  {
    name: 'a token that is revoked',
    create: async (user) => {
      const { header, path } = await personalToken(user);
      return { header, end: () => as(root).delete(path) };
    },
  },
  {
    name: 'a token that expires',
    create: async (user) => {
      const { header, id } = await personalToken(user);
      const end = () =>
        db.accessToken.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
      return { header, end };
    },
  },
  {
    name: 'a password that an administrator resets',
    create: async (user) => ({
      header: basic(user.username, user.password),
      end: () => as(root).put(`/users/${user.id}`, { password: 'a later password' }),
    }),
  },
  {
    name: 'an OAuth access token that is revoked',
    create: async (user) => {
      const { access_token: token } = await oauth.ofPassword(user);
      return { header: basic('oauth2', token), end: () => oauth.post('/revoke', { token }) };
    },
  },
  {
    name: 'an OAuth access token that expires',
    create: async (user) => {
      const { access_token: token } = await oauth.ofPassword(user);
      const { id } = await db.oauthToken.findFirstOrThrow(newest);
      const end = () => db.oauthToken.update({ where: { id }, data: { expiresAt: new Date() } });
      return { header: basic('oauth2', token), end };
    },
  },
];

const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

/** A clone whose client has read the beginning only. */
async function clone(header: string, path = 'acme/app') {
  const idleChildren = liveGitChildren();
  const body = `${line(`want ${head}\n`)}0000${line('done\n')}`;
  const socket = connect(Number(new URL(url).port), 'localhost').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const headers = [
    `POST /${path}.git/git-upload-pack HTTP/1.1`,
    'Host: x',
    `Authorization: ${header}`,
    'Content-Type: application/x-git-upload-pack-request',
    `Content-Length: ${body.length}`,
  ];
  socket.write([...headers, '', body].join('\r\n'));
  await once(socket, 'readable');
  expect(String(socket.read(12))).toBe('HTTP/1.1 200');
  expect(liveGitChildren()).toBeGreaterThan(idleChildren);
  return {
    /** Whether the response ends before the client reads on, and is incomplete. */
    isClosed: async () => {
      await expect.poll(liveGitChildren).toBeLessThanOrEqual(idleChildren);
      let received = 0;
      socket.on('data', (chunk) => {
        received += chunk.length;
      });
      await once(socket, 'close');
      return received < size;
    },
  };
}

describe('a clone in progress', () => {
  test.each(kinds)('ends with $name', async ({ create }) => {
    const { header, end } = await create(await developer());
    const { isClosed } = await clone(header);
    await end();
    expect(await isClosed()).toBe(true);
  });

  test('ends when its user is no longer a member', async () => {
    const user = await developer();
    const { isClosed } = await clone(basic(user.username, user.token));
    await as(root).delete(`/projects/${app.id}/members/${user.id}`);
    expect(await isClosed()).toBe(true);
  });
});

describe('a push in progress', () => {
  /** A push whose pack has not arrived. */
  async function push(header: string) {
    const idleChildren = liveGitChildren();
    const sent = request(`${url}/acme/app.git/git-receive-pack`, {
      method: 'POST',
      headers: { Authorization: header, 'Content-Type': 'application/x-git-receive-pack-request' },
    });
    onTestFinished(() => void sent.destroy());
    const closed = new Promise<void>((resolve) =>
      sent.once('close', resolve).once('error', () => {}),
    );
    sent.write('0');
    await expect.poll(liveGitChildren).toBeGreaterThan(idleChildren);
    return { isClosed: () => sent.destroyed, closed };
  }

  test.each(kinds)('ends with $name', async ({ create }) => {
    const { header, end } = await create(await developer());
    const running = await push(header);
    await end();
    await expect.poll(running.isClosed).toBe(true);
    await running.closed;
  });
});

describe('a download in progress', () => {
  test('of an archive ends with its token', async () => {
    const user = await developer();
    const { id, header } = await personalToken(user);
    // starts the git process that reads objects and remains
    await as(user).get(`/projects/${app.id}/repository/commits/master`);
    const idleChildren = liveGitChildren();
    const token = Buffer.from(header.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')[1];
    const socket = connect(Number(new URL(url).port), 'localhost').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    const path = `/api/v4/projects/${app.id}/repository/archive.tar`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nPrivate-Token: ${token}\r\n\r\n`);
    await once(socket, 'readable');
    expect(String(socket.read(12))).toBe('HTTP/1.1 200');
    expect(liveGitChildren()).toBeGreaterThan(idleChildren);
    await as(root).delete(`/users/${user.id}/impersonation_tokens/${id}`);
    await expect.poll(liveGitChildren).toBeLessThanOrEqual(idleChildren);
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    await once(socket, 'close');
    expect(received).toBeLessThan(size);
  });
});

describe('a token of Git LFS', () => {
  const { batch } = lfsClient(url);

  /** The header of the transfers that a credential has asked for. */
  async function transferToken(header: string) {
    const { body } = await batch(header, 'acme/app', 'upload', [randomContent(9)]);
    return body.objects[0]?.actions?.upload?.header?.Authorization ?? '';
  }
  const statusOf = async (token: string) =>
    (await batch(token, 'acme/app', 'upload', [randomContent(1)])).status;

  test.each([
    ...kinds,
    {
      name: 'a private token that is reset',
      create: async (user: TestUser) => ({
        header: basic(user.username, user.token),
        end: () =>
          db.accessToken.updateMany({
            where: { userId: user.id, kind: 'private' },
            data: { revokedAt: new Date() },
          }),
      }),
    },
    {
      name: 'a password that is no longer enough',
      create: async (user: TestUser) => ({
        header: basic(user.username, user.password),
        end: () => db.user.update({ where: { id: user.id }, data: { isTwoFactorEnabled: true } }),
      }),
    },
  ])('ends with $name', async ({ create }) => {
    const { header, end } = await create(await developer());
    const token = await transferToken(header);
    expect(token).toContain('Basic ');
    expect(await statusOf(token)).toBe(200);
    await end();
    expect(await statusOf(token)).toBe(401);
  });

  test('is not ended by another credential of its user', async () => {
    const user = await developer();
    const { path } = await personalToken(user);
    const token = await transferToken(basic(user.username, user.token));
    await as(root).delete(path);
    await as(user).post('/user/keys', { title: 'laptop', key: newPublicKey() });
    expect(await statusOf(token)).toBe(200);
  });
});
