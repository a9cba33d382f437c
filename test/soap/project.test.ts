import { beforeAll, describe, expect, test } from 'vitest';
import type { Created, TestUser } from '../support/seed.ts';
import { soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, db, root, seed, url } = await world();
const soap = soapClientOf(url);

const ada = await seed.user('ada');
const bob = await seed.user('bob');
const hers = soap.as(ada);
const his = soap.as(bob);
const roots = soap.as(root);

const acme = await seed.group('acme', { owner: ada }, { visibility: 'public' });
let app: Created;
beforeAll(async () => {
  app = await seed.project('acme/app', {}, { visibility: 'public', tag_list: 'a,b' });
});

const notFound = { fault: { code: '102', message: 'Project Not Found' } };
const denied = { fault: { code: '2', message: 'Access denied.' } };
const invalid = (message: string, code = '100') => ({ fault: { code, message } });
const rest = async (person: TestUser, path: string) => ({
  result: (await as(person).get(path)).body,
});
const shown = (person: TestUser) => rest(person, `/projects/${app.id}`);

describe('lists', () => {
  test('project.list', async () => {
    const told = await hers('project.list', [{ order_by: 'path', visibility: 'public' }]);
    expect(told).toEqual(await rest(ada, '/projects?order_by=path&visibility=public'));
    expect(told.result).toHaveLength(1);
    expect(await hers('project.list', [{ per_page: 2 ** 33 }])).toEqual(
      await rest(ada, `/projects?per_page=${2 ** 33}`),
    );
    const wrong = invalid('visibility does not have a valid value', '101');
    expect(await hers('project.list', [{ visibility: 'odd' }])).toEqual(wrong);
  });

  test('project.list_of_user', async () => {
    await seed.project('bob/own', {}, { visibility: 'public' });
    const told = await hers('project.list_of_user', ['bob', { per_page: 5 }]);
    expect(told).toEqual(await rest(ada, '/users/bob/projects'));
    expect(told.result).toHaveLength(1);
    expect(await hers('project.list_of_user', ['nobody'])).toEqual(
      invalid('User Not Found', '102'),
    );
  });

  test('project.users', async () => {
    const told = await hers('project.users', ['acme/app', { search: 'ada' }]);
    expect(told).toEqual(await rest(ada, '/projects/acme%2Fapp/users?search=ada'));
    expect(told.result).toHaveLength(1);
    expect(await hers('project.users', ['none'])).toEqual(notFound);
  });

  test('project.forks', async () => {
    expect(await hers('project.forks', [app.id])).toEqual(
      await rest(ada, `/projects/${app.id}/forks`),
    );
    expect(await hers('project.forks', ['none'])).toEqual(notFound);
  });
});

describe('one project', () => {
  test('project.info', async () => {
    for (const args of [[app.id], [String(app.id)], [{ id: 'acme/app', statistics: '0' }]]) {
      expect(await his('project.info', args)).toEqual(await shown(bob));
    }
    const statistics = await hers('project.info', [app.id, { statistics: true }]);
    expect(statistics).toEqual(await rest(ada, `/projects/${app.id}?statistics=true`));
    expect(await his('project.info', [2 ** 31])).toEqual(notFound);
  });

  test('project.create', async () => {
    const args = [
      { name: 'Neu und schön', path: 'neu', tag_list: ['x', 'y'], wiki_enabled: false },
    ];
    const told = await hers('project.create', args);
    const { id } = told.result as Created;
    expect(told).toEqual(await rest(ada, `/projects/${id}`));
    expect(told.result).toMatchObject({ tag_list: ['x', 'y'], wiki_enabled: false });
    const taken = invalid('name has already been taken, path has already been taken');
    expect(await hers('project.create', args)).toEqual(taken);
  });

  test('project.create_for_user', async () => {
    const told = await roots('project.create_for_user', [bob.id, { name: 'gift' }]);
    const { id } = told.result as Created;
    expect(told.result).toMatchObject({ path_with_namespace: 'bob/gift' });
    expect(told).toEqual(await rest(root, `/projects/${id}`));
    expect(await hers('project.create_for_user', [bob.id, { name: 'gift' }])).toEqual(denied);
  });

  test('project.update', async () => {
    const told = await hers('project.update', [app.id, { description: '<b>', visibility: null }]);
    expect(told).toEqual(await shown(ada));
    expect(told.result).toMatchObject({ description: '<b>', visibility: 'public' });
    expect(await his('project.update', [app.id, { description: '' }])).toEqual(denied);
  });

  test('project.delete', async () => {
    const { id } = await seed.project('acme/gone');
    expect(await his('project.delete', [id])).toEqual(notFound);
    expect(await hers('project.delete', [id])).toEqual({ result: { message: '202 Accepted' } });
    expect(await hers('project.info', [id])).toEqual(notFound);
  });
});

describe('what is done to a project', () => {
  test('project.fork', async () => {
    const told = await his('project.fork', [app.id, { path: 'forked', name: 'Forked' }]);
    const { id } = told.result as Created;
    expect(told.result).toMatchObject({
      path_with_namespace: 'bob/forked',
      forked_from_project: { id: app.id },
    });
    const statusOf = async () =>
      (await db.project.findUniqueOrThrow({ where: { id } })).importStatus as string;
    await expect.poll(statusOf).toBe('finished');
    expect(await his('project.fork', [app.id, { path: 'forked' }])).toMatchObject({
      fault: { code: '104', message: expect.stringContaining('has already been taken') },
    });
  });

  test('project.archive and project.unarchive', async () => {
    const archived = await hers('project.archive', [app.id]);
    expect(archived).toEqual(await shown(ada));
    expect(archived.result).toMatchObject({ archived: true });
    expect(await his('project.archive', [app.id])).toEqual(denied);
    expect(await his('project.unarchive', [app.id])).toEqual(denied);
    const back = await hers('project.unarchive', [app.id]);
    expect(back).toEqual(await shown(ada));
    expect(back.result).toMatchObject({ archived: false });
  });

  test('project.star and project.unstar give nothing where nothing changes', async () => {
    const starred = await his('project.star', [app.id]);
    expect(starred).toEqual(await shown(bob));
    expect(starred.result).toMatchObject({ star_count: 1 });
    expect(await his('project.star', [app.id])).toEqual({ result: null });
    expect(await his('project.unstar', [app.id])).toEqual(await shown(bob));
    expect(await his('project.unstar', [app.id])).toEqual({ result: null });
    expect(await his('project.star', ['none'])).toEqual(notFound);
    expect(await his('project.unstar', ['none'])).toEqual(notFound);
  });

  test('project.housekeeping', async () => {
    // an empty map is an empty array here: PHP would read it as nothing
    expect(await hers('project.housekeeping', [app.id])).toEqual({ result: [] });
    expect(await his('project.housekeeping', [app.id])).toEqual(denied);
  });

  test('project.share and project.unshare', async () => {
    const friends = await seed.group('friends', { owner: ada });
    const given = { group_id: friends.id, group_access: 30 };
    const told = await hers('project.share', [app.id, given]);
    expect(told.result).toMatchObject({ project_id: app.id, ...given });
    expect(await hers('project.share', [app.id, { group_id: friends.id }])).toEqual(
      invalid('group_access is missing'),
    );
    expect(await hers('project.unshare', [app.id, friends.id])).toEqual({ result: true });
    expect(await hers('project.unshare', [app.id, acme.id])).toMatchObject({
      fault: { code: '102' },
    });
  });
});
