import { expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import type { Created } from '../support/seed.ts';
import { denied, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const served = await world();
const { as, seed, url } = served;
const soap = soapClientOf(url);
const { deletePushPipelines } = await ciOf(served);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { reporter: bob });
await seed.push('ada/app', { '.gitlab-ci.yml': 'deploy: { script: a, environment: production }' });
await deletePushPipelines(app);
const missing = { fault: { code: '102', message: expect.any(String) } };
const listed = () => rest(bob, `/projects/${app}/environments`);

test('environment.create, list, update, stop and delete', async () => {
  const created = await asAda('environment.create', [app, { name: 'staging' }]);
  const { id } = created.result as Created;
  expect(await asBob('environment.create', [app, { name: 'other' }])).toEqual(denied);
  expect(await asBob('environment.list', [app])).toEqual(await listed());
  expect((await listed()).result).toEqual([created.result]);
  expect(await asBob('environment.list', ['none'])).toEqual(projectNotFound);
  const change = { external_url: 'https://example.com' };
  const updated = await asAda('environment.update', [app, id, change]);
  expect(updated.result).toMatchObject(change);
  expect(await asBob('environment.update', [app, id, change])).toEqual(denied);
  expect(await asBob('environment.stop', [app, id])).toEqual(denied);
  expect(await asAda('environment.stop', [app, id])).toEqual(updated);
  expect(await asBob('environment.delete', [app, id])).toEqual(denied);
  expect(await asAda('environment.delete', [app, id])).toEqual({ result: true });
  expect(await asAda('environment.delete', [app, id])).toEqual(missing);
});

test('deployment.list and deployment.info', async () => {
  const { token } = await runnersOf(served).specific([app]);
  await as(ada).post(`/projects/${app}/pipeline`, { ref: 'master' });
  const runner = runnerClient(url, token);
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was assigned');
  await runner.update(job, { state: 'success' });
  const path = `/projects/${app}/deployments`;
  const response = await asBob('deployment.list', [app, { sort: 'desc' }]);
  expect(response).toEqual(await rest(bob, `${path}?sort=desc`));
  const [deployment] = response.result as [Created];
  expect(await asBob('deployment.info', [app, deployment.id])).toEqual({ result: deployment });
  expect(await asBob('deployment.info', [app, 0])).toEqual(missing);
  expect(await asBob('deployment.list', ['none'])).toEqual(projectNotFound);
});
