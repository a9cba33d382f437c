import { describe, expect, test } from 'vitest';
import { basicUserShape, currentUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const administrator = as(root);

const canSignIn = async (login: string, password: string) =>
  (await as(null).post('/session', { login, password })).status === 201;

describe('PUT /users/:id', () => {
  test('marks an address as verified if an administrator enters it, not if a client sends it again', async () => {
    const verifiedAt = async (id = ines.id) =>
      (await db.user.findUniqueOrThrow({ where: { id } })).emailVerifiedAt;
    const ines = await seed.user('ines');
    const details = { username: 'karl', name: 'Karl', password: 'a long password' };
    const { body } = await administrator.post('/users', { ...details, email: 'karl@example.com' });
    expect(await verifiedAt((body as { id: number }).id)).toEqual(expect.any(Date));
    await administrator.put(`/users/${ines.id}`, { email: ines.email.toUpperCase(), bio: 'Hello' });
    expect(await verifiedAt()).toBeNull();
    await administrator.put(`/users/${ines.id}`, { email: 'ines@example.org' });
    expect(await verifiedAt()).toEqual(expect.any(Date));
  });

  test('a user who becomes external creates no groups and personal projects any more', async () => {
    const { id } = await seed.user('lea');
    const change = async (body: Readonly<Record<string, unknown>>) =>
      (await administrator.put(`/users/${id}`, body)).body as object;
    const none = { external: true, can_create_group: false, projects_limit: 0 };
    const usual = { external: false, can_create_group: true, projects_limit: 100_000 };
    expect(
      await change({ external: true, can_create_group: true, projects_limit: 9 }),
    ).toMatchObject(none);
    // of a user who is external, an administrator may decide otherwise
    expect(await change({ external: true, projects_limit: 3 })).toMatchObject({
      ...none,
      projects_limit: 3,
    });
    expect(await change({ external: false })).toMatchObject(usual);
    await change({ external: true });
    // the form of the admin area sends the stored values back
    expect(
      await change({ external: false, can_create_group: false, projects_limit: 7 }),
    ).toMatchObject({ ...usual, projects_limit: 7 });
    const details = { username: 'mona', name: 'Mona', email: 'mona@example.com' };
    const created = await administrator.post('/users', {
      ...details,
      password: 'a long password',
      external: true,
      projects_limit: 5,
    });
    expect(created).toMatchObject({ status: 201, body: none });
  });

  test('an administrator changes every field of a user', async () => {
    const cleo = await seed.user('cleo');
    const path = `/users/${cleo.id}`;
    const details = {
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
    };
    const response = await administrator.put(path, {
      ...details,
      email: 'Cleopatra@example.com',
      username: 'Cleopatra',
      name: 'Cleopatra VII',
      password: 'asps and figs',
      admin: true,
      provider: 'ldapmain',
      extern_uid: 'uid=cleo',
    });
    const person = { ...cleo, username: 'Cleopatra', name: 'Cleopatra VII' };
    const expected = {
      ...currentUserShape(url, { ...person, email: 'cleopatra@example.com' }),
      ...details,
      email: 'Cleopatra@example.com',
      can_create_project: false,
      identities: [{ provider: 'ldapmain', extern_uid: 'uid=cleo' }],
    };
    expect(response).toEqual({ status: 200, body: expected });
    expect(await administrator.get(path)).toEqual({
      status: 200,
      body: { ...expected, is_admin: true },
    });
    expect(await canSignIn('cleopatra', 'asps and figs')).toBe(true);
    expect(await canSignIn('cleopatra', cleo.password)).toBe(false);
    expect(await canSignIn('cleo', 'asps and figs')).toBe(false);
    expect((await as(cleo).get(path)).body).toMatchObject({ is_admin: true });
    await administrator.put(path, { admin: false });
    expect(await as(cleo).put(path, { admin: true })).toEqual(refused.forbidden);
  });

  test('omitted fields stay, also with an empty request', async () => {
    const { body } = await administrator.put(`/users/${bob.id}`, { bio: 'Builder' });
    expect(body).toEqual({ ...currentUserShape(url, bob), bio: 'Builder' });
    const before = await db.user.findUnique({ where: { id: bob.id } });
    for (const input of [{}, { skype: null, admin: '' }, { skip_reconfirmation: true }]) {
      expect(await administrator.put(`/users/${bob.id}`, input)).toEqual({ status: 200, body });
    }
    for (const flag of ['reset_password', 'confirm', 'skip_confirmation']) {
      expect(await administrator.put(`/users/${bob.id}`, { [flag]: true })).toEqual({
        status: 200,
        body,
      });
    }
    const after = await db.user.findUnique({ where: { id: bob.id } });
    expect({ ...after, updatedAt: null }).toEqual({ ...before, updatedAt: null });
    expect(await administrator.put(`/users/${bob.id}`, { bio: '' })).toEqual({
      status: 200,
      body: { ...currentUserShape(url, bob), bio: null },
    });
  });

  test('a provider has one identity per user, which can change', async () => {
    const path = `/users/${ada.id}`;
    const setIdentity = (provider: string, extern_uid: string) =>
      administrator.put(path, { provider, extern_uid });
    await setIdentity('ldapmain', 'uid=ada');
    await setIdentity('github', '7');
    expect((await setIdentity('ldapmain', 'uid=lovelace')).body).toMatchObject({
      identities: [
        { provider: 'ldapmain', extern_uid: 'uid=lovelace' },
        { provider: 'github', extern_uid: '7' },
      ],
    });
    const other = { provider: 'ldapmain', extern_uid: 'uid=lovelace' };
    expect(await administrator.put(`/users/${bob.id}`, other)).toEqual(
      refused.invalid({ extern_uid: ['has already been taken'] }),
    );
    for (const half of [{ provider: 'github' }, { extern_uid: '7' }]) {
      expect(await administrator.put(path, half)).toEqual(
        refused.parameter('provider, extern_uid provide all or none of parameters'),
      );
    }
  });

  test('a secondary address can become the primary one', async () => {
    const dora = await seed.user('dora');
    await as(dora).post('/user/emails', { email: 'second@example.com' });
    const { status } = await administrator.put(`/users/${dora.id}`, {
      email: 'SECOND@example.com',
    });
    expect(status).toBe(200);
    expect(await as(dora).get('/user/emails')).toEqual({ status: 200, body: [] });
    expect((await as(dora).get('/user')).body).toMatchObject({ email: 'SECOND@example.com' });
  });

  test('requires an administrator, also for the user themselves', async () => {
    const change = { name: 'Other' };
    expect(await as(null).put(`/users/${ada.id}`, change)).toEqual(refused.anonymous);
    expect(await as(ada).put(`/users/${ada.id}`, change)).toEqual(refused.forbidden);
    expect(await as(bob).put(`/users/${ada.id}`, change)).toEqual(refused.forbidden);
  });

  test('an unknown user gives 404', async () => {
    for (const id of ['999999', '99999999999', '0']) {
      expect(await administrator.put(`/users/${id}`, {})).toEqual(refused.missing('User'));
    }
    expect(await administrator.put('/users/ada', {})).toEqual(refused.route);
  });

  test.each([
    ['Email', { email: 'BOB@example.com' }],
    ['Email', { email: 'further@example.com' }],
    ['Username', { username: 'BOB' }],
    ['Username', { username: 'Tools' }],
    ['Username', { username: 'old-tools' }],
  ])('%s is taken: %o', async (field, change) => {
    if ((await db.route.count({ where: { key: 'tools' } })) === 0) {
      const group = await seed.group('old-tools');
      await administrator.put(`/groups/${group.id}`, { path: 'tools' });
      await as(bob).post('/user/emails', { email: 'further@example.com' });
    }
    const before = await administrator.get(`/users/${ada.id}`);
    expect(await administrator.put(`/users/${ada.id}`, { name: 'Never', ...change })).toEqual(
      refused.conflict(`${field} has already been taken`),
    );
    expect(await administrator.get(`/users/${ada.id}`)).toEqual(before);
  });

  test('the user’s own names are not conflicts', async () => {
    const { status, body } = await administrator.put(`/users/${ada.id}`, {
      username: 'ada',
      email: 'ada@example.com',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject(basicUserShape(url, ada));
    expect((await administrator.put(`/users/${ada.id}`, { username: 'Ada' })).body).toMatchObject({
      username: 'Ada',
      web_url: `${url}/Ada`,
    });
    await administrator.put(`/users/${ada.id}`, { username: 'ada' });
  });

  const tooLong = ['is too long (maximum is 255 characters)'];
  test.each([
    [{ password: 'short' }, { password: ['is too short (minimum is 8 characters)'] }],
    [{ password: '' }, { password: ['is too short (minimum is 8 characters)'] }],
    [{ password: 'x'.repeat(129) }, { password: ['is too long (maximum is 128 characters)'] }],
    [{ name: '' }, { name: ["can't be blank"] }],
    [{ email: '' }, { email: ['is invalid'] }],
    [{ email: 'a b@c' }, { email: ['is invalid'] }],
    [{ username: '' }, { username: ["can't be blank"] }],
    [{ username: 'api' }, { username: ['api is a reserved name'] }],
    [{ projects_limit: -1 }, { projects_limit: ['must be greater than or equal to 0'] }],
    [
      { bio: 'x'.repeat(256), website_url: 'x'.repeat(256) },
      { bio: tooLong, website_url: tooLong },
    ],
    [{ provider: '', extern_uid: 'x' }, { provider: ["can't be blank"] }],
  ])('rejects %o', async (change, faults) => {
    expect(await administrator.put(`/users/${ada.id}`, change)).toEqual(refused.invalid(faults));
  });

  test.each([
    [{ projects_limit: 'many' }, 'projects_limit is invalid'],
    [{ projects_limit: 2 ** 31 }, 'projects_limit is invalid'],
    [{ admin: 'perhaps' }, 'admin is invalid'],
    [{ confirm: 'x', name: 'a\0b' }, 'confirm is invalid, name is invalid'],
  ])('rejects the value of %o', async (change, text) => {
    expect(await administrator.put(`/users/${ada.id}`, change)).toEqual(refused.parameter(text));
  });
});

describe('a new username', () => {
  test('renames the personal namespace and redirects old paths', async () => {
    const finn = await seed.user('finn');
    const { id } = await seed.project('finn/app', {}, { visibility: 'public' });
    await administrator.put(`/users/${finn.id}`, { username: 'Finley' });
    expect((await as(ada).get(`/projects/${id}`)).body).toMatchObject({
      path_with_namespace: 'Finley/app',
      name_with_namespace: 'Finley / app',
      http_url_to_repo: `${url}/Finley/app.git`,
      namespace: { name: 'Finley', path: 'Finley', full_path: 'Finley' },
    });
    const former = await db.formerPath.findMany({
      where: { key: { startsWith: 'finn' } },
      select: { key: true },
      orderBy: { key: 'asc' },
    });
    expect(former).toEqual([{ key: 'finn' }, { key: 'finn/app' }]);
    expect((await as(null).get('/users?username=finley')).body).toMatchObject([{ id: finn.id }]);
    // the redirect reserves the old name for the same user
    const other = { email: 'finn2@example.com', name: 'F', username: 'finn', password: 'password' };
    expect(await administrator.post('/users', other)).toEqual(
      refused.conflict('Username has already been taken'),
    );
    expect((await administrator.put(`/users/${finn.id}`, { username: 'finn' })).status).toBe(200);
    expect((await as(finn).get('/projects/finn%2Fapp')).status).toBe(200);
  });

  test('cannot be the name of a top-level group', async () => {
    await seed.group('named-otherwise', {}, { name: 'grouped' });
    const { id } = await seed.user('ungrouped');
    const conflict = refused.conflict('Username has already been taken');
    expect(await administrator.put(`/users/${id}`, { username: 'grouped' })).toEqual(conflict);
    const user = { email: 'g@example.com', name: 'G', username: 'grouped', password: 'password' };
    expect(await administrator.post('/users', user)).toEqual(conflict);
  });

  test('is given to one of several concurrent requests', async () => {
    const users = await Promise.all(['one', 'two', 'three', 'four'].map((name) => seed.user(name)));
    const responses = await Promise.all(
      users.map(({ id }) => administrator.put(`/users/${id}`, { username: 'wanted' })),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
    expect(responses.find(({ status }) => status === 409)).toEqual(
      refused.conflict('Username has already been taken'),
    );
    const namespaces = await db.namespace.findMany({
      where: { ownerId: { in: users.map(({ id }) => id) } },
      include: { owner: true, route: true },
    });
    for (const { path, fullPath, owner, route } of namespaces) {
      expect([path, fullPath, route?.key]).toEqual(Array(3).fill(owner?.username));
    }
  });

  test('applies to projects created concurrently', async () => {
    const jo = await seed.user('jo');
    const creations = Array.from({ length: 8 }, (_, n) =>
      as(jo).post('/projects', { path: `p${n}` }),
    );
    const rename = administrator.put(`/users/${jo.id}`, { username: 'joanna' });
    for (const { status } of await Promise.all(creations)) expect(status).toBe(201);
    expect((await rename).status).toBe(200);
    const projects = await db.project.findMany({ where: { creatorId: jo.id } });
    expect(projects.map(({ fullPath, path }) => fullPath === `joanna/${path}`)).toEqual(
      Array(8).fill(true),
    );
  });
});

describe('an e-mail address', () => {
  test('is unique across primary and secondary addresses', async () => {
    const users = await Promise.all(['kim', 'lee', 'max', 'nia'].map((name) => seed.user(name)));
    const email = 'wanted@example.com';
    const responses = await Promise.all(
      users.flatMap((person) => [
        administrator.put(`/users/${person.id}`, { email }),
        as(person).post('/user/emails', { email }),
      ]),
    );
    expect(responses.filter(({ status }) => status < 300)).not.toEqual([]);
    for (const { status } of responses) expect([200, 201, 400, 409]).toContain(status);
    const first = await db.user.findMany({ where: { emailKey: email }, select: { id: true } });
    const further = await db.email.findMany({ where: { emailKey: email } });
    expect(first.length + further.length).toBe(1);
  });
});
