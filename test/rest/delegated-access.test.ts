import { getOperationAST, Kind } from 'graphql';
import { describe, expect, test } from 'vitest';
import { routes } from '../../rest-facade/index.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { oauthOf } from '../support/oauth.ts';
import {
  inPersonDocuments,
  inPersonNames,
  needsUserInPerson,
  sensitiveMutations,
  sensitiveResults,
} from '../support/sensitive-fields.ts';
import { soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const it = await world();
const { seed, root, as, url, db } = it;
const graphql = graphqlClientOf(url);
const oauth = oauthOf(it);
const ada = await seed.user('ada');
const { access_token: token } = await oauth.ofPassword(root);
const delegated = { ...root, token };

const text = 'The request requires higher privileges than provided by the access token.';
const refused = {
  status: 403,
  body: { error: 'insufficient_scope', error_description: text },
};

describe('the schema', () => {
  /** Mutations that only look as if they managed the user's credentials, with the reason. */
  const exempt: Readonly<Record<string, readonly string[]>> = {
    'the credentials are shown in the arguments': [
      'confirmBrowserSession',
      'createBrowserSession',
      'createOauthToken',
      'createSession',
      'createSoapSession',
      'signUp',
    ],
    'ends access and gives none': [
      'endBrowserSession',
      'endOtherBrowserSessions',
      'endSoapSession',
      'revokeOauthAuthorization',
      'revokeOauthToken',
    ],
    'the token of a runner, a job, a trigger or a hook': [
      'appendTrace',
      'createHook',
      'createTrigger',
      'disableRunner',
      'enableRunner',
      'leaveArtifacts',
      'registerRunner',
      'reportJob',
      'requestJob',
      'resetRunnersToken',
      'runTrigger',
      'takeTriggerOwnership',
      'unregisterRunner',
      'updateHook',
      'updateRunner',
      'updateTrigger',
    ],
    'the author of a commit': ['createCommit', 'createFile', 'deleteFile', 'updateFile'],
    'settings of the whole service': ['updateApplicationSettings'],
  };

  test('declares for every mutation on credentials that it needs the user in person', () => {
    const undeclared = sensitiveMutations.filter((field) => !needsUserInPerson(field));
    expect(undeclared.map(({ name }) => name).sort()).toEqual(Object.values(exempt).flat().sort());
  });

  /** Fields that can be read only below a root field with its own rule. */
  const exemptResults = [
    // null unless an administrator uses sudo, which delegated access cannot
    'Account.privateToken',
    ...['BrowserSession.token', 'Session.privateToken', 'OauthToken.accessToken'],
    ...['OauthToken.refreshToken', 'OauthToken.idToken', 'OauthIntrospection.isRefreshToken'],
    // settings
    ...[
      'Account.hasPassword',
      'Account.isPasswordGiven',
      'ApplicationSettings.passwordAuthenticationEnabled',
    ],
    'ApplicationSettings.containerRegistryTokenExpireDelay',
    // of runners, jobs and triggers
    ...['ApplicationSettings.runnersToken', 'ProjectAccess.runnersToken', 'Runner.token'],
    ...['RunnerRegistration.token', 'EarlierJob.token', 'JobOffer.token', 'Trigger.token'],
  ];

  /** Types that are returned by fields which need the user in person, and by no others. */
  const guardedTypes = [
    'CreatedImpersonationToken',
    'CreatedPersonalAccessToken',
    'ImpersonationToken',
    'OauthApproval',
    'RegisteredOauthApplication',
    'TwoFactorSetUp',
  ];

  test('declares it for every field that reads a credential', () => {
    const open = sensitiveResults
      .filter(({ field, name }) => {
        return !needsUserInPerson(field) && !guardedTypes.includes(name.split('.')[0] ?? '');
      })
      .map(({ name }) => name);
    expect(open.sort()).toEqual([...exemptResults].sort());
  });
});

describe('POST /graphql with an OAuth access token of an administrator', () => {
  test.each(inPersonDocuments)('refuses $name', async ({ query }) => {
    const { body } = await graphql(delegated, query);
    expect(body).toMatchObject({
      errors: [{ message: text, extensions: { code: 'FORBIDDEN', reason: 'delegated-access' } }],
    });
  });

  test('refuses fields further down, also through fragments', async () => {
    const query = `query { currentUser { ...Mine } }
      fragment Mine on User { own: personalAccessTokens { nodes { id } } }`;
    expect(await graphql(delegated, query)).toMatchObject({
      body: {
        data: { currentUser: { own: null } },
        errors: [{ extensions: { reason: 'delegated-access' } }],
      },
    });
    expect(await graphql(root, query)).toMatchObject({
      body: { data: { currentUser: { own: {} } } },
    });
  });

  test('refuses one mutation of a document and runs the others', async () => {
    const { body } = await graphql(
      delegated,
      `mutation {
        createSnippet(input: { title: "x", fileName: "x", content: "x" }) { snippet { title } }
        createPersonalAccessToken(input: { name: "x", scopes: [API] }) { token }
      }`,
    );
    expect(body).toMatchObject({
      data: { createSnippet: { snippet: { title: 'x' } }, createPersonalAccessToken: null },
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
    expect(await db.accessToken.count({ where: { userId: root.id, kind: 'personal' } })).toBe(0);
  });

  test('cannot sign in as another user', async () => {
    const { body } = await graphql(
      delegated,
      'mutation { createSession(input: { login: "ada", password: "x" }) { privateToken } }',
    );
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  });

  test('does not act as another user', async () => {
    const response = await fetch(`${url}/graphql?sudo=ada`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: '{ currentUser { username } }' }),
    });
    expect(response.status).toBe(403);
  });
});

/** Valid parameters of every endpoint whose document needs the user in person. */
const requests: Readonly<Record<string, object>> = {
  'put /notification_settings': { level: 'watch' },
  'get /users/:id/impersonation_tokens': {},
  'get /users/:id/impersonation_tokens/:impersonation_token_id': {},
  'post /users/:id/impersonation_tokens': { name: 'robot', scopes: ['api'] },
  'delete /users/:id/impersonation_tokens/:impersonation_token_id': {},
  'post /users': {
    email: 'new@example.com',
    name: 'New',
    username: 'new',
    password: 'a good password',
  },
  'put /users/:id': { password: 'another password' },
  'post /user/emails': { email: 'further@example.com' },
  'delete /user/emails/:email_id': {},
  'post /users/:id/emails': { email: 'further@example.com' },
  'delete /users/:id/emails/:email_id': {},
};

const guardedRoutes = routes.filter(({ operation }) =>
  getOperationAST(operation.document)?.selectionSet.selections.some(
    (selection) => selection.kind === Kind.FIELD && inPersonNames.has(selection.name.value),
  ),
);

describe('REST with an OAuth access token of an administrator', () => {
  const named = guardedRoutes.map(({ method, path }) => ({ name: `${method} ${path}` }));

  test('every endpoint that requires the user in person is tested', () => {
    expect(named.map(({ name }) => name).sort()).toEqual(Object.keys(requests).sort());
  });

  test.each(named)('$name responds with 403', async ({ name }) => {
    const [method = '', pattern = ''] = name.split(' ');
    const path = pattern.replace(':id', String(ada.id)).replace(/:\w+/, '1');
    const response = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      ...(method !== 'get' && { body: JSON.stringify(requests[name]) }),
    });
    expect({ status: response.status, body: await response.json() }).toEqual(refused);
    expect(response.headers.get('WWW-Authenticate')).toBe(
      `Bearer realm="Millrace", error="insufficient_scope", error_description="${text}"`,
    );
  });

  test('nothing was changed', async () => {
    expect(await db.user.findUnique({ where: { usernameKey: 'new' } })).toBeNull();
    expect(await db.email.count()).toBe(0);
    expect(
      await as(ada).post('/session', { login: ada.username, password: ada.password }),
    ).toMatchObject({ status: 201 });
  });

  test('the same token still reads users', async () => {
    expect(await as(delegated).get(`/users/${ada.id}`)).toMatchObject({ status: 200 });
    expect(await as(delegated).get('/user/emails')).toEqual({ status: 200, body: [] });
  });
});

describe('other interfaces', () => {
  test('an OAuth access token opens no SOAP session', async () => {
    expect(await soapClientOf(url).invoke('login', root.username, token)).toEqual({
      fault: { code: '2', message: 'Access denied.' },
    });
  });

  test('an OAuth access token shows no page of the profile', async () => {
    for (const path of ['/profile/personal_access_tokens', '/profile/applications']) {
      const response = await fetch(`${url}${path}`, {
        redirect: 'manual',
        headers: { Authorization: `Bearer ${token}`, Accept: 'text/html' },
      });
      expect(response.status).toBe(302);
    }
  });

  test('an OAuth access token does not reveal the private token', async () => {
    const { status, body } = await as(delegated).get('/user');
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('private_token');
  });
});
