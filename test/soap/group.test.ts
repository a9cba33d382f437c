import { describe, expect, test } from 'vitest';
import { denied, fault, groupNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const hers = soap.as(ada);
const his = soap.as(bob);
const roots = soap.as(root);
const rest = restOf(as);
const acme = await seed.group('acme', { owner: ada, guest: bob });
const app = await seed.project('acme/app');

describe('group', () => {
  test('group.list', async () => {
    const told = await hers('group.list', [{ search: 'acm' }]);
    expect(told).toEqual(await rest(ada, '/groups?search=acm'));
    expect(told.result).toHaveLength(1);
    expect(await hers('group.list', [{ skip_groups: [String(acme.id)] }])).toEqual({ result: [] });
    expect(await hers('group.list', [{ sort: 'up' }])).toEqual(
      fault('101', 'sort does not have a valid value'),
    );
  });

  test('group.info', async () => {
    const told = await hers('group.info', ['acme']);
    expect(told).toEqual(await rest(ada, '/groups/acme'));
    expect(told.result).toMatchObject({ projects: [{ id: app.id }], shared_projects: [] });
    expect(await hers('group.info', [0])).toEqual(groupNotFound);
  });

  test('group.projects', async () => {
    const told = await hers('group.projects', [acme.id, { simple: 'true' }]);
    expect(told).toEqual(await rest(ada, '/groups/acme/projects?simple=true'));
    expect(told.result).toHaveLength(1);
    expect(await hers('group.projects', ['none'])).toEqual(groupNotFound);
  });

  test('group.create', async () => {
    const given = { name: 'Inner', path: 'inner', parent_id: acme.id, description: 'ä' };
    const told = await hers('group.create', [given]);
    expect(told.result).toMatchObject({ full_path: 'acme/inner', description: 'ä' });
    const { result } = await rest(ada, '/groups/acme%2Finner');
    expect(result).toMatchObject(told.result as object);
    expect(await hers('group.create', [{ name: 'X' }])).toEqual(fault('100', 'path is missing'));
  });

  test('group.update', async () => {
    const told = await hers('group.update', [acme.id, { description: 'changed' }]);
    expect(told.result).toMatchObject({ id: acme.id, description: 'changed' });
    expect(await his('group.update', [acme.id, { description: 'no' }])).toEqual(denied);
  });

  test('group.delete', async () => {
    const { id } = await seed.group('acme/gone');
    expect(await his('group.delete', [id])).toEqual(denied);
    const told = await hers('group.delete', [id]);
    expect(told.fault).toBeUndefined();
    expect(await hers('group.info', [id])).toEqual(groupNotFound);
  });

  test('group.transfer', async () => {
    const { id } = await seed.group('other');
    const { id: moved } = await seed.project('acme/moved');
    const told = await roots('group.transfer', [id, moved]);
    expect(told.fault).toBeUndefined();
    const shown = await roots('project.info', [moved]);
    expect(shown.result).toMatchObject({ path_with_namespace: 'other/moved' });
    expect(await hers('group.transfer', [acme.id, moved])).toEqual(denied);
  });
});

describe('group_variable', () => {
  const path = `/groups/${acme.id}/variables`;

  test('create, list and info', async () => {
    const given = { key: 'KEY', value: ' two\nlines ', protected: 'true' };
    const told = await hers('group_variable.create', [acme.id, given]);
    expect(told).toEqual({ result: { ...given, protected: true } });
    expect(told).toEqual(await rest(ada, `${path}/KEY`));
    expect(await hers('group_variable.info', ['acme', 'KEY'])).toEqual(told);
    expect(await hers('group_variable.list', ['acme'])).toEqual(await rest(ada, path));
    expect(await hers('group_variable.create', [acme.id, given])).toMatchObject({
      fault: { code: '100', message: expect.stringContaining('key') },
    });
    expect(await hers('group_variable.info', [acme.id, 'NONE'])).toMatchObject({
      fault: { code: '102' },
    });
    expect(await his('group_variable.list', [acme.id])).toEqual(denied);
  });

  test('update and delete', async () => {
    await hers('group_variable.create', [acme.id, { key: 'OTHER', value: '1' }]);
    const told = await hers('group_variable.update', [acme.id, 'OTHER', { value: 2 }]);
    expect(told).toEqual(await rest(ada, `${path}/OTHER`));
    expect(told.result).toMatchObject({ value: '2' });
    expect(await his('group_variable.update', [acme.id, 'OTHER', { value: 3 }])).toEqual(denied);
    expect(await his('group_variable.delete', [acme.id, 'OTHER'])).toEqual(denied);
    expect(await hers('group_variable.delete', [acme.id, 'OTHER'])).toEqual({ result: true });
  });
});

test('namespace.list', async () => {
  const told = await hers('namespace.list', [{ search: 'acme' }]);
  expect(told).toEqual(await rest(ada, '/namespaces?search=acme'));
  expect(told.result).not.toEqual([]);
  expect(await hers('namespace.list', [{ page: 'x' }])).toEqual(fault('101', 'page is invalid'));
});

describe('custom_attribute', () => {
  test('update, list, info and delete', async () => {
    const path = `/users/${bob.id}/custom_attributes`;
    const set = await roots('custom_attribute.update', [bob.id, 'place', { value: 'Köln' }]);
    expect(set).toEqual({ result: { key: 'place', value: 'Köln' } });
    expect(set).toEqual(await rest(root, `${path}/place`));
    expect(await roots('custom_attribute.info', [bob.id, 'place'])).toEqual(set);
    expect(await roots('custom_attribute.list', [bob.id])).toEqual(await rest(root, path));
    expect(await roots('custom_attribute.delete', [bob.id, 'place'])).toEqual({ result: true });
    for (const method of ['info', 'delete']) {
      expect(await roots(`custom_attribute.${method}`, [bob.id, 'place'])).toMatchObject({
        fault: { code: '102' },
      });
    }
    expect(await roots('custom_attribute.update', [bob.id, 'place'])).toEqual(
      fault('100', 'value is missing'),
    );
    expect(await hers('custom_attribute.list', [bob.id])).toEqual(denied);
  });
});
