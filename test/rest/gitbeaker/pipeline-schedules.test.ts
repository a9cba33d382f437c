import { expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { ciFile, ciOf } from '../../support/ci.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, url, root } = testWorld;
const { deletePushPipelines } = await ciOf(testWorld);
await seed.user('ada');
const { client, called } = recordedClient(url, root.token);
const { id: project } = await seed.project('ada/app');
await seed.push('ada/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(project);

test('PipelineSchedules are created, listed, changed, run, taken over and removed', async () => {
  const { PipelineSchedules } = client;
  const created = await PipelineSchedules.create(project, 'nightly', 'master', '0 1 * * *', {
    cronTimezone: 'Tokyo',
  });
  const { id } = created;
  expect(created).toMatchObject({ description: 'nightly', cron_timezone: 'Tokyo', active: true });
  expect(await PipelineSchedules.all('ada/app', { scope: 'active' })).toMatchObject([{ id }]);
  expect(await PipelineSchedules.show(project, id)).toEqual(created);
  expect(await PipelineSchedules.edit(project, id, { cron: '0 2 * * *' })).toMatchObject({
    cron: '0 2 * * *',
  });
  expect(await PipelineSchedules.run(project, id)).toEqual({ message: '201 Created' });
  expect(await PipelineSchedules.takeOwnership(project, id)).toMatchObject({
    last_pipeline: { ref: 'master', status: 'pending' },
  });
  await PipelineSchedules.remove(project, id);
  await expect(PipelineSchedules.show(project, id)).rejects.toThrow('Not Found');
});

test('PipelineScheduleVariables are created, changed and removed', async () => {
  const { PipelineSchedules, PipelineScheduleVariables } = client;
  const { id } = await PipelineSchedules.create(project, 'nightly', 'master', '0 1 * * *');
  const moon = { key: 'TARGET', value: 'moon' };
  expect(await PipelineScheduleVariables.create(project, id, 'TARGET', 'moon')).toEqual(moon);
  expect(await PipelineSchedules.show(project, id)).toMatchObject({ variables: [moon] });
  const mars = { key: 'TARGET', value: 'mars' };
  expect(await PipelineScheduleVariables.edit(project, id, 'TARGET', 'mars')).toEqual(mars);
  await PipelineScheduleVariables.remove(project, id, 'TARGET');
  expect(await PipelineSchedules.show(project, id)).toMatchObject({ variables: [] });
});

test.each(['PipelineSchedules', 'PipelineScheduleVariables'] as const)(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  },
);
