import { describe, expect, test } from 'vitest';
import { ciOf, jobShape } from '../support/ci.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { runnerShape, runnersOf } from '../support/runners.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const { projectWithCi, move, retry } = await ciOf(testWorld);
const jobFiles = jobFilesOf(testWorld);
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { developer: dan, reporter: rita, guest: gus };

/** Creates a project with a CI file and without pipelines. */
async function createProject(path: string, settings: object = {}) {
  const { id, sha } = await projectWithCi(`acme/${path}`, roles, settings);
  return { id, sha, jobs: `/projects/${id}/jobs` };
}

const app = await createProject('app');
const open = await createProject('open', { visibility: 'public' });
const closed = await createProject('closed', { visibility: 'public', public_jobs: false });
const quiet = await createProject('quiet', { public_jobs: false });

interface Pipeline {
  readonly id: number;
  readonly status: string;
}

async function createPipeline(project = app): Promise<Pipeline> {
  const path = `/projects/${project.id}/pipeline`;
  const { status, body } = await as(dan).post(path, { ref: 'master' });
  expect(status).toBe(201);
  return body as Pipeline;
}

/** The ids of the latest jobs of a pipeline. */
async function idsOf({ id: pipelineId }: Pipeline) {
  const idOf = async (name: string) =>
    (await db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } })).id;
  return { compile: await idOf('compile'), unit: await idOf('unit') };
}

const shape = (pipeline: Pipeline, overrides: object = {}) => ({
  ...jobShape(url, { sha: app.sha, user: dan, pipeline, fullPath: 'acme/app' }),
  ...overrides,
});

const first = await createPipeline();

/** The jobs of a new pipeline, the newest first. */
const newJobs = (pipeline: Pipeline) => [
  shape(pipeline, { name: 'release', stage: 'deploy' }),
  shape(pipeline, { name: 'lint' }),
  shape(pipeline, { name: 'unit' }),
  shape(pipeline, { name: 'compile', stage: 'build', status: 'pending' }),
];

const namesIn = (body: unknown) => (body as { name: string }[]).map(({ name }) => name);

describe('GET /projects/:id/jobs', () => {
  test('lists the jobs of a project, the newest first', async () => {
    const response = await as(rita).get(app.jobs);
    expect(response).toEqual({ status: 200, body: newJobs(first) });
  });

  test('requires a reporter, or a signed-in user if jobs are public', async () => {
    expect(await as(null).get(app.jobs)).toEqual(refused.anonymous);
    expect(await as(null).get(open.jobs)).toEqual(refused.anonymous);
    expect(await as(sam).get(app.jobs)).toEqual(refused.missing('Project'));
    expect((await as(sam).get(open.jobs)).status).toBe(200);
    expect(await as(sam).get(closed.jobs)).toEqual(refused.forbidden);
    expect((await as(gus).get(app.jobs)).status).toBe(200);
    expect(await as(gus).get(quiet.jobs)).toEqual(refused.forbidden);
    for (const person of [rita, dan, ada, root]) {
      expect((await as(person).get(quiet.jobs)).status).toBe(200);
    }
    expect(await as(dan).get('/projects/nowhere%2Fat-all/jobs')).toEqual(
      refused.missing('Project'),
    );
  });

  test('filters by one or several states', async () => {
    const project = await createProject('states');
    const pipeline = await createPipeline(project);
    await move(pipeline.id, 'compile', 'running');
    await move(pipeline.id, 'compile', 'success');
    await move(pipeline.id, 'unit', 'running');
    const names = async (query: string) => {
      const { status, body } = await as(rita).get(`${project.jobs}?${query}`);
      expect(status).toBe(200);
      return namesIn(body);
    };
    expect(await names('scope=success')).toEqual(['compile']);
    expect(await names('scope[]=running&scope[]=success')).toEqual(['unit', 'compile']);
    expect(await names('scope[0]=pending&scope[1]=running')).toEqual(['lint', 'unit']);
    expect(await names('scope=created')).toEqual(['release']);
    expect(await names('scope[]=failed&scope[]=manual')).toEqual([]);
    expect(await names('scope=')).toEqual(['release', 'lint', 'unit', 'compile']);
    const bad = refused.parameter('scope does not have a valid value');
    expect(await as(rita).get(`${project.jobs}?scope=done`)).toEqual(bad);
    expect(await as(rita).get(`${project.jobs}?scope[]=failed&scope[]=no`)).toEqual(bad);
    expect(await as(rita).get(`${project.jobs}?scope[a][b]=failed`)).toEqual(
      refused.parameter('scope is invalid'),
    );
  });

  test('is paginated', async () => {
    const response = await as(rita).fetch(`${app.jobs}?per_page=3&page=2`);
    expect(response.headers.get('X-Total')).toBe('4');
    expect(response.headers.get('X-Total-Pages')).toBe('2');
    expect(namesIn(await response.json())).toEqual(['compile']);
  });
});

describe('GET /projects/:id/pipelines/:pipeline_id/jobs', () => {
  const pathOf = ({ id }: Pipeline) => `/projects/${app.id}/pipelines/${id}/jobs`;

  test('lists the jobs of a pipeline, including retried ones', async () => {
    const pipeline = await createPipeline();
    expect(await as(rita).get(pathOf(pipeline))).toEqual({
      status: 200,
      body: newJobs(pipeline),
    });
    await move(pipeline.id, 'compile', 'running');
    await move(pipeline.id, 'compile', 'failed');
    await retry(pipeline.id, 'compile', dan);
    const all = await as(rita).get(`${pathOf(pipeline)}?scope[]=failed&scope[]=pending`);
    expect(all.body).toMatchObject([
      { name: 'compile', status: 'pending' },
      { name: 'compile', status: 'failed' },
    ]);
    const latest = await as(rita).get(`${pathOf(pipeline)}?include_retried=false&scope=failed`);
    expect(latest).toEqual({ status: 200, body: [] });
  });

  test('an unknown pipeline, and a pipeline of another project, give 404', async () => {
    expect(await as(null).get(pathOf(first))).toEqual(refused.anonymous);
    expect(await as(sam).get(pathOf(first))).toEqual(refused.missing('Project'));
    expect(await as(rita).get(`/projects/${open.id}/pipelines/${first.id}/jobs`)).toEqual(
      refused.record,
    );
    expect(await as(gus).get(`/projects/${quiet.id}/pipelines/1/jobs`)).toEqual(refused.forbidden);
    expect(await as(rita).get(`/projects/${app.id}/pipelines/x/jobs`)).toEqual(
      refused.parameter('pipeline_id is invalid'),
    );
    expect(await as(rita).get(`${pathOf(first)}?scope=done`)).toEqual(
      refused.parameter('scope does not have a valid value'),
    );
  });
});

describe('GET /projects/:id/jobs/:job_id', () => {
  test('shows a pending job', async () => {
    const { compile } = await idsOf(first);
    expect(await as(rita).get(`${app.jobs}/${compile}`)).toEqual({
      status: 200,
      body: shape(first, { id: compile, name: 'compile', stage: 'build', status: 'pending' }),
    });
  });

  test('shows a finished job with user, duration and artifacts', async () => {
    const pipeline = await createPipeline();
    const { compile } = await idsOf(pipeline);
    const runner = await runnersOf(testWorld).specific([app.id]);
    await move(pipeline.id, 'compile', 'running', { runnerId: runner.id });
    await move(pipeline.id, 'compile', 'success', { coverage: 87.5 });
    const startedAt = new Date('2026-01-01T10:00:00Z');
    const finishedAt = new Date('2026-01-01T10:01:30.500Z');
    await db.job.update({
      where: { id: compile },
      data: { createdAt: startedAt, startedAt, finishedAt },
    });
    const expireAt = new Date(Date.now() + 3_600_000);
    const { length } = await jobFiles.artifacts(
      { id: compile, projectId: app.id },
      { 'bin/app': 'x' },
      expireAt,
    );
    const response = await as(rita).get(`${app.jobs}/${compile}`);
    expect(response).toEqual({
      status: 200,
      body: shape(
        { id: pipeline.id, status: 'running' },
        {
          id: compile,
          name: 'compile',
          stage: 'build',
          status: 'success',
          coverage: 87.5,
          started_at: startedAt.toISOString(),
          finished_at: finishedAt.toISOString(),
          duration: 90.5,
          artifacts_file: { filename: 'artifacts.zip', size: length },
          artifacts_expire_at: expireAt.toISOString(),
          runner: runnerShape(runner.id),
        },
      ),
    });
    await db.job.update({ where: { id: compile }, data: { artifactsExpireAt: new Date(0) } });
    const { body } = await as(rita).get(`${app.jobs}/${compile}`);
    expect(body).toMatchObject({ artifacts_expire_at: null });
    expect(body).not.toHaveProperty('artifacts_file');
  });

  test('shows a job without a user and with a commit that no longer exists', async () => {
    const pipeline = await createPipeline();
    const { unit } = await idsOf(pipeline);
    await db.job.update({ where: { id: unit }, data: { userId: null } });
    const sha = 'f'.repeat(40);
    await db.pipeline.update({ where: { id: pipeline.id }, data: { sha } });
    expect((await as(rita).get(`${app.jobs}/${unit}`)).body).toEqual(
      shape(pipeline, {
        user: null,
        commit: null,
        pipeline: { id: pipeline.id, sha, ref: 'master', status: 'pending' },
      }),
    );
  });

  test('requires the permission to list jobs', async () => {
    const { compile } = await idsOf(first);
    expect(await as(null).get(`${app.jobs}/${compile}`)).toEqual(refused.anonymous);
    expect(await as(sam).get(`${app.jobs}/${compile}`)).toEqual(refused.missing('Project'));
    expect(await as(sam).get(`${open.jobs}/${compile}`)).toEqual(refused.record);
    expect(await as(sam).get(`${closed.jobs}/${compile}`)).toEqual(refused.forbidden);
    expect(await as(gus).get(`${quiet.jobs}/${compile}`)).toEqual(refused.forbidden);
    for (const person of [gus, rita, dan, ada, root]) {
      expect((await as(person).get(`${app.jobs}/${compile}`)).status).toBe(200);
    }
  });

  test('an unknown job gives 404, and an id that is not a number 400', async () => {
    expect(await as(rita).get(`${app.jobs}/0`)).toEqual(refused.record);
    expect(await as(rita).get(`${app.jobs}/99999999999`)).toEqual(refused.record);
    expect(await as(rita).get(`${app.jobs}/x`)).toEqual(refused.parameter('job_id is invalid'));
  });
});

test('GraphQL shows the actions that the viewer can perform on a job', async () => {
  const pipeline = await createPipeline();
  await move(pipeline.id, 'compile', 'running');
  await move(pipeline.id, 'compile', 'success');
  const { compile } = await idsOf(pipeline);
  await jobFiles.trace({ id: compile, projectId: app.id }, 'made\n');
  const query = `query ($pipeline: ID!) {
    node(id: $pipeline) {
      ... on Pipeline {
        jobs { nodes { name canRetry canCancel canPlay canErase traceSize queuedAt } }
      }
    }
  }`;
  const queryJobs = async (token: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Private-Token': token },
      body: JSON.stringify({ query, variables: { pipeline: `Pipeline:${pipeline.id}` } }),
    });
    return response.json();
  };
  const none = { canRetry: false, canCancel: false, canPlay: false, canErase: false };
  const nodes = (done: object, waiting: object) => ({
    data: {
      node: {
        jobs: {
          nodes: [
            { name: 'release', ...none, ...waiting, traceSize: 0, queuedAt: null },
            { name: 'lint', ...none, ...waiting, traceSize: 0, queuedAt: instant },
            { name: 'unit', ...none, ...waiting, traceSize: 0, queuedAt: instant },
            { name: 'compile', ...none, ...done, traceSize: 5, queuedAt: instant },
          ],
        },
      },
    },
  });
  const allowed = { canRetry: true, canErase: true };
  expect(await queryJobs(dan.token)).toEqual(nodes(allowed, { canCancel: true }));
  expect(await queryJobs(ada.token)).toEqual(nodes(allowed, { canCancel: true }));
  expect(await queryJobs(rita.token)).toEqual(nodes({}, {}));
});
