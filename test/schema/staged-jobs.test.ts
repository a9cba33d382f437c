import { expect, test } from 'vitest';
import { createExecute } from '../../schema/client/execute.ts';
import { graphql } from '../../schema/client/graphql.ts';
import { schema } from '../../schema/index.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { ciProject } from '../support/ci-pages.ts';
import { countedDatabase } from '../support/queries.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { seed, db } = testWorld;
const ada = await seed.user('ada');
const app = await ciProject(testWorld, { path: 'ada/app' });
const { db: counted, queriesOf } = countedDatabase(testWorld.databaseUrl);

const shown = graphql(`
  query StagedJobs($project: ID!, $id: Int!) {
    pipeline(project: $project, id: $id) {
      canRun externalStatuses { name }
      jobs(orderBy: stage, perPage: 100) {
        total nodes { name stage isRetried canRetry canCancel canPlay canErase user { username } }
      }
    }
  }
`);

test('jobs are ordered by stage, with the same number of queries for few and many', async () => {
  const id = await app.pipeline(ada);
  const viewer = { id: ada.id, isAdmin: false, groupLevels: new Map() };
  const context = { viewer, db: counted, request: { id: '', address: '' } };
  const execute = createExecute(schema, () => context as unknown as Context);
  const runQuery = async () => {
    let data: Awaited<ReturnType<typeof execute<unknown, unknown>>> | null = null;
    const queries = await queriesOf(async () => {
      data = await execute(shown, { project: 'ada/app', id }, null);
    });
    return { queries: queries.length, data };
  };
  const fewJobs = await runQuery();
  expect(fewJobs.data).toMatchObject({
    pipeline: {
      canRun: true,
      externalStatuses: [],
      jobs: {
        total: 4,
        nodes: [
          { name: 'compile', stage: 'build', canCancel: true, canRetry: false },
          { name: 'lint', stage: 'test' },
          { name: 'unit', stage: 'test' },
          { name: 'release', stage: 'deploy', user: { username: 'ada' } },
        ],
      },
    },
  });
  const jobTraits = {
    projectId: app.id,
    pipelineId: id,
    stage: 'more',
    stageIndex: 3,
    definition: {},
  };
  const data = Array.from({ length: 50 }, (_job, place) => ({
    ...jobTraits,
    name: `job ${place}`,
  }));
  await db.job.createMany({ data });
  const manyJobs = await runQuery();
  expect(manyJobs.data).toMatchObject({ pipeline: { jobs: { total: 54 } } });
  expect(manyJobs.queries).toBe(fewJobs.queries);
});
