import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { commandsOf } from '../../support/commands.ts';
import { callback, clientOf, hex64, oauthError, oauthOf } from '../../support/oauth.ts';
import { openidOf } from '../../support/openid.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, root, url, db, databaseUrl, dataFolder } = testWorld;
const oauth = oauthOf(testWorld);
const openid = openidOf(url, oauth);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const scopes = ['api', 'read_user', 'openid', 'profile', 'email'];
const robot = await oauth.application(bob, { scopes });
const cookie = await oauth.signIn(ada);
await seed.group('tools', { developer: ada }, { visibility: 'private' });
await seed.group('tools/below');

const mailHash = createHash('md5').update(ada.email).digest('hex');

/** The claims about ada, with any scope. */
const identity = {
  name: ada.name,
  nickname: 'ada',
  preferred_username: 'ada',
  profile: `${url}/ada`,
  picture: `https://www.gravatar.com/avatar/${mailHash}?s=80&d=identicon`,
};

const hashOf = (token: string) =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');

describe('GET /.well-known/openid-configuration', () => {
  test('has everything of the metadata of OAuth, and what OpenID Connect adds', async () => {
    const response = await fetch(`${url}/.well-known/openid-configuration`);
    const oauthMetadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(await response.json()).toEqual({
      ...((await oauthMetadata.json()) as object),
      userinfo_endpoint: `${url}/oauth/userinfo`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claim_types_supported: ['normal'],
      claims_supported: expect.arrayContaining(['sub', 'auth_time', 'nonce', 'groups']),
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
  });

  test('allows only GET and HEAD', async () => {
    const address = `${url}/.well-known/openid-configuration`;
    expect((await fetch(address, { method: 'POST' })).status).toBe(405);
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('an ID token', () => {
  test('of the code flow names the user, the sign-in, the nonce and the access token', async () => {
    const { id_token, access_token } = await openid.tokens(cookie, robot, { nonce: 'n-0S6_WzA2' });
    const { payload, protectedHeader } = await openid.verify(id_token, robot);
    const { keys } = await openid.keys();
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: keys[0]?.kid });
    const session = await db.browserSession.findFirstOrThrow({ where: { userId: ada.id } });
    expect(payload).toEqual({
      iss: url,
      sub: String(ada.id),
      aud: robot.uid,
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 120,
      auth_time: Math.floor(session.createdAt.getTime() / 1000),
      nonce: 'n-0S6_WzA2',
      at_hash: hashOf(access_token),
      ...identity,
      groups_direct: ['tools'],
    });
  });

  test('has the e-mail address with the scope email only', async () => {
    const { id_token } = await openid.tokens(cookie, robot, { scope: 'openid email' });
    const { payload } = await openid.verify(id_token, robot);
    expect(payload).toMatchObject({ email: ada.email, email_verified: false });
    expect(payload).not.toHaveProperty('nonce');
  });

  test('is not issued without the scope openid', async () => {
    expect(await openid.tokens(cookie, robot, { scope: 'api' })).not.toHaveProperty('id_token');
  });

  test('comes with a refreshed access token, with the sign-in and without the nonce', async () => {
    const first = await openid.tokens(cookie, robot, { nonce: 'once' });
    const { body } = await oauth.post('/token', {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
      ...clientOf(robot),
    });
    const refreshed = body as typeof first;
    const [before, after] = await Promise.all([
      openid.verify(first.id_token, robot),
      openid.verify(refreshed.id_token, robot),
    ]);
    const { nonce: _, ...claims } = before.payload;
    expect(after.payload).toEqual({
      ...claims,
      at_hash: hashOf(refreshed.access_token),
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
  });

  test('comes with a password grant of an application, and not without one', async () => {
    const scope = 'openid';
    const { id_token } = (await oauth.ofPassword(ada, {
      scope,
      ...clientOf(robot),
    })) as unknown as {
      id_token: string;
    };
    const { payload } = await openid.verify(id_token, robot);
    expect(payload).toMatchObject({ sub: String(ada.id), auth_time: expect.any(Number) });
    expect(await oauth.ofPassword(ada, { scope })).not.toHaveProperty('id_token');
    const grant = { grant_type: 'client_credentials', scope, ...clientOf(robot) };
    expect((await oauth.post('/token', grant)).body).not.toHaveProperty('id_token');
  });

  test('needs the verifier of a code with a challenge', async () => {
    const verifier = 'v'.repeat(43);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const code = await oauth.codeFor(
      cookie,
      openid.request(robot, { code_challenge: challenge, code_challenge_method: 'S256' }),
    );
    const grant = { grant_type: 'authorization_code', code, redirect_uri: callback };
    expect(await oauth.post('/token', { ...grant, ...clientOf(robot) })).toEqual(
      oauthError('invalid_grant'),
    );
    const { body } = await oauth.post('/token', {
      ...grant,
      ...clientOf(robot),
      code_verifier: verifier,
    });
    expect(body).toMatchObject({ id_token: expect.any(String) });
  });

  test('leaves groups out if there are more than a hundred', async () => {
    const cyd = await seed.user('cyd');
    await db.namespace.createMany({
      data: Array.from({ length: 101 }, (_, number) => ({
        id: 100_000 + number,
        kind: 'group' as const,
        name: `many${number}`,
        path: `many${number}`,
        fullName: `many${number}`,
        fullPath: `many${number}`,
        ancestorIds: [100_000 + number],
        visibility: 'private' as const,
      })),
    });
    await db.member.createMany({
      data: Array.from({ length: 101 }, (_, number) => ({
        userId: cyd.id,
        namespaceId: 100_000 + number,
        accessLevel: 30,
      })),
    });
    const { id_token, access_token } = await openid.tokens(await oauth.signIn(cyd), robot);
    expect((await openid.verify(id_token, robot)).payload).not.toHaveProperty('groups_direct');
    const userinfo = await fetch(`${url}/oauth/userinfo`, {
      headers: { Authorization: `Bearer ${access_token}` },
    });
    expect(((await userinfo.json()) as { groups: string[] }).groups).toHaveLength(101);
  });
});

describe('an ID token of the implicit flow', () => {
  const fragmentOf = async (more: Readonly<Record<string, string>>) => {
    const request = openid.request(robot, { nonce: 'n', state: 'x', ...more });
    return (await openid.answer(await oauth.consent(cookie, request))).fragment;
  };

  test('stands alone with response_type=id_token', async () => {
    const { id_token = '', ...rest } = await fragmentOf({ response_type: 'id_token' });
    expect(rest).toEqual({ state: 'x' });
    const { payload } = await openid.verify(id_token, robot);
    expect(payload).toEqual({
      iss: url,
      sub: String(ada.id),
      aud: robot.uid,
      iat: expect.any(Number),
      exp: expect.any(Number),
      auth_time: expect.any(Number),
      nonce: 'n',
      ...identity,
    });
  });

  test.each(['id_token token', 'token id_token'])(
    'is bound to its access token with response_type=%s',
    async (response_type) => {
      const { id_token = '', access_token = '', ...rest } = await fragmentOf({ response_type });
      expect(rest).toEqual({ state: 'x', token_type: 'bearer', expires_in: '7200' });
      expect(access_token).toEqual(hex64);
      const { payload } = await openid.verify(id_token, robot);
      expect(payload).toMatchObject({ nonce: 'n', at_hash: hashOf(access_token) });
    },
  );

  test('is not issued with response_type=token', async () => {
    expect(await fragmentOf({ response_type: 'token' })).not.toHaveProperty('id_token');
  });
});

test('a code is sent in the fragment if the application requests it', async () => {
  const request = openid.request(robot, { response_mode: 'fragment' });
  expect(await openid.answer(await oauth.consent(cookie, request))).toMatchObject({
    query: {},
    fragment: { code: hex64 },
  });
});

describe('GET /oauth/discovery/keys', () => {
  const { json } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });
  const rotate = async () => {
    const { key_id } = (await json(['oauth', 'rotate-key'])) as { key_id: string };
    return key_id;
  };
  const ids = async () => (await openid.keys()).keys.map(({ kid }) => kid);

  test('lists public keys only', async () => {
    const { keys } = await openid.keys();
    expect(keys).toEqual([
      {
        kty: 'RSA',
        use: 'sig',
        alg: 'RS256',
        kid: expect.stringMatching(/^[\w-]{43}$/),
        n: expect.stringMatching(/^[\w-]{342}$/),
        e: 'AQAB',
      },
    ]);
    const { sealed } = await db.oauthSigningKey.findFirstOrThrow();
    expect(sealed).toMatch(/^[0-9a-f]{8}:[\w-]+$/);
  });

  test('a rotated key verifies its ID tokens until they have expired', async () => {
    const [former] = await ids();
    const before = await openid.tokens(cookie, robot);
    const current = await rotate();
    expect(await ids()).toEqual([current, former]);
    const after = await openid.tokens(cookie, robot);
    expect((await openid.verify(before.id_token, robot)).protectedHeader.kid).toBe(former);
    expect((await openid.verify(after.id_token, robot)).protectedHeader.kid).toBe(current);
    // the lifetime of an ID token, and five minutes
    const retired = (seconds: number) =>
      db.oauthSigningKey.update({
        where: { keyId: former ?? '' },
        data: { retiredAt: new Date(Date.now() - seconds * 1000) },
      });
    await retired(400);
    expect(await ids()).toEqual([current, former]);
    await retired(421);
    expect(await ids()).toEqual([current]);
    const next = await rotate();
    expect(await ids()).toEqual([next, current]);
    expect(await db.oauthSigningKey.count()).toBe(2);
    const { details } = await db.auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(details).toMatchObject({ command: 'oauth rotate-key' });
  });
});

test('an application without a secret gets an ID token, too', async () => {
  const publicClient = await oauth.application(root, { scopes: ['openid'], isConfidential: false });
  const { body } = await oauth.post('/token', {
    grant_type: 'authorization_code',
    code: await oauth.codeFor(cookie, openid.request(publicClient)),
    redirect_uri: callback,
    client_id: publicClient.uid,
  });
  const { id_token } = body as { id_token: string };
  await openid.verify(id_token, publicClient);
  await expect(openid.verify(id_token, robot)).rejects.toThrow('unexpected "aud" claim value');
});
