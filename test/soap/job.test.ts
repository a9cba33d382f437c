import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ciFile, ciOf } from '../support/ci.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { runnersOf } from '../support/runners.ts';
import type { Created } from '../support/seed.ts';
import { denied, fault, message, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const served = await world();
const { as, db, seed, url } = served;
const soap = soapClientOf(url);
const { deletePushPipelines, move } = await ciOf(served);
const kept = jobFilesOf(served);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const hers = soap.as(ada);
const his = soap.as(bob);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { reporter: bob });
const sha = await seed.push('ada/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(app);
const jobs = `/projects/${app}/jobs`;
const noJob = { fault: { code: '102', message: expect.any(String) } };

const made = async () => {
  const { body } = await as(ada).post(`/projects/${app}/pipeline`, { ref: 'master' });
  return (body as Created).id;
};
const jobOf = (pipelineId: number, name: string) =>
  db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } });
const shown = (id: number) => rest(ada, `${jobs}/${id}`);

/** A job that was a success. */
async function ended() {
  const pipeline = await made();
  await move(pipeline, 'compile', 'running');
  await move(pipeline, 'compile', 'success');
  return jobOf(pipeline, 'compile');
}

describe('what there is to see', () => {
  test('job.list, job.list_of_pipeline and job.info', async () => {
    const pipeline = await made();
    const told = await hers('job.list', [app, { scope: ['created', 'pending'], per_page: '2' }]);
    expect(told).toEqual(await rest(ada, `${jobs}?scope[]=created&scope[]=pending&per_page=2`));
    expect(told.result).toHaveLength(2);
    const ofPipeline = await his('job.list_of_pipeline', [app, pipeline]);
    expect(ofPipeline).toEqual(await rest(bob, `/projects/${app}/pipelines/${pipeline}/jobs`));
    expect(ofPipeline.result).toHaveLength(4);
    const { id } = await jobOf(pipeline, 'compile');
    const one = await hers('job.info', [app, id]);
    expect(one).toEqual(await shown(id));
    expect(one.result).toMatchObject({ name: 'compile', status: 'pending' });
    expect(await hers('job.list', [app, { scope: 'odd' }])).toEqual(
      fault('101', 'scope does not have a valid value'),
    );
    expect(await hers('job.list_of_pipeline', [app, 0])).toEqual(noJob);
    expect(await hers('job.info', ['none', id])).toEqual(projectNotFound);
  });

  test('job.list_of_runner', async () => {
    const runner = await runnersOf(served).specific([app]);
    const { id } = await ended();
    await db.job.update({ where: { id }, data: { runnerId: runner.id } });
    const told = await hers('job.list_of_runner', [runner.id, { status: 'success' }]);
    expect(told).toEqual(await rest(ada, `/runners/${runner.id}/jobs?status=success`));
    expect(told.result).toMatchObject([{ id, project: { id: app } }]);
    expect(await his('job.list_of_runner', [runner.id])).toMatchObject({ fault: { code: '2' } });
  });
});

describe('what is done to jobs', () => {
  test('job.cancel, job.retry and job.play', async () => {
    const pipeline = await made();
    const { id } = await jobOf(pipeline, 'compile');
    const canceled = await hers('job.cancel', [app, id]);
    expect(canceled).toEqual(await shown(id));
    expect(canceled.result).toMatchObject({ status: 'canceled' });
    const retried = await hers('job.retry', [app, id]);
    expect(retried).toEqual(await shown((retried.result as Created).id));
    expect(retried.result).toMatchObject({ name: 'compile', status: 'pending' });
    for (const name of ['compile', 'unit', 'lint']) {
      await move(pipeline, name, 'running');
      await move(pipeline, name, 'success');
    }
    const manual = await jobOf(pipeline, 'release');
    const played = await hers('job.play', [app, manual.id]);
    expect(played).toEqual(await shown(manual.id));
    expect(played.result).toMatchObject({ status: 'pending' });
    expect(await hers('job.play', [app, id])).toEqual(
      fault('100', '(Bad request) "Unplayable Job" not given'),
    );
    for (const method of ['cancel', 'retry', 'play']) {
      expect(await his(`job.${method}`, [app, id])).toEqual(denied);
    }
  });

  test('job.keep_artifacts, job.delete_artifacts and job.erase', async () => {
    const job = await ended();
    await kept.artifacts(job, { 'a.txt': 'a' }, new Date('2040-01-01'));
    const keptNow = await hers('job.keep_artifacts', [app, job.id]);
    expect(keptNow).toEqual(await shown(job.id));
    expect(keptNow.result).toMatchObject({ artifacts_expire_at: null });
    expect(await his('job.delete_artifacts', [app, job.id])).toEqual(denied);
    expect(await hers('job.delete_artifacts', [app, job.id])).toEqual({ result: true });
    expect((await shown(job.id)).result).not.toHaveProperty('artifacts_file');
    expect(await hers('job.keep_artifacts', [app, job.id])).toEqual(noJob);
    await kept.trace(job, 'made\n');
    const erased = await hers('job.erase', [app, job.id]);
    expect(erased).toEqual(await shown(job.id));
    expect(await db.job.findUnique({ where: { id: job.id } })).toMatchObject({ traceSize: 0 });
    expect(await his('job.erase', [app, job.id])).toEqual(denied);
  });
});

/** What a part holds that comes as bytes. */
async function bytesOf(path: string, args: unknown): Promise<Buffer> {
  const { text } = await soap.post(message('call', await soap.session(ada), path, args));
  const found = /<callReturn xsi:type="xsd:base64Binary">([^<]*)</.exec(text);
  if (!found) throw new Error(text);
  return Buffer.from(found[1] ?? '', 'base64');
}

test('job.trace, and what jobs leave behind', async () => {
  const pipeline = await made();
  const job = await jobOf(pipeline, 'compile');
  await move(pipeline, 'compile', 'running');
  await kept.trace(job, 'größer\n\u001b[32mdone\n');
  const archive = await kept.artifacts(job, { 'out/a b.bin': Buffer.from([0, 255]) });
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
  expect(await hers('job.trace', [app, 0])).toEqual(noJob);
  expect(await hers('job.artifacts', [app, 0])).toEqual(noJob);
  expect(await hers('job.artifact', [app, job.id, 'none'])).toEqual(noJob);
  expect(await hers('job.latest_artifacts', [app, 'master'])).toEqual(
    fault('100', 'job is missing'),
  );
  expect(await hers('job.latest_artifact', [app, 'none', 'a', { job: 'compile' }])).toEqual(noJob);
  await kept.artifacts(job, { 'noise.bin': randomBytes(9 * 2 ** 20) });
  expect(await hers('job.artifacts', [app, job.id])).toEqual(
    fault('105', 'Request Entity Too Large'),
  );
});

test('commit_status.create and commit_status.list', async () => {
  const given = { state: 'running', name: 'lint', coverage: '87.5', description: 'läuft' };
  const told = await hers('commit_status.create', [app, sha, given]);
  expect(told.result).toMatchObject({ sha, status: 'running', name: 'lint', coverage: 87.5 });
  const all = await his('commit_status.list', [app, sha, { name: 'lint' }]);
  const path = `/projects/${app}/repository/commits/${sha}/statuses?name=lint`;
  expect(all).toEqual(await rest(bob, path));
  expect(all).toEqual({ result: [told.result] });
  expect(await hers('commit_status.create', [app, sha])).toEqual(fault('100', 'state is missing'));
  expect(await his('commit_status.create', [app, sha, given])).toEqual(denied);
  expect(await hers('commit_status.list', [app, 'f'.repeat(40)])).toEqual(noJob);
});

describe('trigger', () => {
  const path = `/projects/${app}/triggers`;

  test('create, list, info, update, take_ownership and delete', async () => {
    const told = await hers('trigger.create', [app, { description: 'nächtlich' }]);
    const { id } = told.result as Created;
    expect(told).toEqual(await rest(ada, `${path}/${id}`));
    expect(await hers('trigger.info', [app, id])).toEqual(told);
    expect(await hers('trigger.list', [app])).toEqual(await rest(ada, path));
    const changed = await hers('trigger.update', [app, id, { description: 'weekly' }]);
    expect(changed).toEqual(await rest(ada, `${path}/${id}`));
    expect(changed.result).toMatchObject({ id, description: 'weekly' });
    const taken = await hers('trigger.take_ownership', [app, id]);
    expect(taken).toEqual(await rest(ada, `${path}/${id}`));
    expect(await hers('trigger.create', [app])).toEqual(fault('100', 'description is missing'));
    for (const method of ['list', 'info', 'update', 'take_ownership', 'delete']) {
      expect(await his(`trigger.${method}`, { id: app, trigger_id: id })).toEqual(denied);
    }
    expect(await hers('trigger.delete', [app, id])).toEqual({ result: true });
    expect(await hers('trigger.info', [app, id])).toEqual(fault('102', 'Trigger Not Found'));
  });

  test('run', async () => {
    const { body } = await as(ada).post(path, { description: 'nightly' });
    const { token } = body as { readonly token: string };
    const given = { token, ref: 'master', variables: { PLACE: 'Köln' } };
    const told = await his('trigger.run', [app, given]);
    const { id } = told.result as Created;
    expect(told).toEqual(await rest(ada, `/projects/${app}/pipelines/${id}`));
    expect(told.result).toMatchObject({ ref: 'master', user: { username: 'ada' } });
    expect(await hers('trigger.run', [app, { ...given, token: 'x' }])).toEqual(noJob);
  });
});

test('ci.lint', async () => {
  const good = await hers('ci.lint', [{ content: ciFile }]);
  expect(good).toEqual({ result: { status: 'valid', errors: [] } });
  const content = 'rspec: { script: x, foo: 1 }';
  const { body } = await as(ada).post('/ci/lint', { content });
  expect(await hers('ci.lint', [{ content }])).toEqual({ result: body });
  expect(await hers('ci.lint')).toEqual(fault('100', 'content is missing'));
});
