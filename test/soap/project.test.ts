import { beforeAll, describe, expect, test } from 'vitest';
import type { Created, TestUser } from '../support/seed.ts';
import { soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, db, root, seed, url } = await world();
const soap = soapClientOf(url);

const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const asRoot = soap.as(root);

const acme = await seed.group('acme', { owner: ada }, { visibility: 'public' });
let app: Created;
beforeAll(async () => {
  app = await seed.project('acme/app', {}, { visibility: 'public', tag_list: 'a,b' });
});

const notFound = { fault: { code: '102', message: 'Project Not Found' } };
const denied = { fault: { code: '2', message: 'Access denied.' } };
const invalid = (message: string, code = '100') => ({ fault: { code, message } });
const rest = async (user: TestUser, path: string) => ({
  result: (await as(user).get(path)).body,
});
const shown = (user: TestUser) => rest(user, `/projects/${app.id}`);

describe('lists', () => {
  test('project.list', async () => {
    const response = await asAda('project.list', [{ order_by: 'path', visibility: 'public' }]);
    expect(response).toEqual(await rest(ada, '/projects?order_by=path&visibility=public'));
    expect(response.result).toHaveLength(1);
    expect(await asAda('project.list', [{ per_page: 2 ** 33 }])).toEqual(
      await rest(ada, `/projects?per_page=${2 ** 33}`),
    );
    const wrong = invalid('visibility does not have a valid value', '101');
    expect(await asAda('project.list', [{ visibility: 'odd' }])).toEqual(wrong);
  });

  test('project.list_of_user', async () => {
    await seed.project('bob/own', {}, { visibility: 'public' });
    const response = await asAda('project.list_of_user', ['bob', { per_page: 5 }]);
    expect(response).toEqual(await rest(ada, '/users/bob/projects'));
    expect(response.result).toHaveLength(1);
    expect(await asAda('project.list_of_user', ['unknown'])).toEqual(
      invalid('User Not Found', '102'),
    );
  });

  test('project.users', async () => {
    const response = await asAda('project.users', ['acme/app', { search: 'ada' }]);
    expect(response).toEqual(await rest(ada, '/projects/acme%2Fapp/users?search=ada'));
    expect(response.result).toHaveLength(1);
    expect(await asAda('project.users', ['none'])).toEqual(notFound);
  });

  test('project.forks', async () => {
    expect(await asAda('project.forks', [app.id])).toEqual(
      await rest(ada, `/projects/${app.id}/forks`),
    );
    expect(await asAda('project.forks', ['none'])).toEqual(notFound);
  });
});

describe('a single project', () => {
  test('project.info', async () => {
    for (const args of [[app.id], [String(app.id)], [{ id: 'acme/app', statistics: '0' }]]) {
      expect(await asBob('project.info', args)).toEqual(await shown(bob));
    }
    const statistics = await asAda('project.info', [app.id, { statistics: true }]);
    expect(statistics).toEqual(await rest(ada, `/projects/${app.id}?statistics=true`));
    expect(await asBob('project.info', [2 ** 31])).toEqual(notFound);
  });

  test('project.create', async () => {
    const args = [
      { name: 'Neu und schön', path: 'neu', tag_list: ['x', 'y'], wiki_enabled: false },
    ];
    const response = await asAda('project.create', args);
    const { id } = response.result as Created;
    expect(response).toEqual(await rest(ada, `/projects/${id}`));
    expect(response.result).toMatchObject({ tag_list: ['x', 'y'], wiki_enabled: false });
    const taken = invalid('name has already been taken, path has already been taken');
    expect(await asAda('project.create', args)).toEqual(taken);
  });

  test('project.create_for_user', async () => {
    const response = await asRoot('project.create_for_user', [bob.id, { name: 'gift' }]);
    const { id } = response.result as Created;
    expect(response.result).toMatchObject({ path_with_namespace: 'bob/gift' });
    expect(response).toEqual(await rest(root, `/projects/${id}`));
    expect(await asAda('project.create_for_user', [bob.id, { name: 'gift' }])).toEqual(denied);
  });

  test('project.update', async () => {
    const response = await asAda('project.update', [
      app.id,
      { description: '<b>', visibility: null },
    ]);
    expect(response).toEqual(await shown(ada));
    expect(response.result).toMatchObject({ description: '<b>', visibility: 'public' });
    expect(await asBob('project.update', [app.id, { description: '' }])).toEqual(denied);
  });

  test('project.delete', async () => {
    const { id } = await seed.project('acme/gone');
    expect(await asBob('project.delete', [id])).toEqual(notFound);
    expect(await asAda('project.delete', [id])).toEqual({ result: { message: '202 Accepted' } });
    expect(await asAda('project.info', [id])).toEqual(notFound);
  });
});

describe('changing a project', () => {
  test('project.fork', async () => {
    const response = await asBob('project.fork', [app.id, { path: 'forked', name: 'Forked' }]);
    const { id } = response.result as Created;
    expect(response.result).toMatchObject({
      path_with_namespace: 'bob/forked',
      forked_from_project: { id: app.id },
    });
    const statusOf = async () =>
      (await db.project.findUniqueOrThrow({ where: { id } })).importStatus as string;
    await expect.poll(statusOf).toBe('finished');
    expect(await asBob('project.fork', [app.id, { path: 'forked' }])).toMatchObject({
      fault: { code: '104', message: expect.stringContaining('has already been taken') },
    });
  });

  test('project.archive and project.unarchive', async () => {
    const archived = await asAda('project.archive', [app.id]);
    expect(archived).toEqual(await shown(ada));
    expect(archived.result).toMatchObject({ archived: true });
    expect(await asBob('project.archive', [app.id])).toEqual(denied);
    expect(await asBob('project.unarchive', [app.id])).toEqual(denied);
    const back = await asAda('project.unarchive', [app.id]);
    expect(back).toEqual(await shown(ada));
    expect(back.result).toMatchObject({ archived: false });
  });

  test('project.star and project.unstar return null if nothing changes', async () => {
    const starred = await asBob('project.star', [app.id]);
    expect(starred).toEqual(await shown(bob));
    expect(starred.result).toMatchObject({ star_count: 1 });
    expect(await asBob('project.star', [app.id])).toEqual({ result: null });
    expect(await asBob('project.unstar', [app.id])).toEqual(await shown(bob));
    expect(await asBob('project.unstar', [app.id])).toEqual({ result: null });
    expect(await asBob('project.star', ['none'])).toEqual(notFound);
    expect(await asBob('project.unstar', ['none'])).toEqual(notFound);
  });

  test('project.transfer', async () => {
    const { id } = await seed.project('acme/wanderer', {}, { visibility: 'public' });
    const { result } = await asAda('project.transfer', [id, { namespace: 'ada' }]);
    expect(result).toMatchObject({ id, path_with_namespace: 'ada/wanderer' });
    expect({ result }).toEqual(await rest(ada, `/projects/${id}`));
    expect(await asBob('project.transfer', [id, { namespace: 'bob' }])).toEqual(denied);
  });

  test('project.housekeeping', async () => {
    // an empty map is sent as an empty array, because PHP would read it as null
    expect(await asAda('project.housekeeping', [app.id])).toEqual({ result: [] });
    expect(await asBob('project.housekeeping', [app.id])).toEqual(denied);
  });

  test('project.share and project.unshare', async () => {
    const friends = await seed.group('friends', { owner: ada });
    const input = { group_id: friends.id, group_access: 30 };
    const response = await asAda('project.share', [app.id, input]);
    expect(response.result).toMatchObject({ project_id: app.id, ...input });
    expect(await asAda('project.share', [app.id, { group_id: friends.id }])).toEqual(
      invalid('group_access is missing'),
    );
    expect(await asAda('project.unshare', [app.id, friends.id])).toEqual({ result: true });
    expect(await asAda('project.unshare', [app.id, acme.id])).toMatchObject({
      fault: { code: '102' },
    });
  });
});
