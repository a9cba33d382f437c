import { describe, expect, test } from 'vitest';
import { graphqlClientOf } from '../../support/graphql.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { as, seed, url, root } = await world();
const graphql = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve');
const gus = await seed.user('gus');
await seed.group(
  'tools',
  { owner: ada, developer: bob },
  { visibility: 'public', request_access_enabled: true },
);
const { id: ciGroup } = await seed.group('tools/ci', {}, { visibility: 'public' });
await seed.group('tools/secret');
const { id: app } = await seed.project('tools/app', { reporter: eve }, { visibility: 'public' });
await seed.project('tools/hidden');
await seed.project('tools/ci/runner', {}, { visibility: 'public' });
const { id: own } = await seed.project(
  'ada/own',
  {},
  { visibility: 'public', request_access_enabled: true },
);
const fork = await as(bob).post(`/projects/${app}/fork`);
expect(fork.status).toBe(201);
expect((await as(bob).post(`/projects/${own}/star`)).status).toBe(201);
expect(
  (await as(ada).post(`/projects/${own}/share`, { group_id: ciGroup, group_access: 30 })).status,
).toBe(201);
expect((await as(eve).post(`/projects/${own}/access_requests`)).status).toBe(201);
expect((await as(eve).post('/groups/tools/access_requests')).status).toBe(201);
expect(
  (
    await as(eve).post(`/projects/${app}/issues`, {
      title: 'For Bob',
      assignee_ids: [bob.id],
      confidential: true,
    })
  ).status,
).toBe(201);
for (const visibility of ['private', 'public']) {
  const snippet = { title: visibility, file_name: 'a.txt', content: 'text', visibility };
  expect((await as(bob).post('/snippets', snippet)).status).toBe(201);
}
expect(
  (
    await as(root).post(`/users/${bob.id}/impersonation_tokens`, {
      name: 'support',
      scopes: ['api'],
    })
  ).status,
).toBe(201);
expect((await as(bob).post('/user/keys', { title: 'laptop', key: await someKey() })).status).toBe(
  201,
);

async function someKey(): Promise<string> {
  const { generateKeyPairSync } = await import('node:crypto');
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from('ssh-ed25519')), part(raw)]).toString('base64')}`;
}

/** The data of a document that succeeds. */
async function data(user: TestUser | null, query: string) {
  const { body } = await graphql(user, query);
  expect(body).not.toHaveProperty('errors');
  return body.data;
}

test('a group shows the access level of the current user, also where it is inherited', async () => {
  const query = '{ group(id: "tools/ci") { accessLevel } }';
  const levelOf = (user: TestUser | null) => data(user, query);
  expect(await levelOf(root)).toEqual({ group: { accessLevel: 'OWNER' } });
  expect(await levelOf(bob)).toEqual({ group: { accessLevel: 'DEVELOPER' } });
  expect(await levelOf(gus)).toEqual({ group: { accessLevel: 'NO_ACCESS' } });
  expect(await levelOf(null)).toEqual({ group: { accessLevel: 'NO_ACCESS' } });
});

test('the projects of a group can include those of its subgroups that the current user may see', async () => {
  const query = `{
    group(id: "tools") {
      projects(includesSubgroups: true, orderBy: PATH, sort: ASC) { total nodes { fullPath } }
    }
  }`;
  const listOf = (...names: readonly string[]) => ({
    group: {
      projects: {
        total: names.length,
        nodes: names.map((name) => ({ fullPath: `tools/${name}` })),
      },
    },
  });
  expect(await data(ada, query)).toEqual(listOf('app', 'hidden', 'ci/runner'));
  expect(await data(null, query)).toEqual(listOf('app', 'ci/runner'));
});

describe('a group', () => {
  const query = `{
    group(id: "tools") {
      parent { fullPath }
      subgroups { total nodes { fullPath parent { fullPath } projects { nodes { fullPath } } sharedProjects { nodes { fullPath } } } }
      projects(orderBy: PATH, sort: ASC) { nodes { fullPath group { fullPath } namespace { group { id } } } }
      members { nodes { accessLevel user { username } group { fullPath } project { id } } }
      accessRequests { nodes { user { username } } }
    }
  }`;
  const ofGroup = (names: readonly string[]) =>
    names.map((name) => ({
      fullPath: `tools/${name}`,
      group: { fullPath: 'tools' },
      namespace: { group: { id: expect.stringMatching(/^Group:\d+$/) } },
    }));
  const ci = {
    fullPath: 'tools/ci',
    parent: { fullPath: 'tools' },
    projects: { nodes: [{ fullPath: 'tools/ci/runner' }] },
    sharedProjects: { nodes: [{ fullPath: 'ada/own' }] },
  };
  const secret = {
    fullPath: 'tools/secret',
    parent: { fullPath: 'tools' },
    projects: { nodes: [] },
    sharedProjects: { nodes: [] },
  };
  const member = (accessLevel: string, username: string) => ({
    accessLevel,
    user: { username },
    group: { fullPath: 'tools' },
    project: null,
  });

  test('leads its owner to everything below', async () => {
    expect(await data(ada, query)).toEqual({
      group: {
        parent: null,
        subgroups: { total: 2, nodes: [ci, secret] },
        projects: { nodes: ofGroup(['app', 'hidden']) },
        members: {
          nodes: expect.arrayContaining([member('OWNER', 'ada'), member('DEVELOPER', 'bob')]),
        },
        accessRequests: { nodes: [{ user: { username: 'eve' } }] },
      },
    });
  });

  test('shows an anonymous user public records only, and no members', async () => {
    expect(await data(null, query)).toEqual({
      group: {
        parent: null,
        subgroups: { total: 1, nodes: [ci] },
        projects: { nodes: ofGroup(['app']) },
        members: null,
        accessRequests: null,
      },
    });
  });
});

describe('a project', () => {
  const query = `{
    project(id: "ada/own") {
      group { id }
      creator { username }
      isStarred
      namespace { group { id } projects { total } }
      members { total nodes { user { username } project { fullPath } group { id } } }
      users { nodes { username } }
      accessRequests { total nodes { user { username } } }
      events { total nodes { action project { fullPath } author { username } } }
      forks { total }
    }
  }`;

  test('leads its owner to its members, requests and events', async () => {
    expect(await data(ada, query)).toMatchObject({
      project: {
        group: null,
        creator: { username: 'root' },
        isStarred: false,
        namespace: { group: null, projects: { total: 1 } },
        members: {
          total: 1,
          nodes: [{ user: { username: 'ada' }, project: { fullPath: 'ada/own' }, group: null }],
        },
        users: { nodes: expect.arrayContaining([{ username: 'ada' }, { username: 'bob' }]) },
        accessRequests: { total: 1, nodes: [{ user: { username: 'eve' } }] },
        events: {
          nodes: expect.arrayContaining([
            { action: 'CREATED', project: { fullPath: 'ada/own' }, author: { username: 'root' } },
          ]),
        },
        forks: { total: 0 },
      },
    });
  });

  test('shows access requests to masters only', async () => {
    const accessRequests = '{ project(id: "ada/own") { isStarred accessRequests { total } } }';
    expect(await data(bob, accessRequests)).toEqual({
      project: { isStarred: true, accessRequests: null },
    });
    expect(await data(null, accessRequests)).toEqual({
      project: { isStarred: false, accessRequests: null },
    });
  });

  test('leads to its forks and from them back', async () => {
    const forks = `{ project(id: "tools/app") { forks { nodes { fullPath forkedFrom { fullPath } } } } }`;
    expect(await data(bob, forks)).toEqual({
      project: {
        forks: { nodes: [{ fullPath: 'bob/app', forkedFrom: { fullPath: 'tools/app' } }] },
      },
    });
  });
});

describe('a user', () => {
  const query = `{
    user(by: { username: "bob" }) {
      personalProjects { nodes { fullPath } }
      starredProjects { nodes { fullPath } }
      groups { nodes { fullPath } }
      events { total nodes { project { fullPath } } }
      namespace { kind fullPath }
      sshKeys { nodes { title } }
      emails { total }
    }
  }`;

  test('leads to the own projects, groups, events and keys', async () => {
    expect(await data(bob, query)).toMatchObject({
      user: {
        personalProjects: { nodes: [{ fullPath: 'bob/app' }] },
        starredProjects: { nodes: [{ fullPath: 'ada/own' }] },
        groups: { nodes: [{ fullPath: 'tools' }] },
        namespace: { kind: 'USER', fullPath: 'bob' },
        sshKeys: { nodes: [{ title: 'laptop' }] },
        emails: { total: 0 },
      },
    });
  });

  test.each([
    ['another user', eve, { nodes: [{ fullPath: 'tools' }] }],
    ['an anonymous user', null, null],
  ] as const)('shows no keys and addresses to %s', async (_name, user, groups) => {
    expect(await data(user, query)).toMatchObject({
      user: {
        starredProjects: { nodes: [{ fullPath: 'ada/own' }] },
        groups,
        sshKeys: null,
        emails: null,
      },
    });
  });

  test('shows keys and addresses to administrators', async () => {
    expect(await data(root, query)).toMatchObject({
      user: { sshKeys: { nodes: [{ title: 'laptop' }] }, emails: { total: 0 } },
    });
  });
});

describe('what a user created and was given', () => {
  const query = `{
    user(by: { username: "bob" }) {
      authoredIssues { total }
      assignedIssues { nodes { title author { authoredIssues { total } assignedIssues { total } } } }
      authoredMergeRequests { total }
      assignedMergeRequests { total }
      snippets { nodes { title } }
      impersonationTokens { nodes { name isActive } }
      account { twoFactor { isEnabled recoveryCodesLeft } }
    }
  }`;
  const issue = {
    title: 'For Bob',
    author: { authoredIssues: { total: 1 }, assignedIssues: { total: 0 } },
  };
  const none = { total: 0 };
  const shared = {
    authoredIssues: none,
    authoredMergeRequests: none,
    assignedMergeRequests: none,
    impersonationTokens: null,
  };
  const account = { twoFactor: { isEnabled: false, recoveryCodesLeft: 0 } };
  const both = { nodes: [{ title: 'public' }, { title: 'private' }] };
  const open = { nodes: [{ title: 'public' }] };

  test.each([
    ['the user', bob, { ...shared, assignedIssues: { nodes: [issue] }, snippets: both, account }],
    [
      'an administrator, with impersonation tokens',
      root,
      {
        ...shared,
        assignedIssues: { nodes: [issue] },
        snippets: both,
        account,
        impersonationTokens: { nodes: [{ name: 'support', isActive: true }] },
      },
    ],
    [
      'another user, without confidential issues and private snippets',
      gus,
      { ...shared, assignedIssues: { nodes: [] }, snippets: open, account: null },
    ],
    [
      'an anonymous user, without issues and snippets',
      null,
      { ...shared, authoredIssues: null, assignedIssues: null, snippets: null, account: null },
    ],
  ] as const)('is shown to %s', async (_name, user, expected) => {
    expect(await data(user, query)).toEqual({ user: expected });
  });

  test('a new impersonation token shows its text once', async () => {
    const create = `mutation { createImpersonationToken(input: {
      userId: "User:${gus.id}", name: "help", scopes: [API] }) { token impersonationToken { name } } }`;
    expect(await data(root, create)).toEqual({
      createImpersonationToken: {
        token: expect.stringMatching(/^\S{20}$/),
        impersonationToken: { name: 'help' },
      },
    });
  });

  test('inactive tokens are listed apart', async () => {
    const tokens = `{ user(by: { username: "bob" }) {
      active: impersonationTokens(filter: { state: ACTIVE }) { total }
      inactive: impersonationTokens(filter: { state: INACTIVE }) { total } } }`;
    expect(await data(root, tokens)).toEqual({
      user: { active: { total: 1 }, inactive: { total: 0 } },
    });
  });
});

describe('admin', () => {
  const query = `{
    admin {
      runners { total }
      systemHooks { total }
      deployKeys { total }
      deadLetters { total }
      oauthApplications { total }
      userActivities { total }
      lately: userActivities(filter: { activeSince: "2999-01-01" }) { total }
      applicationSettings { signupEnabled }
    }
  }`;

  test('shows administrators what the server does and needs', async () => {
    const health = `{ admin { health {
      uptime memory pendingCiJobs runningCiJobs database { version size }
      storages { name free total } backgroundJobs { kind count }
    } } }`;
    const bytes = expect.any(Number);
    expect(await data(root, health)).toEqual({
      admin: {
        health: {
          uptime: expect.any(Number),
          memory: bytes,
          pendingCiJobs: 0,
          runningCiJobs: 0,
          database: { version: expect.stringMatching(/^\d+\.\d+/), size: bytes },
          storages: [{ name: 'default', free: bytes, total: bytes }],
          backgroundJobs: expect.any(Array),
        },
      },
    });
  });

  test('shows administrators the records of the whole instance', async () => {
    expect(await data(root, query)).toEqual({
      admin: {
        runners: { total: 0 },
        systemHooks: { total: 0 },
        deployKeys: { total: 0 },
        deadLetters: { total: 0 },
        oauthApplications: { total: 0 },
        userActivities: { total: expect.any(Number) },
        lately: { total: 0 },
        applicationSettings: { signupEnabled: expect.any(Boolean) },
      },
    });
  });

  test.each([
    ['other users', ada],
    ['anonymous users', null],
  ] as const)('is null for %s', async (_name, user) => {
    expect(await data(user, query)).toEqual({ admin: null });
  });
});

test('pages of members by cursors have every member once', async () => {
  const names: string[] = [];
  let after: string | null = null;
  do {
    const query: string = `{ group(id: "tools") { members(first: 1${after ? `, after: "${after}"` : ''}) {
      nodes { user { username } } pageInfo { hasNextPage endCursor } } } }`;
    const page = ((await data(ada, query)) as unknown as Members).group.members;
    names.push(...page.nodes.map(({ user }) => user.username));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  expect(names.toSorted()).toEqual(['ada', 'bob', 'root']);
});

interface Members {
  readonly group: {
    readonly members: {
      readonly nodes: readonly { readonly user: { readonly username: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

test('members are searched by name', async () => {
  const query =
    '{ group(id: "tools") { members(filter: { search: "BO" }) { nodes { user { username } } } } }';
  expect(await data(ada, query)).toEqual({
    group: { members: { nodes: [{ user: { username: 'bob' } }] } },
  });
});

test('texts that a user did not give are null', async () => {
  const query = '{ user(by: { username: "gus" }) { bio skype linkedin twitter websiteUrl } }';
  const none = { bio: null, skype: null, linkedin: null, twitter: null, websiteUrl: null };
  expect(await data(null, query)).toEqual({ user: none });
  const given = { skype: 'gus.s', website_url: 'https://gus.example' };
  expect((await as(root).put(`/users/${gus.id}`, given)).status).toBe(200);
  expect(await data(null, query)).toEqual({
    user: { ...none, skype: 'gus.s', websiteUrl: 'https://gus.example' },
  });
});
