import { describe, expect, test } from 'vitest';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as, root } = await world();
const proxied = await world({
  variables: { MILLRACE_URL: 'https://code.example/millrace' },
  settings: { sessionExpireDelay: 0 },
});
const ada = await seed.user('ada');
const week = 7 * 24 * 3_600_000;

const refusedForm = { status: 403, location: null };
const shownProfile = { status: 200, location: null };
const led = { status: 302, location: '/users/sign_in?return_to=%2Fprofile' };

const sessionsOf = (userId: number) => db.browserSession.findMany({ where: { userId } });

describe('a session', () => {
  test('is a cookie that scripts and other sites cannot use', async () => {
    const visitor = visitorAt(url);
    await visitor.signIn(ada);
    expect(visitor.setCookie()).toMatch(
      /^_millrace_session=[0-9a-f]{64}; path=\/; samesite=lax; httponly$/,
    );
  });

  test('under https the cookie is sent there only, below our own path', async () => {
    const person = await proxied.seed.user('ada');
    const visitor = visitorAt(proxied.url);
    expect(await visitor.signIn(person)).toMatchObject({ status: 303, location: '/millrace/' });
    expect(visitor.setCookie()).toMatch(/; path=\/millrace; samesite=lax; secure; httponly$/);
    const page = await visitor.get('/profile');
    expect(page.text).toContain('href="/millrace/profile/two_factor"');
    const stranger = await visitorAt(proxied.url).get('/profile?x=1');
    expect(stranger.location).toBe('/millrace/users/sign_in?return_to=%2Fprofile%3Fx%3D1');
  });

  test('is a new one after signing in, whatever the browser had before', async () => {
    const planted = 'a'.repeat(64);
    const visitor = visitorAt(url, planted);
    await visitor.signIn(ada);
    expect(visitor.cookie).not.toBe(planted);
    expect(await visitorAt(url, planted).get('/profile')).toMatchObject(led);
    const first = visitor.cookie;
    const again = await visitor.submitFrom('/profile', '/users/sign_in', {
      login: ada.username,
      password: ada.password,
    });
    expect(again.status).toBe(303);
    expect(visitor.cookie).not.toBe(first);
    expect(await visitorAt(url, first).get('/profile')).toMatchObject(led);
    expect(await visitor.get('/profile')).toMatchObject(shownProfile);
  });

  test('is of one person: no address turns them into another', async () => {
    const administrator = visitorAt(url);
    await administrator.signIn(root);
    const { status, text } = await administrator.get('/profile?sudo=ada');
    expect(status).toBe(200);
    expect(text).toContain(root.email);
    expect(text).not.toContain(ada.email);
    const visitor = visitorAt(url);
    await visitor.signIn(await seed.user('petra'));
    expect(await visitor.get('/profile?sudo=root')).toMatchObject(shownProfile);
  });

  test('runs out when it is left alone', async () => {
    const bob = await seed.user('bob');
    const visitor = visitorAt(url);
    await visitor.signIn(bob);
    const [session] = await sessionsOf(bob.id);
    expect(Number(session?.expiresAt) - Date.now()).toBeGreaterThan(week - 60_000);
    expect(Number(session?.expiresAt) - Date.now()).toBeLessThanOrEqual(week);
    await db.browserSession.updateMany({
      where: { userId: bob.id },
      data: { expiresAt: new Date() },
    });
    expect(await visitor.get('/profile')).toMatchObject(led);
  });

  test('does not run out where the delay is 0', async () => {
    const carl = await proxied.seed.user('carl');
    await visitorAt(proxied.url).signIn(carl);
    const where = { userId: carl.id };
    const { expiresAt } = await proxied.db.browserSession.findFirstOrThrow({ where });
    expect(Number(expiresAt) - Date.now()).toBeGreaterThan(50 * week);
  });

  test('lasts longer for being used', async () => {
    const carl = await seed.user('carl');
    const visitor = visitorAt(url);
    await visitor.signIn(carl);
    await db.browserSession.updateMany({
      where: { userId: carl.id },
      data: { expiresAt: new Date(Date.now() + 3_600_000) },
    });
    expect(await visitor.get('/profile')).toMatchObject(shownProfile);
    const [session] = await sessionsOf(carl.id);
    expect(Number(session?.expiresAt) - Date.now()).toBeGreaterThan(week - 60_000);
  });

  test('ends when its person is blocked, and does not come back', async () => {
    const dora = await seed.user('dora');
    const visitor = visitorAt(url);
    await visitor.signIn(dora);
    expect(await visitor.get('/profile')).toMatchObject(shownProfile);
    await as(root).post(`/users/${dora.id}/block`);
    expect(await visitor.get('/profile')).toMatchObject(led);
    expect(await visitor.signIn(dora)).toMatchObject({ status: 401 });
    await as(root).post(`/users/${dora.id}/unblock`);
    expect(await visitor.get('/profile')).toMatchObject(led);
  });

  test('ends when its person gets another password, or is removed', async () => {
    const eve = await seed.user('eve');
    const visitor = visitorAt(url);
    await visitor.signIn(eve);
    await as(root).put(`/users/${eve.id}`, { password: 'another password' });
    expect(await visitor.get('/profile')).toMatchObject(led);
    await visitor.signIn({ ...eve, password: 'another password' });
    expect(await visitor.get('/profile')).toMatchObject(shownProfile);
    await as(root).delete(`/users/${eve.id}`);
    expect(await visitor.get('/profile')).toMatchObject(led);
  });

  test.each(['', 'x', 'A'.repeat(64), `${'a'.repeat(64)}; _millrace_session=b`])(
    'a cookie that is none is nobody: %s',
    async (cookie) => {
      expect(await visitorAt(url, cookie).get('/profile')).toMatchObject(led);
    },
  );
});

describe('a form', () => {
  const attempt = { login: 'ada', password: ada.password };

  test('without its token is refused, and with that of another browser', async () => {
    const visitor = visitorAt(url);
    expect(await visitor.post('/users/sign_in', attempt)).toMatchObject(refusedForm);
    await visitor.get('/users/sign_in');
    expect(await visitor.post('/users/sign_in', attempt)).toMatchObject(refusedForm);
    const foreign = await visitorAt(url).formToken('/users/sign_in');
    const fields = { ...attempt, authenticity_token: foreign };
    expect(await visitor.post('/users/sign_in', fields)).toMatchObject(refusedForm);
    expect(await db.browserSession.count({ where: { userId: ada.id } })).toBeLessThan(3);
  });

  test.each([
    [{ Origin: 'https://evil.example' }],
    [{ Origin: 'null' }],
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
  ])('from another site is refused: %o', async (headers) => {
    const visitor = visitorAt(url);
    const answer = await visitor.submit('/users/sign_in', attempt, headers);
    expect(answer).toMatchObject(refusedForm);
  });

  test('that signs out is refused like any other', async () => {
    const visitor = visitorAt(url);
    await visitor.signIn(ada);
    expect(await visitor.post('/users/sign_out', {})).toMatchObject(refusedForm);
    expect(await visitor.get('/profile')).toMatchObject(shownProfile);
    const left = visitor.cookie;
    expect(await visitor.submit('/users/sign_out')).toMatchObject({
      status: 303,
      location: '/users/sign_in',
    });
    expect(await visitorAt(url, left).get('/profile')).toMatchObject(led);
  });

  test('is read by its last field of a name, and not at all when it holds NUL', async () => {
    const visitor = visitorAt(url);
    const repeated = [['login', 'nobody'], ...Object.entries(attempt)] as [string, string][];
    expect(await visitor.submit('/users/sign_in', repeated)).toMatchObject({ status: 303 });
    const holdsNul = { login: 'a\0da', password: ada.password };
    const other = visitorAt(url);
    expect(await other.submit('/users/sign_in', holdsNul)).toMatchObject({ status: 400 });
    expect(await other.get('/?search=%00')).toMatchObject({ status: 400 });
  });
});

describe('return_to', () => {
  test.each([
    // longer than any address of ours
    '/'.padEnd(5_000, 'x'),
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'evil',
    '/\t/evil.example',
    '/\n/evil.example',
    '\u0001/evil',
    '/profile\r\nX: y',
  ])('that is no path of ours leads home: %.30s', async (wished) => {
    const visitor = visitorAt(url);
    const fields = { login: 'ada', password: ada.password, return_to: wished };
    expect(await visitor.submit('/users/sign_in', fields)).toMatchObject({
      status: 303,
      location: '/',
    });
    const led = await visitor.get(`/users/sign_in?return_to=${encodeURIComponent(wished)}`);
    expect(led).toMatchObject({ status: 302, location: '/' });
  });

  test('on the way to an application no form leads there: the page itself goes on', async () => {
    const visitor = visitorAt(url);
    const wished = '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2F';
    const fields = { login: 'ada', password: ada.password, return_to: wished };
    const answer = await visitor.submit('/users/sign_in', fields);
    expect(answer).toMatchObject({ status: 200, location: null });
    expect(answer.headers.get('Refresh')).toBe(`0; url=${wished}`);
  });
});
