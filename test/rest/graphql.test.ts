import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, url, root } = await world();
const ada = await seed.user('ada');
const { id: app } = await seed.project('ada/app');
const { id: open } = await seed.project('ada/open', {}, { visibility: 'public' });

async function request(person: TestUser | null, query: string, variables: object = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      ...(person && { 'Private-Token': person.token }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, body: await response.json() };
}

/** An error of the field `at`, which is null. */
const refusal = (code: string, message: string) => ({
  status: 200,
  body: {
    data: { at: null },
    errors: [expect.objectContaining({ message, extensions: { code } })],
  },
});

/** An error without data, with status 400. */
const refusedDocument = (message: string, details: object = {}) => ({
  status: 400,
  body: { errors: [{ message, extensions: { code: 'LIMIT_EXCEEDED', ...details } }] },
});

describe('POST /graphql', () => {
  test('a user queries visible records', async () => {
    const response = await request(
      ada,
      '{ currentUser { username } projects { total nodes { fullPath } } }',
    );
    expect(response).toEqual({
      status: 200,
      body: {
        data: {
          currentUser: { username: 'ada' },
          projects: { total: 2, nodes: [{ fullPath: 'ada/open' }, { fullPath: 'ada/app' }] },
        },
      },
    });
  });

  test('anonymous users see public records', async () => {
    const response = await request(null, '{ projects { total nodes { fullPath } } }');
    expect(response.body).toEqual({
      data: { projects: { total: 1, nodes: [{ fullPath: 'ada/open' }] } },
    });
  });

  test('a mutation changes a record', async () => {
    const change = `mutation ($project: ID!) {
      updateProject(input: { id: $project, description: "new" }) { project { description } }
    }`;
    expect((await request(ada, change, { project: app })).body).toEqual({
      data: { updateProject: { project: { description: 'new' } } },
    });
  });

  test.each([
    ['UNAUTHENTICATED', 'Unauthorized', null, '{ at: namespaces { total } }'],
    ['NOT_FOUND', 'Project Not Found', null, '{ at: project(id: "ada/app") { id } }'],
    [
      'FORBIDDEN',
      'Forbidden',
      ada,
      'mutation { at: createUser(input: { username: "x", email: "x@y", name: "X" }) { user { id } } }',
    ],
  ])('an error has a code: %s', async (code, message, person, query) => {
    expect(await request(person, query)).toEqual(refusal(code, message));
  });

  test('a rejected input has errors by field', async () => {
    const response = await request(
      ada,
      'mutation { createGroup(input: { name: "x", path: "api" }) { group { id } } }',
    );
    expect(response.body).toMatchObject({
      errors: [{ extensions: { code: 'INVALID', fields: { path: ['api is a reserved name'] } } }],
    });
  });

  test('an invalid token gives 401', async () => {
    const { status } = await request({ ...ada, token: 'not-a-token-at-all-00' }, '{ version }');
    expect(status).toBe(401);
  });

  test('an invalid document is rejected', async () => {
    for (const query of ['{', '{ nothing }', '']) {
      const { status, body } = await request(ada, query);
      expect({ status: status < 500, errors: (body as { errors: unknown[] }).errors }).toEqual({
        status: true,
        errors: [expect.objectContaining({ message: expect.any(String) })],
      });
    }
  });

  test('an integer beyond 32 bits is a client error', async () => {
    const { body } = await request(root, '{ projects(page: 99999999999) { total } }');
    expect(body).toMatchObject({ errors: [{ message: expect.stringContaining('99999999999') }] });
  });

  test('a document that is too deep is rejected', async () => {
    const deep = `{ __schema { types { ${'fields { type { '.repeat(8)}name${' } }'.repeat(8)} } } }`;
    const { body } = await request(null, deep);
    expect(body).toMatchObject({ errors: [{ message: expect.stringMatching(/depth/i) }] });
  });

  test.each([0, -1, 101, 2 ** 31 - 1])('a page of %i rows is rejected', async (perPage) => {
    const query =
      'query ($perPage: Int!) { version projects(perPage: $perPage) { total nodes { id } } }';
    expect((await request(ada, query, { perPage })).body).toMatchObject({
      errors: [
        {
          message: 'Invalid input',
          path: ['projects'],
          extensions: {
            code: 'BAD_USER_INPUT',
            fields: { perPage: ['must be between 1 and 100'] },
          },
        },
      ],
    });
  });

  test('the bounds hold for listings below a record', async () => {
    const query = `{ project(id: "${open}") { repository { branches(perPage: 101) { total } } } }`;
    expect((await request(ada, query)).body).toMatchObject({
      errors: [
        {
          path: ['project', 'repository', 'branches'],
          extensions: { fields: { perPage: [expect.any(String)] } },
        },
      ],
    });
  });

  test('rejects a document that costs too much, with the cost and the limit', async () => {
    const groups =
      '{ groups(perPage: 100) { nodes { projects(perPage: 100) { nodes { id name } } } } }';
    expect(await request(root, groups)).toEqual(
      refusedDocument('The document costs 22020, more than the limit of 20000', {
        cost: 22020,
        limit: 20_000,
      }),
    );
  });
});

test('a label is identified by its id, with and without type', async () => {
  const { body: label } = await as(ada).post(`/projects/${app}/labels`, {
    name: 'Priority: high',
    color: '#f00',
  });
  const { id } = label as { id: number };
  for (const text of [`Label:${id}`, `${id}`]) {
    const { body } = await request(
      ada,
      `mutation { subscribeToLabel(input: { id: "${text}" }) { label { id isSubscribed } } }`,
    );
    expect(body).toEqual({
      data: { subscribeToLabel: { label: { id: `Label:${id}`, isSubscribed: true } } },
    });
  }
  const { body } = await request(ada, `mutation { deleteLabel(input: { id: ${id} }) { id } }`);
  expect(body).toEqual({ data: { deleteLabel: { id: `Label:${id}` } } });
});

describe('GET /graphql', () => {
  test('accepts the query as a URL parameter', async () => {
    const response = await fetch(`${url}/graphql?query=%7Bversion%7D`, {
      headers: { 'Private-Token': ada.token, Accept: 'application/json' },
    });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await response.json()).toEqual({ data: { version } });
  });

  test('shows the version to signed-in users only', async () => {
    expect((await request(null, '{ version }')).body).toEqual({ data: { version: null } });
  });

  test('sends the explorer to browsers, with a content security policy', async () => {
    const response = await fetch(`${url}/graphql`, { headers: { Accept: 'text/html' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; /);
    expect(await response.text()).toContain('Millrace GraphQL');
  });

  test('rejects mutations', async () => {
    const query = encodeURIComponent(
      'mutation { deleteProject(input: { id: "ada/app" }) { __typename } }',
    );
    const response = await fetch(`${url}/graphql?query=${query}`, {
      headers: { 'Private-Token': ada.token, Accept: 'application/json' },
    });
    expect(response.status).toBe(405);
  });
});

describe('limits', () => {
  test('an empty username does not let anonymous users list users', async () => {
    const response = await request(null, '{ at: users(filter: { username: "" }) { total } }');
    expect(response).toEqual(
      refusal('FORBIDDEN', 'Forbidden - Not authorized to access /api/v4/users'),
    );
  });

  test('a document nested too deeply for the parser is rejected', async () => {
    const { status, body } = await request(null, '{a'.repeat(40_000));
    expect(status).toBeLessThan(500);
    expect(body).toEqual({ errors: [expect.objectContaining({ message: expect.any(String) })] });
  });

  test('repeated reads of one blob add to the cost', async () => {
    const contents = Array.from(
      { length: 30 },
      (_, n) => `b${n}: blob(sha: "${'a'.repeat(40)}") { content }`,
    );
    const response = await request(
      null,
      `{ project(id: "ada/open") { repository { ${contents.join(' ')} } } }`,
    );
    expect(response).toEqual(
      refusedDocument('The document costs 180621, more than the limit of 20000', {
        cost: 180621,
        limit: 20_000,
      }),
    );
  });

  test.each(['"-200000-01-01"', '"+012345-01-01"', '"0000-01-01"', '"tomorrow"'])(
    'rejects %s as a date',
    async (day) => {
      const { status, body } = await request(
        ada,
        `mutation { addMember(input: { projectId: "${app}", userId: 1, accessLevel: GUEST, expiresAt: ${day} }) { member { accessLevel } } }`,
      );
      expect(status).toBeLessThan(500);
      expect(JSON.stringify(body)).toMatch(/is not a (day|time)/);
    },
  );
});
