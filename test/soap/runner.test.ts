import { expect, test } from 'vitest';
import { runnersOf } from '../support/runners.ts';
import { denied, fault, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const served = await world();
const { as, root, seed, url } = served;
const soap = soapClientOf(url);
const runners = runnersOf(served);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const asRoot = soap.as(root);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { reporter: bob });
const { id: tool } = await seed.project('ada/tool');
const { id } = await runners.specific([app], { description: 'hers', tag_list: ['a', 'b'] });
await runners.shared({ description: 'shared' });
const noAccess = fault('2', 'Access denied. No access granted');
const noRunner = { fault: { code: '102', message: expect.any(String) } };

test('runner.list, runner.list_all and runner.list_of_project', async () => {
  const response = await asAda('runner.list', [{ scope: 'active' }]);
  expect(response).toEqual(await rest(ada, '/runners?scope=active'));
  expect(response.result).toHaveLength(1);
  const all = await asRoot('runner.list_all', [{ per_page: '1' }]);
  expect(all).toEqual(await rest(root, '/runners/all?per_page=1'));
  expect(all.result).toHaveLength(1);
  expect(await asAda('runner.list_of_project', [app])).toEqual(
    await rest(ada, `/projects/${app}/runners`),
  );
  expect(await asAda('runner.list', [{ scope: 'odd' }])).toMatchObject({ fault: { code: '101' } });
  expect(await asAda('runner.list_all')).toEqual(denied);
  expect(await asAda('runner.list_of_project', ['none'])).toEqual(projectNotFound);
});

test('runner.info and runner.update', async () => {
  const response = await asAda('runner.update', [id, { description: 'Läufer', tag_list: 'x, y' }]);
  expect(response.result).toMatchObject({ description: 'Läufer', tag_list: ['x', 'y'] });
  expect(await asAda('runner.info', [id])).toEqual(await rest(ada, `/runners/${id}`));
  expect(await asBob('runner.info', [id])).toEqual(noAccess);
  expect(await asBob('runner.update', [id, { active: 0 }])).toEqual(noAccess);
  expect(await asAda('runner.info', [0])).toEqual(noRunner);
});

test('runner.enable and runner.disable', async () => {
  const response = await asAda('runner.enable', [tool, { runner_id: id }]);
  expect(response.result).toMatchObject({ id });
  expect(await asAda('runner.enable', [tool])).toEqual(fault('100', 'runner_id is missing'));
  const disabled = await asAda('runner.disable', [tool, id]);
  expect(disabled.fault).toBeUndefined();
  expect(await asAda('runner.disable', [tool, id])).toEqual(noRunner);
});

test('runner.delete', async () => {
  const { id: deleted } = await runners.specific([app]);
  expect(await asBob('runner.delete', [deleted])).toEqual(noAccess);
  const response = await asAda('runner.delete', [deleted]);
  expect(response.fault).toBeUndefined();
  expect(await asAda('runner.info', [deleted])).toEqual(noRunner);
});
