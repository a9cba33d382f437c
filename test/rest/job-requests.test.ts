import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnerInfo, runnersOf } from '../support/runners.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, url, root } = testWorld;
const { deletePushPipelines } = await ciOf(testWorld);
const runners = runnersOf(testWorld);
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });

const empty = { status: 204, body: null };

/** Creates a project with a CI file; `make` creates a pipeline. */
async function createProject(path: string, file: string) {
  const { id } = await seed.project(`acme/${path}`);
  const sha = await seed.push(`acme/${path}`, { '.gitlab-ci.yml': file });
  await deletePushPipelines(id);
  const make = async () => {
    const { status, body } = await as(ada).post(`/projects/${id}/pipeline`, { ref: 'master' });
    expect(status).toBe(201);
    return (body as { id: number }).id;
  };
  return { id, sha, make };
}

/** Finishes the jobs of earlier tests, which shared runners would also get. */
const finishAllJobs = () =>
  db.job.updateMany({ where: { status: { not: 'success' } }, data: { status: 'success' } });

const two = 'one: { script: a }\ntwo: { script: b }\n';

describe('POST /jobs/request', () => {
  test('assigns each job once, then none', async () => {
    const { id, make } = await createProject('order', two);
    const runner = runnerClient(url, (await runners.specific([id])).token);
    await make();
    const [first, second, third] = [
      await runner.request(),
      await runner.request(),
      await runner.request(),
    ];
    expect([first.status, second.status, third.status]).toEqual([201, 201, 204]);
    expect([first.job?.job_info.name, second.job?.job_info.name]).toEqual(['one', 'two']);
    expect(third.lastUpdate).toMatch(/^[\w-]+$/);
  });

  test('an assigned job is running, and the runner has a contact time', async () => {
    const { id, make } = await createProject('started', 'one: { script: a }');
    const registered = await runners.specific([id]);
    const pipeline = await make();
    const { job } = await runnerClient(url, registered.token).request();
    expect(await db.job.findUniqueOrThrow({ where: { id: job?.id ?? 0 } })).toMatchObject({
      status: 'running',
      runnerId: registered.id,
      startedAt: expect.any(Date),
      heardAt: expect.any(Date),
    });
    expect(await as(ada).get(`/projects/${id}/pipelines/${pipeline}`)).toMatchObject({
      body: { status: 'running', started_at: expect.any(String), duration: 0 },
    });
    expect(await as(ada).get(`/runners/${registered.id}`)).toMatchObject({
      body: { contacted_at: expect.any(String), ...runnerInfo },
    });
  });

  test('the job token is stored encrypted, with a digest', async () => {
    const { id, make } = await createProject('sealed', 'one: { script: a }');
    await make();
    const { job } = await runnerClient(url, (await runners.specific([id])).token).request();
    const row = await db.job.findUniqueOrThrow({ where: { id: job?.id ?? 0 } });
    const text = JSON.stringify(row) + Buffer.from(row.tokenDigest ?? []).toString('latin1');
    expect(job?.token).toMatch(/^[0-9a-f]{30}$/);
    expect(text).not.toContain(job?.token);
  });

  test('a runner gets jobs if it has all their tags, and untagged jobs if allowed', async () => {
    const file = [
      'plain: { script: a }',
      'ruby: { script: a, tags: [ruby] }',
      'both: { script: a, tags: [ruby, linux] }',
    ].join('\n');
    const { id, make } = await createProject('tags', file);
    await make();
    const requestJobName = async (settings: object) => {
      const runner = runnerClient(url, (await runners.specific([id], { ...settings })).token);
      return (await runner.request()).job?.job_info.name ?? null;
    };
    expect(await requestJobName({ tag_list: 'linux', run_untagged: false })).toBeNull();
    expect(await requestJobName({ tag_list: 'ruby', run_untagged: false })).toBe('ruby');
    expect(await requestJobName({ tag_list: 'ruby,linux,arm', run_untagged: false })).toBe('both');
    expect(await requestJobName({ tag_list: 'ruby', run_untagged: false })).toBeNull();
    expect(await requestJobName({})).toBe('plain');
  });

  test('a runner for protected refs gets jobs of protected branches only', async () => {
    const { id, make } = await createProject('guarded', 'one: { script: a }');
    const { token } = await runners.specific([id], { access_level: 'ref_protected' });
    await db.protectedBranch.deleteMany({ where: { projectId: id } });
    await make();
    expect((await runnerClient(url, token).request()).status).toBe(204);
    await as(ada).post(`/projects/${id}/protected_branches`, { name: 'master' });
    await make();
    expect((await runnerClient(url, token).request()).status).toBe(201);
    expect((await runnerClient(url, token).request()).status).toBe(204);
  });

  test('a specific runner gets no jobs of projects in which it is not enabled', async () => {
    const project = await createProject('mine', 'one: { script: a }');
    const other = await createProject('other', 'one: { script: a }');
    await other.make();
    const { token } = await runners.specific([project.id]);
    expect((await runnerClient(url, token).request()).status).toBe(204);
  });

  test('a shared runner gets jobs if the project enables shared runners and jobs', async () => {
    await finishAllJobs();
    const { id, make } = await createProject('shared', 'one: { script: a }');
    const { token } = await runners.shared();
    await make();
    const runner = runnerClient(url, token);
    const refuse = [{ shared_runners_enabled: false }, { jobs_enabled: false }];
    const allow = [{ shared_runners_enabled: true }, { jobs_enabled: true }];
    for (const [turn, change] of refuse.entries()) {
      expect((await as(ada).put(`/projects/${id}`, change)).status).toBe(200);
      expect((await runner.request('')).status).toBe(204);
      expect((await as(ada).put(`/projects/${id}`, allow[turn] ?? {})).status).toBe(200);
    }
    expect((await as(ada).post(`/projects/${id}/archive`)).status).toBe(201);
    expect((await runner.request('')).status).toBe(204);
    expect((await as(ada).post(`/projects/${id}/unarchive`)).status).toBe(201);
    expect((await runner.request('')).status).toBe(201);
  });

  test('shared runners serve the project with fewer running jobs first', async () => {
    await finishAllJobs();
    const busy = await createProject('busy', two);
    const idle = await createProject('idle', two);
    await busy.make();
    await idle.make();
    const { token } = await runners.shared();
    const owners: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const { job } = await runnerClient(url, token).request('');
      owners.push(job?.job_info.project_id ?? 0);
    }
    expect(owners).toEqual([busy.id, idle.id, busy.id, idle.id]);
  });

  test('a removed project has no jobs to assign', async () => {
    await finishAllJobs();
    const { id, make } = await createProject('removed', 'one: { script: a }');
    await make();
    await as(ada).delete(`/projects/${id}`);
    const { token } = await runners.shared();
    expect((await runnerClient(url, token).request('')).status).toBe(204);
  });

  test('fifty concurrent runners get every job exactly once', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `job${n}: { script: a }`);
    const { id, make } = await createProject('crowd', names.join('\n'));
    const { token } = await runners.specific([id]);
    await make();
    const assignedIds: number[] = [];
    const worker = async () => {
      for (;;) {
        const { status, job } = await runnerClient(url, token).request('');
        expect([201, 204, 409]).toContain(status);
        if (job) assignedIds.push(job.id);
        if (!job && (await db.job.count({ where: { projectId: id, status: 'pending' } })) === 0)
          return;
      }
    };
    await Promise.all(Array.from({ length: 50 }, worker));
    const all = await db.job.findMany({ where: { projectId: id }, orderBy: { id: 'asc' } });
    expect(assignedIds.toSorted((first, second) => first - second)).toEqual(
      all.map((job) => job.id),
    );
    expect(all.every(({ status }) => status === 'running')).toBe(true);
  });

  test('a paused runner gets no jobs until it is active again', async () => {
    const { id, make } = await createProject('paused', 'one: { script: a }');
    const registered = await runners.specific([id]);
    const runner = runnerClient(url, registered.token);
    expect((await runner.request('')).status).toBe(204);
    await make();
    await as(ada).put(`/runners/${registered.id}`, { active: false });
    expect((await runner.request('')).status).toBe(204);
    await as(ada).put(`/runners/${registered.id}`, { active: true });
    expect((await runner.request('')).status).toBe(201);
  });

  test('an unknown token, another kind of token and the token of a removed runner give 403', async () => {
    const { id } = await createProject('tokens', 'one: { script: a }');
    const registered = await runners.specific([id]);
    const runner = runnerClient(url, registered.token);
    expect((await runner.request('')).status).toBe(204);
    await as(ada).delete(`/runners/${registered.id}`);
    const unregistered = await runners.specific([id]);
    await runnerClient(url, unregistered.token).request('');
    expect(await runnerClient(url, unregistered.token).unregister()).toBe(204);
    const bad = [
      registered.token,
      unregistered.token,
      '',
      'x',
      ada.token,
      await runners.sharedToken(),
    ];
    for (const token of bad) {
      expect(await as(null).post('/jobs/request', { token })).toEqual(refused.forbidden);
    }
  });

  test('the runner token decides, regardless of the signed-in user', async () => {
    const { id } = await createProject('callers', 'one: { script: a }');
    const { token } = await runners.specific([id]);
    for (const person of [null, ada, root]) {
      expect(await as(person).post('/jobs/request', { token })).toEqual(empty);
      expect(await as(person).post('/jobs/request', { token: 'x' })).toEqual(refused.forbidden);
    }
  });

  test('missing and invalid parameters are rejected', async () => {
    const { token } = await runners.shared();
    expect(await as(null).post('/jobs/request')).toEqual(refused.parameter('token is missing'));
    expect(await as(null).post('/jobs/request', { token, info: 'x' })).toEqual(
      refused.parameter('info is invalid'),
    );
    expect(await as(null).post('/jobs/request', { token, last_update: 'x'.repeat(101) })).toEqual(
      refused.parameter('last_update is invalid'),
    );
  });
});
