import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { graphqlErrors } from '../../schema/kernel/errors.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, url, root } = await world();
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });
const { id: app } = await seed.project('ada/app');
const { body: created } = await as(ada).post(`/projects/${app}/issues`, { title: 'first' });
const issue = created as { readonly id: number };

interface ErrorBody {
  readonly data?: unknown;
  readonly errors: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: { readonly code: string } & Record<string, unknown>;
  }[];
}

async function send(init: RequestInit, address = '/graphql') {
  const response = await fetch(url + address, { method: 'POST', ...init });
  return { status: response.status, body: (await response.json()) as ErrorBody };
}

const accepting = {
  json: 'application/json',
  response: 'application/graphql-response+json',
} as const;

const query = (
  user: TestUser | null,
  document: string,
  variables: object = {},
  accept: string = accepting.json,
) =>
  send({
    headers: {
      'Content-Type': 'application/json',
      Accept: accept,
      ...(user && { 'Private-Token': user.token }),
    },
    body: JSON.stringify({ query: document, variables }),
  });

const json = { 'Content-Type': 'application/json', Accept: 'application/json' };

test('docs/graphql.md lists the codes with their meanings', () => {
  const rows = [
    ...readFileSync('docs/graphql.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm),
  ];
  expect(Object.fromEntries(rows.map(([, code, meaning]) => [code, meaning]))).toEqual(
    graphqlErrors,
  );
});

describe('a request outside of GraphQL', () => {
  test.each<[string, number, string, RequestInit]>([
    [
      'an invalid token',
      401,
      'UNAUTHENTICATED',
      { headers: { ...json, 'Private-Token': 'wrong' } },
    ],
    ['JSON that is cut off', 400, 'BAD_REQUEST', { headers: json, body: '{"query":' }],
    ['a list', 400, 'BAD_REQUEST', { headers: json, body: '[{"query":"{version}"}]' }],
    ['no query', 400, 'BAD_REQUEST', { headers: json, body: '{}' }],
    [
      'an unknown parameter',
      400,
      'BAD_REQUEST',
      { headers: json, body: '{"query":"{version}","x":1}' },
    ],
    ['XML', 406, 'BAD_REQUEST', { headers: { 'Content-Type': 'text/xml' }, body: '<query/>' }],
    ['no body', 415, 'BAD_REQUEST', {}],
    ['another method', 405, 'BAD_REQUEST', { method: 'DELETE', headers: json }],
    [
      'an encoding',
      415,
      'BAD_REQUEST',
      { headers: { ...json, 'Content-Encoding': 'gzip' }, body: 'x' },
    ],
    [
      'a body above the limit',
      413,
      'LIMIT_EXCEEDED',
      { headers: json, body: JSON.stringify({ query: ' '.repeat(5 * 2 ** 20) }) },
    ],
    [
      'a NUL',
      400,
      'BAD_USER_INPUT',
      { headers: json, body: JSON.stringify({ query: '{ version }', variables: { x: '\0' } }) },
    ],
  ])('is an error of GraphQL: %s', async (_case, status, code, init) => {
    expect(await send(init)).toEqual({
      status,
      body: { errors: [{ message: expect.stringMatching(/^\D/), extensions: { code } }] },
    });
  });

  test('a mutation by GET is an error of GraphQL', async () => {
    const document = encodeURIComponent(
      'mutation { resetPrivateToken(input: { password: "secret" }) { __typename } }',
    );
    expect(await send({ method: 'GET', headers: json }, `/graphql?query=${document}`)).toEqual({
      status: 405,
      body: {
        errors: [{ message: expect.any(String), extensions: { code: 'BAD_REQUEST' } }],
      },
    });
  });
});

describe('a document', () => {
  test.each([
    ['{ user(id: ', 'GRAPHQL_PARSE_FAILED', 200, 400],
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED', 200, 400],
    ['{ project(id: 1.5) { id } }', 'GRAPHQL_VALIDATION_FAILED', 200, 400],
    [
      '{ admin { userActivities(filter: { activeSince: "2024-02-30" }) { total } } }',
      'GRAPHQL_VALIDATION_FAILED',
      200,
      400,
    ],
    ['query A { version } query B { version }', 'OPERATION_RESOLUTION_FAILURE', 400, 400],
    [`{ ${'version '.repeat(60)} }`, 'LIMIT_EXCEEDED', 400, 400],
    ['{ a }'.repeat(700), 'LIMIT_EXCEEDED', 400, 400],
  ])(
    'is rejected with a code, before it is executed: %.80s',
    async (document, code, asJson, other) => {
      const body = {
        errors: expect.arrayContaining([expect.objectContaining({ extensions: { code } })]),
      };
      expect(await query(ada, document)).toEqual({ status: asJson, body });
      expect(await query(ada, document, {}, accepting.response)).toEqual({ status: other, body });
    },
  );

  test('that costs too much is rejected with its cost and the limit', async () => {
    const document =
      '{ groups(perPage: 100) { nodes { projects(perPage: 100) { nodes { id name } } } } }';
    const { status, body } = await query(ada, document);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        errors: [
          {
            message: expect.stringMatching(
              /^The document costs \d+, more than the limit of 20000$/,
            ),
            extensions: { code: 'LIMIT_EXCEEDED', cost: expect.any(Number), limit: 20_000 },
          },
        ],
      },
    });
  });

  test('with a wrong literal gives the reason', async () => {
    const { body } = await query(
      ada,
      '{ admin { userActivities(filter: { activeSince: "2024-02-30" }) { total } } }',
    );
    expect(body.errors[0]?.message).toBe('The value is not a day');
  });
});

describe('variables', () => {
  const documents = {
    user: 'query ($id: ID!) { user(by: { id: $id }) { id } }',
    activities:
      'query ($from: Date) { admin { userActivities(filter: { activeSince: $from }) { total } } }',
    page: 'query ($page: Int) { projects(page: $page) { total } }',
    commits:
      'query ($since: DateTime) { project(id: "ada/app") { repository { commits(filter: { since: $since }) { total } } } }',
    upload:
      'mutation ($file: Upload!) { createUpload(input: { projectId: "ada/app", file: $file }) { __typename } }',
  };

  test.each<[string, string, object, RegExp]>([
    ['a missing one', documents.user, {}, /"\$id" of required type "ID!" was not provided/],
    ['null', documents.user, { id: null }, /must not be null/],
    ['another type', documents.page, { page: 'x' }, /Int cannot represent non-integer value/],
    ['a number beyond 32 bits', documents.page, { page: 2 ** 40 }, /32-bit/],
    ['a day', documents.activities, { from: '2024-02-30' }, /is not a day/],
    ['a time', documents.commits, { since: 'now' }, /is not a time/],
    ['a text for a file', documents.upload, { file: '/etc/passwd' }, /is no file/],
  ])('are the error of the caller: %s', async (_case, document, given, message) => {
    for (const accept of Object.values(accepting)) {
      const { status, body } = await query(ada, document, given, accept);
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          errors: [
            expect.objectContaining({
              message: expect.stringMatching(message),
              extensions: { code: 'BAD_USER_INPUT' },
            }),
          ],
        },
      });
      expect(body.errors[0]).not.toHaveProperty('path');
    }
  });
});

describe('a field', () => {
  test.each<[string, TestUser | null, string, object]>([
    ['UNAUTHENTICATED', null, '{ at: namespaces { total } }', {}],
    ['NOT_FOUND', null, '{ at: project(id: "ada/app") { id } }', {}],
    [
      'BAD_USER_INPUT',
      ada,
      '{ at: projects(perPage: 0) { total } }',
      { fields: { perPage: ['must be between 1 and 100'] } },
    ],
    [
      'FORBIDDEN',
      ada,
      'mutation { at: createUser(input: { username: "x", email: "x@y", name: "X" }) { __typename } }',
      {},
    ],
    [
      'INVALID',
      ada,
      'mutation { at: createGroup(input: { name: "x", path: "api" }) { __typename } }',
      { fields: { path: ['api is a reserved name'] } },
    ],
    [
      'CONFLICT',
      root,
      'mutation { at: createForkRelation(input: { projectId: "ada/app", forkedFromId: "ada/app" }) { __typename } }',
      {},
    ],
  ])('has an error with the code %s and its path', async (code, user, document, details) => {
    expect(await query(user, document)).toEqual({
      status: 200,
      body: {
        data: { at: null },
        errors: [
          {
            message: expect.any(String),
            locations: [expect.anything()],
            path: ['at'],
            extensions: { code, ...details },
          },
        ],
      },
    });
  });

  test('keeps its siblings', async () => {
    const { body } = await query(
      ada,
      `{ a: project(id: "ada/no") { id } b: project(id: ${app}) { fullPath } }`,
    );
    expect(body).toMatchObject({
      data: { a: null, b: { fullPath: 'ada/app' } },
      errors: [{ path: ['a'] }],
    });
  });
});

describe('the fields of an error have the names of inputs', () => {
  const project = 'projectId: "ada/app"';
  test.each<[string, string[]]>([
    [
      `createProject(input: { name: "b", tagList: ["${'x'.repeat(300)}"], defaultBranch: "..", buildTimeout: 1 })`,
      ['tagList', 'defaultBranch', 'buildTimeout'],
    ],
    ['createProject(input: { name: "b", namespaceId: 999999 })', ['namespaceId']],
    [
      `createIssue(input: { ${project}, title: "x", createdAt: "2999-01-01T00:00Z" })`,
      ['createdAt'],
    ],
    [`createNote(input: { noteableId: "Issue:${issue.id}", body: "" })`, ['body']],
    ['transferProject(input: { id: "Group:1", groupId: 1 })', ['id']],
    [
      `createLabel(input: { ${project}, name: "?,", color: "red", priority: -1 })`,
      ['name', 'priority'],
    ],
    [`addMember(input: { ${project}, userId: ${root.id}, accessLevel: OWNER })`, ['accessLevel']],
    [`createSnippet(input: { title: "x", content: "x", fileName: "\t" })`, ['fileName']],
    [
      'createPersonalAccessToken(input: { name: "x", scopes: [API], expiresAt: "2001-01-01" })',
      ['expiresAt'],
    ],
    ['changePassword(input: { currentPassword: "wrong", newPassword: "x" })', ['newPassword']],
    [
      'changePassword(input: { currentPassword: "wrong", newPassword: "long enough" })',
      ['currentPassword'],
    ],
    ['resetPrivateToken(input: { password: "wrong" })', ['password']],
    ['startTwoFactor(input: { password: "wrong" })', ['password']],
    ['resetRecoveryCodes(input: { password: "wrong" })', ['password']],
    ['disableTwoFactor(input: { password: "wrong" })', ['password']],
  ])('%s', async (mutation, names) => {
    const { body } = await query(ada, `mutation { ${mutation} { __typename } }`);
    expect(body.errors.map(({ extensions: { fields } }) => Object.keys(fields ?? {}))).toEqual([
      names,
    ]);
  });
});

test.each(['projectId: 1, groupId: 1', 'projectId: null'])(
  'an access request is for exactly one group or project, unlike %s',
  async (ids) => {
    const { body } = await query(
      ada,
      `mutation { requestAccess(input: { ${ids} }) { __typename } }`,
    );
    expect(body.errors).toMatchObject([
      {
        extensions: {
          code: 'BAD_USER_INPUT',
          fields: { base: ['needs exactly one of groupId and projectId'] },
        },
      },
    ]);
  },
);

describe('the cost of a document', () => {
  const costOf = async (document: string, variables = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...json, 'X-GraphQL-Cost': '1', 'Private-Token': ada.token },
      body: JSON.stringify({ query: document, variables }),
    });
    return ((await response.json()) as { readonly extensions?: object }).extensions;
  };
  const cost = (requested: number) => ({ cost: { requested, limit: 20_000 } });

  test('is shown on request only', async () => {
    expect(await costOf('{ version }')).toEqual(cost(20));
    expect((await query(ada, '{ version }')).body).toEqual({
      data: { version: expect.any(String) },
    });
  });

  test('has the total of a listing once, and its rows by the size of the page', async () => {
    expect(await costOf('{ projects(perPage: 100) { total } }')).toEqual(cost(40));
    expect(await costOf('{ projects(perPage: 100) { nodes { fullPath } } }')).toEqual(cost(120));
    expect(await costOf('{ projects(perPage: 100) { total nodes { fullPath } } }')).toEqual(
      cost(140),
    );
    const document =
      'query ($size: Int) { projects(perPage: $size) { ...P } } fragment P on ProjectPage { total nodes { fullPath } }';
    expect(await costOf(document, { size: 30 })).toEqual(cost(70));
    expect(await costOf(document)).toEqual(cost(60));
  });

  test('has a statement for the pipeline of each commit', async () => {
    const document = (selection: string) =>
      `{ project(id: "ada/app") { repository { commits(perPage: 50) { nodes { ${selection} } } } } }`;
    const [plain, withPipeline] = await Promise.all(
      ['title', 'title lastPipeline { id }'].map((selection) => costOf(document(selection))),
    );
    expect(plain).toEqual(cost(271));
    expect(withPipeline).toEqual(cost(271 + 50 * 21));
  });
});
