import { describe, expect, test } from 'vitest';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { ciOf } from '../support/ci.ts';
import { git, temporaryFolder } from '../support/git.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { type AssignedJob, runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, url, remote } = testWorld;
const { move, deletePushPipelines } = await ciOf(testWorld);
const runners = runnersOf(testWorld);
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

/** Creates a pipeline for a ref. */
async function createPipeline(ref = 'master'): Promise<number> {
  await db.job.updateMany({ data: { status: 'success' } });
  const { status, body } = await as(ada).post(`/projects/${project}/pipeline`, { ref });
  expect(status).toBe(201);
  return (body as { id: number }).id;
}

async function requestJob(): Promise<AssignedJob> {
  const { status, job } = await runner.request('');
  expect(status).toBe(201);
  if (!job) throw new Error('no job was assigned');
  return job;
}

const publicVariable = (key: string, value: unknown) => ({
  key,
  value: String(value),
  public: true,
});
const secretVariable = (key: string, value: string) => ({ key, value, public: false });
const valuesOf = (job: AssignedJob) => new Map(job.variables.map(({ key, value }) => [key, value]));

describe('POST /jobs/request', () => {
  test('sends the complete job', async () => {
    const pipeline = await createPipeline();
    const job = await requestJob();
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
        publicVariable('CI', true),
        publicVariable('GITLAB_CI', true),
        publicVariable('CI_SERVER_NAME', 'Millrace'),
        publicVariable('CI_SERVER_URL', url),
        publicVariable('CI_SERVER_VERSION', '10.1.0'),
        publicVariable('CI_SERVER_REVISION', 'millrace'),
        publicVariable('CI_JOB_ID', id),
        publicVariable('CI_JOB_URL', `${url}/acme/tools/app/-/jobs/${id}`),
        publicVariable('CI_JOB_NAME', 'compile'),
        publicVariable('CI_JOB_STAGE', 'build'),
        secretVariable('CI_JOB_TOKEN', token),
        publicVariable('CI_COMMIT_SHA', sha),
        publicVariable('CI_COMMIT_SHORT_SHA', sha.slice(0, 8)),
        publicVariable('CI_COMMIT_BEFORE_SHA', '0'.repeat(40)),
        publicVariable('CI_COMMIT_REF_NAME', 'master'),
        publicVariable('CI_COMMIT_REF_SLUG', 'master'),
        secretVariable('CI_REPOSITORY_URL', repository),
        publicVariable('CI_REGISTRY_USER', 'gitlab-ci-token'),
        secretVariable('CI_REGISTRY_PASSWORD', token),
        publicVariable('CI_BUILD_ID', id),
        secretVariable('CI_BUILD_TOKEN', token),
        publicVariable('CI_BUILD_REF', sha),
        publicVariable('CI_BUILD_BEFORE_SHA', '0'.repeat(40)),
        publicVariable('CI_BUILD_REF_NAME', 'master'),
        publicVariable('CI_BUILD_REF_SLUG', 'master'),
        publicVariable('CI_BUILD_NAME', 'compile'),
        publicVariable('CI_BUILD_STAGE', 'build'),
        publicVariable('CI_PROJECT_ID', project),
        publicVariable('CI_PROJECT_NAME', 'app'),
        publicVariable('CI_PROJECT_PATH', 'acme/tools/app'),
        publicVariable('CI_PROJECT_PATH_SLUG', 'acme-tools-app'),
        publicVariable('CI_PROJECT_NAMESPACE', 'acme/tools'),
        publicVariable('CI_PROJECT_URL', `${url}/acme/tools/app`),
        publicVariable('CI_PROJECT_VISIBILITY', 'private'),
        publicVariable('CI_API_V4_URL', `${url}/api/v4`),
        publicVariable('CI_PIPELINE_ID', pipeline),
        publicVariable('CI_PIPELINE_URL', `${url}/acme/tools/app/-/pipelines/${pipeline}`),
        publicVariable('CI_CONFIG_PATH', '.gitlab-ci.yml'),
        publicVariable('CI_PIPELINE_SOURCE', 'api'),
        { ...publicVariable('CI_COMMIT_MESSAGE', 'Initial commit\n'), raw: true },
        { ...publicVariable('CI_COMMIT_TITLE', 'Initial commit'), raw: true },
        { ...publicVariable('CI_COMMIT_DESCRIPTION', ''), raw: true },
        publicVariable('CI_RUNNER_ID', registered.id),
        publicVariable('CI_RUNNER_DESCRIPTION', 'builder 1'),
        publicVariable('CI_RUNNER_TAGS', 'linux, ruby'),
        publicVariable('DEPTH', 1),
        publicVariable('SHARED', 'from the file'),
        publicVariable('GITLAB_USER_ID', ada.id),
        publicVariable('GITLAB_USER_EMAIL', 'ada@example.com'),
        publicVariable('GITLAB_USER_LOGIN', 'ada'),
        publicVariable('GITLAB_USER_NAME', 'Ada'),
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

  test('settings missing in the file are null, and there is one step', async () => {
    const pipeline = await createPipeline();
    await move(pipeline, 'compile', 'success');
    await requestJob();
    expect(await requestJob()).toMatchObject({
      job_info: { name: 'lint' },
      image: null,
      services: [],
      artifacts: [null],
      cache: [null],
      steps: [{ name: 'script', script: ['lint'] }],
    });
  });

  test('earlier jobs are dependencies: the named jobs, all or none of them', async () => {
    const pipeline = await createPipeline();
    const compile = await requestJob();
    await runner.update(compile, { state: 'success' });
    const archive = await jobFilesOf(testWorld).artifacts(
      { id: compile.id, projectId: project },
      { 'out/a': 'b' },
    );
    const earlier = {
      id: compile.id,
      name: 'compile',
      token: compile.token,
      artifacts_file: { filename: 'artifacts.zip', size: archive.length },
    };
    expect((await requestJob()).dependencies).toEqual([earlier]);
    expect((await requestJob()).dependencies).toEqual([]);
    await move(pipeline, 'all', 'pending');
    const expired = { artifactsExpireAt: new Date(Date.now() - 1_000) };
    await db.job.update({ where: { id: compile.id }, data: expired });
    const { artifacts_file: _, ...withoutArtifacts } = earlier;
    expect((await requestJob()).dependencies).toEqual([withoutArtifacts]);
  });

  test('a manual job of a tag with an environment gets their variables', async () => {
    const folder = await temporaryFolder();
    await git(folder, 'clone', '--quiet', remote('acme/tools/app', ada), '.');
    await git(folder, 'tag', 'Release_1/2');
    await git(folder, 'push', '--quiet', 'origin', 'Release_1/2');
    await deletePushPipelines(
      project,
      1 + (await db.pipeline.count({ where: { projectId: project } })),
    );
    const pipeline = await createPipeline('Release_1/2');
    await move(pipeline, 'compile', 'success');
    await move(pipeline, 'all', 'pending');
    const jobs = [await requestJob(), await requestJob(), await requestJob()];
    const job = jobs.find(({ job_info }) => job_info.name === 'all');
    if (!job) throw new Error('the manual job was not assigned');
    expect(job.git_info).toMatchObject({ ref: 'Release_1/2', ref_type: 'tag' });
    const values = valuesOf(job);
    const expected = {
      CI_COMMIT_TAG: 'Release_1/2',
      CI_BUILD_TAG: 'Release_1/2',
      CI_COMMIT_REF_SLUG: 'release-1-2',
      CI_JOB_MANUAL: 'true',
      CI_BUILD_MANUAL: 'true',
      CI_ENVIRONMENT_NAME: 'review/Release_1/2',
    };
    expect(Object.fromEntries(values)).toMatchObject(expected);
    const slug = values.get('CI_ENVIRONMENT_SLUG');
    expect(slug).toMatch(/^review-release-[a-z0-9-]{6,9}$/);
    expect(values.get('CI_ENVIRONMENT_URL')).toBe(`https://${slug}.example.com`);
    expect(job.variables.slice(-3).map(({ key }) => key)).toEqual([
      'CI_ENVIRONMENT_NAME',
      'CI_ENVIRONMENT_SLUG',
      'CI_ENVIRONMENT_URL',
    ]);
  });

  test('a job whose variables cannot be decrypted fails, and the next job is assigned', async () => {
    const pipeline = await createPipeline();
    await db.pipeline.update({ where: { id: pipeline }, data: { variablesSealed: 'no seal' } });
    expect((await runner.request('')).status).toBe(204);
    expect(
      await db.job.findFirst({ where: { pipelineId: pipeline, name: 'compile' } }),
    ).toMatchObject({ status: 'failed', failure: 'unknown_failure', runnerId: null });
  });

  test('variables of the pipeline override all others', async () => {
    const pipeline = await createPipeline();
    const secrets = await unlockSecrets(testWorld.dataFolder, db);
    const variables = { SHARED: 'pipeline', DEPLOY: 'yes' };
    await db.pipeline.update({
      where: { id: pipeline },
      data: { source: 'trigger', variablesSealed: secrets.seal(JSON.stringify(variables)) },
    });
    const job = await requestJob();
    expect(job.variables.slice(-2)).toEqual([
      secretVariable('SHARED', 'pipeline'),
      secretVariable('DEPLOY', 'yes'),
    ]);
    expect(job.variables).toContainEqual(publicVariable('CI_PIPELINE_TRIGGERED', true));
    expect(job.variables).toContainEqual(publicVariable('CI_BUILD_TRIGGERED', true));
    expect(job.variables).toContainEqual(publicVariable('CI_PIPELINE_SOURCE', 'trigger'));
  });

  test('secret variables of groups precede those of the project and are not public', async () => {
    const set = (ownerPath: string, key: string, value: string, isProtected = false) =>
      as(ada).post(`${ownerPath}/variables`, { key, value, protected: isProtected });
    await set(`/projects/${project}`, 'SHARED', 'of the project');
    await set(`/groups/${inner}`, 'SHARED', 'of the group');
    await set(`/groups/${outer}`, 'SHARED', 'of all');
    await set(`/groups/${outer}`, 'GUARDED', 'for protected branches', true);
    await db.protectedBranch.deleteMany({ where: { projectId: project } });
    const secretsOf = async () => {
      await createPipeline();
      const { variables } = await requestJob();
      return variables.filter(({ key }) => key === 'SHARED' || key === 'GUARDED');
    };
    const open = [
      secretVariable('SHARED', 'of the group'),
      secretVariable('SHARED', 'of the project'),
    ];
    expect(await secretsOf()).toEqual([
      publicVariable('SHARED', 'from the file'),
      secretVariable('SHARED', 'of all'),
      ...open,
    ]);
    await as(ada).post(`/projects/${project}/protected_branches`, { name: 'master' });
    expect(await secretsOf()).toEqual([
      publicVariable('SHARED', 'from the file'),
      secretVariable('SHARED', 'of all'),
      secretVariable('GUARDED', 'for protected branches'),
      ...open,
    ]);
  });
});
