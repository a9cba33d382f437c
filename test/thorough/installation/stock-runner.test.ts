import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runnersOf } from '../../support/runners.ts';
import { stockRunner } from '../../support/stock-runner.ts';
import { type World, world } from '../../support/world.ts';

/** The path of a gitlab-runner program, such as 10.8.2 or 13.12. */
const binary = process.env.MILLRACE_TEST_RUNNER_BINARY;

const patient = { timeout: 120_000, interval: 200 };

interface Row {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly coverage: number | null;
  readonly runner: { readonly description: string } | null;
}

const over = /^(success|failed|canceled)$/;

async function stock(program: string, server: World) {
  const { as, seed, url, root } = server;
  const runner = await stockRunner(program, url);
  const api = as(root);
  /** Creates a project with this CI file; reads its jobs through REST. */
  const pushed = async (
    path: string,
    ciFile: string,
    prepare?: (id: number) => Promise<unknown>,
  ) => {
    const { id } = await seed.project(`root/${path}`);
    await prepare?.(id);
    await seed.push(`root/${path}`, { '.gitlab-ci.yml': ciFile });
    const jobs = async () => (await api.get(`/projects/${id}/jobs`)).body as readonly Row[];
    // the listing is newest first, so that the latest retry is found
    const job = async (name: string) => (await jobs()).find((row) => row.name === name);
    const status = async (name: string) => (await job(name))?.status ?? '';
    const trace = async (name: string) =>
      (await api.fetch(`/projects/${id}/jobs/${(await job(name))?.id}/trace`)).text();
    const ends = async (name: string, expected: string) => {
      await expect.poll(() => status(name), patient).toMatch(over);
      expect([await status(name), await trace(name)]).toEqual([expected, expect.any(String)]);
      return trace(name);
    };
    const act = async (name: string, verb: string) => {
      const { status: actionStatus } = await api.post(
        `/projects/${id}/jobs/${(await job(name))?.id}/${verb}`,
      );
      expect([200, 201]).toContain(actionStatus);
    };
    return { id, jobs, job, status, trace, ends, act };
  };
  return { ...server, api, runner, runners: runnersOf(server), pushed };
}

type Stock = Awaited<ReturnType<typeof stock>>;

const prepared = binary ? await stock(binary, await world()) : null;

const started = (): Stock => {
  if (!prepared) throw new Error('MILLRACE_TEST_RUNNER_BINARY names no program');
  return prepared;
};

describe.runIf(binary)('the stock runner program', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    const { runner, runners } = started();
    await runner.register(await runners.sharedToken(), 'shared', '--run-untagged');
    runner.run();
  });

  test('registers with its version', async () => {
    const { api } = started();
    const { body } = await api.get('/runners/all');
    const [{ id }] = body as [{ id: number }];
    expect(await api.get(`/runners/${id}`)).toMatchObject({
      body: { description: 'shared', name: 'gitlab-runner', version: expect.stringMatching(/^\d/) },
    });
  });

  test('runs two pending jobs at once', async () => {
    const { pushed, runner } = started();
    const meets = (own: string, other: string) =>
      `{ script: [touch ${runner.folder}/${own}, 'until [ -e ${runner.folder}/${other} ]; do sleep 0.2; done'] }`;
    const app = await pushed('pair', `one: ${meets('a', 'b')}\ntwo: ${meets('b', 'a')}\n`);
    await app.ends('one', 'success');
    await app.ends('two', 'success');
  });

  test('follows stages, with artifacts, cache and variables', async () => {
    const { api, pushed, url } = started();
    const ciFile = `
stages: [build, test, last]
cache: { key: "$CI_COMMIT_REF_SLUG", paths: [kept/] }
build:
  stage: build
  script: [mkdir out kept, 'echo "built $CI_COMMIT_SHA" > out/result', echo cached > kept/file]
  artifacts: { name: built, paths: [out/], expire_in: 1 day }
unit:
  stage: test
  script:
    - cat out/result kept/file
    - echo "secret=$SECRET protected=$GUARDED own=$OWN"
    - echo "token=$CI_JOB_TOKEN"
    - echo "api=$CI_API_V4_URL job=$CI_JOB_URL title=$CI_COMMIT_TITLE for=$CI_PROJECT_VISIBILITY"
    - echo "Coverage 87.5%"
  coverage: '/Coverage (\\d+\\.\\d+)%/'
  variables: { OWN: from the file }
  after_script: [echo afterwards]
alone: { stage: test, script: [test ! -e out, test -e kept/file], dependencies: [] }
loose: { stage: test, script: [exit 3], allow_failure: true }
again: { stage: test, script: [exit 1], allow_failure: true, retry: 1 }
last: { stage: last, script: [cat out/result], when: manual }
`;
    const app = await pushed('stages', ciFile, async (id) => {
      const variable = (body: object) => api.post(`/projects/${id}/variables`, { ...body });
      await variable({ key: 'SECRET', value: 'open sesame' });
      await variable({ key: 'GUARDED', value: 'for master', protected: true });
      await api.post(`/projects/${id}/protected_branches`, { name: 'master' });
    });
    const trace = await app.ends('unit', 'success');
    expect(trace).toMatch(/\nbuilt [0-9a-f]{40}\ncached\n/);
    expect(trace).toContain('\nsecret=open sesame protected=for master own=from the file\n');
    expect(trace).toMatch(/\ntoken=(x{30}|\[MASKED\])\n/);
    const job = `${url}/root/stages/-/jobs/${(await app.job('unit'))?.id}`;
    const variables = `api=${url}/api/v4 job=${job} title=Initial commit for=private`;
    expect(trace).toContain(`\n${variables}\n`);
    expect(trace).toContain('\nafterwards\n');
    expect(await app.job('unit')).toMatchObject({
      coverage: 87.5,
      runner: { description: 'shared' },
    });
    await app.ends('alone', 'success');
    await app.ends('loose', 'failed');
    const failures = async () =>
      (await app.jobs()).filter(({ name, status }) => name === 'again' && status === 'failed')
        .length;
    await expect.poll(failures, patient).toBe(2);
    await expect.poll(() => app.status('last'), patient).toBe('manual');
    await app.act('last', 'play');
    expect(await app.ends('last', 'success')).toMatch(/\nbuilt [0-9a-f]{40}\n/);
    await app.act('unit', 'retry');
    await app.ends('unit', 'success');
  });

  test('sends a complete trace of 3 MB', async () => {
    const { pushed } = started();
    const app = await pushed('long', 'long: { script: "seq 1 450000" }');
    const trace = await app.ends('long', 'success');
    expect(trace.length).toBeGreaterThan(3_000_000);
    const numbers = trace.split('\n').filter((line) => /^\d+$/.test(line));
    expect(numbers).toEqual(Array.from({ length: 450_000 }, (_, index) => String(index + 1)));
  });

  test('stops a canceled job', async () => {
    const { pushed, runner } = started();
    const path = join(runner.folder, 'ticks');
    const app = await pushed(
      'cancelled',
      `tick: { script: 'while :; do echo tick | tee -a ${path}; sleep 0.2; done' }`,
    );
    await expect.poll(() => app.trace('tick'), patient).toContain('\ntick\n');
    await app.act('tick', 'cancel');
    expect(await app.status('tick')).toBe('canceled');
    await expect.poll(() => app.trace('tick'), patient).toContain('canceled');
    const ticks = await readFile(path, 'utf8');
    await app.act('tick', 'retry');
    // the retried job runs, and the first one has ended
    await expect.poll(() => readFile(path, 'utf8'), patient).not.toBe(ticks);
    await app.act('tick', 'cancel');
  });

  test('stops a job at its timeout', async () => {
    const { db, pushed } = started();
    const app = await pushed('slow', 'slow: { script: [sleep 100] }', (id) =>
      db.project.update({ where: { id }, data: { buildTimeout: 3 } }),
    );
    expect(await app.ends('slow', 'failed')).toContain('execution took longer than 3');
  });

  test('as a specific runner runs the jobs of its project, also for a tag with GIT_DEPTH', async () => {
    const { api, pushed, runner, runners } = started();
    const ciFile = 'where: { script: "git log -1 --format=%s", variables: { GIT_DEPTH: "1" } }';
    const app = await pushed('specific', ciFile, async (id) => {
      await api.put(`/projects/${id}`, { shared_runners_enabled: false });
      await runner.register(await runners.projectToken(id), 'specific', '--run-untagged');
    });
    const commit = { branch: 'side', start_branch: 'master', commit_message: 'Aside' };
    const actions = [{ action: 'create', file_path: 'a', content: 'a' }];
    await api.post(`/projects/${app.id}/repository/commits`, { ...commit, actions });
    await api.post(`/projects/${app.id}/repository/tags`, { tag_name: 'v1', ref: 'side' });
    const jobs = async () =>
      (await app.jobs()).map(({ status, runner: by }) => [status, by?.description]);
    const done = ['success', 'specific'];
    await expect.poll(jobs, patient).toEqual([done, done, done]);
  });
});
