import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { directoryServer } from '../support/directory-server.ts';
import type { TestUser } from '../support/seed.ts';
import { type Visitor, visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const directory = await directoryServer();
await directory.add('grace', { mail: 'grace@example.org', userPassword: 'compiler of A-0' });
const { as, seed, url, db } = await world({
  variables: { ...directory.variables, MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1' },
});

const home = '198.51.100.1';
const attacker = '203.0.113.66';
const from = (address: string) => ({ 'X-Forwarded-For': address });

/** The status of a sign-in from an address. */
async function signIn(login: string, password: string, address: string): Promise<number> {
  const response = await as(null).fetch('/session', {
    method: 'POST',
    body: JSON.stringify({ login, password }),
    headers: { 'Content-Type': 'application/json', ...from(address) },
  });
  await response.arrayBuffer();
  return response.status;
}

/** Signs a browser in from an address; a user with a second factor still has to show it. */
async function openBrowser(user: TestUser, address: string): Promise<Visitor> {
  const visitor = visitorAt(url);
  const fields = { login: user.username, password: user.password };
  await visitor.submitFrom('/users/sign_in', '/users/sign_in', fields, from(address));
  return visitor;
}

const submitCode = (visitor: Visitor, code: string, address: string) =>
  visitor.submitFrom('/users/two_factor', '/users/two_factor', { code }, from(address));

/** Turns two-factor authentication on from home; gives a function for the current code. */
async function turnOn(user: TestUser): Promise<() => string> {
  const visitor = await openBrowser(user, home);
  const page = '/profile/two_factor';
  const { text } = await visitor.submitFrom(page, page, { password: user.password }, from(home));
  const uri = (/name="uri" value="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await visitor.submitFrom(page, `${page}/confirm`, { uri, code: code() }, from(home));
  await db.twoFactor.update({ where: { userId: user.id }, data: { lastStep: 0 } });
  return code;
}

describe('attempts from one address', () => {
  test('do not delay those of other addresses', async () => {
    const ada = await seed.user('ada');
    const { promise: isFull, resolve } = Promise.withResolvers<void>();
    let isOver = false;
    const attack = Array.from({ length: 300 }, async (_, n) => {
      while (!isOver) if ((await signIn(`nobody-${n}`, 'wrong', attacker)) === 429) resolve();
    });
    await isFull;
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push(await signIn('ada', ada.password, home));
    isOver = true;
    await Promise.all(attack);
    expect(statuses).toEqual(Array(3).fill(201));
  });
});

describe('wrong codes of a user who knows the password', () => {
  test('are limited by account, and do not lock the user out of familiar networks', async () => {
    const bob = await seed.user('bob');
    const code = await turnOn(bob);
    const statuses = [];
    for (let n = 0; n < 11; n += 1) {
      const address = `203.0.113.${n}`;
      const visitor = await openBrowser(bob, address);
      statuses.push((await submitCode(visitor, '000000', address)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const elsewhere = '192.0.2.200';
    const right = await submitCode(await openBrowser(bob, elsewhere), code(), elsewhere);
    expect(right.status).toBe(429);
    const atHome = await submitCode(await openBrowser(bob, home), code(), home);
    expect([atHome.status, atHome.location]).toEqual([303, '/']);
  });

  test('are limited from a familiar network, too', async () => {
    const cleo = await seed.user('cleo');
    const code = await turnOn(cleo);
    const visitor = await openBrowser(cleo, home);
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await submitCode(visitor, '0', home)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await submitCode(visitor, code(), home)).status).toBe(429);
  });
});

describe('a user of the directory', () => {
  const spellings = [
    'grace',
    ' grace',
    'GRACE  ',
    'ｇrace',
    'grace@example.org',
    ' Grace@Example.org',
  ];
  const guess = async (address: string) => {
    const statuses = [];
    for (let n = 0; n < 12; n += 1) {
      const login = `${spellings[n % spellings.length]}${' '.repeat(n)}`;
      statuses.push(await signIn(login, `wrong ${n}`, address));
    }
    return statuses;
  };

  test('has one count for all spellings of the login, before and after the first sign-in', async () => {
    const limited = [...Array(10).fill(401), 429, 429];
    expect(await guess('192.0.2.1')).toEqual(limited);
    expect(await signIn('  grace', 'compiler of A-0', '192.0.2.1')).toBe(429);
    expect(await signIn('  grace', 'compiler of A-0', '192.0.2.2')).toBe(201);
    expect(await guess('192.0.2.3')).toEqual(limited);
    expect(await signIn('grace', 'compiler of A-0', '192.0.2.3')).toBe(429);
  });

  test('who does not exist is counted equally', async () => {
    const statuses = [];
    for (let n = 0; n < 12; n += 1) {
      statuses.push(await signIn(`nobody${' '.repeat(n)}`, 'wrong', '192.0.2.4'));
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });
});
