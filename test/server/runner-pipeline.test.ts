import { expect, test } from 'vitest';
import { millraceRunners } from '../support/millrace-runner.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const server = await world();
const { as, seed, db } = server;
const ada = await seed.user('ada');
const { id } = await seed.project('ada/app', {}, {});
const runners = runnersOf(server);
const startRunner = millraceRunners(server.url);
const api = as(ada);

/** Three stages: a build, its tests with a check that may fail, and a manual release. */
const ciFile = `
stages: [build, test, deploy]
variables:
  GREETING: hello
  TARGET: out/$GREETING
before_script:
  - export FROM_BEFORE=before
compile:
  stage: build
  script:
    - mkdir -p out/deep/empty
    - echo "$GREETING from $CI_COMMIT_REF_NAME" > "$TARGET"
    - ln -s hello out/link
    - printf '#!/bin/sh\\necho ran' > out/deep/tool
    - chmod +x out/deep/tool
  artifacts:
    name: $CI_JOB_NAME-$CI_COMMIT_REF_NAME
    expire_in: 1 week
    paths: [out/]
unit:
  stage: test
  script:
    - echo "$FROM_BEFORE $CI_SERVER $CI_PROJECT_DIR"
    - test "$(cat out/link)" = 'hello from master'
    - test -L out/link -a -d out/deep/empty
    - out/deep/tool
  after_script:
    - echo "afterwards [$FROM_BEFORE]"
lint:
  stage: test
  allow_failure: true
  dependencies: []
  script:
    - test ! -e out
    - false | true
    - echo not reached
release:
  stage: deploy
  when: manual
  script:
    - cat out/hello
`;

interface Job {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly artifacts_file?: { readonly filename: string };
}

const jobsOf = async (pipeline: number) =>
  (await api.get(`/projects/${id}/pipelines/${pipeline}/jobs`)).body as readonly Job[];
const statuses = async (pipeline: number) =>
  Object.fromEntries((await jobsOf(pipeline)).map(({ name, status }) => [name, status]));
const jobNamed = async (pipeline: number, name: string) => {
  const job = (await jobsOf(pipeline)).find((row) => row.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  return job;
};
const traceOf = async (job: Job) =>
  (await (await api.fetch(`/projects/${id}/jobs/${job.id}/trace`)).text()) as string;
const pipelineStatus = async (pipeline: number) =>
  ((await api.get(`/projects/${id}/pipelines/${pipeline}`)).body as Job).status;

const patient = { timeout: 60_000, interval: 100 };

test('a pushed project with three stages runs to its documented status', async () => {
  const runner = await startRunner(await runners.sharedToken(), { concurrent: 2 });
  const running = runner.run();
  await seed.push('ada/app', { '.gitlab-ci.yml': ciFile });
  const pipelines = async () =>
    (await api.get(`/projects/${id}/pipelines`)).body as readonly { readonly id: number }[];
  await expect.poll(async () => (await pipelines()).length, patient).toBe(1);
  const [pipeline] = await pipelines();
  const at = pipeline?.id ?? 0;
  await expect.poll(() => pipelineStatus(at), patient).toBe('success');
  expect(await statuses(at)).toEqual({
    compile: 'success',
    unit: 'success',
    lint: 'failed',
    release: 'manual',
  });

  const compile = await jobNamed(at, 'compile');
  expect(compile.artifacts_file?.filename).toBe('compile-master.zip');
  const unit = await traceOf(await jobNamed(at, 'unit'));
  expect(unit).toContain(
    '\u001B[32;1m$ test "$(cat out/link)" = \'hello from master\'\u001B[0;m\n',
  );
  expect(unit).toMatch(/\nbefore yes \/\S+\/source\n/);
  expect(unit).toContain('\nran\n');
  expect(unit).toContain('\nafterwards []\n');
  expect(unit).toMatch(/Job succeeded\S*\n$/);
  const lint = await traceOf(await jobNamed(at, 'lint'));
  expect(lint).not.toContain('\nnot reached\n');
  expect(lint).toContain('ERROR: Job failed: exit status 1');

  const release = await jobNamed(at, 'release');
  expect((await api.post(`/projects/${id}/jobs/${release.id}/play`)).status).toBe(200);
  await expect.poll(async () => (await jobNamed(at, 'release')).status, patient).toBe('success');
  expect(await traceOf(release)).toContain('\nhello from master\n');
  expect(await pipelineStatus(at)).toBe('success');
  const failed = await db.job.findUniqueOrThrow({ where: { id: (await jobNamed(at, 'lint')).id } });
  expect(failed).toMatchObject({ failure: 'script_failure' });
  expect(await running.end('SIGTERM')).toBe(0);
}, 120_000);
