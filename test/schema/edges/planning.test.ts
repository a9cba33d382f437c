import { type ExecutionResult, execute, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../../schema/index.ts';
import { publicView } from '../../../schema/public/view.ts';
import { viewerOf } from '../../../schema/sessions/viewer.ts';
import { graphqlClientOf } from '../../support/graphql.ts';
import { countedDatabase } from '../../support/queries.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { as, seed, db, url, databaseUrl } = await world();
const request = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve');
const group = await seed.group('acme', { owner: ada }, { visibility: 'private' });
const app = await seed.project('acme/app', { reporter: bob }, { visibility: 'private' });
const site = await seed.project('acme/site', {}, { visibility: 'private' });
const open = await seed.project('ada/open', {}, { visibility: 'public' });
await db.project.updateMany({ data: { defaultBranch: 'master', snippetsEnabled: true } });

const created = async (user: TestUser, path: string, body: object) => {
  const response = await as(user).post(path, { ...body });
  expect(response.status).toBe(201);
  return response.body as { readonly id: number; readonly iid: number };
};

const inApp = `/projects/${app.id}`;
const release = await created(ada, `${inApp}/milestones`, { title: 'release' });
const season = await created(ada, `/groups/${group.id}/milestones`, { title: 'season' });
await created(ada, `${inApp}/labels`, { name: 'bug', color: '#ff0000', priority: 2 });
await created(ada, `/groups/${group.id}/labels`, { name: 'all', color: '#00ff00' });
await created(ada, `/projects/${site.id}/labels`, { name: 'bug', color: '#0000ff' });
const first = await created(ada, `${inApp}/issues`, {
  title: 'first',
  labels: 'bug,all',
  milestone_id: release.id,
  assignee_ids: [bob.id],
});
const second = await created(bob, `${inApp}/issues`, { title: 'second', labels: 'all' });
const secret = await created(ada, `${inApp}/issues`, {
  title: 'secret',
  labels: 'bug',
  confidential: true,
});
const elsewhere = await created(ada, `/projects/${site.id}/issues`, {
  title: 'elsewhere',
  labels: 'bug,all',
  milestone_id: season.id,
});
const note = await created(bob, `${inApp}/issues/${first.iid}/notes`, { body: 'Hello' });
await created(ada, `${inApp}/issues/${first.iid}/award_emoji`, { name: 'rocket' });
await created(ada, `${inApp}/issues/${first.iid}/notes/${note.id}/award_emoji`, { name: 'tada' });
const snippet = await created(ada, `${inApp}/snippets`, {
  title: 'script',
  file_name: 'run.sh',
  code: 'true',
  visibility: 'private',
});

const mergeRequestOf = async (
  projectId: number,
  iid: number,
  {
    description = null as string | null,
    sourceProjectId = projectId,
    milestoneId = null as number | null,
  } = {},
) => {
  const { id } = await db.mergeRequest.create({
    data: {
      ...{ projectId, iid, sourceProjectId, milestoneId, authorId: ada.id },
      ...{ sourceBranch: `branch-${iid}`, targetBranch: 'master' },
      text: { create: { title: `change ${iid}`, description } },
    },
  });
  return { id, iid };
};

const label = await db.label.findFirstOrThrow({ where: { name: 'all' } });
const merge = await mergeRequestOf(app.id, 1, {
  description: `Closes #${first.iid} and #${second.iid}`,
  milestoneId: release.id,
});
await db.mergeRequestLabel.create({ data: { mergeRequestId: merge.id, labelId: label.id } });
const fork = await mergeRequestOf(open.id, 1, { sourceProjectId: site.id });

/** The data of a document without errors. */
async function dataOf(user: TestUser | null, document: string, variables: object = {}) {
  const { body } = await request(user, document, variables);
  expect(body).not.toHaveProperty('errors');
  return body.data as Record<string, unknown>;
}

describe('a project leads', () => {
  test('to its merge requests, and they lead to their projects', async () => {
    const data = await dataOf(
      ada,
      `{ project(id: "acme/app") { mergeRequests(filter: { state: OPENED }) { total nodes {
        title labels { name color openIssuesCount } project { fullPath }
        targetProject { fullPath } sourceProject { name fullPath } author { username }
      } } } }`,
    );
    const fullPath = 'acme/app';
    expect(data).toEqual({
      project: {
        mergeRequests: {
          total: 1,
          nodes: [
            {
              title: 'change 1',
              labels: [{ name: 'all', color: '#00ff00', openIssuesCount: 3 }],
              ...{
                project: { fullPath },
                targetProject: { fullPath },
                sourceProject: { name: 'app', fullPath },
              },
              author: { username: 'ada' },
            },
          ],
        },
      },
    });
  });

  test('to its milestones, which lead to issues, merge requests, project and group', async () => {
    const document = `query Milestones($project: ID!) { project(id: $project) {
      milestones(filter: { state: ACTIVE }) { nodes {
        title project { fullPath } group { fullPath }
        issues { total } mergeRequests { nodes { iid } }
      } } } }`;
    expect(await dataOf(bob, document, { project: 'acme/app' })).toEqual({
      project: {
        milestones: {
          nodes: [
            {
              title: 'release',
              project: { fullPath: 'acme/app' },
              group: null,
              issues: { total: 1 },
              mergeRequests: { nodes: [{ iid: 1 }] },
            },
          ],
        },
      },
    });
  });

  test.each([
    [`labels: ["bug", "all"]`, ['first']],
    ['hasLabels: false', []],
    ['hasLabels: true', ['first', 'second', 'secret']],
    [`milestoneTitle: "release"`, ['first']],
    [`milestoneTitle: "No Milestone"`, []],
    [`milestoneId: "Milestone:${release.id}"`, ['first']],
    ['hasMilestone: true', ['first']],
    ['hasMilestone: false', ['second', 'secret']],
    [`assigneeId: "User:${bob.id}"`, ['first']],
    ['assigneeId: 0', []],
    ['hasAssignee: true', ['first']],
    ['hasAssignee: false, hasMilestone: false', ['second', 'secret']],
  ])('to its issues that match { %s }', async (filter, titles) => {
    const document = `{ project(id: "acme/app") {
      issues(filter: { ${filter} }, sort: ASC) { nodes { title } } } }`;
    expect(await dataOf(ada, document)).toEqual({
      project: { issues: { nodes: titles.map((title) => ({ title })) } },
    });
  });

  test('or stays out of listings by what it is to the current user', async () => {
    const document = `{
      owned: projects(filter: { isOwned: true }) { nodes { fullPath } }
      others: projects(filter: { isOwned: false }) { nodes { fullPath } }
      joined: projects(filter: { isMember: true }) { nodes { fullPath } }
      foreign: projects(filter: { isMember: false }) { nodes { fullPath } }
      starred: projects(filter: { isStarred: false }) { total }
      groups(filter: { isMember: true }) { nodes { fullPath } }
      unknown: groups(filter: { isMember: false }) { total }
      active: users(filter: { isActive: true, search: "b" }) { nodes { username } }
      inactive: users(filter: { isActive: false, search: "b" }) { total } }`;
    const paths = (...fullPaths: string[]) => ({
      nodes: fullPaths.map((fullPath) => ({ fullPath })),
    });
    const shared = {
      active: { nodes: [{ username: 'bob' }] },
      inactive: { total: 0 },
    };
    expect(await dataOf(ada, document)).toEqual({
      ...shared,
      owned: paths('ada/open', 'acme/site', 'acme/app'),
      others: paths(),
      joined: paths('ada/open', 'acme/site', 'acme/app'),
      foreign: paths(),
      starred: { total: 3 },
      groups: paths('acme'),
      unknown: { total: 0 },
    });
    expect(await dataOf(bob, document)).toEqual({
      ...shared,
      owned: paths(),
      others: paths('ada/open', 'acme/app'),
      joined: paths('acme/app'),
      foreign: paths('ada/open'),
      starred: { total: 2 },
      groups: paths(),
      // the members of a project see the group that it is in
      unknown: { total: 1 },
    });
  });

  test('to its labels with their counts and priorities', async () => {
    const document = `{ projects { nodes { fullPath labels {
      total nodes { name priority isSubscribed openIssuesCount closedIssuesCount
        openMergeRequestsCount } } } } }`;
    const counted = { isSubscribed: false, closedIssuesCount: 0 };
    // a label of the group counts in all its projects
    const all = { name: 'all', priority: null, openIssuesCount: 3, openMergeRequestsCount: 1 };
    const bug = { name: 'bug', priority: 2, openIssuesCount: 2, openMergeRequestsCount: 0 };
    expect(await dataOf(ada, document)).toEqual({
      projects: {
        nodes: expect.arrayContaining([
          {
            fullPath: 'acme/app',
            labels: {
              total: 2,
              nodes: [
                { ...counted, ...all },
                { ...counted, ...bug },
              ],
            },
          },
          {
            fullPath: 'acme/site',
            labels: {
              total: 2,
              nodes: [
                { ...counted, ...all },
                { ...counted, ...bug, priority: null, openIssuesCount: 1 },
              ],
            },
          },
          { fullPath: 'ada/open', labels: { total: 0, nodes: [] } },
        ]),
      },
    });
  });

  test('to its board, whose lists lead to their open issues', async () => {
    const [board] = await db.board.findMany({ where: { projectId: app.id } });
    await created(ada, `${inApp}/boards/${board?.id}/lists`, { label_id: label.id });
    const bug = await db.label.findFirstOrThrow({ where: { name: 'bug', projectId: app.id } });
    await created(ada, `${inApp}/boards/${board?.id}/lists`, { label_id: bug.id });
    const document = `{ project(id: "acme/app") { boards(first: 1) { nodes { project { fullPath }
      lists { position label { name openIssuesCount }
        issues(first: 5, sort: ASC) { total nodes { title } } } } } } }`;
    expect(await dataOf(bob, document)).toEqual({
      project: {
        boards: {
          nodes: [
            {
              project: { fullPath: 'acme/app' },
              lists: [
                {
                  position: 0,
                  label: { name: 'all', openIssuesCount: 2 },
                  issues: { total: 2, nodes: [{ title: 'first' }, { title: 'second' }] },
                },
                {
                  position: 1,
                  label: { name: 'bug', openIssuesCount: 2 },
                  issues: { total: 2, nodes: [{ title: 'first' }, { title: 'secret' }] },
                },
              ],
            },
          ],
        },
      },
    });
  });

  test('to its snippets', async () => {
    const document = `{ project(id: "acme/app") {
      snippets { total nodes { title project { fullPath } author { username } } } } }`;
    expect(await dataOf(bob, document)).toEqual({
      project: {
        snippets: {
          total: 1,
          nodes: [
            { title: 'script', project: { fullPath: 'acme/app' }, author: { username: 'ada' } },
          ],
        },
      },
    });
  });
});

describe('edges', () => {
  test('a group leads to merge requests, milestones and labels', async () => {
    const document = `{ group(id: "acme") {
      mergeRequests { nodes { iid project { fullPath } } }
      milestones { nodes { title group { fullPath } project { fullPath } issues { total } } }
      labels { nodes { name openIssuesCount } } } }`;
    expect(await dataOf(ada, document)).toEqual({
      group: {
        mergeRequests: { nodes: [{ iid: 1, project: { fullPath: 'acme/app' } }] },
        milestones: {
          nodes: [
            { title: 'season', group: { fullPath: 'acme' }, project: null, issues: { total: 1 } },
          ],
        },
        labels: { nodes: [{ name: 'all', openIssuesCount: 3 }] },
      },
    });
  });

  test('are null or empty without access, and hide the source project', async () => {
    const document = `{ project(id: "ada/open") {
      labels { total } milestones { total } boards { total } snippets { total }
      mergeRequests { nodes { iid sourceProject { fullPath } notes { total } } } } }`;
    const mergeRequests = { nodes: [{ iid: fork.iid, sourceProject: null, notes: null }] };
    expect(await dataOf(null, document)).toEqual({
      project: { labels: null, milestones: null, boards: null, snippets: null, mergeRequests },
    });
    const empty = { total: 0 };
    expect(await dataOf(eve, document)).toMatchObject({
      project: {
        ...{ labels: empty, milestones: empty, snippets: empty },
        mergeRequests: { nodes: [{ sourceProject: null, notes: empty }] },
      },
    });
    await db.project.update({
      where: { id: open.id },
      data: { mergeRequestsEnabled: false, issuesEnabled: false, snippetsEnabled: false },
    });
    const disabled = { boards: null, snippets: null, mergeRequests: null };
    expect(await dataOf(ada, document)).toMatchObject({ project: disabled });
    await db.project.update({
      where: { id: open.id },
      data: { mergeRequestsEnabled: true, issuesEnabled: true, snippetsEnabled: true },
    });
  });

  test('follow cursors to the end', async () => {
    const document = `query Labels($after: String) { project(id: "acme/app") {
      labels(first: 1, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } } }`;
    const names: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 3; page += 1) {
      const { project } = (await dataOf(ada, document, { after })) as {
        project: {
          labels: {
            nodes: { name: string }[];
            pageInfo: { hasNextPage: boolean; endCursor: string | null };
          };
        };
      };
      names.push(...project.labels.nodes.map(({ name }) => name));
      after = project.labels.pageInfo.endCursor;
      if (!project.labels.pageInfo.hasNextPage) break;
    }
    expect(names).toEqual(['all', 'bug']);
  });
});

describe('an issue leads', () => {
  test('to notes and award emoji, and these lead back', async () => {
    const document = `query Issue($iid: Int!) { issue(projectId: "acme/app", iid: $iid) {
      awardEmojis(first: 5) { nodes { name user { username } awardable { __typename ... on Issue { title } } } }
      notes(first: 5) { nodes { body author { username } project { fullPath }
        noteable { __typename title notes { total } ... on Issue { milestone { title } } }
        awardEmojis(first: 5) { nodes { name awardable { __typename ... on Note { body } } } } } } } }`;
    expect(await dataOf(bob, document, { iid: first.iid })).toEqual({
      issue: {
        awardEmojis: {
          nodes: [
            {
              name: 'rocket',
              user: { username: 'ada' },
              awardable: { __typename: 'Issue', title: 'first' },
            },
          ],
        },
        notes: {
          nodes: [
            {
              body: 'Hello',
              author: { username: 'bob' },
              project: { fullPath: 'acme/app' },
              noteable: {
                __typename: 'Issue',
                title: 'first',
                notes: { total: 1 },
                milestone: { title: 'release' },
              },
              awardEmojis: {
                nodes: [{ name: 'tada', awardable: { __typename: 'Note', body: 'Hello' } }],
              },
            },
          ],
        },
      },
    });
  });

  test('to the merge requests that close it, and these lead back', async () => {
    const document = `{ project(id: "acme/app") {
      issues(first: 5, sort: ASC) { nodes { title closedByMergeRequests { total nodes { iid } }
        participants { nodes { username } } } }
      mergeRequests(first: 5) { nodes { closesIssues { total nodes { title } } participants { total } } } } }`;
    const none = { total: 0, nodes: [] };
    const byMerge = { total: 1, nodes: [{ iid: merge.iid }] };
    const [adas, bobs] = [{ username: 'ada' }, { username: 'bob' }];
    expect(await dataOf(ada, document)).toEqual({
      project: {
        issues: {
          nodes: [
            {
              title: 'first',
              closedByMergeRequests: byMerge,
              participants: { nodes: [adas, bobs] },
            },
            { title: 'second', closedByMergeRequests: byMerge, participants: { nodes: [bobs] } },
            { title: 'secret', closedByMergeRequests: none, participants: { nodes: [adas] } },
          ],
        },
        mergeRequests: {
          nodes: [
            {
              closesIssues: { total: 2, nodes: [{ title: 'first' }, { title: 'second' }] },
              participants: { total: 1 },
            },
          ],
        },
      },
    });
  });
});

test('a snippet leads to its notes', async () => {
  await created(bob, `${inApp}/snippets/${snippet.id}/notes`, { body: 'Nice' });
  const document = `query Snippet($id: ID!) { node(id: $id) { ... on Snippet {
    notes { nodes { body noteable { __typename title author { username } } } } } } }`;
  expect(await dataOf(ada, document, { id: `Snippet:${snippet.id}` })).toEqual({
    node: {
      notes: {
        nodes: [
          {
            body: 'Nice',
            noteable: { __typename: 'Snippet', title: 'script', author: { username: 'ada' } },
          },
        ],
      },
    },
  });
});

test('one fragment reads what issues and merge requests have in common', async () => {
  const { data } = (
    await request(
      bob,
      `query Common($issue: ID!, $mergeRequest: ID!) {
        issue: node(id: $issue) { ...Common } mergeRequest: node(id: $mergeRequest) { ...Common }
      }
      fragment Common on Issuable {
        title closedAt closedBy { username } canUpdate notes { total } awardEmojis { total }
      }`,
      { issue: `Issue:${second.id}`, mergeRequest: `MergeRequest:${merge.id}` },
    )
  ).body;
  const open = { closedAt: null, closedBy: null };
  const empty = { notes: { total: 0 }, awardEmojis: { total: 0 } };
  expect(data).toEqual({
    issue: { title: 'second', ...open, canUpdate: true, ...empty },
    mergeRequest: { title: 'change 1', ...open, canUpdate: false, ...empty },
  });
});

test.each(['Issuable', 'Noteable', 'Awardable'])('%s implies Node', async (name) => {
  const document = `{ __type(name: "${name}") { interfaces { name } } }`;
  expect(await dataOf(ada, document)).toEqual({ __type: { interfaces: [{ name: 'Node' }] } });
});

test('a filter separates system notes from comments', async () => {
  const { iid } = await created(ada, `${inApp}/issues`, { title: 'busy', labels: 'bug' });
  await created(ada, `${inApp}/issues/${iid}/notes`, { body: 'A comment' });
  await as(ada).put(`${inApp}/issues/${iid}`, { title: 'very busy' });
  const document = `query Notes($iid: Int!) { project(id: "acme/app") { issue(iid: $iid) {
    system: notes(filter: { isSystem: true }) { nodes { isSystem } }
    comments: notes(filter: { isSystem: false }) { total nodes { body } }
    notes(filter: { isSystem: null }) { total } } } }`;
  const data = await dataOf(bob, document, { iid });
  expect(data).toMatchObject({
    project: { issue: { comments: { total: 1, nodes: [{ body: 'A comment' }] } } },
  });
  const { issue } = data.project as {
    issue: { system: { nodes: { isSystem: boolean }[] }; notes: { total: number } };
  };
  expect(new Set(issue.system.nodes.map(({ isSystem }) => isSystem))).toEqual(new Set([true]));
  expect(issue.notes.total).toBe(issue.system.nodes.length + 1);
});

test('a project and a group lead to a milestone of their own by its number', async () => {
  const iids = { inProject: release.iid, inGroup: season.iid, absent: 99 };
  const document = `query Milestones($inProject: Int!, $inGroup: Int!, $absent: Int!) {
    project(id: "acme/app") {
      milestone(iid: $inProject) { title } absent: milestone(iid: $absent) { title }
    }
    group(id: "acme") {
      milestone(iid: $inGroup) { title } absent: milestone(iid: $absent) { title }
    }
    projects(filter: { search: "open" }) { nodes { milestone(iid: $inProject) { title } } } }`;
  const projects = { nodes: [{ milestone: null }] };
  expect(await dataOf(ada, document, iids)).toEqual({
    project: { milestone: { title: 'release' }, absent: null },
    group: { milestone: { title: 'season' }, absent: null },
    projects,
  });
  const openDocument = `{ project(id: "ada/open") { milestone(iid: 1) { title } } }`;
  await created(ada, `/projects/${open.id}/milestones`, { title: 'public' });
  expect(await dataOf(bob, openDocument)).toEqual({ project: { milestone: { title: 'public' } } });
  expect(await dataOf(null, openDocument)).toEqual({ project: { milestone: null } });
});

test('many rows take as many statements as one', async () => {
  const view = publicView(schema);
  const { db: counted, queriesOf } = countedDatabase(databaseUrl);
  const viewer = await viewerOf(db, ada.id);
  const document =
    parse(`query Rows($rows: Int!) { group(id: "acme") { issues(first: $rows, sort: ASC) { nodes {
    title project { fullPath boards { nodes { lists { issues { total } } } } }
    labels { name openIssuesCount openMergeRequestsCount isSubscribed project { name } group { name } }
    milestone { title mergeRequests { total nodes { title } } }
    participants { total nodes { username } } closedByMergeRequests { total nodes { iid } } isSubscribed
    relatedMergeRequests { total nodes { iid } }
    notes { total nodes { body author { username } noteable { title } project { fullPath } } }
    awardEmojis { total nodes { name user { username } awardable { id } } }
  } } } }`);
  const statements = async (rows: number) => {
    let result: ExecutionResult | null = null;
    const contextValue = { viewer, db: counted, baseUrl: url, request: { id: '', address: '' } };
    const queries = await queriesOf(async () => {
      result = await execute({ schema: view, document, variableValues: { rows }, contextValue });
    });
    expect(result).not.toHaveProperty('errors');
    return queries.length;
  };
  for (const { iid } of [second, secret]) {
    const { id } = await created(ada, `${inApp}/issues/${iid}/notes`, { body: 'More' });
    await created(bob, `${inApp}/issues/${iid}/notes/${id}/award_emoji`, { name: 'tada' });
    await created(bob, `${inApp}/issues/${iid}/award_emoji`, { name: 'tada' });
  }
  await created(ada, `/projects/${site.id}/issues/${elsewhere.iid}/notes`, { body: 'There' });
  await created(ada, `/projects/${site.id}/issues/${elsewhere.iid}/award_emoji`, { name: 'tada' });
  const one = await statements(1);
  expect(await statements(10)).toBe(one);
  await counted.$disconnect();
});

test('a discussion that was never locked is not locked', async () => {
  const document = `{ project(id: "acme/app") {
    issue(iid: ${second.iid}) { isDiscussionLocked } mergeRequest(iid: 1) { isDiscussionLocked }
  } }`;
  const locked = (issue: boolean) => ({
    project: {
      issue: { isDiscussionLocked: issue },
      mergeRequest: { isDiscussionLocked: false },
    },
  });
  expect(await dataOf(bob, document)).toEqual(locked(false));
  const path = `${inApp}/issues/${second.iid}`;
  expect((await as(ada).put(path, { discussion_locked: true })).status).toBe(200);
  expect(await dataOf(bob, document)).toEqual(locked(true));
});
