import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnerInfo, runnersOf } from '../support/runners.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, db, url, root } = here;
const { deletePushPipelines } = await ciOf(here);
const runners = runnersOf(here);
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });

const empty = { status: 204, body: null };

/** A project with that CI file, and how a pipeline of it is made. */
async function fresh(path: string, file: string) {
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

/** What tests before have left would go to shared runners as well. */
const clear = () =>
  db.job.updateMany({ where: { status: { not: 'success' } }, data: { status: 'success' } });

const two = 'one: { script: a }\ntwo: { script: b }\n';

describe('POST /jobs/request', () => {
  test('gives a runner one job after the other, each once, then nothing', async () => {
    const { id, make } = await fresh('order', two);
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

  test('the job runs from then on, for its runner, which was heard of', async () => {
    const { id, make } = await fresh('begun', 'one: { script: a }');
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

  test('the token of the job is kept so that only this instance reads it', async () => {
    const { id, make } = await fresh('sealed', 'one: { script: a }');
    await make();
    const { job } = await runnerClient(url, (await runners.specific([id])).token).request();
    const row = await db.job.findUniqueOrThrow({ where: { id: job?.id ?? 0 } });
    const text = JSON.stringify(row) + Buffer.from(row.tokenDigest ?? []).toString('latin1');
    expect(job?.token).toMatch(/^[0-9a-f]{30}$/);
    expect(text).not.toContain(job?.token);
  });

  test('a runner takes jobs all tags of which it has, and untagged ones if it may', async () => {
    const file = [
      'plain: { script: a }',
      'ruby: { script: a, tags: [ruby] }',
      'both: { script: a, tags: [ruby, linux] }',
    ].join('\n');
    const { id, make } = await fresh('tags', file);
    await make();
    const taken = async (traits: object) => {
      const runner = runnerClient(url, (await runners.specific([id], { ...traits })).token);
      return (await runner.request()).job?.job_info.name ?? null;
    };
    expect(await taken({ tag_list: 'linux', run_untagged: false })).toBeNull();
    expect(await taken({ tag_list: 'ruby', run_untagged: false })).toBe('ruby');
    expect(await taken({ tag_list: 'ruby,linux,arm', run_untagged: false })).toBe('both');
    expect(await taken({ tag_list: 'ruby', run_untagged: false })).toBeNull();
    expect(await taken({})).toBe('plain');
  });

  test('one kept for protected refs takes jobs of protected branches alone', async () => {
    const { id, make } = await fresh('guarded', 'one: { script: a }');
    const { token } = await runners.specific([id], { access_level: 'ref_protected' });
    await db.protectedBranch.deleteMany({ where: { projectId: id } });
    await make();
    expect((await runnerClient(url, token).request()).status).toBe(204);
    await as(ada).post(`/projects/${id}/protected_branches`, { name: 'master' });
    await make();
    expect((await runnerClient(url, token).request()).status).toBe(201);
    expect((await runnerClient(url, token).request()).status).toBe(204);
  });

  test('a specific runner takes nothing of projects it is not enabled in', async () => {
    const one = await fresh('mine', 'one: { script: a }');
    const other = await fresh('other', 'one: { script: a }');
    await other.make();
    const { token } = await runners.specific([one.id]);
    expect((await runnerClient(url, token).request()).status).toBe(204);
  });

  test('a shared runner takes what a project leaves to it, where jobs are enabled', async () => {
    await clear();
    const { id, make } = await fresh('left', 'one: { script: a }');
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

  test('of two projects that whose jobs shared runners run less of is first', async () => {
    await clear();
    const busy = await fresh('busy', two);
    const idle = await fresh('idle', two);
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

  test('a removed project has nothing to do', async () => {
    await clear();
    const { id, make } = await fresh('gone', 'one: { script: a }');
    await make();
    await as(ada).delete(`/projects/${id}`);
    const { token } = await runners.shared();
    expect((await runnerClient(url, token).request('')).status).toBe(204);
  });

  test('of what fifty ask for at once nothing is given twice and nothing forgotten', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `job${n}: { script: a }`);
    const { id, make } = await fresh('crowd', names.join('\n'));
    const { token } = await runners.specific([id]);
    await make();
    const given: number[] = [];
    const worker = async () => {
      for (;;) {
        const { status, job } = await runnerClient(url, token).request('');
        expect([201, 204, 409]).toContain(status);
        if (job) given.push(job.id);
        if (!job && (await db.job.count({ where: { projectId: id, status: 'pending' } })) === 0)
          return;
      }
    };
    await Promise.all(Array.from({ length: 50 }, worker));
    const all = await db.job.findMany({ where: { projectId: id }, orderBy: { id: 'asc' } });
    expect(given.toSorted((one, other) => one - other)).toEqual(all.map((job) => job.id));
    expect(all.every(({ status }) => status === 'running')).toBe(true);
  });

  test('a paused runner is given nothing until it goes on', async () => {
    const { id, make } = await fresh('paused', 'one: { script: a }');
    const registered = await runners.specific([id]);
    const runner = runnerClient(url, registered.token);
    expect((await runner.request('')).status).toBe(204);
    await make();
    await as(ada).put(`/runners/${registered.id}`, { active: false });
    expect((await runner.request('')).status).toBe(204);
    await as(ada).put(`/runners/${registered.id}`, { active: true });
    expect((await runner.request('')).status).toBe(201);
  });

  test('a token of nobody, of somebody else or of a runner that is gone is forbidden', async () => {
    const { id } = await fresh('tokens', 'one: { script: a }');
    const registered = await runners.specific([id]);
    const runner = runnerClient(url, registered.token);
    expect((await runner.request('')).status).toBe(204);
    await as(ada).delete(`/runners/${registered.id}`);
    const left = await runners.specific([id]);
    await runnerClient(url, left.token).request('');
    expect(await runnerClient(url, left.token).unregister()).toBe(204);
    const bad = [registered.token, left.token, '', 'x', ada.token, await runners.sharedToken()];
    for (const token of bad) {
      expect(await as(null).post('/jobs/request', { token })).toEqual(refused.forbidden);
    }
  });

  test('who asks is nobody else: the token counts, whoever signs in', async () => {
    const { id } = await fresh('callers', 'one: { script: a }');
    const { token } = await runners.specific([id]);
    for (const person of [null, ada, root]) {
      expect(await as(person).post('/jobs/request', { token })).toEqual(empty);
      expect(await as(person).post('/jobs/request', { token: 'x' })).toEqual(refused.forbidden);
    }
  });

  test('what is missing or does not fit is told', async () => {
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
