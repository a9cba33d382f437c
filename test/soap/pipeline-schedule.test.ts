import { expect, test } from 'vitest';
import { ciFile, ciOf } from '../support/ci.ts';
import type { Created } from '../support/seed.ts';
import { denied, fault, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const served = await world();
const { as, seed, url } = served;
const soap = soapClientOf(url);
const { deletePushPipelines } = await ciOf(served);
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const asAda = soap.as(ada);
const asDan = soap.as(dan);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { developer: dan });
await seed.push('ada/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(app);
const path = `/projects/${app}/pipeline_schedules`;
const input = { description: 'nightly', ref: 'master', cron: '0 1 * * *' };
const noSchedule = fault('102', 'Pipeline Schedule Not Found');

const createSchedule = async () =>
  ((await asAda('pipeline_schedule.create', [app, input])).result as Created).id;
const shown = (id: number) => rest(ada, `${path}/${id}`);

test('pipeline_schedule.create, info and list', async () => {
  const response = await asAda('pipeline_schedule.create', { id: app, ...input });
  const { id } = response.result as Created;
  expect(response).toEqual(await shown(id));
  expect(await asAda('pipeline_schedule.info', [app, id])).toEqual(response);
  expect(await asAda('pipeline_schedule.list', [app, { scope: 'active' }])).toEqual(
    await rest(ada, `${path}?scope=active`),
  );
  expect(await asAda('pipeline_schedule.create', [app])).toMatchObject({ fault: { code: '100' } });
  expect(await asAda('pipeline_schedule.info', [app, 0])).toEqual(noSchedule);
  expect(await asAda('pipeline_schedule.list', ['none'])).toEqual(projectNotFound);
});

test('pipeline_schedule.update, take_ownership and delete', async () => {
  const id = await createSchedule();
  const updated = await asAda('pipeline_schedule.update', [app, id, { description: 'weekly' }]);
  expect(updated).toEqual(await shown(id));
  expect(updated.result).toMatchObject({ description: 'weekly' });
  expect(await asDan('pipeline_schedule.update', [app, id, {}])).toEqual(denied);
  expect(await asAda('pipeline_schedule.take_ownership', [app, id])).toEqual(await shown(id));
  expect(await asDan('pipeline_schedule.take_ownership', [app, id])).toEqual(denied);
  expect(await asDan('pipeline_schedule.delete', [app, id])).toEqual(denied);
  expect(await asAda('pipeline_schedule.delete', [app, id])).toEqual({ result: true });
  expect(await asAda('pipeline_schedule.delete', [app, id])).toEqual(noSchedule);
});

test('pipeline_schedule.run', async () => {
  const id = await createSchedule();
  expect(await asAda('pipeline_schedule.run', [app, id])).toMatchObject({
    result: { message: '201 Created' },
  });
  expect((await shown(id)).result).toMatchObject({ last_pipeline: { ref: 'master' } });
  expect(await asAda('pipeline_schedule.run', [app, 0])).toEqual(noSchedule);
});

test('pipeline_schedule.create_variable, update_variable and delete_variable', async () => {
  const id = await createSchedule();
  const moon = { key: 'TARGET', value: 'moon' };
  const mars = { key: 'TARGET', value: 'mars' };
  const create = [app, id, moon];
  expect(await asAda('pipeline_schedule.create_variable', create)).toEqual({ result: moon });
  expect(await asDan('pipeline_schedule.create_variable', create)).toEqual(denied);
  const update = [app, id, 'TARGET', { value: 'mars' }];
  expect(await asAda('pipeline_schedule.update_variable', update)).toEqual({ result: mars });
  expect(await asDan('pipeline_schedule.update_variable', update)).toEqual(denied);
  const remove = [app, id, 'TARGET'];
  expect(await asDan('pipeline_schedule.delete_variable', remove)).toEqual(denied);
  expect(await asAda('pipeline_schedule.delete_variable', remove)).toEqual({ result: mars });
  expect(await asAda('pipeline_schedule.delete_variable', remove)).toMatchObject({
    fault: { code: '102' },
  });
});
