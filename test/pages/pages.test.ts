import { describe, expect, test } from 'vitest';
import { stylesheet } from '../../server/pages/assets/assets.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

test('the stylesheet of all pages stays below 40 KB', () => {
  expect(Buffer.byteLength(stylesheet.content)).toBeLessThan(40_000);
  // each rule is complete: the text is served without line breaks
  expect(stylesheet.content.split('{').length).toBe(stylesheet.content.split('}').length);
});

const { seed, url } = await world();
const ada = await seed.user('ada');
const asProgram = { Accept: 'application/json' };

describe('an unknown address', () => {
  test.each(['/no/such/thing', '/users/nothing', '/-/nothing-here', '/%ff', '/assets/old.css'])(
    'responds with a 404 page to browsers: %s',
    async (path) => {
      const { status, headers } = await visitorAt(url).get(path);
      expect(status).toBe(404);
      if (!path.startsWith('/-/')) expect(headers.get('Content-Type')).toMatch(/^text\/html/);
    },
  );

  test('below the API responds without a page', async () => {
    const visitor = visitorAt(url);
    const api = await visitor.get('/api/v4/nothing');
    expect(api.headers.get('Content-Type')).toBe('application/json');
    const oauth = await visitor.get('/oauth/nothing');
    expect(oauth.text).not.toContain('<html');
  });

  test('with a NUL character gets 400 or 404', async () => {
    for (const path of ['/a%00b/c', '/users/sign_in?return_to=%00', '/?page=%00']) {
      expect([400, 404]).toContain((await visitorAt(url).get(path)).status);
    }
  });
});

describe('a page', () => {
  test('has headers that forbid caching and all scripts but ours', async () => {
    const { headers, text } = await visitorAt(url).get('/users/sign_in');
    const [, nonce] = /<script defer src="[^"]+" nonce="([^"]+)">/.exec(text) ?? [];
    expect(headers.get('Content-Security-Policy')).toBe(
      `default-src 'none'; script-src 'nonce-${nonce}'; connect-src 'self'; style-src 'self'; ` +
        "img-src 'self' data: https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Referrer-Policy')).toBe('same-origin');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  test('has an inline icon, so that browsers request none', async () => {
    const { text } = await visitorAt(url).get('/users/sign_in');
    expect(text).toContain('<link rel="icon" href="data:,">');
  });

  test('has an immutable stylesheet with a content hash in its name', async () => {
    const visitor = visitorAt(url);
    const page = await visitor.get('/users/sign_in');
    const [path = ''] = /\/assets\/[0-9a-f]{16}\.css/.exec(page.text) ?? [];
    const { headers } = await visitor.get(path);
    expect(headers.get('Content-Type')).toBe('text/css; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  });

  test('responds to HEAD without a body', async () => {
    const response = await fetch(`${url}/users/sign_in`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('ignores tokens: only a session authenticates', async () => {
    const visitor = visitorAt(url);
    const response = await visitor.get('/profile', { 'Private-Token': ada.token });
    expect(response).toMatchObject({ status: 302 });
  });

  test.each([
    ['too long', 413, 'application/x-www-form-urlencoded', `login=${'x'.repeat(5 * 2 ** 20)}`],
    ['of another type', 406, 'text/plain', 'login'],
    ['broken', 400, 'application/json', '{'],
    ['not text', 400, 'application/x-www-form-urlencoded', 'login=%00'],
  ])('shows an error page for a form that is %s: %i', async (_name, status, type, body) => {
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
  test('can read the API, but not write', async () => {
    const visitor = visitorAt(url);
    await visitor.signIn(ada);
    const user = await visitor.get('/api/v4/user', asProgram);
    expect(JSON.parse(user.text)).toMatchObject({ username: 'ada' });
    const response = await visitor.post('/api/v4/projects', { name: 'x' }, asProgram);
    expect(response.status).toBe(401);
  });
});
