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
              labels: [{ name: 'all', color: '#00ff00', openIssuesCount: 2 }],
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
      milestones(state: ACTIVE) { nodes {
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

  test('to its labels with their counts and priorities', async () => {
    const document = `{ projects { nodes { fullPath labels {
      total nodes { name priority isSubscribed openIssuesCount closedIssuesCount
        openMergeRequestsCount } } } } }`;
    const counted = { isSubscribed: false, closedIssuesCount: 0 };
    const all = { name: 'all', priority: null, openIssuesCount: 2, openMergeRequestsCount: 1 };
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
                { ...counted, ...all, openIssuesCount: 1, openMergeRequestsCount: 0 },
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
    const document = `query Issue($iid: Int!) { issue(project: "acme/app", iid: $iid) {
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
      issues(first: 5, sort: ASC) { nodes { title closedBy { total nodes { iid } }
        participants { nodes { username } } } }
      mergeRequests(first: 5) { nodes { closesIssues { total nodes { title } } participants { total } } } } }`;
    const none = { total: 0, nodes: [] };
    const byMerge = { total: 1, nodes: [{ iid: merge.iid }] };
    const [adas, bobs] = [{ username: 'ada' }, { username: 'bob' }];
    expect(await dataOf(ada, document)).toEqual({
      project: {
        issues: {
          nodes: [
            { title: 'first', closedBy: byMerge, participants: { nodes: [adas, bobs] } },
            { title: 'second', closedBy: byMerge, participants: { nodes: [bobs] } },
            { title: 'secret', closedBy: none, participants: { nodes: [adas] } },
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
  const document = `query Snippet($id: ID!) { snippet(project: "acme/app", id: $id) {
    notes { nodes { body noteable { __typename title author { username } } } } } }`;
  expect(await dataOf(ada, document, { id: `Snippet:${snippet.id}` })).toEqual({
    snippet: {
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

test('many rows take as many statements as one', async () => {
  const view = publicView(schema);
  const { db: counted, queriesOf } = countedDatabase(databaseUrl);
  const viewer = await viewerOf(db, ada.id);
  const document =
    parse(`query Rows($rows: Int!) { group(id: "acme") { issues(first: $rows, sort: ASC) { nodes {
    title project { fullPath boards { nodes { lists { issues { total } } } } }
    labels { name openIssuesCount openMergeRequestsCount isSubscribed }
    milestone { title mergeRequests { total nodes { title } } }
    participants { total nodes { username } } closedBy { total nodes { iid } } isSubscribed
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
