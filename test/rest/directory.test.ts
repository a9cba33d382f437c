import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { checkDirectoryUsers } from '../../schema/sessions/directory.ts';
import { ldapDirectory } from '../../server/accounts/directory.ts';
import { directoryServer } from '../support/directory-server.ts';
import { tryGit } from '../support/git.ts';
import { world } from '../support/world.ts';

const directory = await directoryServer();
await directory.add('grace', {
  displayName: 'Grace Hopper',
  mail: 'grace@example.org',
  userPassword: 'compiler of A-0',
});
const { as, url, db, seed, root, remote } = await world({ variables: directory.variables });
const ada = await seed.user('ada', { isEmailVerified: true });

const signIn = (login: string, password: string) => as(null).post('/session', { login, password });

const refusal = { status: 401, body: { message: '401 Unauthorized' } };

const config = {
  url: directory.url,
  startsTls: false,
  bindDn: directory.variables.MILLRACE_LDAP_BIND_DN ?? null,
  bindPassword: directory.variables.MILLRACE_LDAP_BIND_PASSWORD ?? '',
  base: directory.variables.MILLRACE_LDAP_BASE ?? '',
  filter: null,
};
const silent = pino({ level: 'silent' });

describe('a user of the directory', () => {
  test('is created with an identity at the first sign-in', async () => {
    const response = await signIn('grace', 'compiler of A-0');
    expect(response).toMatchObject({
      status: 201,
      body: {
        username: 'grace',
        name: 'Grace Hopper',
        email: 'grace@example.org',
        state: 'active',
        identities: [{ provider: 'ldapmain', extern_uid: directory.dnOf('grace') }],
      },
    });
    const again = await signIn('Grace@example.org', 'compiler of A-0');
    expect(again.body).toMatchObject({ id: (response.body as { id: number }).id });
    expect(await signIn('grace', 'wrong')).toEqual(refusal);
    expect(await db.user.count({ where: { usernameKey: { startsWith: 'grace' } } })).toBe(1);
  });

  test('can use the password grant and git', async () => {
    await signIn('grace', 'compiler of A-0');
    const granted = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'password',
        username: 'grace',
        password: 'compiler of A-0',
      }),
    });
    expect(granted.status).toBe(200);
    const { access_token: token } = (await granted.json()) as { access_token: string };
    const me = await fetch(`${url}/api/v4/user`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await me.json()).toMatchObject({ username: 'grace' });
    const grace = await db.user.findUniqueOrThrow({ where: { usernameKey: 'grace' } });
    await seed.project('grace/notes');
    await seed.push('grace/notes', { 'a.txt': 'a' });
    const person = { ...root, ...grace, token: 'compiler of A-0', password: '' };
    const address = remote('grace/notes', person);
    expect(await tryGit(tmpdir(), 'ls-remote', address, 'HEAD')).toMatchObject({ code: 0 });
  });

  test('is not asked at once again for a wrong token that git repeats', async () => {
    const entry = { mail: 'hal@example.org', userPassword: 'first password' };
    await directory.add('hal', entry);
    expect(await signIn('hal', 'first password')).toMatchObject({ status: 201 });
    const stale = 'abcdefghij0123456789';
    const read = async () => {
      const headers = { Authorization: `Basic ${btoa(`hal:${stale}`)}` };
      const address = `${url}/hal/none.git/info/refs?service=git-upload-pack`;
      return (await fetch(address, { headers })).status;
    };
    expect(await read()).toBe(401);
    await directory.remove('hal');
    await directory.add('hal', { ...entry, userPassword: stale });
    expect(await read()).toBe(401);
    expect(await signIn('hal', stale)).toMatchObject({ status: 201 });
  });

  test('keeps its address when an entry of the directory has the same one', async () => {
    await directory.add('ivy', { mail: 'ivy@example.org', userPassword: 'climbing plants' });
    expect(await signIn('ivy', 'climbing plants')).toMatchObject({ status: 201 });
    // as versions stored it that verified no address
    const where = { usernameKey: 'ivy' };
    await db.user.update({ where, data: { emailVerifiedAt: null } });
    await directory.add('thief2', { mail: 'ivy@example.org', userPassword: 'not my mail' });
    expect(await signIn('thief2', 'not my mail')).toEqual(refusal);
    expect(await db.user.findUnique({ where })).toMatchObject({ email: 'ivy@example.org' });
  });

  test('gets another username if it is taken, and never the account of another user', async () => {
    await directory.add('ada', { mail: 'lovelace@example.org', userPassword: 'engine notes' });
    await directory.add('thief', { mail: ada.email, userPassword: 'not my mail' });
    // the name belongs to a local user with a local password
    expect(await signIn('ada', 'engine notes')).toEqual(refusal);
    expect(await signIn('lovelace@example.org', 'engine notes')).toMatchObject({
      status: 201,
      body: { username: 'ada2', email: 'lovelace@example.org' },
    });
    expect(await signIn('thief', 'not my mail')).toEqual(refusal);
    expect(await signIn('ada', ada.password)).toMatchObject({ status: 201, body: { id: ada.id } });
  });

  test('is the user with the stored identity, compared case-insensitively', async () => {
    await directory.add('mary', { mail: 'mary@example.org', userPassword: 'spider webs' });
    const mary = await seed.user('mary-ann');
    const identity = { provider: 'ldapmain', extern_uid: 'UID=Mary,DC=Example,DC=Org' };
    await as(root).put(`/users/${mary.id}`, identity);
    expect(await signIn('mary', 'spider webs')).toMatchObject({
      status: 201,
      body: { id: mary.id, identities: [identity] },
    });
    expect(await signIn('mary-ann', mary.password)).toEqual(refusal);
  });

  test('uses the directory password with any of the names stored here', async () => {
    await directory.add('hedy', { mail: 'hedy@example.org', userPassword: 'hops of frequency' });
    const hedy = await seed.user('lamarr');
    const identity = { provider: 'ldapmain', extern_uid: directory.dnOf('hedy') };
    await as(root).put(`/users/${hedy.id}`, identity);
    const body = { id: hedy.id };
    expect(await signIn('lamarr', 'hops of frequency')).toMatchObject({ status: 201, body });
    expect(await signIn(hedy.email, 'hops of frequency')).toMatchObject({ status: 201, body });
    expect(await signIn('lamarr', '')).toEqual(refusal);
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Private-Token': hedy.token },
      body: JSON.stringify({
        query: 'mutation { startTwoFactor(input: { password: "hops of frequency" }) { secret } }',
      }),
    });
    expect(await response.json()).toEqual({
      data: { startTwoFactor: { secret: expect.any(String) } },
    });
  });

  test('is created once by concurrent sign-ins', async () => {
    await directory.add('alan', { mail: 'alan@example.org', userPassword: 'on computable' });
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => signIn('alan', 'on computable')),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(await db.user.count({ where: { emailKey: 'alan@example.org' } })).toBe(1);
  });

  test('is blocked after its removal from the directory, and unblocked when it returns', async () => {
    const person = { mail: 'edsger@example.org', userPassword: 'structured' };
    await directory.add('edsger', person);
    const { body } = await signIn('edsger', 'structured');
    const { id, private_token: token } = body as { id: number; private_token: string };
    await directory.remove('edsger');
    await db.identity.updateMany({ where: { userId: id }, data: { checkedAt: new Date(0) } });
    await checkDirectoryUsers(ldapDirectory(config, silent), { db });
    expect((await as(root).get(`/users/${id}`)).body).toMatchObject({ state: 'ldap_blocked' });
    expect(await as({ ...root, token }).get('/user')).toEqual(refusal);
    expect(await signIn('edsger', 'structured')).toEqual(refusal);
    await directory.add('edsger', person);
    expect(await signIn('edsger', 'structured')).toMatchObject({ status: 201, body: { id } });
    const events = await db.auditEvent.findMany({
      where: { userId: id, authorName: 'directory' },
      orderBy: { id: 'asc' },
    });
    expect(events.map(({ name }) => name)).toEqual(['create_user', 'block_user', 'unblock_user']);
  });

  test('stays blocked if an administrator blocked it', async () => {
    await directory.add('mallory', { mail: 'mallory@example.org', userPassword: 'let me in' });
    const { body } = await signIn('mallory', 'let me in');
    await as(root).post(`/users/${(body as { id: number }).id}/block`);
    expect(await signIn('mallory', 'let me in')).toEqual(refusal);
  });
});

describe('directory queries', () => {
  test.each(['*', 'gra*', 'grace)(uid=*', '*)(|(uid=*', 'grace\0', 'uid=grace', '\\2a', ''])(
    'escape the name %j',
    async (login) => {
      expect((await signIn(login, 'compiler of A-0')).status).not.toBe(201);
    },
  );

  test('are not sent without a password', async () => {
    expect(await signIn('grace', '')).toEqual(refusal);
  });

  test('respect the configured filter', async () => {
    const filtered = ldapDirectory({ ...config, filter: '(mail=*@elsewhere.org)' }, silent);
    expect(await filtered.authenticate('grace', 'compiler of A-0')).toBeNull();
    expect(await filtered.knows(directory.dnOf('grace'))).toBe(false);
  });
});

describe('the connection to the directory', () => {
  const person = {
    dn: directory.dnOf('grace'),
    username: 'grace',
    name: 'Grace Hopper',
    email: 'grace@example.org',
  };
  const configurations = {
    StartTLS: { ...config, startsTls: true },
    ldaps: { ...config, url: directory.secureUrl },
  };

  test.each(Object.entries(configurations))(
    'over %s accepts trusted authorities only',
    async (_name, configuration) => {
      const before = getCACertificates();
      expect(
        await ldapDirectory(configuration, silent).authenticate('grace', 'compiler of A-0'),
      ).toBeNull();
      setDefaultCACertificates([...before, await readFile(directory.authority, 'utf8')]);
      const authenticated = await ldapDirectory(configuration, silent).authenticate(
        'grace',
        'compiler of A-0',
      );
      setDefaultCACertificates(before);
      expect(authenticated).toEqual(person);
    },
  );

  test('that fails authenticates no user and blocks no user', async () => {
    const unreachable = ldapDirectory({ ...config, url: 'ldap://localhost:1' }, silent);
    expect(await unreachable.authenticate('grace', 'compiler of A-0')).toBeNull();
    await expect(unreachable.knows(directory.dnOf('grace'))).rejects.toThrow();
    const wrongBase = ldapDirectory({ ...config, base: 'dc=elsewhere,dc=org' }, silent);
    await expect(wrongBase.knows(directory.dnOf('unknown'))).rejects.toThrow();
  });
});
