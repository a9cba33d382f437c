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
const sha = await seed.push('ada/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(project);

test('Pipelines are created, listed, shown, canceled, retried and deleted', async () => {
  const { Pipelines } = client;
  const created = await Pipelines.create(project, 'master');
  expect(created).toMatchObject({ sha, ref: 'master', status: 'pending', tag: false });
  const { id, ref, status } = created;
  expect(await Pipelines.all('ada/app', { ref, orderBy: 'id' })).toEqual([
    { id, sha, ref, status },
  ]);
  expect(await Pipelines.all(project, { status: 'failed' })).toEqual([]);
  expect(await Pipelines.show(project, id)).toEqual(created);
  expect(await Pipelines.cancel(project, id)).toMatchObject({ id, status: 'canceled' });
  expect(await Pipelines.retry(project, id)).toMatchObject({ id, status: 'pending' });
  expect(await Pipelines.allVariables(project, id)).toEqual([]);
  await Pipelines.remove(project, id);
  const variables = [{ key: 'A', value: '1' }];
  const { id: second } = await Pipelines.create(project, 'master', { variables });
  expect(await Pipelines.allVariables(project, second)).toEqual([
    { key: 'A', variable_type: 'env_var', value: '1' },
  ]);
  await expect(Pipelines.create(project, 'nowhere')).rejects.toThrow('Reference not found');
});

test('every method of Pipelines was called, or has no endpoint in Millrace', () => {
  const missing = methodsOf(client, 'Pipelines').filter((method) => !called.has(method));
  expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  expect(Object.keys(withoutEndpoint).filter((method) => called.has(method))).toEqual([]);
});
