import { describe, expect, test } from 'vitest';
import { ciFile, ciOf, jobShape } from '../support/ci.ts';
import { runnerShape, runnersOf } from '../support/runners.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const { move, deletePushPipelines } = await ciOf(testWorld);
const ada = await seed.user('ada');
const max = await seed.user('max');
const gus = await seed.user('gus');
await seed.group('acme', { owner: ada });

async function createProject(path: string, roles: object, settings: object = {}) {
  const { id } = await seed.project(`acme/${path}`, roles, { ...settings });
  const sha = await seed.push(`acme/${path}`, { '.gitlab-ci.yml': ciFile });
  await deletePushPipelines(id);
  const { body } = await as(root).post(`/projects/${id}/pipeline`, { ref: 'master' });
  return { id, sha, pipelineId: (body as { id: number }).id, fullPath: `acme/${path}` };
}

const app = await createProject('app', { master: max, guest: gus });
const tool = await createProject('tool', {});
const quiet = await createProject('quiet', { guest: max }, { public_jobs: false });
const runner = await runnersOf(testWorld).specific([app.id, tool.id, quiet.id]);
for (const { pipelineId } of [app, tool, quiet]) {
  await move(pipelineId, 'compile', 'running', { runnerId: runner.id });
}
await move(tool.pipelineId, 'compile', 'success');
const path = `/runners/${runner.id}/jobs`;

const projectIds = (response: { body: unknown }) =>
  (response.body as { project: { id: number } }[]).map(({ project }) => project.id);

describe('GET /runners/:id/jobs', () => {
  test('lists the jobs of a runner with their projects', async () => {
    const { sha, fullPath, pipelineId } = app;
    const pipeline = { id: pipelineId, status: 'running' };
    expect(await as(max).get(path)).toEqual({
      status: 200,
      body: [
        {
          ...jobShape(url, { sha, user: root, pipeline, fullPath }),
          user: expect.objectContaining({ username: 'root' }),
          name: 'compile',
          stage: 'build',
          status: 'running',
          started_at: instant,
          duration: expect.any(Number),
          runner: runnerShape(runner.id),
          project: {
            id: app.id,
            description: null,
            name: 'app',
            name_with_namespace: 'acme / app',
            path: 'app',
            path_with_namespace: 'acme/app',
            created_at: instant,
          },
        },
      ],
    });
  });

  test('lists the jobs that the caller can see', async () => {
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    expect(await as(gus).get(path)).toEqual({
      status: 403,
      body: { message: '403 Forbidden - No access granted' },
    });
    expect(projectIds(await as(max).get(path))).toEqual([app.id]);
    expect(projectIds(await as(ada).get(path))).toEqual([quiet.id, tool.id, app.id]);
    expect(projectIds(await as(root).get(path))).toEqual([quiet.id, tool.id, app.id]);
    await db.project.update({ where: { id: tool.id }, data: { isRemoved: true } });
    expect(projectIds(await as(root).get(path))).toEqual([quiet.id, app.id]);
    await db.project.update({ where: { id: tool.id }, data: { isRemoved: false } });
  });

  test('filters by status and sorts in both directions', async () => {
    expect(projectIds(await as(ada).get(`${path}?status=success`))).toEqual([tool.id]);
    expect(projectIds(await as(ada).get(`${path}?order_by=id&sort=asc`))).toEqual([
      app.id,
      tool.id,
      quiet.id,
    ]);
    for (const name of ['status', 'order_by', 'sort']) {
      expect(await as(ada).get(`${path}?${name}=x`)).toEqual(
        refused.parameter(`${name} does not have a valid value`),
      );
    }
    expect(await as(ada).get('/runners/0/jobs')).toEqual(refused.record);
    expect(await as(ada).get('/runners/x/jobs')).toEqual(refused.parameter('id is invalid'));
  });
});
