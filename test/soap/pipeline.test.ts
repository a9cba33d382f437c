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
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { reporter: bob });
await seed.push('ada/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(app);
const path = `/projects/${app}/pipelines`;

const createPipeline = async () => {
  const { result } = await asAda('pipeline.create', [app, { ref: 'master' }]);
  return (result as Created).id;
};
const shown = (id: number) => rest(ada, `${path}/${id}`);

test('pipeline.create and pipeline.info', async () => {
  const response = await asAda('pipeline.create', { id: app, ref: 'master' });
  const { id } = response.result as Created;
  expect(response).toEqual(await shown(id));
  expect(response.result).toMatchObject({ ref: 'master', status: 'pending' });
  expect(await asBob('pipeline.info', [app, id])).toEqual(response);
  expect(await asBob('pipeline.create', [app, { ref: 'master' }])).toEqual(denied);
  expect(await asAda('pipeline.create', [app])).toEqual(fault('100', 'ref is missing'));
  expect(await asAda('pipeline.info', [app, 0])).toMatchObject({ fault: { code: '102' } });
});

test('pipeline.list', async () => {
  await createPipeline();
  const response = await asAda('pipeline.list', [app, { scope: 'pending', sort: 'asc' }]);
  expect(response).toEqual(await rest(ada, `${path}?scope=pending&sort=asc`));
  expect(response.result).not.toEqual([]);
  expect(await asAda('pipeline.list', ['none'])).toEqual(projectNotFound);
});

test('pipeline.cancel and pipeline.retry', async () => {
  const id = await createPipeline();
  const canceled = await asAda('pipeline.cancel', [app, id]);
  expect(canceled).toEqual(await shown(id));
  expect(canceled.result).toMatchObject({ status: 'canceled' });
  const retried = await asAda('pipeline.retry', [app, id]);
  expect(retried).toEqual(await shown(id));
  expect(retried.result).toMatchObject({ status: 'pending' });
  expect(await move(id, 'compile', 'running')).toBe(true);
  expect(await asBob('pipeline.cancel', [app, id])).toEqual(denied);
  expect(await asBob('pipeline.retry', [app, id])).toEqual(denied);
});

test('pipeline.variables and pipeline.delete', async () => {
  const variables = [{ key: 'A', value: '1' }];
  const { result } = await asAda('pipeline.create', [app, { ref: 'master', variables }]);
  const { id } = result as { readonly id: number };
  expect(await asAda('pipeline.variables', [app, id])).toEqual({
    result: [{ key: 'A', variable_type: 'env_var', value: '1' }],
  });
  expect(await asBob('pipeline.variables', [app, id])).toEqual(denied);
  expect(await asBob('pipeline.delete', [app, id])).toEqual(denied);
  expect(await asAda('pipeline.delete', [app, id])).not.toHaveProperty('fault');
  expect(await asAda('pipeline.info', [app, id])).toMatchObject({ fault: { code: '102' } });
});
