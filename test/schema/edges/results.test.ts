import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { git, workTree } from '../../support/git.ts';
import { graphqlClientOf } from '../../support/graphql.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { as, seed, db, url, root, remote } = await world();
const send = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve');
const group = await seed.group('acme', { owner: ada }, { visibility: 'public' });
const team = await seed.group('team', { owner: bob }, { visibility: 'private' });
const { id } = await seed.project('acme/app', { developer: bob }, { visibility: 'public' });
await db.project.updateMany({ data: { snippetsEnabled: true } });
const folder = await workTree({ 'README.md': '# One\n' });
afterAll(() => rm(folder, { recursive: true }));
const sha = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'tag', 'v1-5%');
await git(folder, 'branch', 'release/ä');
await git(folder, 'push', '--quiet', remote('acme/app', root), 'master', 'release/ä', '--tags');

const created = async (user: TestUser, path: string, body: object) => {
  const response = await as(user).post(`/projects/${id}/${path}`, { ...body });
  expect(response.status).toBe(201);
  return response.body as { readonly id: number; readonly iid: number };
};

/** The data of the project for a user, without errors. */
async function projectAs(user: TestUser | null, selection: string) {
  const { body } = await send(user, `{ project(id: "acme/app") { ${selection} } }`);
  expect(body).not.toHaveProperty('errors');
  return (body.data?.project ?? {}) as Record<string, unknown>;
}

const issue = await created(bob, 'issues', { title: 'issue' });
const secret = await created(ada, 'issues', { title: 'secret', confidential: true });
const gone = await created(ada, 'issues', { title: 'gone' });
const note = await created(bob, `issues/${issue.iid}/notes`, { body: 'Hello' });
await created(ada, 'milestones', { title: 'milestone' });
await created(ada, 'snippets', {
  title: 'snippet',
  file_name: 'a',
  code: 'a',
  visibility: 'public',
});
await as(ada).put(`/projects/${id}/issues/${issue.iid}`, { state_event: 'close' });
expect((await as(root).delete(`/projects/${id}/issues/${gone.iid}`)).status).toBe(204);

/** A merge request that ada created. */
const mergeRequestOf = async (iid: number, columns: object) =>
  db.mergeRequest.create({
    data: {
      ...{ projectId: id, iid, sourceProjectId: id, authorId: ada.id },
      ...{ sourceBranch: `branch-${iid}`, targetBranch: 'master' },
      text: { create: { title: `change ${iid}` } },
      ...columns,
    },
  });
const at = new Date('2026-03-01T12:00:00.000Z');
await mergeRequestOf(1, { state: 'merged', mergedById: bob.id, mergedAt: at });
await mergeRequestOf(2, { state: 'closed', closedById: bob.id, closedAt: at });
await mergeRequestOf(3, { mergesWhenPipelineSucceeds: true, mergedById: bob.id });

describe('Event.target', () => {
  const selection = `events(perPage: 50, sort: ASC) { nodes { action targetType target {
    __typename
    ... on Issue { title project { fullPath } }
    ... on Note { body noteable { title } }
    ... on Milestone { title }
    ... on Project { fullPath }
  } } }`;
  const issueTarget = { __typename: 'Issue', title: 'issue', project: { fullPath: 'acme/app' } };
  const noteTarget = { __typename: 'Note', body: 'Hello', noteable: { title: 'issue' } };
  const targetsFor = async (user: TestUser | null) => {
    const { events } = await projectAs(user, selection);
    return (events as { nodes: { action: string; targetType: string; target: object }[] }).nodes;
  };

  test('is the record of each event', async () => {
    const events = await targetsFor(ada);
    expect(events).toContainEqual({ action: 'CREATED', targetType: 'ISSUE', target: issueTarget });
    expect(events).toContainEqual({ action: 'CLOSED', targetType: 'ISSUE', target: issueTarget });
    expect(events).toContainEqual({ action: 'COMMENTED', targetType: 'NOTE', target: noteTarget });
    const milestone = { __typename: 'Milestone', title: 'milestone' };
    expect(events).toContainEqual({
      action: 'CREATED',
      targetType: 'MILESTONE',
      target: milestone,
    });
    expect(events).toContainEqual(
      expect.objectContaining({ target: expect.objectContaining({ title: 'secret' }) }),
    );
    expect(events).toContainEqual({ action: 'PUSHED', targetType: null, target: null });
  });

  test('is hidden from users who may not see it', async () => {
    await db.event.updateMany({ data: { isConfidential: false } });
    const events = await targetsFor(eve);
    const targets = events.filter(({ targetType }) => targetType === 'ISSUE');
    expect(targets.map(({ target }) => target)).toEqual([issueTarget, null, issueTarget]);
    const anonymous = await targetsFor(null);
    expect(
      anonymous.filter(({ targetType, target }) => targetType === 'ISSUE' && target !== null),
    ).toEqual([]);
  });
});

describe('an issue and a merge request', () => {
  test('show who closed or merged them', async () => {
    const data = await projectAs(
      ada,
      `issue(iid: ${issue.iid}) { closedBy { username } }
       open: issue(iid: ${secret.iid}) { closedBy { username } }
       mergeRequests(sort: ASC) { nodes { iid mergedAt closedAt mergedBy { username } closedBy { username } } }`,
    );
    const none = { mergedAt: null, mergedBy: null, closedAt: null, closedBy: null };
    const byBob = { username: 'bob' };
    expect(data).toEqual({
      issue: { closedBy: { username: 'ada' } },
      open: { closedBy: null },
      mergeRequests: {
        nodes: [
          { iid: 1, ...none, mergedAt: at.toISOString(), mergedBy: byBob },
          { iid: 2, ...none, closedAt: at.toISOString(), closedBy: byBob },
          { iid: 3, ...none },
        ],
      },
    });
  });

  test('a merge request leads to its merge commit and keeps labels that it does not name', async () => {
    await db.mergeRequest.updateMany({ where: { iid: 1 }, data: { mergeCommitSha: sha } });
    await db.mergeRequest.updateMany({
      where: { iid: 2 },
      data: { mergeCommitSha: '0'.repeat(40) },
    });
    expect(
      await projectAs(eve, 'mergeRequests(sort: ASC) { nodes { mergeCommit { sha } } }'),
    ).toEqual({
      mergeRequests: {
        nodes: [{ mergeCommit: { sha } }, { mergeCommit: null }, { mergeCommit: null }],
      },
    });
    const { id: numeric } = await db.mergeRequest.findFirstOrThrow({ where: { iid: 3 } });
    const change = async (labels: string) => {
      const { body } = await send(
        ada,
        `mutation { updateMergeRequest(input: { id: "${numeric}", ${labels} }) {
          mergeRequest { labels { name } } } }`,
      );
      return body;
    };
    const shows = (...names: string[]) => ({
      data: {
        updateMergeRequest: { mergeRequest: { labels: names.map((name) => ({ name })) } },
      },
    });
    expect(await change('addLabels: ["a", "b"]')).toEqual(shows('a', 'b'));
    expect(await change('addLabels: ["c"], removeLabels: ["a"]')).toEqual(shows('b', 'c'));
    await db.label.deleteMany({ where: { name: { in: ['a', 'b', 'c'] } } });
  });

  test('are found by the usernames of author and assignee', async () => {
    const totalsWith = (filter: string) =>
      projectAs(
        ada,
        `issues(filter: { ${filter} }) { total } mergeRequests(filter: { ${filter} }) { total }`,
      );
    const totals = (issues: number, mergeRequests: number) => ({
      issues: { total: issues },
      mergeRequests: { total: mergeRequests },
    });
    await db.issueAssignee.create({ data: { issueId: issue.id, userId: eve.id } });
    await db.mergeRequest.updateMany({ where: { iid: 2 }, data: { assigneeId: eve.id } });
    expect(await totalsWith('authorUsername: "ADA"')).toEqual(totals(1, 3));
    expect(await totalsWith('authorUsername: "nobody"')).toEqual(totals(0, 0));
    expect(await totalsWith('assigneeUsername: "eve"')).toEqual(totals(1, 1));
    expect(await totalsWith('assigneeUsername: "ada"')).toEqual(totals(0, 0));
    await db.issueAssignee.deleteMany({ where: { issueId: issue.id } });
    await db.mergeRequest.updateMany({ where: { iid: 2 }, data: { assigneeId: null } });
  });

  test('show what the current user may do', async () => {
    const selection = `issues(sort: ASC) { nodes { canUpdate assignees { username } } }
      mergeRequests(sort: ASC) { nodes { iid canUpdate canMerge } }`;
    const mergeRequests = (canUpdate: boolean, canMerge: boolean) => ({
      nodes: [
        { iid: 1, canUpdate, canMerge: false },
        { iid: 2, canUpdate, canMerge: false },
        { iid: 3, canUpdate, canMerge },
      ],
    });
    const row = (canUpdate: boolean) => ({ canUpdate, assignees: [] });
    expect(await projectAs(ada, selection)).toEqual({
      issues: { nodes: [row(true), row(true)] },
      mergeRequests: mergeRequests(true, true),
    });
    // the default branch is protected against developers
    expect(await projectAs(bob, selection)).toEqual({
      issues: { nodes: [row(true), row(true)] },
      mergeRequests: mergeRequests(true, false),
    });
    expect(await projectAs(eve, selection)).toEqual({
      issues: { nodes: [row(false)] },
      mergeRequests: mergeRequests(false, false),
    });
  });
});

test('a project leads masters to its deploy keys', async () => {
  const keys = await Promise.all(
    ['one', 'two', 'three'].map(async (title, n) => {
      const key = await db.key.create({
        data: { title, key: 'ssh-ed25519 AAAA', fingerprint: Buffer.alloc(32, n) },
      });
      await db.deployKeyProject.create({
        data: { keyId: key.id, projectId: id, canPush: n === 1 },
      });
      return key;
    }),
  );
  const [first, second, third] = keys.toSorted((a, b) => a.id - b.id);
  const rows = 'nodes { canPush sshKey { title } } pageInfo { hasNextPage endCursor }';
  const start = await projectAs(ada, `deployKeys(first: 2) { total ${rows} }`);
  const row = (key: (typeof keys)[number] | undefined) => ({
    canPush: key?.title === 'two',
    sshKey: { title: key?.title },
  });
  expect(start).toEqual({
    deployKeys: {
      total: 3,
      nodes: [row(first), row(second)],
      pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
    },
  });
  const { endCursor } = (start.deployKeys as { pageInfo: { endCursor: string } }).pageInfo;
  expect(await projectAs(ada, `deployKeys(first: 2, after: "${endCursor}") { ${rows} }`)).toEqual({
    deployKeys: {
      nodes: [row(third)],
      pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
    },
  });
  const single = `deployKey(sshKeyId: "SshKey:${second?.id}") { sshKey { title } }`;
  expect(await projectAs(ada, single)).toEqual({ deployKey: { sshKey: { title: second?.title } } });
  expect(await projectAs(bob, `deployKeys { total } ${single}`)).toEqual({
    deployKeys: null,
    deployKey: null,
  });
});

test('a share leads to its group for users who may see the group', async () => {
  await db.projectGroupLink.create({
    data: { projectId: id, namespaceId: team.id, accessLevel: 20 },
  });
  const selection = 'sharedWithGroups { accessLevel group { fullPath } }';
  const shared = (share: object | null) => ({
    sharedWithGroups: [{ accessLevel: 'REPORTER', group: share }],
  });
  expect(await projectAs(bob, selection)).toEqual(shared({ fullPath: 'team' }));
  expect(await projectAs(ada, selection)).toEqual(shared(null));
  expect(await projectAs(eve, selection)).toEqual({ sharedWithGroups: [] });
  await db.projectGroupLink.deleteMany();
});

test('a branch leads masters to the rule that protects it', async () => {
  await db.protectedBranch.createMany({
    data: [
      { projectId: id, name: 'release/*', pushAccessLevel: 0, mergeAccessLevel: 30 },
      { projectId: id, name: '*/ä', pushAccessLevel: 40, mergeAccessLevel: 40 },
    ],
  });
  const selection = `repository { branch(name: "release/ä") { isProtected
    protection { name pushAccessLevel mergeAccessLevel } } }`;
  const branch = (protection: object | null) => ({
    repository: { branch: { isProtected: true, protection } },
  });
  const rule = { name: '*/ä', pushAccessLevel: 'MASTER', mergeAccessLevel: 'MASTER' };
  expect(await projectAs(ada, selection)).toEqual(branch(rule));
  expect(await projectAs(bob, selection)).toEqual(branch(null));
});

test('the address of each record is a page that exists', async () => {
  const pipeline = await db.pipeline.create({
    data: { projectId: id, ref: 'master', sha, beforeSha: sha, source: 'web', stages: [] },
  });
  const data = await projectAs(
    ada,
    `webUrl
     repository {
       branch(name: "release/ä") { webUrl commit { webUrl } }
       tag(name: "v1-5%") { webUrl }
     }
     pipeline(id: ${pipeline.id}) { webUrl }
     issue(iid: ${issue.iid}) { webUrl notes { nodes { webUrl } } }`,
  );
  const base = `${url}/acme/app`;
  expect(data).toEqual({
    webUrl: base,
    repository: {
      branch: {
        webUrl: `${base}/tree/release/%C3%A4`,
        commit: { webUrl: `${base}/commit/${sha}` },
      },
      tag: { webUrl: `${base}/tree/v1-5%25` },
    },
    pipeline: { webUrl: `${base}/pipelines/${pipeline.id}` },
    issue: {
      webUrl: `${base}/issues/${issue.iid}`,
      notes: {
        nodes: expect.arrayContaining([{ webUrl: `${base}/issues/${issue.iid}#note_${note.id}` }]),
      },
    },
  });
  for (const [, address = ''] of JSON.stringify(data).matchAll(/"webUrl":"([^"]+)"/g)) {
    expect([address, (await fetch(address)).status]).toEqual([address, 200]);
  }
});

test('labels count in their own group or project, or in another project', async () => {
  await seed.project('acme/site', {}, { visibility: 'public' });
  const label = { name: 'all', color: '#00ff00' };
  expect((await as(ada).post(`/groups/${group.id}/labels`, label)).status).toBe(201);
  const { id: labelId } = await db.label.findFirstOrThrow({ where: { name: 'all' } });
  await db.labelPriority.create({ data: { projectId: id, labelId, priority: 3 } });
  await created(ada, 'issues', { title: 'labelled', labels: 'all' });
  const { body } = await send(
    ada,
    `{ projects { nodes { fullPath labels { nodes {
      openIssuesCount priority
      countInApp: openIssuesCount(projectId: "${id}") priorityInApp: priority(projectId: "Project:${id}")
    } } } } }`,
  );
  const labels = {
    nodes: [{ openIssuesCount: 1, priority: null, countInApp: 1, priorityInApp: 3 }],
  };
  expect(body.data?.projects).toEqual({
    nodes: [
      { fullPath: 'acme/site', labels },
      { fullPath: 'acme/app', labels },
    ],
  });
});
