import { expect, test } from 'vitest';
import { ciFile, ciOf } from '../support/ci.ts';
import type { Created } from '../support/seed.ts';
import { denied, fault, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const served = await world();
const { as, seed, url } = served;
const soap = soapClientOf(url);
const { deletePushPipelines, move } = await ciOf(served);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const hers = soap.as(ada);
const his = soap.as(bob);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { reporter: bob });
await seed.push('ada/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(app);
const path = `/projects/${app}/pipelines`;

const made = async () => {
  const { result } = await hers('pipeline.create', [app, { ref: 'master' }]);
  return (result as Created).id;
};
const shown = (id: number) => rest(ada, `${path}/${id}`);

test('pipeline.create and pipeline.info', async () => {
  const told = await hers('pipeline.create', { id: app, ref: 'master' });
  const { id } = told.result as Created;
  expect(told).toEqual(await shown(id));
  expect(told.result).toMatchObject({ ref: 'master', status: 'pending' });
  expect(await his('pipeline.info', [app, id])).toEqual(told);
  expect(await his('pipeline.create', [app, { ref: 'master' }])).toEqual(denied);
  expect(await hers('pipeline.create', [app])).toEqual(fault('100', 'ref is missing'));
  expect(await hers('pipeline.info', [app, 0])).toMatchObject({ fault: { code: '102' } });
});

test('pipeline.list', async () => {
  await made();
  const told = await hers('pipeline.list', [app, { scope: 'pending', sort: 'asc' }]);
  expect(told).toEqual(await rest(ada, `${path}?scope=pending&sort=asc`));
  expect(told.result).not.toEqual([]);
  expect(await hers('pipeline.list', ['none'])).toEqual(projectNotFound);
});

test('pipeline.cancel and pipeline.retry', async () => {
  const id = await made();
  const canceled = await hers('pipeline.cancel', [app, id]);
  expect(canceled).toEqual(await shown(id));
  expect(canceled.result).toMatchObject({ status: 'canceled' });
  const retried = await hers('pipeline.retry', [app, id]);
  expect(retried).toEqual(await shown(id));
  expect(retried.result).toMatchObject({ status: 'pending' });
  expect(await move(id, 'compile', 'running')).toBe(true);
  expect(await his('pipeline.cancel', [app, id])).toEqual(denied);
  expect(await his('pipeline.retry', [app, id])).toEqual(denied);
});
