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
const hers = soap.as(ada);
const his = soap.as(bob);
const roots = soap.as(root);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { reporter: bob });
const { id: tool } = await seed.project('ada/tool');
const { id } = await runners.specific([app], { description: 'hers', tag_list: ['a', 'b'] });
await runners.shared({ description: 'shared' });
const noAccess = fault('2', 'Access denied. No access granted');
const noRunner = { fault: { code: '102', message: expect.any(String) } };

test('runner.list, runner.list_all and runner.list_of_project', async () => {
  const told = await hers('runner.list', [{ scope: 'active' }]);
  expect(told).toEqual(await rest(ada, '/runners?scope=active'));
  expect(told.result).toHaveLength(1);
  const all = await roots('runner.list_all', [{ per_page: '1' }]);
  expect(all).toEqual(await rest(root, '/runners/all?per_page=1'));
  expect(all.result).toHaveLength(1);
  expect(await hers('runner.list_of_project', [app])).toEqual(
    await rest(ada, `/projects/${app}/runners`),
  );
  expect(await hers('runner.list', [{ scope: 'odd' }])).toMatchObject({ fault: { code: '101' } });
  expect(await hers('runner.list_all')).toEqual(denied);
  expect(await hers('runner.list_of_project', ['none'])).toEqual(projectNotFound);
});

test('runner.info and runner.update', async () => {
  const told = await hers('runner.update', [id, { description: 'Läufer', tag_list: 'x, y' }]);
  expect(told.result).toMatchObject({ description: 'Läufer', tag_list: ['x', 'y'] });
  expect(await hers('runner.info', [id])).toEqual(await rest(ada, `/runners/${id}`));
  expect(await his('runner.info', [id])).toEqual(noAccess);
  expect(await his('runner.update', [id, { active: 0 }])).toEqual(noAccess);
  expect(await hers('runner.info', [0])).toEqual(noRunner);
});

test('runner.enable and runner.disable', async () => {
  const told = await hers('runner.enable', [tool, { runner_id: id }]);
  expect(told.result).toMatchObject({ id });
  expect(await hers('runner.enable', [tool])).toEqual(fault('100', 'runner_id is missing'));
  const disabled = await hers('runner.disable', [tool, id]);
  expect(disabled.fault).toBeUndefined();
  expect(await hers('runner.disable', [tool, id])).toEqual(noRunner);
});

test('runner.delete', async () => {
  const { id: gone } = await runners.specific([app]);
  expect(await his('runner.delete', [gone])).toEqual(noAccess);
  const told = await hers('runner.delete', [gone]);
  expect(told.fault).toBeUndefined();
  expect(await hers('runner.info', [gone])).toEqual(noRunner);
});
