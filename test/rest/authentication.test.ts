import { describe, expect, test } from 'vitest';
import { routes } from '../../rest-facade/index.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: app } = await seed.project('ada/app');
await seed.project('ada/open', {}, { visibility: 'public' });

/** Creates a token with these scopes. */
async function createToken(scopes: readonly string[], holder = ada) {
  const { status, body } = await as(root).post(`/users/${holder.id}/impersonation_tokens`, {
    name: scopes.join(),
    scopes,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as { id: number; token: string };
}

interface Shown {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The username of the authenticated caller, or the error. */
async function authenticate({ query = {}, headers = {}, body }: Shown) {
  const path = body ? '/projects' : '/user';
  const response = await as(null).fetch(`${path}?${new URLSearchParams(query)}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
  });
  const content = (await response.json()) as Record<string, unknown>;
  if (response.status === 401) return content;
  // the missing name is reported to signed-in users only
  return body ? response.status : content.username;
}

describe('transport of a token', () => {
  const bad = 'not-a-token-at-all-00';

  test.each<[string, Shown]>([
    ['the parameter private_token', { query: { private_token: ada.token } }],
    ['the header PRIVATE-TOKEN', { headers: { 'PRIVATE-TOKEN': ada.token } }],
    ['the parameter access_token', { query: { access_token: ada.token } }],
    ['Authorization: Bearer', { headers: { Authorization: `Bearer ${ada.token}` } }],
    ['authorization: bearer', { headers: { authorization: `bearer  ${ada.token}` } }],
    ['the parameter bearer_token', { query: { bearer_token: ada.token } }],
  ])('%s is accepted', async (_where, shown) => {
    expect(await authenticate(shown)).toBe('ada');
  });

  test.each(['private_token', 'access_token', 'bearer_token'])(
    'the body accepts %s',
    async (name) => {
      expect(await authenticate({ body: { [name]: ada.token } })).toBe(400);
      expect(await authenticate({ body: { [name]: bad } })).toEqual(refused.anonymous.body);
    },
  );

  test('the first of several tokens is used, in the documented order', async () => {
    const places: readonly ((token: string) => Shown)[] = [
      (token) => ({ query: { private_token: token } }),
      (token) => ({ headers: { 'PRIVATE-TOKEN': token } }),
      (token) => ({ query: { access_token: token } }),
      (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
      (token) => ({ query: { bearer_token: token } }),
    ];
    for (const [place, first] of places.entries()) {
      for (const second of places.slice(place + 1)) {
        const combine = (first: Shown, second: Shown): Shown => ({
          query: { ...first.query, ...second.query },
          headers: { ...first.headers, ...second.headers },
        });
        expect(await authenticate(combine(first(ada.token), second(bob.token)))).toBe('ada');
        expect(await authenticate(combine(first(bad), second(bob.token)))).toEqual(
          refused.anonymous.body,
        );
      }
    }
  });

  test('an empty token is ignored, and Basic authorization is rejected', async () => {
    const shown = {
      query: { private_token: '' },
      headers: { Authorization: `Bearer ${ada.token}` },
    };
    expect(await authenticate(shown)).toBe('ada');
    const basic = { headers: { Authorization: `Basic ${btoa(`ada:${ada.token}`)}` } };
    expect(await authenticate(basic)).toEqual(refused.anonymous.body);
    expect((await as(null).fetch('/projects', basic)).status).toBe(200);
  });

  test.each(['private_token[]=x', 'private_token[a]=x', 'access_token[]=x'])(
    '%s is not a token and gives 401',
    async (query) => {
      expect(await as(null).get(`/version?${query}`)).toEqual(refused.anonymous);
    },
  );
});

describe('an invalid token gives 401, even on public endpoints', () => {
  const places = ['/version', '/projects', '/users?username=ada', '/projects/ada%2Fopen'];

  test('an unknown token', async () => {
    for (const path of places) {
      expect(await as({ ...ada, token: 'x'.repeat(20) }).get(path)).toEqual(refused.anonymous);
      expect(await as({ ...ada, token: 'é'.repeat(2) }).get(path)).toEqual(refused.anonymous);
    }
  });

  test('a revoked token', async () => {
    const { id, token } = await createToken(['api']);
    const caller = as({ ...ada, token });
    for (const path of places) expect((await caller.get(path)).status).toBe(200);
    await as(root).delete(`/users/${ada.id}/impersonation_tokens/${id}`);
    for (const path of places) expect(await caller.get(path)).toEqual(refused.anonymous);
  });

  test('a token that expires while it is cached', async () => {
    const { id, token } = await createToken(['api']);
    const caller = as({ ...ada, token });
    expect((await caller.get('/version')).status).toBe(200);
    const soon = new Date(Date.now() + 1_000);
    await db.accessToken.update({ where: { id }, data: { expiresAt: soon } });
    const status = async () => (await caller.get('/version')).status;
    await expect.poll(status).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime());
  });

  test('a token of a blocked user', async () => {
    const eve = await seed.user('eve');
    expect((await as(eve).get('/version')).status).toBe(200);
    expect(await as(root).post(`/users/${eve.id}/block`)).toEqual({ status: 201, body: true });
    expect(await as(eve).get('/version')).toEqual(refused.anonymous);
  });

  test('an unknown endpoint gives 404 with a valid token and 401 with an invalid one', async () => {
    expect(await as(ada).get('/nothing')).toEqual(refused.route);
    expect(await as({ ...ada, token: 'x' }).get('/nothing')).toEqual(refused.anonymous);
  });
});

describe('scopes of a token', () => {
  const isUserPath = (path: string) => /^\/users?(\/|$)/.test(path);

  test('read_user covers the endpoints that read users, openid the own record', () => {
    const open = routes.flatMap(({ method, path, scopes = [] }) =>
      scopes.map((scope) => `${scope} ${method} ${path}`),
    );
    // these show full tokens, are for administrators only, or list projects
    const closed = /impersonation_tokens|custom_attributes|^\/users\/:user_id\/projects$/;
    const readers = routes.filter(
      ({ method, path }) => method === 'get' && isUserPath(path) && !closed.test(path),
    );
    expect(new Set(open)).toEqual(
      new Set([...readers.map(({ path }) => `read_user get ${path}`), 'openid get /user']),
    );
  });

  const paths = [
    ['GET', '/user'],
    ['GET', '/users'],
    ['GET', `/users/${bob.id}`],
    ['GET', '/users?username=bob'],
    ['GET', '/version'],
    ['GET', '/projects'],
    ['GET', `/projects/${app}`],
    ['POST', '/projects'],
    ['DELETE', `/projects/${app + 1000}`],
  ] as const;

  const open: Readonly<Record<string, readonly string[]>> = {
    read_user: ['/user', '/users', `/users/${bob.id}`, '/users?username=bob'],
    openid: ['/user'],
  };

  test.each(['read_user', 'openid'])('%s gives access to nothing else', async (scope) => {
    const { token } = await createToken([scope]);
    for (const [method, path] of paths) {
      const { status } = await as({ ...ada, token }).fetch(path, { method });
      expect(`${method} ${path} ${status}`).toBe(
        `${method} ${path} ${open[scope]?.includes(path) ? 200 : 401}`,
      );
    }
  });

  test('a token with an unknown scope gives no access', async () => {
    const { id, token } = await createToken(['read_user']);
    await db.accessToken.update({ where: { id }, data: { scopes: ['read_registry'] } });
    const caller = as({ ...ada, token });
    for (const path of ['/user', '/version', '/projects']) {
      await expect.poll(() => caller.get(path)).toEqual(refused.anonymous);
    }
  });

  test('several scopes are combined', async () => {
    const { token } = await createToken(['openid', 'read_user']);
    expect((await as({ ...ada, token }).get('/user')).status).toBe(200);
    expect((await as({ ...ada, token }).get('/users')).status).toBe(200);
    const { token: all } = await createToken(['openid', 'api']);
    expect((await as({ ...ada, token: all }).get(`/projects/${app}`)).status).toBe(200);
  });

  test('the read_user token of an administrator reads neither tokens nor metrics', async () => {
    const { token } = await createToken(['read_user'], root);
    const limited = as({ ...root, token });
    expect((await limited.get(`/users/${ada.id}`)).body).toHaveProperty('is_admin');
    expect(await limited.get(`/users/${ada.id}/impersonation_tokens`)).toEqual(refused.anonymous);
    const metrics = await fetch(`${url}/-/metrics`, { headers: { 'Private-Token': token } });
    expect(metrics.status).toBe(401);
  });

  test('/graphql and git require the scope api', async () => {
    const statuses = async ({ token }: Pick<TestUser, 'token'>) => {
      const queried = await fetch(`${url}/graphql?query=%7Bversion%7D`, {
        headers: { 'Private-Token': token, Accept: 'application/json' },
      });
      const fetched = await fetch(`${url}/ada/app.git/info/refs?service=git-upload-pack`, {
        headers: { Authorization: `Basic ${btoa(`ada:${token}`)}` },
      });
      return [queried.status, fetched.status];
    };
    expect(await statuses(await createToken(['read_user', 'openid']))).toEqual([401, 401]);
    expect(await statuses(await createToken(['api']))).toEqual([200, 200]);
  });
});
