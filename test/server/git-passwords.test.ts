import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { type World, world } from '../support/world.ts';

const standard = await world();
const closed = await world({ settings: { passwordAuthenticationEnabled: false } });

const denied = 'HTTP Basic: Access denied\n';
const tokenNeeded = `${denied}You must use a personal access token with 'api' scope for Git over HTTP.\n`;

async function handshake({ url }: World, username: string, password: string) {
  const response = await fetch(`${url}/ada/app.git/info/refs?service=git-upload-pack`, {
    headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` },
  });
  const text = await response.text();
  return response.status === 200 ? 200 : [response.status, text];
}

describe('a password where only tokens are accepted', () => {
  test('gets a hint to use a token, if it is correct and the user has two-factor authentication', async () => {
    const { seed, db } = standard;
    const ada = await seed.user('ada');
    await seed.project('ada/app');
    expect(await handshake(standard, 'ada', ada.password)).toBe(200);
    await db.user.update({ where: { id: ada.id }, data: { isTwoFactorEnabled: true } });
    await expect.poll(() => handshake(standard, 'ada', ada.password)).toEqual([401, tokenNeeded]);
    expect(await handshake(standard, 'ada', 'wrong')).toEqual([401, denied]);
    expect(await handshake(standard, 'ada', ada.token)).toBe(200);
  });

  test('gets the same hint where password authentication is disabled', async () => {
    const { as, seed } = closed;
    const ada = await seed.user('ada');
    await seed.project('ada/app');
    for (const password of [ada.password, 'wrong']) {
      expect(await handshake(closed, 'ada', password)).toEqual([401, tokenNeeded]);
      const session = await as(null).post('/session', { login: 'ada', password });
      expect(session).toEqual(refused.anonymous);
    }
    expect(await handshake(closed, 'ada', ada.token)).toBe(200);
  });
});

test('a token without git scope does not count as a wrong password', async () => {
  const { as, seed, root } = standard;
  const bob = await seed.user('bob');
  const { body } = await as(root).post(`/users/${bob.id}/impersonation_tokens`, {
    name: 'reader',
    scopes: ['read_user'],
  });
  const { token } = body as { token: string };
  for (let n = 0; n < 12; n += 1) {
    expect(await handshake(standard, 'bob', token)).toEqual([401, denied]);
  }
  const session = await as(null).post('/session', { login: 'bob', password: bob.password });
  expect(session.status).toBe(201);
});
