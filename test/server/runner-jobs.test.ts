import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { millraceRunners, runnerCommand } from '../support/millrace-runner.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const server = await world();
const { as, seed, db, url } = server;
const ada = await seed.user('ada');
const api = as(ada);
const runners = runnersOf(server);
const startRunner = millraceRunners(server.url);
const patient = { timeout: 60_000, interval: 100 };

interface Row {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}

/** Creates a project with this CI file; reads the jobs of its latest pipeline through REST. */
async function pushed(path: string, ciFile: string, variables: Record<string, string> = {}) {
  const { id } = await seed.project(`ada/${path}`);
  for (const [key, value] of Object.entries(variables)) {
    const created = await api.post(`/projects/${id}/variables`, { key, value });
    expect(created.status).toBe(201);
  }
  await seed.push(`ada/${path}`, { '.gitlab-ci.yml': ciFile, 'tracked.txt': 'tracked\n' });
  const jobs = async () => (await api.get(`/projects/${id}/jobs`)).body as readonly Row[];
  const job = async (name: string) => (await jobs()).find((row) => row.name === name);
  const status = async (name: string) => (await job(name))?.status;
  const trace = async (name: string) =>
    (await api.fetch(`/projects/${id}/jobs/${(await job(name))?.id}/trace`)).text();
  const ends = async (name: string, expected: string) => {
    const isOver = async () => /success|failed|canceled/.test((await status(name)) ?? '');
    await expect.poll(isOver, patient).toBe(true);
    expect([await status(name), await trace(name)]).toEqual([expected, expect.any(String)]);
  };
  const says = (name: string, pattern: RegExp) =>
    expect.poll(() => trace(name), patient).toMatch(pattern);
  const failure = async (name: string) =>
    (await db.job.findUniqueOrThrow({ where: { id: (await job(name))?.id ?? 0 } })).failure;
  return { id, job, status, trace, ends, says, failure };
}

const isThere = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const numberIn = (trace: string, pattern: RegExp) => Number(pattern.exec(trace)?.[1]);

const runner = await startRunner(await runners.sharedToken(), { concurrent: 3 });
const running = runner.run();

describe('the trace', () => {
  test('masks secret variables and tokens, also across chunks', async () => {
    const app = await pushed(
      'secrets',
      `
tell:
  script:
    - echo "it is $PASSWORD, really"
    - printf 'open '; sleep 0.3; printf 'sesame'; sleep 0.3; echo ' and on'
    - echo "$KEY"
    - echo "$CI_JOB_TOKEN $CI_REPOSITORY_URL"
    - echo "$ALSO $PLAIN"
    - cat .git/config
  variables: { PLAIN: plain words }
`,
      { PASSWORD: 'open sesame', KEY: 'first line\nsecond line', ALSO: 'is:$PASSWORD' },
    );
    await app.ends('tell', 'success');
    const trace = await app.trace('tell');
    expect(trace).toContain('\nit is [MASKED], really\n');
    expect(trace).toContain('\n[MASKED] and on\n');
    expect(trace).toContain('\n[MASKED]\n[MASKED]\n');
    expect(trace).toContain('[MASKED] plain words\n');
    expect(trace).toContain('\n[MASKED] [MASKED]\n');
    expect(trace).not.toMatch(/open sesame|first line|second line/);
    expect(trace.split('cat .git/config')[1]).not.toContain('[MASKED]');
  });

  test('that exceeds the limit is truncated', async () => {
    const app = await pushed('long', `talk: { script: [head -c 6000000 /dev/zero | tr '\\0' x] }`);
    await app.ends('talk', 'success');
    const trace = await app.trace('talk');
    expect(trace.length).toBeLessThan(4_400_000);
    expect(trace).toContain('The trace is longer than 4194304 bytes: the rest is left out.');
    expect(trace).toContain('Job succeeded');
  });
});

describe('a job', () => {
  test('that is canceled ends with all processes', async () => {
    const app = await pushed('canceled', `wait: { script: [sleep 600 & echo "child $!."; wait] }`);
    await app.says('wait', /child \d+\./);
    const child = numberIn(await app.trace('wait'), /child (\d+)\./);
    expect(isThere(child)).toBe(true);
    const { id } = (await app.job('wait')) ?? { id: 0 };
    expect((await api.post(`/projects/${app.id}/jobs/${id}/cancel`)).status).toBe(201);
    await expect.poll(() => isThere(child), patient).toBe(false);
    expect(await app.status('wait')).toBe('canceled');
  });

  test.each([
    ['in the background', 'touch away; sleep 600 &'],
    ['in a group of its own', 'setsid sh -c "touch away; exec sleep 600" &'],
  ])('leaves no process of %s running', async (kind, command) => {
    const wait = 'until test -e away; do sleep 0.1; done';
    const path = kind.replaceAll(' ', '-');
    const app = await pushed(path, `leave: { script: ['${command} echo "child $!."; ${wait}'] }`);
    await app.ends('leave', 'success');
    const child = numberIn(await app.trace('leave'), /child (\d+)\./);
    await expect.poll(() => isThere(child), patient).toBe(false);
  });

  test('continues without a cache that cannot be archived', async () => {
    const app = await pushed(
      'no-cache',
      `
fill:
  script: [mkdir -p kept "$CACHES", touch kept/a "$CACHES/$CI_PROJECT_ID"]
  variables: { CACHES: ${join(runner.folder, 'cache')} }
  cache: { paths: [kept] }
`,
    );
    await app.ends('fill', 'success');
    expect(await app.trace('fill')).toContain('WARNING: The cache could not be saved: ');
  });

  test('with an unsupported feature fails as unsupported by the runner', async () => {
    const app = await pushed(
      'strategy',
      `odd: { script: [echo], variables: { GIT_STRATEGY: pull } }`,
    );
    await app.ends('odd', 'failed');
    expect(await app.failure('odd')).toBe('runner_system_failure');
    expect(await app.trace('odd')).toContain('GIT_STRATEGY is pull, not fetch, clone or none');
  });

  test('cannot see the runner’s environment, and gets a new folder each time', async () => {
    const steps = '[ls -A, env, touch left, mkdir -p made/in && chmod 500 made/in made]';
    const app = await pushed(
      'clean',
      `
stages: [one, two, three]
first: { stage: one, script: ${steps} }
second: { stage: two, script: ${steps} }
none: { stage: three, script: ['echo "[$(ls -A)]"'], variables: { GIT_STRATEGY: none } }
`,
    );
    await app.ends('second', 'success');
    for (const name of ['first', 'second']) {
      const trace = await app.trace(name);
      expect(trace).toMatch(/\.git\n\.gitlab-ci\.yml\ntracked\.txt\n\S*\[32;1m\$ env/);
      expect(trace).not.toMatch(/millrace-runner\/|NODE_|GIT_CONFIG|left\n/);
    }
    expect(await app.trace('first')).toContain('Cloning repository...');
    expect(await app.trace('second')).toContain('Fetching changes...');
    await app.ends('none', 'success');
    expect(await app.trace('none')).toContain('\n[]\n');
    const place = join(runner.folder, 'builds', String(app.id), '0');
    expect(await readdir(place)).toEqual(['kept']);
  });

  test('restores the cache of an earlier job by key', async () => {
    const app = await pushed(
      'cached',
      `
stages: [one, two]
cache: { key: "$CI_COMMIT_REF_NAME", paths: [kept/], untracked: true }
fill: { stage: one, script: [mkdir kept, echo 1 > kept/a, ln -s a kept/b, echo 2 > loose] }
use: { stage: two, script: [cat kept/b loose], cache: { key: master, paths: [kept/], policy: pull } }
other: { stage: two, script: [test ! -e kept], cache: { key: other, paths: [kept/] } }
`,
    );
    await app.ends('use', 'success');
    await app.ends('other', 'success');
    expect(await app.trace('use')).toMatch(/\n1\n2\n/);
    expect(await app.trace('other')).toContain('There is no cache other yet');
  });

  test('uploads artifacts on failure if configured, and no files outside of its folder', async () => {
    const app = await pushed(
      'kept',
      `
stages: [one, two]
fails:
  stage: one
  script: ['echo log > log', 'ln -s /etc link', 'exit 7']
  artifacts: { when: on_failure, paths: [log, link, link/passwd, ../../, /etc/passwd, nothing*] }
later: { stage: two, when: always, script: [cat log, readlink link] }
`,
    );
    await app.ends('fails', 'failed');
    const trace = await app.trace('fails');
    expect(trace).toContain('link/passwd: no matching files');
    expect(trace).toContain('../../: outside of the project folder');
    expect(trace).toContain('/etc/passwd: outside of the project folder');
    expect(trace).toContain('nothing*: no matching files');
    expect(trace).toContain('Uploaded 2 files');
    expect(trace).toContain('ERROR: Job failed: exit status 7');
    await app.ends('later', 'success');
    expect(await app.trace('later')).toMatch(/\nlog\n.*\n\/etc\n/);
  });

  test('can have a shallow clone, and logs unsupported settings', async () => {
    const app = await pushed(
      'shallow',
      `
depth:
  script: [git rev-list --count HEAD, git rev-parse --is-shallow-repository]
  variables: { GIT_DEPTH: 1, GIT_SUBMODULE_STRATEGY: recursive }
`,
    );
    await app.ends('depth', 'success');
    const trace = await app.trace('depth');
    expect(trace).toContain('Skipping Git submodules: this runner does not fetch them');
    expect(trace).toMatch(/\n1\n/);
  });

  test('runs in parallel with other jobs', async () => {
    const waitForOther = (own: string, other: string) =>
      `[touch ${runner.folder}/${own}, 'until test -e ${runner.folder}/${other}; do sleep 0.1; done']`;
    const app = await pushed(
      'beside',
      `
a: { script: ${waitForOther('a', 'b')} }
b: { script: ${waitForOther('b', 'a')} }
`,
    );
    await app.ends('a', 'success');
    await app.ends('b', 'success');
  });
});

test('a stopped runner fails its jobs and exits cleanly', async () => {
  const app = await pushed('stopped', `wait: { script: [sleep 600 & echo "child $!."; wait] }`);
  await app.says('wait', /child \d+\./);
  const child = numberIn(await app.trace('wait'), /child (\d+)\./);
  expect(await running.end('SIGTERM')).toBe(0);
  await expect.poll(() => isThere(child), patient).toBe(false);
  expect(await app.status('wait')).toBe('failed');
  expect(await app.failure('wait')).toBe('runner_system_failure');
  expect(await app.trace('wait')).toContain('the runner is being stopped');
  expect(await readdir(join(runner.folder, 'unfinished'))).toEqual([]);
});

describe('the command line', () => {
  test('does not register with an existing file or an invalid token', async () => {
    const options = ['register', '--url', url, '--config', runner.config];
    const over = await runnerCommand(...options, '--token', await runners.sharedToken());
    expect(over).toMatchObject({
      code: 1,
      output: expect.stringContaining('already has a runner'),
    });
    const bad = await runnerCommand(
      'register',
      '--url',
      url,
      '--token',
      'x',
      '--config',
      join(runner.folder, 'no', 'x'),
    );
    expect(bad).toEqual({ code: 1, output: 'The service rejects this token.\n' });
  });

  test('registers with options, and unregisters', async () => {
    const traits = [
      '--tags',
      'fast,linux',
      '--no-run-untagged',
      '--locked',
      '--description',
      'mine',
    ];
    const other = await startRunner(await runners.sharedToken(), {}, ...traits);
    const registered = await db.runner.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(registered).toMatchObject({
      description: 'mine',
      tags: ['fast', 'linux'],
      runsUntagged: false,
      isLocked: true,
    });
    expect(await runnerCommand('unregister', '--config', other.config)).toMatchObject({ code: 0 });
    expect(await db.runner.count({ where: { id: registered.id } })).toBe(0);
    expect(await readdir(other.folder)).toEqual([]);
  });

  test('exits after its jobs if the service does not know the runner', async () => {
    const other = await startRunner(await runners.sharedToken(), { concurrent: 2 });
    const flag = join(other.folder, 'go-on');
    const app = await pushed(
      'removed',
      `wait: { script: ['until test -e ${flag}; do sleep 0.1; done'] }`,
    );
    const exiting = other.run();
    await expect.poll(() => app.status('wait'), patient).toBe('running');
    await db.runner.deleteMany({ where: { description: { not: null } } });
    await app.says('wait', /until test/);
    await expect.poll(exiting.output, patient).toContain('does not know this runner any more');
    await writeFile(flag, '');
    await expect.poll(() => exiting.child.exitCode, patient).toBe(1);
    expect(await app.status('wait')).toBe('success');
  });
});
