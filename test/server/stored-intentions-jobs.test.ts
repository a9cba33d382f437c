import { describe, expect, onTestFinished, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { holdJobs } from '../support/held-jobs.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const { deletePushPipelines, move, jobs } = await ciOf(testWorld);
const runners = runnersOf(testWorld);
const max = await seed.user('max');
const dan = await seed.user('dan');
const file = `
stages: [build, deploy]
compile: { stage: build, script: make }
release: { stage: deploy, script: make release, when: manual }
`;

let count = 0;

/** A project with a protected `master`, a protected variable, and a runner. */
async function guardedProject(options: object = {}) {
  count += 1;
  const path = `max/p${count}`;
  const { id } = await seed.project(path, { developer: dan });
  const sha = await seed.push(path, { '.gitlab-ci.yml': file });
  await deletePushPipelines(id);
  await as(max).post(`/projects/${id}/variables`, {
    key: 'DEPLOY_KEY',
    value: 'secret',
    protected: true,
  });
  const { token } = await runners.specific([id], { ...options });
  const runner = runnerClient(url, token);
  const createPipeline = async (person = max) => {
    const response = await as(person).post(`/projects/${id}/pipeline`, { ref: 'master' });
    expect(response).toMatchObject({ status: 201 });
    return (response.body as { readonly id: number }).id;
  };
  const jobNamed = (pipelineId: number, name: string) =>
    db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } });
  const unprotect = async () => {
    const { status } = await as(max).delete(`/projects/${id}/protected_branches/master`);
    expect(status).toBe(204);
  };
  const protect = async (rule: object = {}) => {
    const path = `/projects/${id}/protected_branches`;
    expect((await as(max).post(path, { name: 'master', ...rule })).status).toBe(201);
  };
  return { id, path, sha, runner, createPipeline, jobNamed, unprotect, protect };
}

type Guarded = Awaited<ReturnType<typeof guardedProject>>;

/** The keys of the variables of the next job. */
async function variablesOfNextJob({ runner }: Guarded) {
  // without a former value it does not wait for news
  const { job } = await runner.request('');
  return job?.variables.map(({ key }) => key) ?? null;
}

/** Blocks Dan until the test ends. */
async function blockDan() {
  expect((await as(root).post(`/users/${dan.id}/block`)).status).toBe(201);
  onTestFinished(async () => void (await as(root).post(`/users/${dan.id}/unblock`)));
}

const withSecret = expect.arrayContaining(['DEPLOY_KEY']);
const withoutSecret = expect.not.arrayContaining(['DEPLOY_KEY']);

describe('protected variables', () => {
  test('reach a job of a branch that is still protected by a wildcard', async () => {
    const project = await guardedProject();
    await project.createPipeline();
    await project.protect({ name: 'mas*r' });
    await project.unprotect();
    expect(await variablesOfNextJob(project)).toEqual(withSecret);
  });

  test('do not reach a job that waited while its branch became unprotected', async () => {
    const project = await guardedProject();
    await project.createPipeline();
    await project.unprotect();
    // neither character is a wildcard
    await project.protect({ name: 'm_ster' });
    await project.protect({ name: 'm%' });
    expect(await variablesOfNextJob(project)).toEqual(withoutSecret);
  });

  test.each(['retry', 'play'] as const)(
    'do not reach a job of a formerly protected branch after %s by a developer',
    async (action) => {
      const project = await guardedProject();
      const pipeline = await project.createPipeline();
      await move(pipeline, 'compile', 'success');
      const name = action === 'retry' ? 'compile' : 'release';
      const job = await project.jobNamed(pipeline, name);
      const path = `/projects/${project.id}/jobs/${job.id}/${action}`;
      expect(await as(dan).post(path)).toEqual(refused.forbidden);
      await project.unprotect();
      expect((await as(dan).post(path)).status).toBeLessThan(300);
      expect(await variablesOfNextJob(project)).toEqual(withoutSecret);
      const started = await project.jobNamed(pipeline, name);
      expect(started).toMatchObject({ status: 'running', userId: dan.id });
    },
  );

  test('do not reach a job that was created before its branch became protected', async () => {
    const project = await guardedProject();
    await project.unprotect();
    const pipeline = await project.createPipeline(dan);
    await project.protect();
    expect(await variablesOfNextJob(project)).toEqual(withoutSecret);
    await move(pipeline, 'compile', 'success');
    const { id } = await project.jobNamed(pipeline, 'release');
    const path = `/projects/${project.id}/jobs/${id}/play`;
    expect(await as(dan).post(path)).toEqual(refused.forbidden);
  });
});

test('a runner for protected refs gets no job whose branch became unprotected', async () => {
  const project = await guardedProject({ access_level: 'ref_protected' });
  await project.createPipeline();
  await project.unprotect();
  expect(await variablesOfNextJob(project)).toBeNull();
  await project.protect();
  expect(await variablesOfNextJob(project)).toEqual(withSecret);
});

describe('a job of a user who was blocked', () => {
  test('is canceled when a runner requests it', async () => {
    const project = await guardedProject();
    await project.unprotect();
    const pipeline = await project.createPipeline(dan);
    await blockDan();
    expect(await variablesOfNextJob(project)).toBeNull();
    expect(await jobs(pipeline)).toBe('compile: canceled, release: skipped');
    expect(await project.jobNamed(pipeline, 'compile')).toMatchObject({
      runnerId: null,
      tokenDigest: null,
      startedAt: null,
    });
    expect(await variablesOfNextJob(project)).toBeNull();
  });

  test('is canceled, too, when the user was deleted', async () => {
    const project = await guardedProject();
    await project.unprotect();
    const tom = await seed.user('tom');
    const member = { user_id: tom.id, access_level: 30 };
    await as(max).post(`/projects/${project.id}/members`, member);
    const pipeline = await project.createPipeline(tom);
    expect((await as(root).delete(`/users/${tom.id}`)).status).toBe(204);
    await expect.poll(() => db.user.count({ where: { id: tom.id } })).toBe(0);
    expect(await variablesOfNextJob(project)).toBeNull();
    expect(await jobs(pipeline)).toBe('compile: canceled, release: skipped');
  });

  test('runs for the user who retries it', async () => {
    const project = await guardedProject();
    await project.unprotect();
    const pipeline = await project.createPipeline(dan);
    await blockDan();
    expect(await variablesOfNextJob(project)).toBeNull();
    const { id } = await project.jobNamed(pipeline, 'compile');
    const retried = await as(max).post(`/projects/${project.id}/jobs/${id}/retry`);
    expect(retried).toMatchObject({ status: 201, body: { user: { id: max.id } } });
    expect((await project.runner.request()).job?.variables).toContainEqual({
      key: 'GITLAB_USER_LOGIN',
      value: 'max',
      public: true,
    });
  });
});

describe('the pipeline of a push', () => {
  /** Pushes as Dan, and changes something before the pipeline is created. */
  async function pushAndChange(change: (project: Guarded) => Promise<unknown>) {
    const project = await guardedProject();
    await project.unprotect();
    const held = await holdJobs(db, 'make-pipelines');
    const { status } = await as(dan).post(`/projects/${project.id}/repository/commits`, {
      branch: 'master',
      commit_message: 'Change',
      actions: [{ action: 'create', file_path: 'a.txt', content: 'a' }],
    });
    expect(status).toBe(201);
    await expect.poll(held.count).toBe(1);
    await change(project);
    await held.release();
    const unfinished = () => db.$queryRaw<unknown[]>`
      SELECT id FROM pgboss.job WHERE name = 'make-pipelines' AND state < 'completed'`;
    await expect.poll(unfinished).toEqual([]);
    return db.pipeline.findMany({ where: { projectId: project.id } });
  }

  test('is created for the user who pushed', async () => {
    expect(await pushAndChange(async () => {})).toMatchObject([
      { userId: dan.id, isProtected: false },
    ]);
  });

  test('is not created if the branch became protected against the user', async () => {
    expect(await pushAndChange(({ protect }) => protect())).toEqual([]);
  });

  test('is not created if the user was removed from the project', async () => {
    const pipelines = await pushAndChange(({ id }) =>
      as(max).delete(`/projects/${id}/members/${dan.id}`),
    );
    expect(pipelines).toEqual([]);
  });

  test('is not created if the user was blocked', async () => {
    expect(await pushAndChange(blockDan)).toEqual([]);
  });
});
