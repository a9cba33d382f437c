import { describe, expect, test } from 'vitest';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const asProgram = { Accept: 'application/json' };

describe('an address where nothing is', () => {
  test.each(['/no/such/thing', '/users/nothing', '/-/nothing-here', '/%ff', '/assets/old.css'])(
    'is a page to people: %s',
    async (path) => {
      const { status, headers } = await visitorAt(url).get(path);
      expect(status).toBe(404);
      if (!path.startsWith('/-/')) expect(headers.get('Content-Type')).toMatch(/^text\/html/);
    },
  );

  test('is never a page below the API', async () => {
    const visitor = visitorAt(url);
    const api = await visitor.get('/api/v4/nothing');
    expect(api.headers.get('Content-Type')).toBe('application/json');
    const oauth = await visitor.get('/oauth/nothing');
    expect(oauth.text).not.toContain('<html');
  });

  test('holds no NUL', async () => {
    for (const path of ['/a%00b/c', '/users/sign_in?return_to=%00', '/?page=%00']) {
      expect([400, 404]).toContain((await visitorAt(url).get(path)).status);
    }
  });
});

describe('a page', () => {
  test('tells the browser to run no script and to keep nothing', async () => {
    const { headers } = await visitorAt(url).get('/users/sign_in');
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data: https:; form-action 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Referrer-Policy')).toBe('same-origin');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  test('has a picture of its own, so that no browser looks for one', async () => {
    const { text } = await visitorAt(url).get('/users/sign_in');
    expect(text).toContain('<link rel="icon" href="data:,">');
  });

  test('names its stylesheet after what is in it, which browsers keep', async () => {
    const visitor = visitorAt(url);
    const page = await visitor.get('/users/sign_in');
    const [path = ''] = /\/assets\/[0-9a-f]{16}\.css/.exec(page.text) ?? [];
    const { headers } = await visitor.get(path);
    expect(headers.get('Content-Type')).toBe('text/css; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  });

  test('has a head without a body', async () => {
    const response = await fetch(`${url}/users/sign_in`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('knows no token: only a session says who looks', async () => {
    const visitor = visitorAt(url);
    const answer = await visitor.get('/profile', { 'Private-Token': ada.token });
    expect(answer).toMatchObject({ status: 302 });
  });

  test.each([
    ['too long', 413, 'application/x-www-form-urlencoded', `login=${'x'.repeat(5 * 2 ** 20)}`],
    ['no form', 406, 'text/plain', 'login'],
    ['broken', 400, 'application/json', '{'],
    ['no text', 400, 'application/x-www-form-urlencoded', 'login=%00'],
  ])('tells people of a form that is %s: %i', async (_name, status, type, body) => {
    const response = await fetch(`${url}/users/sign_in`, {
      method: 'POST',
      headers: { Accept: 'text/html', 'Content-Type': type },
      body,
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  });
});

describe('a session', () => {
  test('reads the API and changes nothing there', async () => {
    const visitor = visitorAt(url);
    await visitor.signIn(ada);
    const user = await visitor.get('/api/v4/user', asProgram);
    expect(JSON.parse(user.text)).toMatchObject({ username: 'ada' });
    const made = await visitor.post('/api/v4/projects', { name: 'x' }, asProgram);
    expect(made.status).toBe(401);
  });
});
