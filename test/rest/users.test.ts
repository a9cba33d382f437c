import { describe, expect, test } from 'vitest';
import { basicUserShape, currentUserShape, refused, userShape } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve', { isExternal: true });
const administrator = as(root);

const administratorView = (person: typeof ada, isAdmin = false) => ({
  ...currentUserShape(url, person),
  external: person === eve,
  is_admin: isAdmin,
});

const idsOf = (body: unknown) => (body as { id: number }[]).map(({ id }) => id);

describe('GET /user', () => {
  test('a user sees their own record', async () => {
    expect(await as(ada).get('/user')).toEqual({ status: 200, body: currentUserShape(url, ada) });
  });

  test('an administrator also sees is_admin', async () => {
    expect(await administrator.get('/user')).toEqual({
      status: 200,
      body: administratorView(root, true),
    });
  });

  test('is refused to an anonymous user', async () => {
    expect(await as(null).get('/user')).toEqual(refused.anonymous);
  });

  test('a blocked user gets 401', async () => {
    const mallory = await seed.user('mallory');
    expect((await as(mallory).get('/user')).status).toBe(200);
    await db.user.update({ where: { id: mallory.id }, data: { state: 'blocked' } });
    await expect.poll(async () => (await as(mallory).get('/user')).status).toBe(401);
    await db.user.delete({ where: { id: mallory.id } });
  });
});

describe('GET /users', () => {
  test('a user sees all users in the basic form, newest first', async () => {
    expect(await as(ada).get('/users')).toEqual({
      status: 200,
      body: [eve, bob, ada, root].map((person) => basicUserShape(url, person)),
    });
  });

  test('an administrator sees every field', async () => {
    expect(await administrator.get('/users')).toEqual({
      status: 200,
      body: [
        administratorView(eve),
        administratorView(bob),
        administratorView(ada),
        administratorView(root, true),
      ],
    });
  });

  test('anonymous users can look up a user by username', async () => {
    expect(await as(null).get('/users?username=ADA')).toEqual({
      status: 200,
      body: [basicUserShape(url, ada)],
    });
  });

  test('anonymous users cannot list', async () => {
    expect(await as(null).get('/users')).toEqual({
      status: 403,
      body: { message: '403 Forbidden - Not authorized to access /api/v4/users' },
    });
  });

  test.each([
    ['search=BO', [bob.id]],
    ['search=bob@example.com', [bob.id]],
    ['search=%25', []],
    ['username=bo', []],
    ['blocked=true', []],
    ['active=true&search=ad', [root.id, ada.id]],
  ])('%s filters the list', async (query, ids) => {
    const { body } = await as(ada).get(`/users?${query}`);
    expect(idsOf(body).toSorted()).toEqual([...ids].toSorted());
  });

  test('a partial e-mail address matches only for administrators', async () => {
    expect(await as(ada).get('/users?search=bob@')).toEqual({ status: 200, body: [] });
    expect(idsOf((await administrator.get('/users?search=bob@')).body)).toEqual([bob.id]);
  });

  test('headers describe the page', async () => {
    const response = await as(ada).fetch('/users?per_page=3&page=1');
    expect(idsOf(await response.json())).toEqual([eve.id, bob.id, ada.id]);
    const link = (rel: string, page: number) =>
      `<${url}/api/v4/users?page=${page}&per_page=3>; rel="${rel}"`;
    expect({
      total: response.headers.get('X-Total'),
      pages: response.headers.get('X-Total-Pages'),
      next: response.headers.get('X-Next-Page'),
      link: response.headers.get('Link'),
      type: response.headers.get('Content-Type'),
    }).toEqual({
      total: '4',
      pages: '2',
      next: '2',
      link: [link('next', 2), link('first', 1), link('last', 2)].join(', '),
      type: 'application/json',
    });
  });

  test('rejects a page that is not a number', async () => {
    expect(await as(ada).get('/users?page=two')).toEqual(refused.parameter('page is invalid'));
  });
});

describe('GET /users/:id', () => {
  test('all callers see the public fields of a user', async () => {
    const response = { status: 200, body: userShape(url, bob) };
    expect(await as(ada).get(`/users/${bob.id}`)).toEqual(response);
    expect(await as(null).get(`/users/${bob.id}`)).toEqual(response);
  });

  test('an administrator sees every field', async () => {
    expect(await administrator.get(`/users/${eve.id}`)).toEqual({
      status: 200,
      body: administratorView(eve),
    });
  });

  test.each(['999999', '99999999999', '0'])(
    'responds with 404 for the unknown user %s',
    async (id) => {
      expect(await as(ada).get(`/users/${id}`)).toEqual(refused.missing('User'));
    },
  );

  test('an id that is not a number is no route', async () => {
    expect(await as(ada).get('/users/ada')).toEqual(refused.route);
  });
});

describe('POST /users', () => {
  const cleo = { email: 'cleo@example.com', name: 'Cleo', username: 'cleo', password: 'cleopatra' };

  test('an administrator creates a user who can sign in', async () => {
    const { status, body } = await administrator.post('/users', {
      ...cleo,
      bio: 'Queen',
      location: 'Alexandria',
      skype: 'c',
      linkedin: 'l',
      twitter: 't',
      website_url: 'https://nile.example',
      organization: 'Egypt',
      projects_limit: 0,
      can_create_group: false,
      external: true,
      provider: 'ldapmain',
      extern_uid: 'uid=cleo',
    });
    const { id } = body as { id: number };
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...currentUserShape(url, { ...cleo, id, token: '' }),
        bio: 'Queen',
        location: 'Alexandria',
        skype: 'c',
        linkedin: 'l',
        twitter: 't',
        website_url: 'https://nile.example',
        organization: 'Egypt',
        projects_limit: 0,
        can_create_group: false,
        can_create_project: false,
        external: true,
        identities: [{ provider: 'ldapmain', extern_uid: 'uid=cleo' }],
      },
    });
    const login = { login: cleo.username, password: cleo.password };
    expect((await as(null).post('/session', login)).status).toBe(201);
  });

  test('ignores the parameters for the confirmation of addresses', async () => {
    const { status } = await administrator.post('/users', {
      ...cleo,
      username: 'zoe',
      email: 'zoe@example.com',
      confirm: 'no',
      skip_confirmation: true,
    });
    expect(status).toBe(201);
  });

  test('generates a random password with reset_password', async () => {
    const { password: _, ...dido } = { ...cleo, username: 'dido', email: 'dido@example.com' };
    const { status } = await administrator.post('/users', { ...dido, reset_password: true });
    expect(status).toBe(201);
  });

  test('requires an administrator', async () => {
    expect(await as(null).post('/users', cleo)).toEqual(refused.anonymous);
    expect(await as(ada).post('/users', cleo)).toEqual(refused.forbidden);
  });

  test.each([
    ['Email', { username: 'other', email: 'ADA@example.com' }],
    ['Username', { username: 'ADA', email: 'other@example.com' }],
  ])('%s is compared case-insensitively', async (field, names) => {
    expect(await administrator.post('/users', { ...cleo, ...names })).toEqual(
      refused.conflict(`${field} has already been taken`),
    );
  });

  test('the path of a group is a conflict', async () => {
    await seed.group('tools');
    const newUser = { ...cleo, username: 'Tools', email: 'tools@example.com' };
    expect(await administrator.post('/users', newUser)).toEqual(
      refused.conflict('Username has already been taken'),
    );
  });

  test('a former path with a redirect is a conflict', async () => {
    const group = await seed.group('old-tools');
    await administrator.put(`/groups/${group.id}`, { path: 'new-tools' });
    const named = { ...cleo, username: 'old-tools', email: 'tools@example.com' };
    expect(await administrator.post('/users', named)).toEqual(
      refused.conflict('Username has already been taken'),
    );
  });

  test('a secondary address of another user is compared case-insensitively', async () => {
    await as(ada).post('/user/emails', { email: 'Lovelace@example.com' });
    const named = { ...cleo, username: 'other', email: 'LOVELACE@example.com' };
    expect(await administrator.post('/users', named)).toEqual(
      refused.conflict('Email has already been taken'),
    );
  });

  test('an external identity is unique and requires both parameters', async () => {
    const half = 'provider, extern_uid provide all or none of parameters';
    const fresh = { ...cleo, username: 'fresh', email: 'fresh@example.com' };
    const identity = { provider: 'ldapmain', extern_uid: 'uid=cleo' };
    for (const [name, value] of Object.entries(identity)) {
      expect(await administrator.post('/users', { ...fresh, [name]: value })).toEqual(
        refused.parameter(half),
      );
    }
    expect(await administrator.post('/users', { provider: 'x' })).toEqual(
      refused.parameter(
        'email is missing, name is missing, username is missing, password, reset_password are ' +
          `missing, at least one parameter must be provided, ${half}`,
      ),
    );
    expect(await administrator.post('/users', { ...fresh, ...identity })).toEqual(
      refused.invalid({ extern_uid: ['has already been taken'] }),
    );
    expect(await db.user.count({ where: { usernameKey: 'fresh' } })).toBe(0);
  });

  test('one of ten concurrent requests for a name and address succeeds', async () => {
    const input = { ...cleo, username: 'single', email: 'single@example.com' };
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => administrator.post('/users', input)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array(9).fill(409)]);
  });

  test('missing parameters are named', async () => {
    const noPassword =
      'password, reset_password are missing, at least one parameter must be provided';
    expect(await administrator.post('/users', {})).toEqual(
      refused.parameter(`email is missing, name is missing, username is missing, ${noPassword}`),
    );
    const { password: _, ...open } = cleo;
    expect(await administrator.post('/users', open)).toEqual(refused.parameter(noPassword));
  });

  const long = 'x'.repeat(256);
  const tooLong = ['is too long (maximum is 255 characters)'];
  const shape =
    "can contain only letters, digits, '_', '-' and '.'. " +
    "Cannot start with '-' or end in '.', '.git' or '.atom'.";
  test.each([
    [{ password: 'short' }, { password: ['is too short (minimum is 8 characters)'] }],
    [{ password: 'x'.repeat(129) }, { password: ['is too long (maximum is 128 characters)'] }],
    [{ bio: long }, { bio: tooLong }],
    [{ name: 'x'.repeat(129) }, { name: ['is too long (maximum is 128 characters)'] }],
    [
      { location: long, organization: long, skype: long },
      { location: tooLong, organization: tooLong, skype: tooLong },
    ],
    [
      { linkedin: long, twitter: long, website_url: long },
      { linkedin: tooLong, twitter: tooLong, website_url: tooLong },
    ],
    [
      { provider: ' ', extern_uid: long },
      { provider: ["can't be blank"], extern_uid: tooLong },
    ],
    [{ email: `${'x'.repeat(250)}@a.com` }, { email: ['is invalid'] }],
    [{ projects_limit: -1 }, { projects_limit: ['must be greater than or equal to 0'] }],
    [{ email: 'nowhere' }, { email: ['is invalid'] }],
    [{ name: ' ' }, { name: ["can't be blank"] }],
    [{ username: '-x' }, { username: [shape] }],
    [{ username: 'x.git' }, { username: [shape] }],
    [{ username: 'a/b' }, { username: [shape] }],
    [{ username: 'admin' }, { username: ['admin is a reserved name'] }],
    [
      { username: '', email: '' },
      { username: ["can't be blank"], email: ['is invalid'] },
    ],
  ])('rejects %o', async (input, faults) => {
    const fresh = { ...cleo, username: 'fresh', email: 'fresh@example.com', ...input };
    expect(await administrator.post('/users', fresh)).toEqual(refused.invalid(faults));
    expect(await db.user.count({ where: { usernameKey: 'fresh' } })).toBe(0);
  });
});
