import { describe, expect, test } from 'vitest';
import { networkOf } from '../../server/accounts/network.ts';
import { signInLimits } from '../../server/accounts/sign-in-limits.ts';
import type { Answer } from '../support/client.ts';
import type { Person } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { type World, world } from '../support/world.ts';

const behindProxy = await world({
  variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1,10.1.0.0/16' },
});
const open = await world();

const tooMany = { status: 429, body: { message: '429 Too Many Requests' } };
const perAccount = 10;
const perAddress = 100;

interface Try {
  readonly login: string;
  readonly password?: string;
  /** What the proxy says of where it comes from. */
  readonly from?: string;
}

async function signIn({ as }: World, { login, password = 'wrong', from }: Try): Promise<Answer> {
  const response = await as(null).fetch('/session', {
    method: 'POST',
    body: JSON.stringify({ login, password }),
    headers: { 'Content-Type': 'application/json', ...(from && { 'X-Forwarded-For': from }) },
  });
  return { status: response.status, body: await response.json() };
}

/** So many failures side by side; gives how often each status came. */
async function fail(where: World, count: number, tryOf: (n: number) => Try) {
  const tries = Array.from({ length: count }, (_, n) => signIn(where, tryOf(n)));
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(tries)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Git's first request with a name and a password. */
async function handshake({ url }: World, username: string, password: string, from?: string) {
  const response = await fetch(`${url}/${username}/app.git/info/refs?service=git-upload-pack`, {
    headers: {
      Authorization: `Basic ${btoa(`${username}:${password}`)}`,
      ...(from && { 'X-Forwarded-For': from }),
    },
  });
  const text = response.status === 200 ? '' : await response.text();
  return { status: response.status, text, retryAfter: response.headers.get('Retry-After') };
}

describe('attempts that another server judges', () => {
  test('hold up none of the others', async () => {
    const { judge } = signInLimits(open.db);
    const address = '203.0.113.77';
    const answer = Promise.withResolvers<boolean>();
    const elsewhere = Array.from({ length: 8 }, (_, n) =>
      judge({ account: `far ${n}`, address, isAskedElsewhere: true }, () => answer.promise),
    );
    expect(await judge({ account: 'near', address }, async () => true)).toEqual({ isRight: true });
    answer.resolve(true);
    expect(await Promise.all(elsewhere)).toEqual(Array(8).fill({ isRight: true }));
  });
});

describe('an account', () => {
  const { seed, db } = behindProxy;
  const right = ({ username: login, password }: Person): Try => ({
    login,
    password,
    from: '198.51.100.1',
  });

  test('takes ten failures, wherever they come from and however it is named', async () => {
    const ada = await seed.user('ada');
    const names = ['ada', 'ADA', 'ada@example.com', 'Ada@Example.COM'];
    const counts = await fail(behindProxy, 12, (n) => ({
      login: names[n % names.length] ?? '',
      from: `198.51.100.${n}`,
    }));
    expect(counts).toEqual({ 401: perAccount, 429: 2 });
    // the right password is not even looked at
    expect(await signIn(behindProxy, right(ada))).toEqual(tooMany);
    expect((await behindProxy.as(ada).get('/user')).status).toBe(200);
  });

  test('says when it may be tried again', async () => {
    await fail(behindProxy, perAccount, () => ({ login: 'nobody-1', from: '198.51.100.2' }));
    const response = await behindProxy.as(null).fetch('/session?login=nobody-1&password=x', {
      method: 'POST',
    });
    expect(response.status).toBe(429);
    const seconds = Number(response.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  test('that nobody has is throttled alike', async () => {
    const counts = await fail(behindProxy, 12, (n) => ({
      login: n % 2 ? 'nobody-2' : 'NOBODY-2',
      from: '198.51.100.3',
    }));
    expect(counts).toEqual({ 401: perAccount, 429: 2 });
  });

  test('starts anew with the right password', async () => {
    const bob = await seed.user('bob');
    for (let round = 0; round < 3; round += 1) {
      const wrong = () => ({ login: 'bob', from: '198.51.100.4' });
      expect(await fail(behindProxy, perAccount - 1, wrong)).toEqual({ 401: perAccount - 1 });
      expect((await signIn(behindProxy, right(bob))).status).toBe(201);
    }
  });

  test('is open again when the time is over', async () => {
    const carol = await seed.user('carol');
    await fail(behindProxy, perAccount + 1, () => ({ login: 'carol', from: '198.51.100.5' }));
    expect(await signIn(behindProxy, right(carol))).toEqual(tooMany);
    // as if it were ten minutes later
    await db.$executeRaw`UPDATE sign_in_attempts SET expire = expire - 600000`;
    expect((await signIn(behindProxy, right(carol))).status).toBe(201);
  });

  test('is not closed by people who sign in side by side', async () => {
    const dave = await seed.user('dave');
    const counts = await fail(behindProxy, 3 * perAccount, () => right(dave));
    expect(counts).toEqual({ 201: 3 * perAccount });
  });

  test('is one for git and the interface', async () => {
    const erin = await seed.user('erin');
    await seed.project('erin/app');
    for (let n = 0; n < perAccount; n += 1) {
      expect(await handshake(behindProxy, 'erin', `wrong ${n}`, '198.51.100.6')).toEqual({
        status: 401,
        text: 'HTTP Basic: Access denied\n',
        retryAfter: null,
      });
    }
    const refusal = await handshake(behindProxy, 'erin', erin.password, '198.51.100.6');
    expect(refusal).toEqual({
      status: 429,
      text: '429 Too Many Requests\n',
      retryAfter: expect.stringMatching(/^\d+$/),
    });
    expect(await signIn(behindProxy, right(erin))).toEqual(tooMany);
    // a token cannot be guessed
    expect((await handshake(behindProxy, 'erin', erin.token, '198.51.100.6')).status).toBe(200);
  });

  test('that git has been let into is not counted, nor asked again', async () => {
    const frank = await seed.user('frank');
    await seed.project('frank/app');
    const fetches = Array.from({ length: 3 * perAccount }, () =>
      handshake(behindProxy, 'frank', frank.password, '198.51.100.7'),
    );
    const statuses = (await Promise.all(fetches)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('is not named by what somebody typed', async () => {
    await fail(behindProxy, 1, () => ({ login: 'my-secret-password', from: '198.51.100.8' }));
    const rows = await db.signInAttempt.findMany();
    expect(JSON.stringify(rows.map(({ key }) => key))).not.toContain('secret');
  });
});

describe('an address', () => {
  test('takes a hundred failures, and a proxy that is trusted says which one it is', async () => {
    const gina = await behindProxy.seed.user('gina');
    const stranger = (n: number) => ({ login: `stranger-${n}`, from: '203.0.113.1, 10.1.2.3' });
    expect(await fail(behindProxy, perAddress + 3, stranger)).toEqual({
      401: perAddress,
      429: 3,
    });
    const { username: login, password } = gina;
    const attempt = { login, password };
    expect(await signIn(behindProxy, { ...attempt, from: '203.0.113.1' })).toEqual(tooMany);
    // what the caller adds in front is believed by nobody
    const forged = '192.0.2.9, 203.0.113.1';
    expect(await signIn(behindProxy, { ...attempt, from: forged })).toEqual(tooMany);
    expect((await signIn(behindProxy, { ...attempt, from: '203.0.113.2' })).status).toBe(201);
  });

  test('is not closed by people who sign in', async () => {
    const hugo = await behindProxy.seed.user('hugo');
    const attempt = { login: 'hugo', password: hugo.password, from: '203.0.113.3' };
    expect(await fail(behindProxy, perAddress + 10, () => attempt)).toEqual({
      201: perAddress + 10,
    });
  });

  test('that is none is one together with its like, and no failure of ours', async () => {
    for (const from of ['unknown', 'x'.repeat(300), '_hidden']) {
      const answer = await signIn(behindProxy, { login: 'nobody-3', from });
      expect(answer).toEqual(refused.anonymous);
    }
    const keys = await behindProxy.db.signInAttempt.findMany({
      where: { key: 'address:unknown' },
    });
    expect(keys).toMatchObject([{ points: 3 }]);
  });

  test('without a trusted proxy is the caller’s own, whatever the header says', async () => {
    const ada = await open.seed.user('ada');
    const forging = (n: number) => ({ login: `stranger-${n}`, from: `203.0.113.${n}` });
    expect(await fail(open, perAddress + 3, forging)).toEqual({ 401: perAddress, 429: 3 });
    const { username: login, password } = ada;
    expect(await signIn(open, { login, password, from: '198.51.100.1' })).toEqual(tooMany);
  });

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['', 'unknown'],
  ])('%s is counted as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
