import { describe, expect, test } from 'vitest';
import { callback, clientOf, errorBody, hex64, oauthOf } from '../../support/oauth.ts';
import { openidOf } from '../../support/openid.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, root, url, db } = testWorld;
const oauth = oauthOf(testWorld);
const openid = openidOf(url, oauth);
const ada = await seed.user('ada');
const robot = await oauth.application(root, { scopes: ['api', 'openid', 'email'] });
const trusted = await oauth.application(root, {
  scopes: ['api', 'openid'],
  isServiceWide: true,
  isTrusted: true,
});
const cookie = await oauth.signIn(ada);

type Texts = Readonly<Record<string, string>>;

const look = async (more: Texts = {}, application = robot, browser = cookie) =>
  openid.answer(await oauth.look(browser, openid.request(application, { state: 's', ...more })));

/** The redirect to the application with an error. */
const refusal = (error: Parameters<typeof errorBody>[0]) => ({
  status: 302,
  to: callback,
  query: { ...errorBody(error), state: 's' },
  fragment: {},
});

/** The sign-in page, which returns to the request with these parameters. */
const signIn = (more: Texts, application = robot) => ({
  status: 302,
  to: `${url}/users/sign_in`,
  query: expect.objectContaining({
    return_to: `/oauth/authorize?${new URLSearchParams(openid.request(application, more))}`,
  }),
  fragment: {},
});

const page = { status: 200, to: null, query: {}, fragment: {} };
const code = { status: 302, to: callback, query: { code: hex64, state: 's' }, fragment: {} };

describe('an authorization request', () => {
  test.each([
    ['an unknown prompt', { prompt: 'create' }, 'invalid_request'],
    ['the prompt none with another one', { prompt: 'none login' }, 'invalid_request'],
    ['a max_age that is no number', { max_age: '1h' }, 'invalid_request'],
    ['a negative max_age', { max_age: '-1' }, 'invalid_request'],
    ['a nonce of more than 1024 characters', { nonce: 'n'.repeat(1025) }, 'invalid_request'],
    ['a response mode that is not supported', { response_mode: 'form_post' }, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    [
      'the address of a request object',
      { request_uri: 'https://robot.example/request' },
      'request_uri_not_supported',
    ],
    ['a scope that the application lacks', { scope: 'openid profile' }, 'invalid_scope'],
  ] as const)('with %s gets %j', async (_name, more, error) => {
    expect(await look(more)).toEqual(refusal(error));
  });

  test.each([
    ['an ID token without a nonce', { response_type: 'id_token' }, 'invalid_request'],
    [
      'an ID token without the scope openid',
      { response_type: 'id_token', nonce: 'n', scope: 'api' },
      'invalid_request',
    ],
    [
      'tokens in the query',
      { response_type: 'id_token token', nonce: 'n', response_mode: 'query' },
      'invalid_request',
    ],
    [
      'a code and an ID token',
      { response_type: 'code id_token', nonce: 'n' },
      'unsupported_response_type',
    ],
  ] as const)('for %s gets %j in the fragment', async (_name, more, error) => {
    expect(await look(more)).toEqual({
      ...refusal(error),
      query: {},
      fragment: { ...errorBody(error), state: 's' },
    });
  });

  test('without the scope openid may have parameters of the same names', async () => {
    const more = { scope: 'api', prompt: 'whatever', max_age: 'long ago' };
    expect(await look(more)).toEqual(page);
  });
});

describe('prompt=none', () => {
  const silent = { prompt: 'none' };

  test('of an anonymous user gets login_required', async () => {
    expect(await look(silent, robot, '')).toEqual(refusal('login_required'));
  });

  test('of an anonymous user is not redirected to an unknown address', async () => {
    const request = openid.request(robot, { ...silent, redirect_uri: 'https://evil.example/' });
    const response = await oauth.look('', request);
    expect(response.status).toBe(400);
    expect(response.headers.get('Location')).toBeNull();
  });

  test('gets consent_required until the user has authorized the application for the scopes', async () => {
    expect(await look(silent)).toEqual(refusal('consent_required'));
    const { access_token } = await openid.tokens(cookie, robot);
    expect(await look(silent)).toEqual(code);
    expect(await look({ ...silent, scope: 'openid email' })).toEqual(refusal('consent_required'));
    await oauth.post('/revoke', { token: access_token, ...clientOf(robot) });
    expect(await look(silent)).toEqual(refusal('consent_required'));
  });

  test('of a trusted application gets a code', async () => {
    expect(await look(silent, trusted)).toEqual(code);
  });

  test('of a program without a secret needs an address that only it can receive', async () => {
    const https = 'https://robot.example/callback';
    const program = await oauth.application(root, {
      scopes: ['openid'],
      isConfidential: false,
      redirectUris: [callback, https],
    });
    const exchanged = await oauth.post('/token', {
      grant_type: 'authorization_code',
      code: await oauth.codeFor(cookie, openid.request(program)),
      redirect_uri: callback,
      client_id: program.uid,
    });
    expect(exchanged.status).toBe(200);
    expect(await look(silent, program)).toEqual(refusal('consent_required'));
    expect(await look({ ...silent, redirect_uri: https }, program)).toEqual({ ...code, to: https });
  });

  test('gets login_required if the sign-in is older than max_age', async () => {
    await openid.tokens(cookie, robot);
    await db.browserSession.updateMany({ data: { createdAt: new Date(Date.now() - 600_000) } });
    expect(await look({ ...silent, max_age: '3600' })).toEqual(code);
    expect(await look({ ...silent, max_age: '60' })).toEqual(refusal('login_required'));
  });
});

describe('a request that wants the user to sign in again', () => {
  test.each([
    ['prompt=login', { prompt: 'login' }, {}],
    ['prompt=select_account', { prompt: 'select_account' }, {}],
    ['prompt=login consent', { prompt: 'login consent' }, { prompt: 'consent' }],
    ['max_age=0', { max_age: '0' }, {}],
  ])(
    '%s leads to the sign-in page, and then to the rest of the request',
    async (_name, more, rest) => {
      const answer = await look({ nonce: 'n', ...more });
      expect(answer).toEqual(signIn({ state: 's', nonce: 'n', ...rest }));
      expect(answer.query).toMatchObject({ again: '1' });
      const anonymous = await look({ nonce: 'n', ...more }, robot, '');
      expect(anonymous).toEqual(signIn({ state: 's', nonce: 'n', ...rest }));
      expect(anonymous.query).not.toHaveProperty('again');
    },
  );

  test('shows the consent page if the sign-in is recent enough', async () => {
    expect(await look({ max_age: '3600' }, robot, await oauth.signIn(ada))).toEqual(page);
  });
});

test('prompt=consent asks the user of a trusted application', async () => {
  expect(await look({ prompt: 'consent' }, trusted)).toEqual(page);
  expect(await look({}, trusted)).toEqual(code);
});
