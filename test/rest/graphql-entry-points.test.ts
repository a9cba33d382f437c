import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphqlClientOf } from '../support/graphql.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, url, db } = await world();
const graphql = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const gus = await seed.user('gus');
const { id: group } = await seed.group('tools', { owner: [ada] }, { visibility: 'private' });
const { id: app } = await seed.project('tools/app', { guest: gus });
await seed.push('tools/app', { 'README.md': 'hello', '.gitlab-ci.yml': 'build: { script: make }' });

const created = async (path: string, body: Record<string, unknown>) => {
  const response = await as(ada).post(path, body);
  expect(response.status).toBe(201);
  return response.body as { id: number; iid: number };
};
const issue = await created(`/projects/${app}/issues`, { title: 'Broken' });
const note = await created(`/projects/${app}/issues/${issue.iid}/notes`, { body: 'Indeed' });
const milestone = await created(`/projects/${app}/milestones`, { title: '1.0' });
const snippet = await created(`/projects/${app}/snippets`, {
  title: 'Fix',
  file_name: 'fix.sh',
  code: 'true',
  visibility: 'private',
});
await created(`/projects/${app}/repository/branches`, { branch: 'topic', ref: 'master' });
const mergeRequest = await created(`/projects/${app}/merge_requests`, {
  title: 'Mend it',
  source_branch: 'topic',
  target_branch: 'master',
});
const pipeline = await created(`/projects/${app}/pipeline`, { ref: 'master' });
const job = await db.job.findFirstOrThrow({ where: { pipelineId: pipeline.id } });

const nodes: Readonly<Record<string, number>> = {
  Project: app,
  Group: group,
  User: ada.id,
  Issue: issue.id,
  Note: note.id,
  Milestone: milestone.id,
  Snippet: snippet.id,
  MergeRequest: mergeRequest.id,
  Pipeline: pipeline.id,
  Job: job.id,
};

// users are visible to all callers
const hideable = Object.keys(nodes).filter((type) => type !== 'User');

interface PossibleTypes {
  readonly __type: { readonly possibleTypes: readonly { readonly name: string }[] };
}

/** The body of the response to `node(id:)`, byte for byte. */
async function nodeText(user: TestUser | null, id: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(user && { 'Private-Token': user.token }),
    },
    body: JSON.stringify({
      query: 'query ($id: ID!) { node(id: $id) { id } }',
      variables: { id },
    }),
  });
  expect(response.status).toBe(200);
  return response.text();
}

const absentText = await nodeText(ada, 'Unknown:1');

describe('node', () => {
  test.each(Object.entries(nodes))('finds a %s by its global id', async (type, number) => {
    const id = `${type}:${number}`;
    const query = `query ($id: ID!) { node(id: $id) { __typename id } }`;
    expect(await graphql(ada, query, { id })).toEqual({
      status: 200,
      body: { data: { node: { __typename: type, id } } },
    });
  });

  test('reads the fields that the document selects of the type', async () => {
    const query = `query ($id: ID!) {
      node(id: $id) {
        ... on Issue { title author { username } project { fullPath } }
        ... on Project { name }
      }
    }`;
    expect((await graphql(ada, query, { id: `Issue:${issue.id}` })).body).toEqual({
      data: {
        node: { title: 'Broken', author: { username: 'ada' }, project: { fullPath: 'tools/app' } },
      },
    });
  });

  test('covers each type of node', async () => {
    const { body } = await graphql(null, '{ __type(name: "Node") { possibleTypes { name } } }');
    const { possibleTypes } = (body.data as unknown as PossibleTypes).__type;
    expect(possibleTypes.map(({ name }) => name).sort()).toEqual(Object.keys(nodes).sort());
  });

  test('an absent record is not found', () => {
    expect(JSON.parse(absentText)).toMatchObject({
      data: { node: null },
      errors: [{ message: 'Node Not Found', extensions: { code: 'NOT_FOUND' } }],
    });
  });

  const absentId = 999_999;

  test.each(hideable)('a hidden %s and an absent one give the same error', async (type) => {
    for (const user of [bob, null]) {
      expect(await nodeText(user, `${type}:${nodes[type]}`)).toBe(absentText);
      expect(await nodeText(user, `${type}:${absentId}`)).toBe(absentText);
    }
    expect(await nodeText(ada, `${type}:${absentId}`)).toBe(absentText);
  });

  test('an absent User gives the same error', async () => {
    expect(await nodeText(null, `User:${absentId}`)).toBe(absentText);
  });

  describe('of a project with disabled features', () => {
    const features = ['issues', 'merge_requests', 'snippets', 'jobs'];
    const setFeatures = async (isEnabled: boolean) => {
      const change = Object.fromEntries(features.map((name) => [`${name}_enabled`, isEnabled]));
      const { status } = await as(ada).put(`/projects/${app}`, {
        ...change,
        public_jobs: isEnabled,
      });
      expect(status).toBe(200);
    };
    beforeAll(() => setFeatures(false));
    afterAll(() => setFeatures(true));

    test('a guest finds the project', async () => {
      const id = `Project:${app}`;
      expect(JSON.parse(await nodeText(gus, id))).toEqual({ data: { node: { id } } });
    });

    test.each(['Issue', 'Note', 'Snippet', 'MergeRequest', 'Pipeline', 'Job'])(
      'a %s gives the same error to a guest',
      async (type) => {
        expect(await nodeText(gus, `${type}:${nodes[type]}`)).toBe(absentText);
      },
    );
  });

  test.each(['PageInfo:1', '42', 'Issue:4294967296', 'Issue:1:2', 'Issue:', ''])(
    'the id "%s" gives the same error',
    async (id) => {
      expect(await nodeText(ada, id)).toBe(absentText);
    },
  );
});

describe('project, group', () => {
  test.each([`"tools/app"`, `"${app}"`, app, `"Project:${app}"`])('project(id: %s)', async (id) => {
    expect((await graphql(ada, `{ project(id: ${id}) { fullPath } }`)).body).toEqual({
      data: { project: { fullPath: 'tools/app' } },
    });
  });

  test.each([`"tools"`, group, `"Group:${group}"`])('group(id: %s)', async (id) => {
    expect((await graphql(ada, `{ group(id: ${id}) { fullPath } }`)).body).toEqual({
      data: { group: { fullPath: 'tools' } },
    });
  });
});

describe('user, currentUser', () => {
  test.each([`id: ${bob.id}`, `id: "User:${bob.id}"`, `username: "bob"`, `username: "BOB"`])(
    'user(by: { %s })',
    async (by) => {
      expect((await graphql(ada, `{ user(by: { ${by} }) { username } }`)).body).toEqual({
        data: { user: { username: 'bob' } },
      });
    },
  );

  test('a user that does not exist is not found', async () => {
    const { body } = await graphql(ada, '{ user(by: { username: "nobody" }) { id } }');
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  });

  test('currentUser is null for an anonymous user', async () => {
    const query = '{ currentUser { username } }';
    expect((await graphql(ada, query)).body).toEqual({
      data: { currentUser: { username: 'ada' } },
    });
    expect((await graphql(null, query)).body).toEqual({ data: { currentUser: null } });
  });
});

test('access levels are an enum', async () => {
  const add = `mutation ($level: AccessLevel!) {
    addMember(input: { source: { project: "tools/app" }, userId: ${bob.id}, accessLevel: $level }) {
      member { accessLevel }
    }
  }`;
  const { body } = await graphql(ada, add, { level: 'REPORTER' });
  expect(body).toEqual({ data: { addMember: { member: { accessLevel: 'REPORTER' } } } });
  const query = '{ project(id: "tools/app") { access { level projectLevel groupLevel } } }';
  expect((await graphql(bob, query)).body).toEqual({
    data: {
      project: { access: { level: 'REPORTER', projectLevel: 'REPORTER', groupLevel: null } },
    },
  });
});
