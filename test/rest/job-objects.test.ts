import { describe, expect, test } from 'vitest';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { ciOf } from '../support/ci.ts';
import { git, temporaryFolder } from '../support/git.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { type AssignedJob, runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, db, url, remote } = here;
const { move, deletePushPipelines } = await ciOf(here);
const runners = runnersOf(here);
const ada = await seed.user('ada');
const { id: outer } = await seed.group('acme', { owner: ada });
const { id: inner } = await seed.group('acme/tools', { owner: ada });

const file = `
stages: [build, test]
variables: { DEPTH: '1', SHARED: from the file }
compile:
  stage: build
  image: ruby:2.1
  before_script: [prepare]
  script: [make, make all]
  after_script: [sweep]
  services: ['postgres:9.4', { name: 'redis:3', alias: cache, entrypoint: [/bin/sh], command: [run] }]
  tags: [linux]
  artifacts: { name: built, paths: [out/], untracked: true, when: always, expire_in: 1 week }
  cache: { key: mine, paths: [vendor/], policy: pull }
unit:
  stage: test
  script: rspec
  dependencies: [compile]
  variables: { DEPTH: '2' }
lint: { stage: test, script: lint, dependencies: [] }
all: { stage: test, script: all, when: manual, environment: { name: review/$CI_COMMIT_REF_NAME, url: 'https://$CI_ENVIRONMENT_SLUG.example.com' } }
`;

const { id: project } = await seed.project('acme/tools/app', {}, { name: 'The App' });
const sha = await seed.push('acme/tools/app', { '.gitlab-ci.yml': file });
await deletePushPipelines(project);
const registered = await runners.specific([project], {
  description: 'builder 1',
  tag_list: 'linux,ruby',
});
const runner = runnerClient(url, registered.token);

/** A pipeline of a ref. */
async function made(ref = 'master'): Promise<number> {
  await db.job.updateMany({ data: { status: 'success' } });
  const { status, body } = await as(ada).post(`/projects/${project}/pipeline`, { ref });
  expect(status).toBe(201);
  return (body as { id: number }).id;
}

async function taken(): Promise<AssignedJob> {
  const { status, job } = await runner.request('');
  expect(status).toBe(201);
  if (!job) throw new Error('no job was given');
  return job;
}

const shown = (key: string, value: unknown) => ({ key, value: String(value), public: true });
const hidden = (key: string, value: string) => ({ key, value, public: false });
const valuesOf = (job: AssignedJob) => new Map(job.variables.map(({ key, value }) => [key, value]));

describe('POST /jobs/request', () => {
  test('tells everything that a runner has to know of a job', async () => {
    const pipeline = await made();
    const job = await taken();
    const { id, token } = job;
    const [scheme, rest] = url.split('://');
    const repository = `${scheme}://gitlab-ci-token:${token}@${rest}/acme/tools/app.git`;
    expect(job).toEqual({
      id: expect.any(Number),
      token: expect.stringMatching(/^[0-9a-f]{30}$/),
      allow_git_fetch: true,
      job_info: { name: 'compile', stage: 'build', project_id: project, project_name: 'The App' },
      git_info: {
        repo_url: repository,
        ref: 'master',
        sha,
        before_sha: '0'.repeat(40),
        ref_type: 'branch',
        refspecs: [
          `+${sha}:refs/pipelines/${pipeline}`,
          '+refs/heads/*:refs/remotes/origin/*',
          '+refs/tags/*:refs/tags/*',
        ],
        depth: 0,
      },
      runner_info: { timeout: 3600 },
      variables: [
        shown('CI', true),
        shown('GITLAB_CI', true),
        shown('CI_SERVER_NAME', 'Millrace'),
        shown('CI_SERVER_VERSION', '10.1.0'),
        shown('CI_SERVER_REVISION', 'millrace'),
        shown('CI_JOB_ID', id),
        shown('CI_JOB_URL', `${url}/acme/tools/app/-/jobs/${id}`),
        shown('CI_JOB_NAME', 'compile'),
        shown('CI_JOB_STAGE', 'build'),
        hidden('CI_JOB_TOKEN', token),
        shown('CI_COMMIT_SHA', sha),
        shown('CI_COMMIT_SHORT_SHA', sha.slice(0, 8)),
        shown('CI_COMMIT_BEFORE_SHA', '0'.repeat(40)),
        shown('CI_COMMIT_REF_NAME', 'master'),
        shown('CI_COMMIT_REF_SLUG', 'master'),
        hidden('CI_REPOSITORY_URL', repository),
        shown('CI_REGISTRY_USER', 'gitlab-ci-token'),
        hidden('CI_REGISTRY_PASSWORD', token),
        shown('CI_BUILD_ID', id),
        hidden('CI_BUILD_TOKEN', token),
        shown('CI_BUILD_REF', sha),
        shown('CI_BUILD_BEFORE_SHA', '0'.repeat(40)),
        shown('CI_BUILD_REF_NAME', 'master'),
        shown('CI_BUILD_REF_SLUG', 'master'),
        shown('CI_BUILD_NAME', 'compile'),
        shown('CI_BUILD_STAGE', 'build'),
        shown('CI_PROJECT_ID', project),
        shown('CI_PROJECT_NAME', 'app'),
        shown('CI_PROJECT_PATH', 'acme/tools/app'),
        shown('CI_PROJECT_PATH_SLUG', 'acme-tools-app'),
        shown('CI_PROJECT_NAMESPACE', 'acme/tools'),
        shown('CI_PROJECT_URL', `${url}/acme/tools/app`),
        shown('CI_PROJECT_VISIBILITY', 'private'),
        shown('CI_API_V4_URL', `${url}/api/v4`),
        shown('CI_PIPELINE_ID', pipeline),
        shown('CI_PIPELINE_URL', `${url}/acme/tools/app/-/pipelines/${pipeline}`),
        shown('CI_CONFIG_PATH', '.gitlab-ci.yml'),
        shown('CI_PIPELINE_SOURCE', 'api'),
        { ...shown('CI_COMMIT_MESSAGE', 'Initial commit\n'), raw: true },
        { ...shown('CI_COMMIT_TITLE', 'Initial commit'), raw: true },
        { ...shown('CI_COMMIT_DESCRIPTION', ''), raw: true },
        shown('CI_RUNNER_ID', registered.id),
        shown('CI_RUNNER_DESCRIPTION', 'builder 1'),
        shown('CI_RUNNER_TAGS', 'linux, ruby'),
        shown('DEPTH', 1),
        shown('SHARED', 'from the file'),
        shown('GITLAB_USER_ID', ada.id),
        shown('GITLAB_USER_EMAIL', 'ada@example.com'),
        shown('GITLAB_USER_LOGIN', 'ada'),
        shown('GITLAB_USER_NAME', 'Ada'),
      ],
      steps: [
        {
          name: 'script',
          script: ['prepare', 'make', 'make all'],
          timeout: 3600,
          when: 'on_success',
          allow_failure: false,
        },
        {
          name: 'after_script',
          script: ['sweep'],
          timeout: 3600,
          when: 'always',
          allow_failure: true,
        },
      ],
      image: { name: 'ruby:2.1', entrypoint: null },
      services: [
        { name: 'postgres:9.4', entrypoint: null, alias: null, command: null },
        { name: 'redis:3', entrypoint: ['/bin/sh'], alias: 'cache', command: ['run'] },
      ],
      artifacts: [
        { name: 'built', untracked: true, paths: ['out/'], when: 'always', expire_in: '1 week' },
      ],
      cache: [{ key: 'mine', untracked: false, paths: ['vendor/'], policy: 'pull' }],
      credentials: [],
      dependencies: [],
      features: { trace_sections: true },
    });
  });

  test('what the file leaves out is null, and there is one step', async () => {
    const pipeline = await made();
    await move(pipeline, 'compile', 'success');
    await taken();
    expect(await taken()).toMatchObject({
      job_info: { name: 'lint' },
      image: null,
      services: [],
      artifacts: [null],
      cache: [null],
      steps: [{ name: 'script', script: ['lint'] }],
    });
  });

  test('earlier jobs that ran come along: those it names, all, or none', async () => {
    const pipeline = await made();
    const compile = await taken();
    await runner.update(compile, { state: 'success' });
    const archive = await jobFilesOf(here).artifacts(
      { id: compile.id, projectId: project },
      { 'out/a': 'b' },
    );
    const earlier = {
      id: compile.id,
      name: 'compile',
      token: compile.token,
      artifacts_file: { filename: 'artifacts.zip', size: archive.length },
    };
    expect((await taken()).dependencies).toEqual([earlier]);
    expect((await taken()).dependencies).toEqual([]);
    await move(pipeline, 'all', 'pending');
    const expired = { artifactsExpireAt: new Date(Date.now() - 1_000) };
    await db.job.update({ where: { id: compile.id }, data: expired });
    const { artifacts_file: _, ...bare } = earlier;
    expect((await taken()).dependencies).toEqual([bare]);
  });

  test('a job by hand, of a tag, in an environment is told so', async () => {
    const folder = await temporaryFolder();
    await git(folder, 'clone', '--quiet', remote('acme/tools/app', ada), '.');
    await git(folder, 'tag', 'Release_1/2');
    await git(folder, 'push', '--quiet', 'origin', 'Release_1/2');
    await deletePushPipelines(
      project,
      1 + (await db.pipeline.count({ where: { projectId: project } })),
    );
    const pipeline = await made('Release_1/2');
    await move(pipeline, 'compile', 'success');
    await move(pipeline, 'all', 'pending');
    const jobs = [await taken(), await taken(), await taken()];
    const job = jobs.find(({ job_info }) => job_info.name === 'all');
    if (!job) throw new Error('the job by hand was not given');
    expect(job.git_info).toMatchObject({ ref: 'Release_1/2', ref_type: 'tag' });
    const values = valuesOf(job);
    const told = {
      CI_COMMIT_TAG: 'Release_1/2',
      CI_BUILD_TAG: 'Release_1/2',
      CI_COMMIT_REF_SLUG: 'release-1-2',
      CI_JOB_MANUAL: 'true',
      CI_BUILD_MANUAL: 'true',
      CI_ENVIRONMENT_NAME: 'review/Release_1/2',
    };
    expect(Object.fromEntries(values)).toMatchObject(told);
    const slug = values.get('CI_ENVIRONMENT_SLUG');
    expect(slug).toMatch(/^review-release-[a-z0-9-]{6,9}$/);
    expect(values.get('CI_ENVIRONMENT_URL')).toBe(`https://${slug}.example.com`);
    expect(job.variables.slice(-3).map(({ key }) => key)).toEqual([
      'CI_ENVIRONMENT_NAME',
      'CI_ENVIRONMENT_SLUG',
      'CI_ENVIRONMENT_URL',
    ]);
  });

  test('a job whose variables cannot be read fails, and the next one is given', async () => {
    const pipeline = await made();
    await db.pipeline.update({ where: { id: pipeline }, data: { variablesSealed: 'no seal' } });
    expect((await runner.request('')).status).toBe(204);
    expect(
      await db.job.findFirst({ where: { pipelineId: pipeline, name: 'compile' } }),
    ).toMatchObject({ status: 'failed', failure: 'unknown_failure', runnerId: null });
  });

  test('what came with the pipeline wins over all before', async () => {
    const pipeline = await made();
    const secrets = await unlockSecrets(here.dataFolder, db);
    const given = { SHARED: 'given', DEPLOY: 'yes' };
    await db.pipeline.update({
      where: { id: pipeline },
      data: { source: 'trigger', variablesSealed: secrets.seal(JSON.stringify(given)) },
    });
    const job = await taken();
    expect(job.variables.slice(-2)).toEqual([hidden('SHARED', 'given'), hidden('DEPLOY', 'yes')]);
    expect(job.variables).toContainEqual(shown('CI_PIPELINE_TRIGGERED', true));
    expect(job.variables).toContainEqual(shown('CI_BUILD_TRIGGERED', true));
    expect(job.variables).toContainEqual(shown('CI_PIPELINE_SOURCE', 'trigger'));
  });

  test('secrets of groups come before those of the project and stay hidden', async () => {
    const set = (place: string, key: string, value: string, isProtected = false) =>
      as(ada).post(`${place}/variables`, { key, value, protected: isProtected });
    await set(`/projects/${project}`, 'SHARED', 'of the project');
    await set(`/groups/${inner}`, 'SHARED', 'of the group');
    await set(`/groups/${outer}`, 'SHARED', 'of all');
    await set(`/groups/${outer}`, 'GUARDED', 'for protected branches', true);
    await db.protectedBranch.deleteMany({ where: { projectId: project } });
    const secretsOf = async () => {
      await made();
      const { variables } = await taken();
      return variables.filter(({ key }) => key === 'SHARED' || key === 'GUARDED');
    };
    const open = [hidden('SHARED', 'of the group'), hidden('SHARED', 'of the project')];
    expect(await secretsOf()).toEqual([
      shown('SHARED', 'from the file'),
      hidden('SHARED', 'of all'),
      ...open,
    ]);
    await as(ada).post(`/projects/${project}/protected_branches`, { name: 'master' });
    expect(await secretsOf()).toEqual([
      shown('SHARED', 'from the file'),
      hidden('SHARED', 'of all'),
      hidden('GUARDED', 'for protected branches'),
      ...open,
    ]);
  });
});
