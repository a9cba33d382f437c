import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createExecute } from '../../../schema/client/execute.ts';
import { graphql } from '../../../schema/client/graphql.ts';
import { schema } from '../../../schema/index.ts';
import type { Context } from '../../../schema/kernel/context.ts';
import { gitStore } from '../../../server/git/store.ts';
import { ciProject } from '../../support/ci-pages.ts';
import { graphqlClientOf } from '../../support/graphql.ts';
import { countedDatabase } from '../../support/queries.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, db, url, as, root, databaseUrl, dataFolder } = testWorld;
const send = graphqlClientOf(url);
const { db: counted, queriesOf } = countedDatabase(databaseUrl);
const git = gitStore({ storages: new Map([['default', join(dataFolder, 'repositories')]]) });
afterAll(async () => {
  await counted.$disconnect();
  await git.close();
});

const ada = await seed.user('ada');
const dan = await seed.user('dan');
const gus = await seed.user('gus');
const eve = await seed.user('eve');
const acme = await seed.group('acme', { owner: ada });
const app = await ciProject(testWorld, {
  path: 'acme/app',
  roles: { developer: dan, guest: gus },
  settings: { visibility: 'private' },
});
const pipelineId = await app.pipeline(ada);
const jobId = await app.job(pipelineId, 'compile');
const runner = await db.runner.create({
  data: {
    tokenDigest: Buffer.from('a runner'),
    tokenSealed: '',
    description: 'builder',
    tags: ['linux'],
    projects: { create: { projectId: app.id } },
  },
});
await db.job.update({ where: { id: jobId }, data: { runnerId: runner.id } });

/** The data of a document without errors. */
async function read(user: TestUser | null, query: string, variables: object = {}) {
  const { body } = await send(user, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data as Record<string, unknown>;
}

test('the pipelines of a project are filtered by commit and source', async () => {
  const { sha } = await db.pipeline.findUniqueOrThrow({ where: { id: pipelineId } });
  const query = `query ($filter: PipelineFilter) {
    project(id: "acme/app") { pipelines(filter: $filter) { nodes { id sha source } } }
  }`;
  const listed = async (filter: object) => read(ada, query, { filter });
  const pipeline = { id: `Pipeline:${pipelineId}`, sha, source: 'API' };
  expect(await listed({ sha, source: 'API' })).toEqual({
    project: { pipelines: { nodes: [pipeline] } },
  });
  for (const filter of [{ sha: '1'.repeat(40) }, { source: 'TRIGGER' }]) {
    expect(await listed(filter)).toEqual({ project: { pipelines: { nodes: [] } } });
  }
});

describe('the edges of a project', () => {
  test('lead to its pipelines, jobs, runners, variables, triggers and hooks', async () => {
    await as(ada).post(`/projects/${app.id}/variables`, { key: 'COLOR', value: 'red' });
    await as(ada).post(`/groups/${acme.id}/variables`, { key: 'SIZE', value: 'xl' });
    await as(ada).post(`/projects/${app.id}/triggers`, { description: 'nightly' });
    await as(ada).post(`/projects/${app.id}/hooks`, { url: 'http://example.com/' });
    const query = `{
      group(id: "acme") { variables { nodes { key value } } }
      project(id: "acme/app") {
        pipelines(filter: { ref: "master" }) { total nodes { id ref } }
        lastPipeline { id user { username } }
        jobs(filter: { statuses: [PENDING, CREATED] }) { total }
        runners { nodes { description tagList } }
        variables { nodes { key value } }
        triggers { nodes { description owner { username } project { fullPath } } }
        hooks { nodes { url project { fullPath } deliveries { total } } }
      }
    }`;
    const shared = {
      pipelines: { total: 1, nodes: [{ id: `Pipeline:${pipelineId}`, ref: 'master' }] },
      lastPipeline: { id: `Pipeline:${pipelineId}`, user: { username: 'ada' } },
      jobs: { total: 4 },
    };
    expect(await read(ada, query)).toEqual({
      group: { variables: { nodes: [{ key: 'SIZE', value: 'xl' }] } },
      project: {
        ...shared,
        runners: { nodes: [{ description: 'builder', tagList: ['linux'] }] },
        variables: { nodes: [{ key: 'COLOR', value: 'red' }] },
        triggers: {
          nodes: [
            {
              description: 'nightly',
              owner: { username: 'ada' },
              project: { fullPath: 'acme/app' },
            },
          ],
        },
        hooks: {
          nodes: [
            {
              url: 'http://example.com/',
              project: { fullPath: 'acme/app' },
              deliveries: { total: 0 },
            },
          ],
        },
      },
    });
    const forMasters = { runners: null, variables: null, triggers: null, hooks: null };
    expect(await read(dan, query)).toEqual({
      group: { variables: null },
      project: { ...shared, ...forMasters },
    });
  });

  test('are null for users who may not see them, and for anonymous users except the last pipeline', async () => {
    const open = await ciProject(testWorld, {
      path: 'ada/open',
      settings: { visibility: 'public' },
    });
    const id = await open.pipeline(ada);
    const query = `{ project(id: "ada/open") {
      pipelines { total } jobs { total } lastPipeline { id jobs { total } }
    } }`;
    const newest = { id: `Pipeline:${id}`, jobs: { total: 4 } };
    expect(await read(eve, query)).toEqual({
      project: { pipelines: { total: 1 }, jobs: { total: 4 }, lastPipeline: newest },
    });
    expect(await read(null, query)).toEqual({
      project: { pipelines: null, jobs: null, lastPipeline: newest },
    });
    await db.project.update({ where: { id: open.id }, data: { publicJobs: false } });
    expect(await read(eve, query)).toEqual({
      project: { pipelines: null, jobs: null, lastPipeline: null },
    });
  });

  test('pages by cursors give each job once, by id and by stage', async () => {
    const pages = `query ($id: ID!, $order: JobOrder, $after: String) {
      project(id: "acme/app") {
        pipeline(id: $id) {
          jobs(orderBy: $order, first: 3, after: $after) {
            nodes { name } pageInfo { hasNextPage endCursor }
          }
        }
      }
    }`;
    interface Jobs {
      readonly nodes: readonly { readonly name: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    }
    const jobsAfter = async (order: string, after: string | null) => {
      const data = await read(ada, pages, { id: pipelineId, order, after });
      return (data as { project: { pipeline: { jobs: Jobs } } }).project.pipeline.jobs;
    };
    for (const [order, names] of [
      ['ID', ['release', 'lint', 'unit', 'compile']],
      ['STAGE', ['compile', 'lint', 'unit', 'release']],
    ] as const) {
      const first = await jobsAfter(order, null);
      const second = await jobsAfter(order, first.pageInfo.endCursor);
      expect([...first.nodes, ...second.nodes].map(({ name }) => name).toSorted()).toEqual(
        names.toSorted(),
      );
      if (order === 'STAGE') expect(first.nodes.map(({ name }) => name)).toEqual(names.slice(0, 3));
      expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    }
  });
});

describe('a pipeline and a job', () => {
  test('lead back to project, commit and user, and to external statuses', async () => {
    await as(ada).post(`/projects/${app.id}/statuses/${app.sha}`, {
      state: 'success',
      name: 'scan',
      ref: 'master',
    });
    const query = `query ($id: ID!) { node(id: $id) { ... on Pipeline {
      project { fullPath } commit { sha } externalStatuses { name state }
      jobs(orderBy: STAGE, first: 1) { nodes {
        name when failure project { fullPath } pipeline { id } user { username }
        commit {
          sha project { fullPath } pipelines { total } lastPipeline { id }
          statuses { nodes { name project { fullPath } commit { sha } } }
        }
        runner { description tagList projects { nodes { fullPath } } jobs { total } }
      } }
    } } }`;
    const project = { fullPath: 'acme/app' };
    expect(await read(ada, query, { id: `Pipeline:${pipelineId}` })).toEqual({
      node: {
        project,
        commit: { sha: app.sha },
        externalStatuses: [{ name: 'scan', state: 'SUCCESS' }],
        jobs: {
          nodes: [
            {
              name: 'compile',
              when: 'ON_SUCCESS',
              failure: null,
              project,
              pipeline: { id: `Pipeline:${pipelineId}` },
              user: { username: 'ada' },
              commit: {
                sha: app.sha,
                project,
                pipelines: { total: 1 },
                statuses: { nodes: [{ name: 'scan', project, commit: { sha: app.sha } }] },
                lastPipeline: { id: `Pipeline:${pipelineId}` },
              },
              runner: {
                description: 'builder',
                tagList: ['linux'],
                projects: { nodes: [project] },
                jobs: { total: 1 },
              },
            },
          ],
        },
      },
    });
  });

  test('show a guest of a private project neither code nor details of the runner', async () => {
    const query = `query ($id: ID!) { node(id: $id) { ... on Job {
      commit { sha } pipeline { commit { sha } }
      runner { description tagList projects { total } jobs { total } }
    } } }`;
    expect(await read(gus, query, { id: `Job:${jobId}` })).toEqual({
      node: {
        commit: null,
        pipeline: { commit: null },
        runner: { description: 'builder', tagList: null, projects: null, jobs: null },
      },
    });
  });
});

describe('the trace of a job', () => {
  const traceOf = (tail: number) =>
    read(
      dan,
      'query ($id: ID!, $tail: Int) { node(id: $id) { ... on Job { trace(tail: $tail) } } }',
      { id: `Job:${jobId}`, tail },
    );

  test('ends with the last lines', async () => {
    expect(await traceOf(5)).toEqual({ node: { trace: '' } });
    await app.writeTrace(jobId, '\none\ntwo\nthree\n');
    expect(await traceOf(1)).toEqual({ node: { trace: 'three\n' } });
    expect(await traceOf(3)).toEqual({ node: { trace: 'one\ntwo\nthree\n' } });
    expect(await traceOf(1000)).toEqual({ node: { trace: '\none\ntwo\nthree\n' } });
    await app.writeTrace(jobId, 'one\ntwo');
    expect(await traceOf(1)).toEqual({ node: { trace: 'two' } });
  });

  test('is cut at a line or a character within its last 128 KiB', async () => {
    const line = `${'x'.repeat(999)}\n`;
    await app.writeTrace(jobId, line.repeat(500));
    expect(await traceOf(1000)).toEqual({ node: { trace: line.repeat(131) } });
    await app.writeTrace(jobId, `${'é'.repeat(100_000)}x`);
    expect(await traceOf(1)).toEqual({ node: { trace: `${'é'.repeat(65_535)}x` } });
  });

  test.each([0, 1001])('rejects a tail of %i lines', async (tail) => {
    const query = `query ($id: ID!, $tail: Int) {
      node(id: $id) { ... on Job { name trace(tail: $tail) } }
    }`;
    expect((await send(dan, query, { id: `Job:${jobId}`, tail })).body).toMatchObject({
      data: { node: { name: 'compile', trace: null } },
      errors: [{ message: expect.anything(), path: ['node', 'trace'] }],
    });
  });

  test('is null for an anonymous user', async () => {
    const open = await ciProject(testWorld, {
      path: 'ada/traced',
      settings: { visibility: 'public' },
    });
    const id = await open.pipeline(ada);
    await open.writeTrace(await open.job(id, 'compile'), 'made\n');
    const query = `{ project(id: "ada/traced") { lastPipeline {
      jobs(orderBy: STAGE, first: 1) { nodes { name trace } }
    } } }`;
    const jobs = (trace: string | null) => ({
      project: { lastPipeline: { jobs: { nodes: [{ name: 'compile', trace }] } } },
    });
    expect(await read(eve, query)).toEqual(jobs('made\n'));
    expect(await read(null, query)).toEqual(jobs(null));
  });
});

test('a merge request leads to the pipelines of its source branch', async () => {
  const target = await ciProject(testWorld, { path: 'ada/merged', settings: {} });
  const { body } = await as(ada).post(`/projects/${target.id}/repository/commits`, {
    branch: 'topic',
    commit_message: 'Add a file',
    actions: [{ action: 'create', file_path: 'new.txt', content: 'new' }],
  });
  const { id: sha } = body as { readonly id: string };
  await as(ada).post(`/projects/${target.id}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'master',
    title: 'A file',
  });
  await target.pipeline(ada);
  await expect.poll(() => db.pipeline.count({ where: { projectId: target.id, sha } })).toBe(1);
  const query = `{ mergeRequest(projectId: "ada/merged", iid: 1) {
    pipelines { nodes { sha ref } } lastPipeline { sha }
  } }`;
  expect(await read(ada, query)).toEqual({
    mergeRequest: { pipelines: { nodes: [{ sha, ref: 'topic' }] }, lastPipeline: { sha } },
  });
});

test('custom attributes are listed for administrators only', async () => {
  await as(root).put(`/projects/${app.id}/custom_attributes/team`, { value: 'blue' });
  const query = `{ project(id: "acme/app") { customAttributes { key value } } }`;
  const attributes = [{ key: 'team', value: 'blue' }];
  expect(await read(root, query)).toEqual({ project: { customAttributes: attributes } });
  expect(await read(ada, query)).toEqual({ project: { customAttributes: null } });
});

test('the commit before the push is null without one', async () => {
  const pushed = await ciProject(testWorld, { path: 'ada/pushed', settings: {} });
  const id = await pushed.pipeline(ada);
  const query = '{ project(id: "ada/pushed") { lastPipeline { beforeSha } } }';
  const before = async (beforeSha: string) => {
    await db.pipeline.update({ where: { id }, data: { beforeSha } });
    return read(ada, query);
  };
  expect(await before('0'.repeat(40))).toEqual({ project: { lastPipeline: { beforeSha: null } } });
  expect(await before(pushed.sha)).toEqual({
    project: { lastPipeline: { beforeSha: pushed.sha } },
  });
});

test('a commit status without a name has the default name', async () => {
  const { id, sha } = await ciProject(testWorld, { path: 'ada/checked', settings: {} });
  const mutation = `mutation ($input: SetCommitStatusInput!) {
    setCommitStatus(input: $input) { commitStatus { name state } }
  }`;
  const input = { projectId: id, sha, state: 'RUNNING' };
  const status = (state: string) => ({
    setCommitStatus: { commitStatus: { name: 'default', state } },
  });
  expect(await read(ada, mutation, { input })).toEqual(status('RUNNING'));
  expect(await read(ada, mutation, { input: { ...input, name: null, state: 'SUCCESS' } })).toEqual(
    status('SUCCESS'),
  );
});

const dashboard = graphql(`
  query CommitDashboard($project: ID!) {
    repository(project: $project) {
      commits(perPage: 30) {
        nodes {
          title status lastPipeline { id status user { username } }
          pipelines { total } statuses { total nodes { name } }
        }
      }
    }
  }
`);

test('pipelines and statuses of many commits take as many statements as of one', async () => {
  const { id, sha } = await ciProject(testWorld, { path: 'ada/busy', settings: {} });
  const addPipeline = (of: string) =>
    db.pipeline.create({
      data: {
        projectId: id,
        userId: ada.id,
        sha: of,
        ref: 'master',
        source: 'push',
        beforeSha: '0'.repeat(40),
      },
    });
  await addPipeline(sha);
  const viewer = { id: ada.id, isAdmin: false, groupLevels: new Map() };
  const context = { viewer, db: counted, git, request: { id: '', address: '' } };
  const execute = createExecute(schema, () => context as unknown as Context);
  const statements = async () => {
    let data: object = {};
    const queries = await queriesOf(async () => {
      data = await execute(dashboard, { project: 'ada/busy' }, null);
    });
    return { count: queries.length, data };
  };
  const one = await statements();
  for (let count = 0; count < 5; count += 1) {
    const { body } = await as(ada).post(`/projects/${id}/repository/commits`, {
      branch: 'master',
      commit_message: `Change ${count}`,
      actions: [{ action: 'create', file_path: `${count}.txt`, content: 'new' }],
    });
    await addPipeline((body as { readonly id: string }).id);
  }
  const many = await statements();
  expect(many.data).toMatchObject({
    repository: {
      commits: { nodes: Array(6).fill({ lastPipeline: { user: { username: 'ada' } } }) },
    },
  });
  expect(many.count).toBe(one.count);
});
