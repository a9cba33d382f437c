import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { type AssignedJob, runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, url } = testWorld;
const { deletePushPipelines } = await ciOf(testWorld);
const ada = await seed.user('ada');
const api = as(ada);

const { id: project } = await seed.project('ada/app');
await seed.push('ada/app', { '.gitlab-ci.yml': 'one: { script: a }' });
await deletePushPipelines(project);
const registered = await runnersOf(testWorld).specific([project]);
const runner = runnerClient(url, registered.token);

/** Commits with this message and returns the job assigned to the runner. */
async function commitAndRequestJob(
  message: string,
  file = 'one: { script: a }',
  branch = 'master',
) {
  await db.pipeline.deleteMany({ where: { projectId: project } });
  const actions = [{ action: 'update', file_path: '.gitlab-ci.yml', content: file }];
  const commit = { branch, commit_message: message, actions, start_branch: 'master' };
  const { status, body } = await api.post(`/projects/${project}/repository/commits`, commit);
  expect({ status, body }).toMatchObject({ status: 201 });
  const pipelines = () => db.pipeline.count({ where: { projectId: project } });
  await expect.poll(pipelines).toBe(1);
  return requestJob();
}

async function requestJob(): Promise<AssignedJob> {
  const { status, job } = await runner.request('');
  expect(status).toBe(201);
  if (!job) throw new Error('no job was assigned');
  return job;
}

const variable = ({ variables }: AssignedJob, name: string) =>
  variables.find(({ key }) => key === name)?.value;

const messageOf = (job: AssignedJob) => ({
  message: variable(job, 'CI_COMMIT_MESSAGE'),
  title: variable(job, 'CI_COMMIT_TITLE'),
  description: variable(job, 'CI_COMMIT_DESCRIPTION'),
});

describe('POST /jobs/request: the commit', () => {
  test.each([
    ['A title', { title: 'A title', description: '' }],
    [
      'A title\n\nWith $CI_JOB_TOKEN.\n',
      { title: 'A title', description: '\nWith $CI_JOB_TOKEN.' },
    ],
    [`${'t'.repeat(100)}\n\nb`, { title: 't'.repeat(100), description: `${'t'.repeat(100)}\n\nb` }],
  ])('%j is sent as message, title and description', async (message, texts) => {
    const file = `one: { script: ${JSON.stringify(message.slice(0, 9))} }`;
    expect(messageOf(await commitAndRequestJob(message, file))).toEqual({ message, ...texts });
  });

  test('a long message is truncated, so that programs can start with it in the environment', async () => {
    const job = await commitAndRequestJob(`Long\n\n${'☃'.repeat(20_000)}`, 'one: { script: long }');
    const { message = '', title } = messageOf(job);
    expect(title).toBe('Long');
    expect(message).toMatch(/^Long\n\n☃+…$/);
    expect(Buffer.byteLength(message)).toBeGreaterThan(32_700);
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(32_771);
  });

  test('a pipeline without a stored message sends no message', async () => {
    await commitAndRequestJob('Known', 'one: { script: known }');
    await api.post(`/projects/${project}/pipeline`, { ref: 'master' });
    await db.pipeline.updateMany({ where: { projectId: project }, data: { commitMessage: null } });
    const names = (await requestJob()).variables.map(({ key }) => key);
    expect(names).toContain('CI_COMMIT_SHA');
    expect(names).not.toContain('CI_COMMIT_MESSAGE');
  });

  test('lists of pipelines do not contain the message', async () => {
    await commitAndRequestJob('Hidden in listings', 'one: { script: hidden }');
    const { body } = await api.get(`/projects/${project}/pipelines`);
    expect(JSON.stringify(body)).not.toContain('Hidden in listings');
  });
});

describe('POST /jobs/request: git_info', () => {
  test('GIT_DEPTH limits the history and fetches one ref', async () => {
    const shallow = 'one: { script: a, variables: { GIT_DEPTH: "3" } }';
    const { git_info } = await commitAndRequestJob('Shallow', shallow, 'topic/x');
    const commit = expect.stringMatching(/^\+[0-9a-f]{40}:refs\/pipelines\/\d+$/);
    expect(git_info).toMatchObject({
      depth: 3,
      refspecs: [commit, '+refs/heads/topic/x:refs/remotes/origin/topic/x'],
    });
    await db.pipeline.deleteMany({ where: { projectId: project } });
    const tag = { tag_name: 'v1', ref: 'topic/x' };
    expect((await api.post(`/projects/${project}/repository/tags`, tag)).status).toBe(201);
    await deletePushPipelines(project);
    await api.post(`/projects/${project}/pipeline`, { ref: 'v1' });
    expect((await requestJob()).git_info).toMatchObject({
      depth: 3,
      refspecs: [commit, '+refs/tags/v1:refs/tags/v1'],
    });
  });

  test.each(['0', '-1', 'many', '9999999999'])(
    'GIT_DEPTH %s fetches the whole history',
    async (depth) => {
      const file = `one: { script: a, variables: { GIT_DEPTH: "${depth}" } }`;
      expect((await commitAndRequestJob('Deep', file)).git_info).toMatchObject({ depth: 0 });
    },
  );
});
