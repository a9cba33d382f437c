import { describe, expect, test } from 'vitest';
import { signInLimits } from '../../server/accounts/sign-in-limits.ts';
import { networkOf } from '../../server/scheduling/network.ts';
import type { ApiResponse } from '../support/client.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { visitorAt } from '../support/visitor.ts';
import { type World, world } from '../support/world.ts';

const behindProxy = await world({
  variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1,10.1.0.0/16' },
});
const open = await world();

const tooMany = { status: 429, body: { message: '429 Too Many Requests' } };
const perAccount = 10;
const perAddress = 100;
const perAccountAnywhere = 30;
const wrongTokensPerAddress = 1000;

interface Try {
  readonly login: string;
  readonly password?: string;
  /** The X-Forwarded-For header of the proxy. */
  readonly from?: string;
}

async function signIn(
  { as }: World,
  { login, password = 'wrong', from }: Try,
): Promise<ApiResponse> {
  const response = await as(null).fetch('/session', {
    method: 'POST',
    body: JSON.stringify({ login, password }),
    headers: { 'Content-Type': 'application/json', ...(from && { 'X-Forwarded-For': from }) },
  });
  return { status: response.status, body: await response.json() };
}

/** Fails `count` times in parallel; gives the number of responses per status. */
async function fail(where: World, count: number, tryOf: (n: number) => Try) {
  const tries = Array.from({ length: count }, (_, n) => signIn(where, tryOf(n)));
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(tries)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The first request of git, with a username and password. */
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

describe('attempts checked by a directory server', () => {
  test('do not delay other attempts', async () => {
    const { judge } = signInLimits(open.db);
    const address = '203.0.113.77';
    const directoryResult = Promise.withResolvers<boolean>();
    const elsewhere = Array.from({ length: 8 }, (_, n) =>
      judge(
        { kind: 'password', account: `far ${n}`, address, isAskedElsewhere: true },
        () => directoryResult.promise,
      ),
    );
    expect(await judge({ kind: 'password', account: 'near', address }, async () => true)).toEqual({
      isRight: true,
    });
    directoryResult.resolve(true);
    expect(await Promise.all(elsewhere)).toEqual(Array(8).fill({ isRight: true }));
  });
});

describe('an account', () => {
  const { seed, db } = behindProxy;
  const right = ({ username: login, password }: TestUser): Try => ({
    login,
    password,
    from: '198.51.100.1',
  });

  test('allows ten failures from an address, by any of its names', async () => {
    const ada = await seed.user('ada');
    const names = ['ada', 'ADA', 'ada@example.com', 'Ada@Example.COM'];
    const counts = await fail(behindProxy, 12, (n) => ({
      login: names[n % names.length] ?? '',
      from: '198.51.100.66',
    }));
    expect(counts).toEqual({ 401: perAccount, 429: 2 });
    // the right password is not checked either
    const attempt = { ...right(ada), from: '198.51.100.66' };
    expect(await signIn(behindProxy, attempt)).toEqual(tooMany);
    expect((await behindProxy.as(ada).get('/user')).status).toBe(200);
    // the address can still sign in to other accounts
    expect((await signIn(behindProxy, right(ada))).status).toBe(201);
  });

  describe('attacked from many addresses', () => {
    const home = '198.51.100.1';
    const attack = (login: string, tries: number) =>
      fail(behindProxy, tries, (n) => ({ login, from: `192.0.2.${n}` }));

    test('is throttled for other addresses, but not for networks it has signed in from', async () => {
      const amy = await seed.user('amy');
      expect((await signIn(behindProxy, right(amy))).status).toBe(201);
      const counts = await attack('amy', perAccountAnywhere + 20);
      // one more attempt was allowed when the pause started
      expect(counts).toEqual({ 401: perAccountAnywhere + 1, 429: 19 });
      const elsewhere = { ...right(amy), from: '203.0.113.200' };
      const response = await behindProxy.as(null).fetch('/session', {
        method: 'POST',
        body: JSON.stringify({ login: 'amy', password: amy.password }),
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': elsewhere.from },
      });
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('Retry-After'))).toBeLessThanOrEqual(15);
      expect((await signIn(behindProxy, { ...right(amy), from: home })).status).toBe(201);
      // after the pause one attempt from another address is allowed again, and the right password works
      await db.$executeRaw`
        UPDATE sign_in_attempts SET expire = 0 WHERE key = ${`pause:user ${amy.id}`}`;
      expect((await signIn(behindProxy, elsewhere)).status).toBe(201);
      expect((await signIn(behindProxy, elsewhere)).status).toBe(201);
    });

    test('also stays accessible over git, OAuth and the sign-in page', async () => {
      const liz = await seed.user('liz');
      await seed.project('liz/app');
      expect((await signIn(behindProxy, right(liz))).status).toBe(201);
      await attack('liz', perAccountAnywhere + 10);
      expect((await handshake(behindProxy, 'liz', liz.password, home)).status).toBe(200);
      const grant = { grant_type: 'password', username: 'liz', password: liz.password };
      const token = await fetch(`${behindProxy.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(grant),
        headers: { 'X-Forwarded-For': home },
      });
      expect(token.status).toBe(200);
      const page = '/users/sign_in';
      const fields = { login: 'liz', password: liz.password };
      const visitor = visitorAt(behindProxy.url);
      const signedIn = await visitor.submitFrom(page, page, fields, { 'X-Forwarded-For': home });
      expect([signedIn.status, signedIn.location]).toEqual([303, '/']);
    });

    test('remembers the last five networks only', async () => {
      const max = await seed.user('max');
      for (let n = 1; n <= 8; n += 1) {
        const from = `198.51.100.${100 + n}`;
        expect((await signIn(behindProxy, { ...right(max), from })).status).toBe(201);
      }
      const rows = await db.signInNetwork.findMany({
        where: { userId: max.id },
        orderBy: { usedAt: 'asc' },
      });
      expect(rows.map(({ network }) => network)).toEqual(
        [4, 5, 6, 7, 8].map((n) => `198.51.100.${100 + n}`),
      );
    });
  });

  test('has a Retry-After header', async () => {
    await fail(behindProxy, perAccount, () => ({ login: 'unknown-1', from: '198.51.100.2' }));
    const response = await behindProxy.as(null).fetch('/session?login=unknown-1&password=x', {
      method: 'POST',
      headers: { 'X-Forwarded-For': '198.51.100.2' },
    });
    expect(response.status).toBe(429);
    const seconds = Number(response.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  test('that does not exist is throttled equally', async () => {
    const counts = await fail(behindProxy, 12, (n) => ({
      login: n % 2 ? 'unknown-2' : 'UNKNOWN-2',
      from: '198.51.100.3',
    }));
    expect(counts).toEqual({ 401: perAccount, 429: 2 });
  });

  test('resets its counter with the right password', async () => {
    const bob = await seed.user('bob');
    for (let round = 0; round < 3; round += 1) {
      const wrong = () => ({ login: 'bob', from: '198.51.100.1' });
      expect(await fail(behindProxy, perAccount - 1, wrong)).toEqual({ 401: perAccount - 1 });
      expect((await signIn(behindProxy, right(bob))).status).toBe(201);
    }
  });

  test('accepts attempts again after the time limit', async () => {
    const carol = await seed.user('carol');
    await fail(behindProxy, perAccount + 1, () => ({ login: 'carol', from: '198.51.100.1' }));
    expect(await signIn(behindProxy, right(carol))).toEqual(tooMany);
    // as if it were ten minutes later
    await db.$executeRaw`UPDATE sign_in_attempts SET expire = expire - 600000`;
    expect((await signIn(behindProxy, right(carol))).status).toBe(201);
  });

  test('is not locked by parallel successful sign-ins', async () => {
    const dave = await seed.user('dave');
    const counts = await fail(behindProxy, 3 * perAccount, () => right(dave));
    expect(counts).toEqual({ 201: 3 * perAccount });
  });

  test('has one counter for git and the pages', async () => {
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
    const attempt = { ...right(erin), from: '198.51.100.6' };
    expect(await signIn(behindProxy, attempt)).toEqual(tooMany);
    // a token cannot be guessed
    expect((await handshake(behindProxy, 'erin', erin.token, '198.51.100.6')).status).toBe(200);
  });

  test('is not locked by wrong tokens that git and LFS repeat as a password', async () => {
    const gil = await seed.user('gil');
    await seed.project('gil/app');
    const from = '198.51.100.61';
    const { body } = await behindProxy
      .as(behindProxy.root)
      .post(`/users/${gil.id}/impersonation_tokens`, { name: 'ci', scopes: ['api'] });
    const { id, token: revoked } = body as { id: number; token: string };
    await behindProxy.as(behindProxy.root).delete(`/users/${gil.id}/impersonation_tokens/${id}`);
    const stale = [revoked, 'a'.repeat(30), 'b'.repeat(64)];
    for (let n = 0; n < perAccount; n += 1) {
      for (const token of stale) {
        expect((await handshake(behindProxy, 'gil', token, from)).status).toBe(401);
      }
    }
    const batch = await fetch(`${behindProxy.url}/gil/app.git/info/lfs/objects/batch`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${btoa(`gil:${revoked}`)}`,
        'Content-Type': 'application/vnd.git-lfs+json',
        'X-Forwarded-For': from,
      },
      body: JSON.stringify({ operation: 'download', objects: [] }),
    });
    expect(batch.status).toBe(401);
    const counts = await behindProxy.db.signInAttempt.findMany({
      where: { key: { contains: from } },
    });
    const key = `token:${from}`;
    expect(counts).toMatchObject([{ key, points: stale.length * perAccount + 1 }]);
    expect(await signIn(behindProxy, { ...right(gil), from })).toMatchObject({ status: 201 });
    expect((await handshake(behindProxy, 'gil', gil.password, from)).status).toBe(200);
    // a password may have the form of a token
    const password = 'abcdefghij0123456789';
    await behindProxy.as(behindProxy.root).put(`/users/${gil.id}`, { password });
    expect((await handshake(behindProxy, 'gil', password, from)).status).toBe(200);
    await behindProxy.db.signInAttempt.update({
      where: { key },
      data: { points: wrongTokensPerAddress },
    });
    expect((await handshake(behindProxy, 'gil', revoked, from)).status).toBe(429);
    expect(await signIn(behindProxy, { login: 'gil', password, from })).toMatchObject({
      status: 201,
    });
  });

  test('with a successful git sign-in is neither counted nor checked again', async () => {
    const frank = await seed.user('frank');
    await seed.project('frank/app');
    const fetches = Array.from({ length: 3 * perAccount }, () =>
      handshake(behindProxy, 'frank', frank.password, '198.51.100.7'),
    );
    const statuses = (await Promise.all(fetches)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('is not logged with the login that the user typed', async () => {
    await fail(behindProxy, 1, () => ({ login: 'my-secret-password', from: '198.51.100.8' }));
    const rows = await db.signInAttempt.findMany();
    expect(JSON.stringify(rows.map(({ key }) => key))).not.toContain('secret');
  });
});

describe('wrong tokens', () => {
  const wrong = 'x'.repeat(20);
  const get = async ({ url }: World, token: string, from: string) => {
    const response = await fetch(`${url}/api/v4/user`, {
      headers: { 'Private-Token': token, 'X-Forwarded-For': from },
    });
    return { status: response.status, body: await response.json() };
  };

  test('are limited by address; a valid one still works from there', async () => {
    const ned = await behindProxy.seed.user('ned');
    const from = '203.0.113.50';
    expect(await get(behindProxy, wrong, from)).toEqual(refused.anonymous);
    // as if it had already sent a thousand
    await behindProxy.db.signInAttempt.update({
      where: { key: `token:${from}` },
      data: { points: wrongTokensPerAddress },
    });
    expect(await get(behindProxy, wrong, from)).toEqual(tooMany);
    expect((await get(behindProxy, ned.token, from)).status).toBe(200);
    expect(await get(behindProxy, wrong, '203.0.113.51')).toEqual(refused.anonymous);
    const runner = async (token: string) => {
      const response = await fetch(`${behindProxy.url}/api/v4/jobs/request`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
        body: JSON.stringify({ token }),
      });
      return response.status;
    };
    expect(await runner('wrong')).toBe(429);
    // passwords are counted apart
    const attempt = { login: 'ned', password: ned.password, from };
    expect((await signIn(behindProxy, attempt)).status).toBe(201);
  });

  test('of runners, triggers and applications count as well', async () => {
    const from = '203.0.113.60';
    const { id } = await behindProxy.seed.project('root/triggered');
    const requests: [string, object][] = [
      ['/api/v4/runners', { token: 'wrong' }],
      ['/api/v4/runners/verify', { token: 'wrong' }],
      ['/api/v4/jobs/request', { token: 'wrong' }],
      [`/api/v4/projects/${id}/trigger/pipeline`, { token: 'wrong', ref: 'master' }],
      [
        '/oauth/token',
        { grant_type: 'client_credentials', client_id: 'a'.repeat(64), client_secret: 'wrong' },
      ],
    ];
    for (const [path, body] of requests) {
      const response = await fetch(`${behindProxy.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
        body: JSON.stringify(body),
      });
      expect({ path, status: response.status }).toEqual({
        path,
        status: expect.toSatisfy((status: number) => [401, 403, 404].includes(status)),
      });
    }
    const counted = await behindProxy.db.signInAttempt.findUnique({
      where: { key: `token:${from}` },
    });
    expect(counted?.points).toBe(requests.length);
  });

  test('of OAuth clients, jobs, LFS and GraphQL count as well', async () => {
    const { url, db, seed } = behindProxy;
    const from = '203.0.113.61';
    const { id } = await seed.project('root/counted', {}, { visibility: 'public' });
    const basic = (name: string, password: string) => ({
      Authorization: `Basic ${btoa(`${name}:${password}`)}`,
    });
    const token = 'e'.repeat(64);
    const json = { 'Content-Type': 'application/json' };
    const post = (body: object): RequestInit => ({
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    });
    const requests: [string, RequestInit][] = [
      ['/oauth/token', post({ grant_type: 'refresh_token', refresh_token: token })],
      [`/oauth/token/info?access_token=${token}`, {}],
      ['/oauth/userinfo', { headers: { Authorization: `Bearer ${token}` } }],
      [
        '/graphql',
        { ...post({ query: '{ __typename }' }), headers: { ...json, 'Private-Token': 'wrong' } },
      ],
      [`/api/v4/projects/${id}/releases`, { headers: { 'Job-Token': 'wrong' } }],
      [
        '/root/counted.git/info/refs?service=git-upload-pack',
        { headers: basic('gitlab-ci-token', 'x') },
      ],
      [
        '/root/counted.git/info/lfs/locks',
        { headers: { ...basic('lfs-token', 'lfs.e30.x'), Accept: 'application/vnd.git-lfs+json' } },
      ],
    ];
    const uncounted = [];
    for (const [path, init] of requests) {
      const pointsNow = async () =>
        (await db.signInAttempt.findUnique({ where: { key: `token:${from}` } }))?.points ?? 0;
      const before = await pointsNow();
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers: { ...init.headers, 'X-Forwarded-For': from },
      });
      await response.arrayBuffer();
      if ((await pointsNow()) !== before + 1) uncounted.push([path, response.status]);
    }
    expect(uncounted).toEqual([]);
  });
});

describe('an address', () => {
  test('allows a hundred failures, identified by a trusted proxy', async () => {
    const gina = await behindProxy.seed.user('gina');
    const unknownLogin = (n: number) => ({
      login: `nonexistent-${n}`,
      from: '203.0.113.1, 10.1.2.3',
    });
    expect(await fail(behindProxy, perAddress + 3, unknownLogin)).toEqual({
      401: perAddress,
      429: 3,
    });
    const { username: login, password } = gina;
    const attempt = { login, password };
    expect(await signIn(behindProxy, { ...attempt, from: '203.0.113.1' })).toEqual(tooMany);
    // the part that the caller adds in front is ignored
    const forged = '192.0.2.9, 203.0.113.1';
    expect(await signIn(behindProxy, { ...attempt, from: forged })).toEqual(tooMany);
    expect((await signIn(behindProxy, { ...attempt, from: '203.0.113.2' })).status).toBe(201);
  });

  test('is not locked by successful sign-ins', async () => {
    const hugo = await behindProxy.seed.user('hugo');
    const attempt = { login: 'hugo', password: hugo.password, from: '203.0.113.3' };
    expect(await fail(behindProxy, perAddress + 10, () => attempt)).toEqual({
      201: perAddress + 10,
    });
  });

  test('that is invalid shares one counter with other invalid ones, without a server error', async () => {
    for (const from of ['unknown', 'x'.repeat(300), '_hidden']) {
      const response = await signIn(behindProxy, { login: 'unknown-3', from });
      expect(response).toEqual(refused.anonymous);
    }
    const keys = await behindProxy.db.signInAttempt.findMany({
      where: { key: 'address:unknown' },
    });
    expect(keys).toMatchObject([{ points: 3 }]);
  });

  test('without a trusted proxy is the peer address, whatever the header contains', async () => {
    const ada = await open.seed.user('ada');
    const forging = (n: number) => ({ login: `nonexistent-${n}`, from: `203.0.113.${n}` });
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
