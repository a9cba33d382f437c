import { beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, db, root, seed, url } = await world();
const soap = soapClientOf(url);

const expired = { fault: { code: '5', message: 'Session expired. Try to relogin.' } };
const denied = { fault: { code: '2', message: 'Access denied.' } };
const missing = {
  fault: {
    code: '6',
    message: 'Required parameter is missing, for more details see "exception.log".',
  },
};
const anId = { result: expect.stringMatching(/^[0-9a-f]{64}$/) };

const list = (session: unknown) => soap.invoke('call', session, 'project.list', []);

let ada: TestUser;
beforeAll(async () => {
  ada = await seed.user('ada');
});

/** Creates a token of ada with this kind and these scopes. */
async function tokenOf(kind: 'personal' | 'impersonation', scopes: readonly string[]) {
  const name = `${kind} ${scopes}`;
  const { body } = await as(root).post(`/users/${ada.id}/impersonation_tokens`, { name, scopes });
  const { id, token } = body as { id: number; token: string };
  await db.accessToken.update({ where: { id }, data: { kind } });
  return { id, token };
}

describe('startSession', () => {
  test('gives the id of an anonymous session', async () => {
    const response = await soap.invoke('startSession');
    expect(response).toEqual(anId);
    expect(await list(response.result)).toEqual(expired);
    expect(await soap.invoke('startSession')).not.toEqual(response);
  });
});

describe('login', () => {
  test('accepts the private token, with a case-insensitive username', async () => {
    const response = await soap.invoke('login', 'ADA', ada.token);
    expect(response).toEqual(anId);
    expect(await list(response.result)).toEqual({ result: [] });
  });

  test('accepts a personal access token with the scope api', async () => {
    const { token } = await tokenOf('personal', ['read_user', 'api']);
    expect(await soap.invoke('login', 'ada', token)).toEqual(anId);
  });

  test('rejects other tokens', async () => {
    const narrow = await tokenOf('personal', ['read_user']);
    const impersonating = await tokenOf('impersonation', ['api']);
    const oauth = await as(null).fetch('/../../oauth/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ grant_type: 'password', username: 'ada', password: ada.password }),
    });
    const { access_token } = (await oauth.json()) as { access_token: string };
    for (const key of [narrow.token, impersonating.token, access_token, ada.password]) {
      expect(await soap.invoke('login', 'ada', key)).toEqual(denied);
    }
  });

  test('rejects the token of another user', async () => {
    await seed.user('bob');
    expect(await soap.invoke('login', 'bob', ada.token)).toEqual(denied);
    expect(await soap.invoke('login', 'unknown', ada.token)).toEqual(denied);
    expect(await soap.invoke('login', 'a\0da', ada.token)).toEqual(denied);
  });

  test('rejects a blocked user, whose sessions end', async () => {
    const cleo = await seed.user('cleo');
    const session = await soap.session(cleo);
    await as(root).post(`/users/${cleo.id}/block`);
    expect(await soap.invoke('login', 'cleo', cleo.token)).toEqual(denied);
    expect(await list(session)).toEqual(expired);
  });

  test('has its own fault for a missing name or token', async () => {
    expect(await soap.invoke('login', 'ada')).toEqual(missing);
    expect(await soap.invoke('login', '', ada.token)).toEqual(missing);
    expect(await soap.invoke('login', 'ada', [])).toEqual(missing);
  });

  test('limits wrong tokens by address; a valid one still works', async () => {
    const dan = await seed.user('dan');
    for (let count = 0; count < 12; count += 1) {
      expect(await soap.invoke('login', 'dan', `wrong ${count}`)).toEqual(denied);
    }
    expect(await soap.invoke('login', 'dan', dan.token)).toEqual(anId);
    const { status } = await as(null).post('/session', { login: 'dan', password: dan.password });
    expect(status).toBe(201);
    await db.signInAttempt.updateMany({
      where: { key: { startsWith: 'address:' } },
      data: { points: 100 },
    });
    const wait = expect.stringMatching(/^Access denied. Try again in \d+ seconds.$/);
    const tooMany = { fault: { code: '2', message: wait } };
    expect(await soap.invoke('login', 'dan', 'wrong again')).toEqual(tooMany);
    expect(await soap.invoke('login', 'dan', dan.token)).toEqual(anId);
    await db.signInAttempt.deleteMany();
  });
});

describe('a session', () => {
  const stored = (session: string) =>
    db.soapSession
      .findFirstOrThrow({ where: { userId: ada.id }, orderBy: { id: 'desc' } })
      .then((row) => ({ ...row, session }));

  test('is stored as a digest for an hour', async () => {
    const { digest, expiresAt, session } = await stored(await soap.session(ada));
    expect(Buffer.from(digest).toString('hex')).not.toBe(session);
    const minutes = (expiresAt.getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(60);
    expect(minutes).toBeLessThanOrEqual(61);
  });

  test('is extended by use', async () => {
    const { id, session } = await stored(await soap.session(ada));
    const soon = new Date(Date.now() + 60_000);
    await db.soapSession.update({ where: { id }, data: { expiresAt: soon } });
    expect(await list(session)).toEqual({ result: [] });
    const { expiresAt } = await db.soapSession.findUniqueOrThrow({ where: { id } });
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now() + 3_600_000);
  });

  test('expires after an hour without use', async () => {
    const { id, session } = await stored(await soap.session(ada));
    await db.soapSession.update({ where: { id }, data: { expiresAt: new Date() } });
    expect(await list(session)).toEqual(expired);
  });

  test('ends with its token', async () => {
    const { id, token } = await tokenOf('personal', ['api']);
    const session = await soap.session({ ...ada, token });
    expect(await list(session)).toEqual({ result: [] });
    await db.accessToken.update({ where: { id }, data: { expiresAt: new Date(0) } });
    await expect.poll(() => list(session)).toEqual(expired);
    await db.accessToken.delete({ where: { id } });
    expect(await list(session)).toEqual(expired);
  });

  test.each([null, '', 'nonsense', '0'.repeat(64), 7, true, [], { id: 1 }])(
    '%j is not a valid session',
    async (session) => {
      expect(await list(session)).toEqual(expired);
    },
  );
});

describe('endSession', () => {
  test('ends the session, and succeeds for an unknown one', async () => {
    const session = await soap.session(ada);
    expect(await list(session)).toEqual({ result: [] });
    expect(await soap.invoke('endSession', session)).toEqual({ result: true });
    expect(await list(session)).toEqual(expired);
    for (const other of [session, 'nonsense', null]) {
      expect(await soap.invoke('endSession', other)).toEqual({ result: true });
    }
  });
});
