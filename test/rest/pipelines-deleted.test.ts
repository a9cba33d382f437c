import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { zipOf } from '../support/job-files.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../support/runner-jobs.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db, storedKeys } = testWorld;
const ci = await ciOf(testWorld);
const hold = await jobAssigner(testWorld, ci);
const { append, leave } = jobClient(url);
const ada = await seed.user('ada');
const max = await seed.user('max');
const gus = await seed.user('gus');
const eve = await seed.user('eve');
await seed.group('acme', { owner: ada });
const ciFile = 'done: { script: make }\nunit: { script: make }\n';
const app = await projectWithJobs(testWorld, ci, 'acme/app', ciFile);
await as(root).post(`/projects/${app.id}/members`, { user_id: max.id, access_level: 40 });
await as(root).post(`/projects/${app.id}/members`, { user_id: gus.id, access_level: 10 });
const pathOf = (id: number) => `/projects/${app.id}/pipelines/${id}`;
const archive = new File([new Uint8Array(await zipOf({ a: 'a' }))], 'artifacts.zip');

/** The names of the stored files of jobs. */
const listFiles = async (prefix: string) =>
  (await storedKeys(prefix)).map((key) => basename(key)).filter((name) => name !== 'maker');

describe('DELETE /projects/:id/pipelines/:pipeline_id', () => {
  test('deletes the pipeline with its jobs, traces and artifacts', async () => {
    const id = await app.pipeline();
    const other = await app.pipeline();
    const finished = await hold(id, 'done');
    const running = await hold(id, 'unit');
    const kept = await hold(other, 'unit');
    for (const job of [finished, running, kept]) {
      expect((await append(job, 0, 'hello\n')).status).toBe(202);
      expect((await leave(job, { file: archive })).status).toBe(201);
    }
    await ci.move(id, 'done', 'success');
    expect(await as(ada).delete(pathOf(id))).toEqual({ status: 204, body: null });
    expect(await as(ada).get(pathOf(id))).toEqual(refused.record);
    expect(await db.job.count({ where: { pipelineId: id } })).toBe(0);
    expect((await append(running, 6, 'again\n')).status).toBe(404);
    expect((await append(finished, 6, 'again\n')).status).toBe(404);
    expect((await leave(running, { file: archive })).status).toBe(404);
    await expect.poll(() => listFiles(`artifacts/${app.id}/`)).toEqual([`${kept.id}.zip`]);
    await expect.poll(() => listFiles(`traces/${app.id}/`)).toEqual([`${kept.id}.log`]);
    expect((await as(ada).get(pathOf(other))).status).toBe(200);
  });

  test('requires an owner', async () => {
    const id = await app.pipeline();
    expect(await as(null).delete(pathOf(id))).toEqual(refused.anonymous);
    expect(await as(eve).delete(pathOf(id))).toEqual(refused.missing('Project'));
    for (const user of [gus, max]) {
      expect(await as(user).delete(pathOf(id))).toEqual(refused.forbidden);
    }
    expect(await as(ada).delete(`/projects/${app.id}/pipelines/999999`)).toEqual(refused.record);
    const foreign = await projectWithJobs(testWorld, ci, 'acme/other', ciFile);
    expect(await as(ada).delete(pathOf(await foreign.pipeline()))).toEqual(refused.record);
    expect((await as(root).delete(pathOf(id))).status).toBe(204);
  });

  test('is refused in an archived project', async () => {
    const id = await app.pipeline();
    await as(ada).post(`/projects/${app.id}/archive`);
    expect(await as(ada).delete(pathOf(id))).toEqual(refused.forbidden);
    await as(ada).post(`/projects/${app.id}/unarchive`);
    expect((await as(ada).get(pathOf(id))).status).toBe(200);
  });

  test('a deletion repeated at the same time succeeds once', async () => {
    const id = await app.pipeline();
    const responses = await Promise.all([1, 2, 3].map(() => as(ada).delete(pathOf(id))));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
  });
});
