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

const forbiddenForm = { status: 403, location: null };
const shownProfile = { status: 200, location: null };
const redirectToSignIn = { status: 302, location: '/users/sign_in?return_to=%2Fprofile' };

const sessionsOf = (userId: number) => db.browserSession.findMany({ where: { userId } });

describe('a session', () => {
  test('is a cookie that scripts and other sites cannot use', async () => {
    const visitor = visitorAt(url);
    await visitor.signIn(ada);
    expect(visitor.setCookie()).toMatch(
      /^_millrace_session=[0-9a-f]{64}; path=\/; samesite=lax; httponly$/,
    );
  });

  test('has a secure cookie for the path of an https:// address', async () => {
    const user = await proxied.seed.user('ada');
    const visitor = visitorAt(proxied.url);
    expect(await visitor.signIn(user)).toMatchObject({ status: 303, location: '/millrace/' });
    expect(visitor.setCookie()).toMatch(/; path=\/millrace; samesite=lax; secure; httponly$/);
    const page = await visitor.get('/profile');
    expect(page.text).toContain('href="/millrace/profile/two_factor"');
    const response = await visitorAt(proxied.url).get('/profile?x=1');
    expect(response.location).toBe('/millrace/users/sign_in?return_to=%2Fprofile%3Fx%3D1');
  });

  test('gets a new id at every sign-in, whatever cookie the browser sent', async () => {
    const planted = 'a'.repeat(64);
    const visitor = visitorAt(url, planted);
    await visitor.signIn(ada);
    expect(visitor.cookie).not.toBe(planted);
    expect(await visitorAt(url, planted).get('/profile')).toMatchObject(redirectToSignIn);
    const firstCookie = visitor.cookie;
    const response = await visitor.submitFrom('/profile', '/users/sign_in', {
      login: ada.username,
      password: ada.password,
    });
    expect(response.status).toBe(303);
    expect(visitor.cookie).not.toBe(firstCookie);
    expect(await visitorAt(url, firstCookie).get('/profile')).toMatchObject(redirectToSignIn);
    expect(await visitor.get('/profile')).toMatchObject(shownProfile);
  });

  test('ignores the parameter sudo', async () => {
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

  test('expires without use', async () => {
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
    expect(await visitor.get('/profile')).toMatchObject(redirectToSignIn);
  });

  test('does not expire with a delay of 0', async () => {
    const carl = await proxied.seed.user('carl');
    await visitorAt(proxied.url).signIn(carl);
    const where = { userId: carl.id };
    const { expiresAt } = await proxied.db.browserSession.findFirstOrThrow({ where });
    expect(Number(expiresAt) - Date.now()).toBeGreaterThan(50 * week);
  });

  test('is extended by use', async () => {
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

  test('ends when its user is blocked, also after unblocking', async () => {
    const dora = await seed.user('dora');
    const visitor = visitorAt(url);
    await visitor.signIn(dora);
    expect(await visitor.get('/profile')).toMatchObject(shownProfile);
    await as(root).post(`/users/${dora.id}/block`);
    expect(await visitor.get('/profile')).toMatchObject(redirectToSignIn);
    expect(await visitor.signIn(dora)).toMatchObject({ status: 401 });
    await as(root).post(`/users/${dora.id}/unblock`);
    expect(await visitor.get('/profile')).toMatchObject(redirectToSignIn);
  });

  test('ends when its user gets a new password or is deleted', async () => {
    const eve = await seed.user('eve');
    const visitor = visitorAt(url);
    await visitor.signIn(eve);
    await as(root).put(`/users/${eve.id}`, { password: 'another password' });
    expect(await visitor.get('/profile')).toMatchObject(redirectToSignIn);
    await visitor.signIn({ ...eve, password: 'another password' });
    expect(await visitor.get('/profile')).toMatchObject(shownProfile);
    await as(root).delete(`/users/${eve.id}`);
    expect(await visitor.get('/profile')).toMatchObject(redirectToSignIn);
  });

  test.each(['', 'x', 'A'.repeat(64), `${'a'.repeat(64)}; _millrace_session=b`])(
    'an invalid cookie is anonymous: %s',
    async (cookie) => {
      expect(await visitorAt(url, cookie).get('/profile')).toMatchObject(redirectToSignIn);
    },
  );
});

describe('a form', () => {
  const attempt = { login: 'ada', password: ada.password };

  test('without a token, or with the token of another browser, gets 403', async () => {
    const visitor = visitorAt(url);
    expect(await visitor.post('/users/sign_in', attempt)).toMatchObject(forbiddenForm);
    await visitor.get('/users/sign_in');
    expect(await visitor.post('/users/sign_in', attempt)).toMatchObject(forbiddenForm);
    const foreign = await visitorAt(url).formToken('/users/sign_in');
    const fields = { ...attempt, authenticity_token: foreign };
    expect(await visitor.post('/users/sign_in', fields)).toMatchObject(forbiddenForm);
    expect(await db.browserSession.count({ where: { userId: ada.id } })).toBeLessThan(3);
  });

  test.each([
    [{ Origin: 'https://evil.example' }],
    [{ Origin: 'null' }],
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
  ])('from another site gets 403: %o', async (headers) => {
    const visitor = visitorAt(url);
    const response = await visitor.submit('/users/sign_in', attempt, headers);
    expect(response).toMatchObject(forbiddenForm);
  });

  test('for signing out needs a token as well', async () => {
    const visitor = visitorAt(url);
    await visitor.signIn(ada);
    expect(await visitor.post('/users/sign_out', {})).toMatchObject(forbiddenForm);
    expect(await visitor.get('/profile')).toMatchObject(shownProfile);
    const endedSession = visitor.cookie;
    expect(await visitor.submit('/users/sign_out')).toMatchObject({
      status: 303,
      location: '/users/sign_in',
    });
    expect(await visitorAt(url, endedSession).get('/profile')).toMatchObject(redirectToSignIn);
  });

  test('uses the last of several fields with one name, and gets 400 with a NUL character', async () => {
    const visitor = visitorAt(url);
    const repeated = [['login', 'unknown'], ...Object.entries(attempt)] as [string, string][];
    expect(await visitor.submit('/users/sign_in', repeated)).toMatchObject({ status: 303 });
    const holdsNul = { login: 'a\0da', password: ada.password };
    const otherVisitor = visitorAt(url);
    expect(await otherVisitor.submit('/users/sign_in', holdsNul)).toMatchObject({ status: 400 });
    expect(await otherVisitor.get('/?search=%00')).toMatchObject({ status: 400 });
  });
});

describe('return_to', () => {
  test.for([
    ['5,000 characters, longer than any path of the service', '/'.padEnd(5_000, 'x')],
    ['two slashes', '//evil.example'],
    ['three slashes', '///evil.example'],
    ['a slash and a backslash', '/\\evil.example'],
    ['two backslashes', '\\\\evil.example'],
    ['another origin', 'https://evil.example'],
    ['another origin without slashes', 'https:evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', 'evil'],
    ['a tab between slashes', '/\t/evil.example'],
    ['a line feed between slashes', '/\n/evil.example'],
    ['a control character at the start', '\u0001/evil'],
    ['a line break', '/profile\r\nX: y'],
  ] as const)('is ignored if it is not a path of the service: %s', async ([, returnTo]) => {
    const visitor = visitorAt(url);
    const fields = { login: 'ada', password: ada.password, return_to: returnTo };
    expect(await visitor.submit('/users/sign_in', fields)).toMatchObject({
      status: 303,
      location: '/',
    });
    const response = await visitor.get(`/users/sign_in?return_to=${encodeURIComponent(returnTo)}`);
    expect(response).toMatchObject({ status: 302, location: '/' });
  });

  test('redirects to an OAuth authorization by a Refresh header, as form-action forbids redirects to other hosts', async () => {
    const visitor = visitorAt(url);
    const returnTo = '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2F';
    const fields = { login: 'ada', password: ada.password, return_to: returnTo };
    const response = await visitor.submit('/users/sign_in', fields);
    expect(response).toMatchObject({ status: 200, location: null });
    expect(response.headers.get('Refresh')).toBe(`0; url=${returnTo}`);
  });
});

describe('/profile/active_sessions', () => {
  const signInWith = async (headers: Readonly<Record<string, string>>) => {
    const visitor = visitorAt(url);
    const { username: login, password } = ada;
    await visitor.submitFrom('/users/sign_in', '/users/sign_in', { login, password }, headers);
    return visitor;
  };

  test('shows the browser and the address of each sign-in', async () => {
    await db.browserSession.deleteMany({ where: { userId: ada.id } });
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
    await signInWith({ 'User-Agent': firefox });
    const visitor = await signInWith({ 'User-Agent': 'curl/8.5' });
    const { text } = await visitor.get('/profile/active_sessions');
    expect(text).toContain('<strong>Firefox 132 on Linux</strong>');
    expect(text).toContain('<strong>This browser</strong>');
    expect(text.match(/from <code>(127\.0\.0\.1|::1)<\/code>/g)).toHaveLength(2);
  });

  test('believes the address of a header only from a trusted proxy', async () => {
    const visitor = await signInWith({ 'X-Forwarded-For': '203.0.113.9' });
    expect((await visitor.get('/profile/active_sessions')).text).not.toContain('203.0.113.9');
  });

  test('a hostile header is no markup, and its length is bounded', async () => {
    const hostile = `Firefox/<script>alert(1)</script>${' Firefox/'.repeat(800)}`;
    const visitor = await signInWith({ 'User-Agent': hostile });
    const { text } = await visitor.get('/profile/active_sessions');
    expect(text).toContain('<strong>Firefox</strong>');
    expect(text).not.toContain('alert(1)');
  });
});
