import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPayload } from '../../schema/hooks/deliveries.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { runnersOf } from '../support/runners.ts';
import type { TestUser } from '../support/seed.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

const service = await world();
const { as, seed, url, db, root } = service;
const graphql = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const gus = await seed.user('gus');
const { id: group } = await seed.group('tools', { owner: [ada] }, { visibility: 'private' });
const { id: app } = await seed.project('tools/app', { guest: gus });
await seed.push('tools/app', { 'README.md': 'hello', '.gitlab-ci.yml': 'build: { script: make }' });

const created = async (path: string, body: Record<string, unknown>, user = ada) => {
  const response = await as(user).post(path, body);
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
const version = await db.mergeRequestVersion.findFirstOrThrow({
  where: { mergeRequestId: mergeRequest.id },
});
const pipeline = await created(`/projects/${app}/pipeline`, { ref: 'master' });
const job = await db.job.findFirstOrThrow({ where: { pipelineId: pipeline.id } });

const label = await created(`/projects/${app}/labels`, { name: 'bug', color: '#f00' });
const board = await db.board.findFirstOrThrow({ where: { projectId: app } });
const list = await created(`/projects/${app}/boards/${board.id}/lists`, { label_id: label.id });
const hook = await db.webHook.create({ data: { projectId: app, url: `${url}/hook` } });
const delivery = await db.hookDelivery.create({
  data: { hookId: hook.id, event: 'System Hook', payload: testPayload },
});
const trigger = await created(`/projects/${app}/triggers`, { description: 'nightly' });
const environment = await created(`/projects/${app}/environments`, { name: 'production' });
const deployment = await db.deployment.create({
  data: {
    projectId: app,
    iid: 1,
    environmentId: environment.id,
    ref: 'master',
    isTag: false,
    sha: '0'.repeat(40),
  },
});
const schedule = await created(`/projects/${app}/pipeline_schedules`, {
  description: 'nightly',
  ref: 'master',
  cron: '0 1 * * *',
});
await created(`/projects/${app}/releases`, { tag_name: 'v1', ref: 'master', description: 'First' });
const releaseLink = await created(`/projects/${app}/releases/v1/assets/links`, {
  name: 'app',
  url: 'https://files.example/app.tgz',
});
const award = await created(`/projects/${app}/issues/${issue.iid}/award_emoji`, { name: 'rocket' });
const runner = await runnersOf(service).specific([app]);
const key = await created('/user/keys', { title: 'laptop', key: newPublicKey() });
const email = await created('/user/emails', { email: 'other@example.com' });
const { sha } = await db.pipeline.findUniqueOrThrow({ where: { id: pipeline.id } });
await created(`/projects/${app}/repository/commits/${sha}/comments`, { note: 'Why?' });
const comment = await db.commitComment.findFirstOrThrow();
const status = await created(`/projects/${app}/statuses/${sha}`, { state: 'success' });
const token = await db.accessToken.create({
  data: { userId: ada.id, kind: 'personal', name: 'script', digest: randomBytes(32) },
});
const impersonation = await created(
  `/users/${ada.id}/impersonation_tokens`,
  { name: 'help', scopes: ['api'] },
  root,
);
const application = await db.oauthApplication.create({
  data: {
    name: 'Robot',
    uid: 'a'.repeat(64),
    secretDigest: randomBytes(32),
    ownerId: ada.id,
  },
});
const deadLetter = await db.deadLetter.create({
  data: {
    jobId: randomUUID(),
    kind: 'refresh-statistics',
    payload: { projectId: app },
    attempts: 13,
    error: 'the disk is full',
    isFatal: false,
    enqueuedAt: new Date(),
    projectId: app,
  },
});

const todo = await created(`/projects/${app}/issues/${issue.iid}/todo`, {});

const auditEvent = await db.auditEvent.findFirstOrThrow();

const nodes: Readonly<Record<string, number>> = {
  AuditEvent: auditEvent.id,
  AwardEmoji: award.id,
  Board: board.id,
  BoardList: list.id,
  CommitComment: comment.id,
  CommitStatus: status.id,
  DeadLetter: deadLetter.id,
  Email: email.id,
  HookDelivery: delivery.id,
  ImpersonationToken: impersonation.id,
  Label: label.id,
  Namespace: group,
  OauthApplication: application.id,
  PersonalAccessToken: token.id,
  Runner: runner.id,
  SshKey: key.id,
  Trigger: trigger.id,
  PipelineSchedule: schedule.id,
  Environment: environment.id,
  Deployment: deployment.id,
  ReleaseLink: releaseLink.id,
  Todo: todo.id,
  Hook: hook.id,
  Project: app,
  Group: group,
  User: ada.id,
  Issue: issue.id,
  Note: note.id,
  Milestone: milestone.id,
  Snippet: snippet.id,
  MergeRequest: mergeRequest.id,
  MergeRequestVersion: version.id,
  Pipeline: pipeline.id,
  Job: job.id,
};

const forAdministrators = ['AuditEvent', 'DeadLetter', 'ImpersonationToken'];

/** A user who may see the record. */
const readerOf = (type: string) => (forAdministrators.includes(type) ? root : ada);

// users are visible to all callers
const hideable = Object.keys(nodes).filter((type) => type !== 'User');

interface AddedDeployKey {
  readonly addDeployKey: { readonly deployKey: { readonly sshKey: { readonly id: string } } };
}

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

const absentId = 999_999;
const absentText = await nodeText(ada, 'Unknown:1');

describe('node', () => {
  test.each(Object.entries(nodes))('finds a %s by its global id', async (type, number) => {
    const id = `${type}:${number}`;
    const query = `query ($id: ID!) { node(id: $id) { __typename id } }`;
    expect(await graphql(readerOf(type), query, { id })).toEqual({
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

describe('a mutation of a record', () => {
  // of each type: the mutation, and its arguments besides the id
  const mutations: readonly (readonly [type: string, name: string, input: string])[] = [
    ['Issue', 'updateIssue', 'title: "x"'],
    ['Issue', 'deleteIssue', ''],
    ['Issue', 'moveIssue', 'toProjectId: "tools/app"'],
    ['Issue', 'subscribeToIssue', ''],
    ['Issue', 'setIssueTimeEstimate', 'duration: "1h"'],
    ['MergeRequest', 'updateMergeRequest', 'title: "x"'],
    ['MergeRequest', 'acceptMergeRequest', ''],
    ['MergeRequest', 'resetMergeRequestSpentTime', ''],
    ['Pipeline', 'cancelPipeline', ''],
    ['Job', 'cancelJob', ''],
    ['Job', 'eraseJob', ''],
    ['Milestone', 'updateMilestone', 'title: "x"'],
    ['Milestone', 'deleteMilestone', ''],
    ['Label', 'updateLabel', 'name: "x"'],
    ['Label', 'subscribeToLabel', ''],
    ['BoardList', 'moveBoardList', 'position: 0'],
    ['Hook', 'updateHook', 'url: "https://example.com"'],
    ['Hook', 'deleteHook', ''],
    ['Hook', 'testProjectHook', 'event: ISSUE'],
    ['HookDelivery', 'resendHookDelivery', ''],
    ['Trigger', 'updateTrigger', 'description: "x"'],
    ['PipelineSchedule', 'updatePipelineSchedule', 'description: "x"'],
    ['Environment', 'updateEnvironment', 'name: "x"'],
    ['ReleaseLink', 'updateReleaseLink', 'name: "x"'],
    ['ReleaseLink', 'deleteReleaseLink', ''],
    ['Note', 'updateNote', 'body: "x"'],
    ['Note', 'deleteNote', ''],
    ['Snippet', 'updateSnippet', 'title: "x"'],
    ['Snippet', 'deleteSnippet', ''],
    ['AwardEmoji', 'deleteAwardEmoji', ''],
    ['SshKey', 'deleteSshKey', ''],
    ['Email', 'deleteEmail', ''],
    ['ImpersonationToken', 'revokeImpersonationToken', ''],
  ];
  const errorOf = async (user: TestUser | null, name: string, input: string) => {
    const query = `mutation { ${name}(input: { ${input} }) { __typename } }`;
    const { body } = await graphql(user, query);
    expect(body.data).toEqual({ [name]: null });
    return body.errors;
  };

  test.each(mutations)(
    'a hidden %s and an absent one give the same error: %s',
    async (type, name, rest) => {
      for (const user of [bob, null]) {
        const [hidden, absent] = await Promise.all(
          [nodes[type], absentId].map((id) => errorOf(user, name, `id: "${type}:${id}" ${rest}`)),
        );
        expect(hidden).toEqual(absent);
        expect(hidden).toMatchObject([
          { extensions: { code: user ? 'NOT_FOUND' : 'UNAUTHENTICATED' } },
        ]);
      }
    },
  );

  test.each([
    ['createNote', 'noteableId', 'body: "x"', ['Issue', 'MergeRequest', 'Snippet']],
    ['createDiscussion', 'noteableId', 'body: "x"', ['Issue', 'MergeRequest', 'Snippet']],
    [
      'createAwardEmoji',
      'awardableId',
      'name: "tada"',
      ['Issue', 'MergeRequest', 'Snippet', 'Note'],
    ],
    ['createBoardList', 'boardId', 'labelId: 1', ['Board']],
  ])('%s identifies a record by %s', async (name, argument, rest, types) => {
    for (const type of types) {
      const [hidden, absent] = await Promise.all(
        [nodes[type], absentId].map((id) =>
          errorOf(bob, name, `${argument}: "${type}:${id}" ${rest}`),
        ),
      );
      expect(hidden).toEqual(absent);
      expect(hidden).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    }
    expect(await errorOf(ada, name, `${argument}: "Project:${app}" ${rest}`)).toMatchObject([
      { extensions: { code: 'INVALID', fields: { [argument]: [expect.any(String)] } } },
    ]);
  });

  test('a number alone identifies no noteable, which has one of several types', async () => {
    expect(await errorOf(ada, 'createNote', `noteableId: ${issue.id}, body: "x"`)).toMatchObject([
      { extensions: { code: 'INVALID', fields: { noteableId: [expect.any(String)] } } },
    ]);
  });

  test('a confidential issue is hidden from a guest of its project', async () => {
    const { id } = await created(`/projects/${app}/issues`, {
      title: 'Secret',
      confidential: true,
    });
    const [hidden, absent] = await Promise.all(
      [id, absentId].map((number) => errorOf(gus, 'updateIssue', `id: ${number}, title: "x"`)),
    );
    expect(hidden).toEqual(absent);
    expect(await nodeText(gus, `Issue:${id}`)).toBe(absentText);
  });

  test.each([
    ['updateIssue', `id: "Issue:${issue.id}", title: "Mended"`, 'issue { title }', 'Mended'],
    ['updateIssue', `id: ${issue.id}, title: "Broken"`, 'issue { title }', 'Broken'],
    ['updateMilestone', `id: ${milestone.id}, title: "1.1"`, 'milestone { title }', '1.1'],
    ['updateLabel', `id: ${label.id}, name: "fault"`, 'label { name }', 'fault'],
    ['updateSnippet', `id: ${snippet.id}, title: "Patch"`, 'snippet { title }', 'Patch'],
    ['updateNote', `id: ${note.id}, body: "Yes"`, 'note { body }', 'Yes'],
    [
      'updateTrigger',
      `id: ${trigger.id}, description: "daily"`,
      'trigger { description }',
      'daily',
    ],
    ['deleteBoardList', `id: ${list.id}`, 'id', `BoardList:${list.id}`],
    [
      'createAwardEmoji',
      `awardableId: "Note:${note.id}", name: "tada"`,
      'awardEmoji { name }',
      'tada',
    ],
    [
      'createNote',
      `noteableId: "MergeRequest:${mergeRequest.id}", body: "Fine"`,
      'note { ... on Note { body } }',
      'Fine',
    ],
    [
      'createDiscussion',
      `noteableId: "MergeRequest:${mergeRequest.id}", body: "A thread"`,
      'discussion { isIndividual isResolvable firstNote { body } replies { body } }',
      'A thread',
    ],
    ['cancelJob', `id: "Job:${job.id}"`, 'job { status }', 'CANCELED'],
    ['updateProject', `id: "Project:${app}", name: "Tool"`, 'project { name }', 'Tool'],
  ])('%s(input: { %s })', async (name, input, selection, value) => {
    const query = `mutation { ${name}(input: { ${input} }) { ${selection} } }`;
    const { body } = await graphql(ada, query);
    expect(body).not.toHaveProperty('errors');
    expect(JSON.stringify(body.data)).toContain(JSON.stringify(value));
  });
});

test('a deploy key is identified by its project and its key', async () => {
  const fields = 'deployKey { sshKey { id } canPush }';
  const { body: added } = await graphql(
    ada,
    `mutation ($key: String!) {
      addDeployKey(input: { projectId: "tools/app", title: "robot", key: $key }) { ${fields} }
    }`,
    { key: newPublicKey() },
  );
  const { sshKey } = (added.data as unknown as AddedDeployKey).addDeployKey.deployKey;
  const input = `projectId: "tools/app", sshKeyId: "${sshKey.id}"`;
  const { body: updated } = await graphql(
    ada,
    `mutation { updateDeployKey(input: { ${input}, canPush: true }) { ${fields} } }`,
  );
  expect(updated).toEqual({ data: { updateDeployKey: { deployKey: { sshKey, canPush: true } } } });
  const { body: removed } = await graphql(
    ada,
    `mutation { removeDeployKey(input: { ${input} }) { id project { fullPath } } }`,
  );
  expect(removed).toEqual({
    data: { removeDeployKey: { id: sshKey.id, project: { fullPath: 'tools/app' } } },
  });
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
    addMember(input: { projectId: "tools/app", userId: ${bob.id}, accessLevel: $level }) {
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
