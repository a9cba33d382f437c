import { describe, expect, test } from 'vitest';
import { ciOf, jobShape } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const { deletePushPipelines } = await ciOf(testWorld);
const ada = await seed.user('ada');
const max = await seed.user('max');
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada });
const roles = { master: max, developer: dan, reporter: rita, guest: gus };
const file = `
variables: { TIER: review }
deploy:
  script: make
  environment:
    name: $TIER/$CI_COMMIT_REF_NAME
    url: https://$CI_ENVIRONMENT_SLUG.example.com
    on_stop: halt
halt:
  script: make halt
  when: manual
  environment: { name: $TIER/$CI_COMMIT_REF_NAME, action: stop }
`;

let count = 0;

/** A project with a runner, whose CI file deploys. */
async function deployingProject(content = file) {
  count += 1;
  const path = `acme/p${count}`;
  const { id } = await seed.project(path, roles);
  const sha = await seed.push(path, { '.gitlab-ci.yml': content });
  await deletePushPipelines(id);
  await db.protectedBranch.deleteMany({ where: { projectId: id } });
  const runner = runnerClient(url, (await runnersOf(testWorld).specific([id])).token);
  return { id, path, sha, runner };
}

type Project = Awaited<ReturnType<typeof deployingProject>>;

/** Creates a pipeline as Dan and gives its first job to the runner. */
async function startJob({ id, runner }: Project) {
  const created = await as(dan).post(`/projects/${id}/pipeline`, { ref: 'master' });
  expect(created.status).toBe(201);
  return requestJob(runner);
}

async function requestJob(runner: Project['runner']) {
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was assigned');
  return job;
}

/** Deploys, and returns the job that did. */
async function deploy(project: Project) {
  const job = await startJob(project);
  await project.runner.update(job, { state: 'success' });
  return job;
}

const environmentOf = (projectId: number) => db.environment.findFirst({ where: { projectId } });
const deploymentsOf = async (person: typeof ada | null, id: number, query = '') =>
  as(person).get(`/projects/${id}/deployments${query}`);

describe('a job with an environment', () => {
  test('creates the environment when it starts, and gets its name, slug and URL', async () => {
    const project = await deployingProject();
    const job = await startJob(project);
    const environment = await environmentOf(project.id);
    expect(environment).toMatchObject({ name: 'review/master', externalUrl: null });
    const { slug = '' } = environment ?? {};
    expect(job.variables).toEqual(
      expect.arrayContaining([
        { key: 'CI_ENVIRONMENT_NAME', value: 'review/master', public: true },
        { key: 'CI_ENVIRONMENT_SLUG', value: slug, public: true },
        { key: 'CI_ENVIRONMENT_URL', value: `https://${slug}.example.com`, public: true },
      ]),
    );
    expect(await deploymentsOf(rita, project.id)).toEqual({ status: 200, body: [] });
  });

  test('is a deployment if it succeeds, numbered in the project', async () => {
    const project = await deployingProject();
    const { id: jobId } = await deploy(project);
    const environment = await environmentOf(project.id);
    const { id, name, slug } = environment ?? { id: 0, name: '', slug: '' };
    const external_url = `https://${slug}.example.com`;
    const pipeline = await db.pipeline.findFirstOrThrow({ where: { projectId: project.id } });
    const traits = { sha: project.sha, user: dan, fullPath: project.path, pipeline };
    const deployable = {
      ...jobShape(url, traits),
      id: jobId,
      name: 'deploy',
      status: 'success',
      started_at: instant,
      finished_at: instant,
      duration: expect.any(Number),
      runner: expect.anything(),
    };
    const shown = {
      id: expect.any(Number),
      iid: 1,
      ref: 'master',
      sha: project.sha,
      created_at: instant,
      user: basicUserShape(url, dan),
      environment: { id, name, slug, external_url },
      deployable,
    };
    expect(await deploymentsOf(rita, project.id)).toEqual({ status: 200, body: [shown] });
    await deploy(project);
    const { body } = await deploymentsOf(rita, project.id, '?order_by=iid&sort=desc');
    expect(body).toMatchObject([
      { iid: 2, environment: { id } },
      { iid: 1, environment: { id } },
    ]);
  });

  test('is none if it fails, or is reported twice', async () => {
    const project = await deployingProject();
    const failing = await startJob(project);
    await project.runner.update(failing, { state: 'failed' });
    expect(await deploymentsOf(rita, project.id)).toMatchObject({ body: [] });
    const job = await startJob(project);
    await Promise.all([1, 2, 3].map(() => project.runner.update(job, { state: 'success' })));
    expect(await deploymentsOf(rita, project.id)).toMatchObject({ body: [{ iid: 1 }] });
  });

  test('concurrent deployments have numbers without gaps', async () => {
    const project = await deployingProject();
    const jobs = [];
    for (let n = 0; n < 6; n += 1) jobs.push(await startJob(project));
    await Promise.all(jobs.map((job) => project.runner.update(job, { state: 'success' })));
    const { body } = await deploymentsOf(rita, project.id, '?order_by=iid');
    expect((body as { iid: number }[]).map(({ iid }) => iid)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await db.environment.count({ where: { projectId: project.id } })).toBe(1);
  });

  test('uses a renamed environment by its new name only, and then its slug', async () => {
    const project = await deployingProject('deploy: { script: a, environment: live }');
    const { id: former } = (
      await as(max).post(`/projects/${project.id}/environments`, {
        name: 'live',
      })
    ).body as { id: number };
    await as(max).put(`/projects/${project.id}/environments/${former}`, { name: 'old' });
    const job = await startJob(project);
    const slug = job.variables.find(({ key }) => key === 'CI_ENVIRONMENT_SLUG')?.value;
    expect(slug).toMatch(/^live-\w{6}$/);
    await project.runner.update(job, { state: 'success' });
    expect(await deploymentsOf(rita, project.id)).toMatchObject({
      body: [{ environment: { name: 'live', slug } }],
    });
  });

  test('runs without one if the name is invalid or the environment was deleted', async () => {
    const invalid = await deployingProject('deploy: { script: a, environment: "a:b" }');
    await deploy(invalid);
    const deleted = await deployingProject();
    const job = await startJob(deleted);
    await db.environment.deleteMany({ where: { projectId: deleted.id } });
    expect(await deleted.runner.update(job, { state: 'success' })).toMatchObject({ status: 200 });
    for (const { id } of [invalid, deleted]) {
      expect(await deploymentsOf(rita, id)).toEqual({ status: 200, body: [] });
      expect(await environmentOf(id)).toBeNull();
    }
  });
});

describe('POST /projects/:id/environments/:environment_id/stop', () => {
  test('starts the job of on_stop for the caller; a later deployment makes it available', async () => {
    const project = await deployingProject();
    await deploy(project);
    const { id } = (await environmentOf(project.id)) ?? { id: 0 };
    const stop = (person: typeof ada) =>
      as(person).post(`/projects/${project.id}/environments/${id}/stop`);
    await as(max).post(`/projects/${project.id}/protected_branches`, {
      name: 'master',
      push_access_level: 40,
      merge_access_level: 40,
    });
    expect(await stop(dan)).toEqual(refused.forbidden);
    await as(max).delete(`/projects/${project.id}/protected_branches/master`);
    expect(await stop(dan)).toMatchObject({ status: 200, body: { id } });
    expect(await environmentOf(project.id)).toMatchObject({ state: 'stopped' });
    const job = await requestJob(project.runner);
    expect(job.job_info.name).toBe('halt');
    expect(await db.job.findUnique({ where: { id: job.id } })).toMatchObject({ userId: dan.id });
    await project.runner.update(job, { state: 'success' });
    expect(await environmentOf(project.id)).toMatchObject({ state: 'stopped' });
    await deploy(project);
    expect(await environmentOf(project.id)).toMatchObject({ state: 'available' });
    expect(await deploymentsOf(rita, project.id)).toMatchObject({ body: [{ iid: 1 }, { iid: 2 }] });
  });

  test('a job with action: stop stops the environment when it succeeds', async () => {
    const project = await deployingProject();
    const { id: jobId } = await deploy(project);
    const { pipelineId } = await db.job.findUniqueOrThrow({ where: { id: jobId } });
    const halt = await db.job.findFirstOrThrow({ where: { pipelineId, name: 'halt' } });
    expect((await as(dan).post(`/projects/${project.id}/jobs/${halt.id}/play`)).status).toBe(200);
    const job = await requestJob(project.runner);
    expect(await environmentOf(project.id)).toMatchObject({ state: 'available' });
    await project.runner.update(job, { state: 'success' });
    expect(await environmentOf(project.id)).toMatchObject({ state: 'stopped' });
    expect(await deploymentsOf(rita, project.id)).toMatchObject({ body: [{ iid: 1 }] });
  });
});

describe('GET /projects/:id/deployments', () => {
  test('requires a reporter', async () => {
    const { id } = await deployingProject();
    expect(await deploymentsOf(null, id)).toEqual(refused.anonymous);
    expect(await deploymentsOf(sam, id)).toEqual(refused.missing('Project'));
    expect(await deploymentsOf(gus, id)).toEqual(refused.forbidden);
    for (const person of [rita, dan, max, ada, root]) {
      expect((await deploymentsOf(person, id)).status).toBe(200);
    }
    expect(await deploymentsOf(rita, id, '?order_by=x')).toEqual(
      refused.parameter('order_by does not have a valid value'),
    );
  });
});

describe('GET /projects/:id/deployments/:deployment_id', () => {
  test('shows a deployment', async () => {
    const project = await deployingProject();
    await deploy(project);
    const { body } = await deploymentsOf(rita, project.id);
    const [deployment] = body as [{ id: number }];
    const path = `/projects/${project.id}/deployments/${deployment.id}`;
    expect(await as(rita).get(path)).toEqual({ status: 200, body: deployment });
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    expect(await as(sam).get(path)).toEqual(refused.missing('Project'));
    expect(await as(gus).get(path)).toEqual(refused.forbidden);
    const { id: other } = await deployingProject();
    const elsewhere = `/projects/${other}/deployments/${deployment.id}`;
    expect(await as(rita).get(elsewhere)).toEqual(refused.record);
    expect(await as(rita).get(`/projects/${project.id}/deployments/x`)).toEqual(
      refused.parameter('deployment_id is invalid'),
    );
  });
});
