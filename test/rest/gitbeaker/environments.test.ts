import { expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { ciOf } from '../../support/ci.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { runnerClient } from '../../support/runner-client.ts';
import { runnersOf } from '../../support/runners.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, url, root } = testWorld;
const { deletePushPipelines } = await ciOf(testWorld);
await seed.user('ada');
const { client, called } = recordedClient(url, root.token);
const { id: project } = await seed.project('ada/app');
const file = 'deploy: { script: a, environment: production }';
await seed.push('ada/app', { '.gitlab-ci.yml': file });
await deletePushPipelines(project);

test('Environments are created, listed, changed, stopped and removed', async () => {
  const { Environments } = client;
  const externalUrl = 'https://example.com';
  const created = await Environments.create(project, 'staging', { externalUrl });
  const { id } = created;
  expect(created).toMatchObject({ name: 'staging', slug: 'staging', external_url: externalUrl });
  expect(await Environments.all(project)).toEqual([created]);
  const changed = { externalUrl: 'https://two.example.com' };
  expect(await Environments.edit(project, id, changed)).toMatchObject({
    external_url: changed.externalUrl,
  });
  expect(await Environments.stop(project, id)).toMatchObject({ id });
  await Environments.remove(project, id);
  expect(await Environments.all(project)).toEqual([]);
});

test('Deployments are listed and shown', async () => {
  const { Deployments, Pipelines } = client;
  await Pipelines.create(project, 'master');
  const runner = runnerClient(url, (await runnersOf(testWorld).specific([project])).token);
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was assigned');
  await runner.update(job, { state: 'success' });
  const [deployment] = await Deployments.all(project, { orderBy: 'iid', sort: 'desc' });
  expect(deployment).toMatchObject({ iid: 1, environment: { name: 'production' } });
  expect(await Deployments.show(project, deployment?.id ?? 0)).toEqual(deployment);
});

test.each(['Environments', 'Deployments'] as const)(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  },
);
