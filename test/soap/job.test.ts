import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ciFile, ciOf } from '../support/ci.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { runnersOf } from '../support/runners.ts';
import type { Created } from '../support/seed.ts';
import { denied, fault, message, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const server = await world();
const { as, db, seed, url } = server;
const soap = soapClientOf(url);
const { deletePushPipelines, move } = await ciOf(server);
const jobFiles = jobFilesOf(server);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { reporter: bob });
const sha = await seed.push('ada/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(app);
const jobs = `/projects/${app}/jobs`;
const noJob = { fault: { code: '102', message: expect.any(String) } };

const createPipeline = async () => {
  const { body } = await as(ada).post(`/projects/${app}/pipeline`, { ref: 'master' });
  return (body as Created).id;
};
const jobOf = (pipelineId: number, name: string) =>
  db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } });
const restJob = (id: number) => rest(ada, `${jobs}/${id}`);

/** A successful job. */
async function successfulJob() {
  const pipeline = await createPipeline();
  await move(pipeline, 'compile', 'running');
  await move(pipeline, 'compile', 'success');
  return jobOf(pipeline, 'compile');
}

describe('reading jobs', () => {
  test('job.list, job.list_of_pipeline and job.info', async () => {
    const pipeline = await createPipeline();
    const response = await asAda('job.list', [
      app,
      { scope: ['created', 'pending'], per_page: '2' },
    ]);
    expect(response).toEqual(await rest(ada, `${jobs}?scope[]=created&scope[]=pending&per_page=2`));
    expect(response.result).toHaveLength(2);
    const ofPipeline = await asBob('job.list_of_pipeline', [app, pipeline]);
    expect(ofPipeline).toEqual(await rest(bob, `/projects/${app}/pipelines/${pipeline}/jobs`));
    expect(ofPipeline.result).toHaveLength(4);
    const { id } = await jobOf(pipeline, 'compile');
    const jobInfo = await asAda('job.info', [app, id]);
    expect(jobInfo).toEqual(await restJob(id));
    expect(jobInfo.result).toMatchObject({ name: 'compile', status: 'pending' });
    expect(await asAda('job.list', [app, { scope: 'odd' }])).toEqual(
      fault('101', 'scope does not have a valid value'),
    );
    expect(await asAda('job.list_of_pipeline', [app, 0])).toEqual(noJob);
    expect(await asAda('job.info', ['none', id])).toEqual(projectNotFound);
  });

  test('job.list_of_runner', async () => {
    const runner = await runnersOf(server).specific([app]);
    const { id } = await successfulJob();
    await db.job.update({ where: { id }, data: { runnerId: runner.id } });
    const response = await asAda('job.list_of_runner', [runner.id, { status: 'success' }]);
    expect(response).toEqual(await rest(ada, `/runners/${runner.id}/jobs?status=success`));
    expect(response.result).toMatchObject([{ id, project: { id: app } }]);
    expect(await asBob('job.list_of_runner', [runner.id])).toMatchObject({ fault: { code: '2' } });
  });
});

describe('changing jobs', () => {
  test('job.cancel, job.retry and job.play', async () => {
    const pipeline = await createPipeline();
    const { id } = await jobOf(pipeline, 'compile');
    const canceled = await asAda('job.cancel', [app, id]);
    expect(canceled).toEqual(await restJob(id));
    expect(canceled.result).toMatchObject({ status: 'canceled' });
    const retried = await asAda('job.retry', [app, id]);
    expect(retried).toEqual(await restJob((retried.result as Created).id));
    expect(retried.result).toMatchObject({ name: 'compile', status: 'pending' });
    for (const name of ['compile', 'unit', 'lint']) {
      await move(pipeline, name, 'running');
      await move(pipeline, name, 'success');
    }
    const manual = await jobOf(pipeline, 'release');
    const played = await asAda('job.play', [app, manual.id]);
    expect(played).toEqual(await restJob(manual.id));
    expect(played.result).toMatchObject({ status: 'pending' });
    expect(await asAda('job.play', [app, id])).toEqual(
      fault('100', '(Bad request) "Unplayable Job" not given'),
    );
    for (const method of ['cancel', 'retry', 'play']) {
      expect(await asBob(`job.${method}`, [app, id])).toEqual(denied);
    }
  });

  test('job.keep_artifacts, job.delete_artifacts and job.erase', async () => {
    const job = await successfulJob();
    await jobFiles.artifacts(job, { 'a.txt': 'a' }, new Date('2040-01-01'));
    const kept = await asAda('job.keep_artifacts', [app, job.id]);
    expect(kept).toEqual(await restJob(job.id));
    expect(kept.result).toMatchObject({ artifacts_expire_at: null });
    expect(await asBob('job.delete_artifacts', [app, job.id])).toEqual(denied);
    expect(await asAda('job.delete_artifacts', [app, job.id])).toEqual({ result: true });
    expect((await restJob(job.id)).result).not.toHaveProperty('artifacts_file');
    expect(await asAda('job.keep_artifacts', [app, job.id])).toEqual(noJob);
    await jobFiles.trace(job, 'made\n');
    const erased = await asAda('job.erase', [app, job.id]);
    expect(erased).toEqual(await restJob(job.id));
    expect(await db.job.findUnique({ where: { id: job.id } })).toMatchObject({ traceSize: 0 });
    expect(await asBob('job.erase', [app, job.id])).toEqual(denied);
  });
});

/** The bytes of a Base64 result. */
async function bytesOf(path: string, args: unknown): Promise<Buffer> {
  const { text } = await soap.post(message('call', await soap.session(ada), path, args));
  const match = /<callReturn xsi:type="xsd:base64Binary">([^<]*)</.exec(text);
  if (!match) throw new Error(text);
  return Buffer.from(match[1] ?? '', 'base64');
}

test('job.trace, job.artifacts, job.artifact and the latest ones', async () => {
  const pipeline = await createPipeline();
  const job = await jobOf(pipeline, 'compile');
  await move(pipeline, 'compile', 'running');
  await jobFiles.trace(job, 'größer\n\u001b[32mdone\n');
  const archive = await jobFiles.artifacts(job, { 'out/a b.bin': Buffer.from([0, 255]) });
  for (const name of ['compile', 'unit', 'lint']) {
    await move(pipeline, name, 'running');
    await move(pipeline, name, 'success');
  }
  await db.job.deleteMany({ where: { pipelineId: pipeline, name: 'release' } });
  await db.pipeline.update({ where: { id: pipeline }, data: { status: 'success' } });
  const cases = [
    ['trace', [app, job.id], `${job.id}/trace`],
    ['artifacts', [app, job.id], `${job.id}/artifacts`],
    ['artifact', [app, job.id, 'out/a b.bin'], `${job.id}/artifacts/out/a%20b.bin`],
    [
      'latest_artifacts',
      [app, 'master', { job: 'compile' }],
      'artifacts/master/download?job=compile',
    ],
    [
      'latest_artifact',
      [app, 'master', 'out/a b.bin', { job: 'compile' }],
      'artifacts/master/raw/out/a%20b.bin?job=compile',
    ],
  ] as const;
  for (const [method, args, path] of cases) {
    const response = await as(ada).fetch(`${jobs}/${path}`);
    expect(response.status, path).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(await bytesOf(`job.${method}`, args)).toEqual(bytes);
    if (method.endsWith('artifacts')) expect(bytes).toEqual(archive);
  }
  expect(await asAda('job.trace', [app, 0])).toEqual(noJob);
  expect(await asAda('job.artifacts', [app, 0])).toEqual(noJob);
  expect(await asAda('job.artifact', [app, job.id, 'none'])).toEqual(noJob);
  expect(await asAda('job.latest_artifacts', [app, 'master'])).toEqual(
    fault('100', 'job is missing'),
  );
  expect(await asAda('job.latest_artifact', [app, 'none', 'a', { job: 'compile' }])).toEqual(noJob);
  await jobFiles.artifacts(job, { 'noise.bin': randomBytes(9 * 2 ** 20) });
  expect(await asAda('job.artifacts', [app, job.id])).toEqual(
    fault('105', 'Request Entity Too Large'),
  );
});

test('commit_status.create and commit_status.list', async () => {
  const input = { state: 'running', name: 'outside', coverage: '87.5', description: 'läuft' };
  const response = await asAda('commit_status.create', [app, sha, input]);
  expect(response.result).toMatchObject({
    sha,
    status: 'running',
    name: 'outside',
    coverage: 87.5,
  });
  const statuses = await asBob('commit_status.list', [app, sha, { name: 'outside' }]);
  const path = `/projects/${app}/repository/commits/${sha}/statuses?name=outside`;
  expect(statuses).toEqual(await rest(bob, path));
  expect(statuses).toEqual({ result: [response.result] });
  expect(await asAda('commit_status.create', [app, sha])).toEqual(fault('100', 'state is missing'));
  expect(await asBob('commit_status.create', [app, sha, input])).toEqual(denied);
  expect(await asAda('commit_status.list', [app, 'f'.repeat(40)])).toEqual(noJob);
});

describe('trigger', () => {
  const path = `/projects/${app}/triggers`;

  test('create, list, info, update, take_ownership and delete', async () => {
    const response = await asAda('trigger.create', [app, { description: 'nächtlich' }]);
    const { id } = response.result as Created;
    expect(response).toEqual(await rest(ada, `${path}/${id}`));
    expect(await asAda('trigger.info', [app, id])).toEqual(response);
    expect(await asAda('trigger.list', [app])).toEqual(await rest(ada, path));
    const changed = await asAda('trigger.update', [app, id, { description: 'weekly' }]);
    expect(changed).toEqual(await rest(ada, `${path}/${id}`));
    expect(changed.result).toMatchObject({ id, description: 'weekly' });
    const owned = await asAda('trigger.take_ownership', [app, id]);
    expect(owned).toEqual(await rest(ada, `${path}/${id}`));
    expect(await asAda('trigger.create', [app])).toEqual(fault('100', 'description is missing'));
    for (const method of ['list', 'info', 'update', 'take_ownership', 'delete']) {
      expect(await asBob(`trigger.${method}`, { id: app, trigger_id: id })).toEqual(denied);
    }
    expect(await asAda('trigger.delete', [app, id])).toEqual({ result: true });
    expect(await asAda('trigger.info', [app, id])).toEqual(fault('102', 'Trigger Not Found'));
  });

  test('run', async () => {
    const { body } = await as(ada).post(path, { description: 'nightly' });
    const { token } = body as { readonly token: string };
    const input = { token, ref: 'master', variables: { PLACE: 'Köln' } };
    const response = await asBob('trigger.run', [app, input]);
    const { id } = response.result as Created;
    expect(response).toEqual(await rest(ada, `/projects/${app}/pipelines/${id}`));
    expect(response.result).toMatchObject({ ref: 'master', user: { username: 'ada' } });
    expect(await asAda('trigger.run', [app, { ...input, token: 'x' }])).toEqual(noJob);
  });
});

test('ci.lint', async () => {
  const good = await asAda('ci.lint', [{ content: ciFile }]);
  expect(good).toEqual({ result: { status: 'valid', errors: [] } });
  const content = 'rspec: { script: x, foo: 1 }';
  const { body } = await as(ada).post('/ci/lint', { content });
  expect(await asAda('ci.lint', [{ content }])).toEqual({ result: body });
  expect(await asAda('ci.lint')).toEqual(fault('100', 'content is missing'));
});

test('ci.lint_project and ci.lint_project_file', async () => {
  const params = { content: ciFile, include_jobs: true };
  const { body } = await as(ada).post(`/projects/${app}/ci/lint`, params);
  expect(await asAda('ci.lint_project', [app, params])).toEqual({ result: body });
  expect(await asAda('ci.lint_project', [app])).toEqual(fault('100', 'content is missing'));
  const file = await as(ada).get(`/projects/${app}/ci/lint`);
  expect(await asAda('ci.lint_project_file', [app])).toEqual({ result: file.body });
});
