import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { type World, world } from '../support/world.ts';

const usual = await world();
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

describe('who shows a password where it opens nothing', () => {
  test('is told to use a token, if it is the right one and there is a second factor', async () => {
    const { seed, db } = usual;
    const ada = await seed.user('ada');
    await seed.project('ada/app');
    expect(await handshake(usual, 'ada', ada.password)).toBe(200);
    await db.user.update({ where: { id: ada.id }, data: { isTwoFactorEnabled: true } });
    await expect.poll(() => handshake(usual, 'ada', ada.password)).toEqual([401, tokenNeeded]);
    expect(await handshake(usual, 'ada', 'wrong')).toEqual([401, denied]);
    expect(await handshake(usual, 'ada', ada.token)).toBe(200);
  });

  test('is told so too where passwords are not taken at all', async () => {
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

test('a token that is not good for git is no wrong password', async () => {
  const { as, seed, root } = usual;
  const bob = await seed.user('bob');
  const { body } = await as(root).post(`/users/${bob.id}/impersonation_tokens`, {
    name: 'reader',
    scopes: ['read_user'],
  });
  const { token } = body as { token: string };
  for (let n = 0; n < 12; n += 1) {
    expect(await handshake(usual, 'bob', token)).toEqual([401, denied]);
  }
  const session = await as(null).post('/session', { login: 'bob', password: bob.password });
  expect(session.status).toBe(201);
});
