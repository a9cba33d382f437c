import { describe, expect, test } from 'vitest';
import { denied, fault, groupNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const asRoot = soap.as(root);
const rest = restOf(as);
const acme = await seed.group('acme', { owner: ada, guest: bob });
const app = await seed.project('acme/app');

describe('group', () => {
  test('group.list', async () => {
    const response = await asAda('group.list', [{ search: 'acm' }]);
    expect(response).toEqual(await rest(ada, '/groups?search=acm'));
    expect(response.result).toHaveLength(1);
    expect(await asAda('group.list', [{ skip_groups: [String(acme.id)] }])).toEqual({ result: [] });
    expect(await asAda('group.list', [{ sort: 'up' }])).toEqual(
      fault('101', 'sort does not have a valid value'),
    );
  });

  test('group.info', async () => {
    const response = await asAda('group.info', ['acme']);
    expect(response).toEqual(await rest(ada, '/groups/acme'));
    expect(response.result).toMatchObject({ projects: [{ id: app.id }], shared_projects: [] });
    expect(await asAda('group.info', [0])).toEqual(groupNotFound);
  });

  test('group.projects', async () => {
    const response = await asAda('group.projects', [acme.id, { simple: 'true' }]);
    expect(response).toEqual(await rest(ada, '/groups/acme/projects?simple=true'));
    expect(response.result).toHaveLength(1);
    expect(await asAda('group.projects', ['none'])).toEqual(groupNotFound);
  });

  test('group.create', async () => {
    const input = { name: 'Inner', path: 'inner', parent_id: acme.id, description: 'ä' };
    const response = await asAda('group.create', [input]);
    expect(response.result).toMatchObject({ full_path: 'acme/inner', description: 'ä' });
    const { result } = await rest(ada, '/groups/acme%2Finner');
    expect(result).toMatchObject(response.result as object);
    expect(await asAda('group.create', [{ name: 'X' }])).toEqual(fault('100', 'path is missing'));
  });

  test('group.update', async () => {
    const response = await asAda('group.update', [acme.id, { description: 'changed' }]);
    expect(response.result).toMatchObject({ id: acme.id, description: 'changed' });
    expect(await asBob('group.update', [acme.id, { description: 'no' }])).toEqual(denied);
  });

  test('group.delete', async () => {
    const { id } = await seed.group('acme/gone');
    expect(await asBob('group.delete', [id])).toEqual(denied);
    const response = await asAda('group.delete', [id]);
    expect(response.fault).toBeUndefined();
    expect(await asAda('group.info', [id])).toEqual(groupNotFound);
  });

  test('group.move', async () => {
    const { id } = await seed.group('acme/mobile');
    const response = await asAda('group.move', [id]);
    expect(response.result).toMatchObject({ id, full_path: 'mobile', parent_id: null });
    expect(await asAda('group.move', [id, { group_id: acme.id }])).toMatchObject({
      result: { full_path: 'acme/mobile', parent_id: acme.id },
    });
    expect(await asBob('group.move', [id])).toEqual(denied);
  });

  test('group.transfer', async () => {
    const { id } = await seed.group('other');
    const { id: moved } = await seed.project('acme/moved');
    const response = await asRoot('group.transfer', [id, moved]);
    expect(response.fault).toBeUndefined();
    const shown = await asRoot('project.info', [moved]);
    expect(shown.result).toMatchObject({ path_with_namespace: 'other/moved' });
    expect(await asAda('group.transfer', [acme.id, moved])).toEqual(denied);
  });
});

describe('group_variable', () => {
  const path = `/groups/${acme.id}/variables`;

  test('create, list and info', async () => {
    const input = { key: 'KEY', value: ' two\nlines ', protected: 'true' };
    const response = await asAda('group_variable.create', [acme.id, input]);
    expect(response).toEqual({ result: { ...input, protected: true } });
    expect(response).toEqual(await rest(ada, `${path}/KEY`));
    expect(await asAda('group_variable.info', ['acme', 'KEY'])).toEqual(response);
    expect(await asAda('group_variable.list', ['acme'])).toEqual(await rest(ada, path));
    expect(await asAda('group_variable.create', [acme.id, input])).toMatchObject({
      fault: { code: '100', message: expect.stringContaining('key') },
    });
    expect(await asAda('group_variable.info', [acme.id, 'NONE'])).toMatchObject({
      fault: { code: '102' },
    });
    expect(await asBob('group_variable.list', [acme.id])).toEqual(denied);
  });

  test('update and delete', async () => {
    await asAda('group_variable.create', [acme.id, { key: 'OTHER', value: '1' }]);
    const response = await asAda('group_variable.update', [acme.id, 'OTHER', { value: 2 }]);
    expect(response).toEqual(await rest(ada, `${path}/OTHER`));
    expect(response.result).toMatchObject({ value: '2' });
    expect(await asBob('group_variable.update', [acme.id, 'OTHER', { value: 3 }])).toEqual(denied);
    expect(await asBob('group_variable.delete', [acme.id, 'OTHER'])).toEqual(denied);
    expect(await asAda('group_variable.delete', [acme.id, 'OTHER'])).toEqual({ result: true });
  });
});

test('namespace.list', async () => {
  const response = await asAda('namespace.list', [{ search: 'acme' }]);
  expect(response).toEqual(await rest(ada, '/namespaces?search=acme'));
  expect(response.result).not.toEqual([]);
  expect(await asAda('namespace.list', [{ page: 'x' }])).toEqual(fault('101', 'page is invalid'));
});

describe('custom_attribute', () => {
  test('update, list, info and delete', async () => {
    const path = `/users/${bob.id}/custom_attributes`;
    const set = await asRoot('custom_attribute.update', [bob.id, 'place', { value: 'Köln' }]);
    expect(set).toEqual({ result: { key: 'place', value: 'Köln' } });
    expect(set).toEqual(await rest(root, `${path}/place`));
    expect(await asRoot('custom_attribute.info', [bob.id, 'place'])).toEqual(set);
    expect(await asRoot('custom_attribute.list', [bob.id])).toEqual(await rest(root, path));
    expect(await asRoot('custom_attribute.delete', [bob.id, 'place'])).toEqual({ result: true });
    for (const method of ['info', 'delete']) {
      expect(await asRoot(`custom_attribute.${method}`, [bob.id, 'place'])).toMatchObject({
        fault: { code: '102' },
      });
    }
    expect(await asRoot('custom_attribute.update', [bob.id, 'place'])).toEqual(
      fault('100', 'value is missing'),
    );
    expect(await asAda('custom_attribute.list', [bob.id])).toEqual(denied);
  });
});
