import { describe, expect, test } from 'vitest';
import type { Created } from '../support/seed.ts';
import {
  denied,
  fault,
  groupNotFound,
  projectNotFound,
  recordNotFound,
  restOf,
  soapClientOf,
} from '../support/soap.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

const { as, db, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const asRoot = soap.as(root);
const rest = restOf(as);
const acme = await seed.group('acme', { owner: ada }, { visibility: 'public' });
const app = await seed.project('acme/app', { developer: bob }, { visibility: 'public' });
const tool = await seed.project('acme/tool');
const done = { result: true };

const memberships = [
  ['group', acme.id, groupNotFound],
  ['project', app.id, projectNotFound],
] as const;

describe.each(memberships)('%s_member', (kind, id, noSource) => {
  const path = `/${kind}s/${id}/members`;
  const of = (method: string) => `${kind}_member.${method}`;

  test('create, list, info, update and delete', async () => {
    const response = await asAda(of('create'), [id, { user_id: cleo.id, access_level: '20' }]);
    expect(response).toEqual(await rest(ada, `${path}/${cleo.id}`));
    expect(response.result).toMatchObject({ username: 'cleo', access_level: 20 });
    expect(await asAda(of('info'), [id, cleo.id])).toEqual(response);
    const members = await asAda(of('list'), [id, { query: 'cle' }]);
    expect(members).toEqual(await rest(ada, `${path}?query=cle`));
    expect(members.result).toEqual([response.result]);
    expect(await asAda(of('list_all'), [id, { query: 'cle' }])).toEqual(
      await rest(ada, `${path}/all?query=cle`),
    );
    expect(await asAda(of('info_all'), [id, cleo.id])).toEqual(
      await rest(ada, `${path}/all/${cleo.id}`),
    );
    expect(await asAda(of('info_all'), ['none', cleo.id])).toEqual(noSource);
    const input = { access_level: 30, expires_at: '2030-01-02' };
    const changed = await asAda(of('update'), [id, cleo.id, input]);
    expect(changed).toEqual(await rest(ada, `${path}/${cleo.id}`));
    expect(changed.result).toMatchObject(input);
    expect(await asAda(of('create'), [id, { user_id: cleo.id, access_level: 20 }])).toEqual(
      fault('104', 'Member already exists'),
    );
    for (const method of ['create', 'update']) {
      const grant = { id, user_id: cleo.id, access_level: 10 };
      expect(await asBob(of(method), grant)).toEqual(denied);
    }
    expect(await asBob(of('delete'), [id, cleo.id])).toEqual(denied);
    expect(await asAda(of('delete'), [id, cleo.id])).toEqual(done);
    expect(await asAda(of('info'), [id, cleo.id])).toEqual(recordNotFound);
    expect(await asAda(of('list'), ['none'])).toEqual(noSource);
  });
});

test('deploy_key.create, list, info, update and delete', async () => {
  const path = `/projects/${app.id}/deploy_keys`;
  const input = { title: 'Builder', key: newPublicKey(), can_push: 'true' };
  const response = await asAda('deploy_key.create', [app.id, input]);
  const { id } = response.result as Created;
  expect(response).toEqual(await rest(ada, `${path}/${id}`));
  expect(response.result).toMatchObject({ ...input, can_push: true });
  expect(await asAda('deploy_key.info', [app.id, id])).toEqual(response);
  expect(await asAda('deploy_key.list', [app.id])).toEqual({ result: [response.result] });
  expect(await asAda('deploy_key.list', [app.id])).toEqual(await rest(ada, path));
  const deployKeys = await asRoot('deploy_key.list_all');
  expect(deployKeys).toEqual(await rest(root, '/deploy_keys'));
  expect(deployKeys.result).toHaveLength(1);
  const changed = await asAda('deploy_key.update', [app.id, id, { can_push: 0 }]);
  expect(changed).toEqual(await rest(ada, `${path}/${id}`));
  expect(changed.result).toEqual({ ...(response.result as object), can_push: false });
  const enabled = await asAda('deploy_key.enable', [tool.id, id]);
  expect(enabled).toEqual(await rest(ada, `/projects/${tool.id}/deploy_keys/${id}`));
  expect(await asAda('deploy_key.create', [app.id, { title: 'Builder' }])).toEqual(
    fault('100', 'key is missing'),
  );
  expect(await asAda('deploy_key.list_all')).toEqual(denied);
  for (const method of ['list', 'info', 'update', 'delete', 'enable']) {
    const args = { id: app.id, key_id: id, title: 'No' };
    expect(await asBob(`deploy_key.${method}`, args)).toEqual(denied);
  }
  expect(await asAda('deploy_key.delete', [app.id, id])).toEqual(done);
  expect(await asAda('deploy_key.info', [app.id, id])).toMatchObject({ fault: { code: '102' } });
});

test('project_hook.create, list, info, update and delete', async () => {
  const path = `/projects/${app.id}/hooks`;
  const input = {
    url: 'https://hooks.example.com/a?b=1&c',
    issues_events: 'true',
    token: 's3cret',
  };
  const response = await asAda('project_hook.create', [app.id, input]);
  const { id } = response.result as Created;
  expect(response).toEqual(await rest(ada, `${path}/${id}`));
  expect(response.result).toMatchObject({ url: input.url, issues_events: true });
  expect(await asAda('project_hook.info', [app.id, id])).toEqual(response);
  expect(await asAda('project_hook.list', [app.id])).toEqual(await rest(ada, path));
  const moved = { url: 'https://hooks.example.com/moved' };
  const changed = await asAda('project_hook.update', [app.id, id, moved]);
  expect(changed).toEqual(await rest(ada, `${path}/${id}`));
  expect(changed.result).toMatchObject(moved);
  expect(await asAda('project_hook.create', [app.id, { url: 'http://127.0.0.1' }])).toEqual(
    fault('100', 'Invalid url given'),
  );
  expect(await asAda('project_hook.update', [app.id, id])).toEqual(fault('100', 'url is missing'));
  expect(await asBob('project_hook.list', [app.id])).toEqual(denied);
  expect(await asBob('project_hook.delete', [app.id, id])).toEqual(denied);
  expect((await asAda('project_hook.delete', [app.id, id])).fault).toBeUndefined();
  for (const method of ['info', 'delete']) {
    expect(await asAda(`project_hook.${method}`, [app.id, id])).toEqual(recordNotFound);
  }
});

test('system_hook.create, list, test and delete', async () => {
  const input = { url: 'https://hooks.example.com/all', tag_push_events: 1 };
  const response = await asRoot('system_hook.create', [input]);
  expect(response.result).toMatchObject({ url: input.url, tag_push_events: true });
  expect(await asRoot('system_hook.list')).toEqual(await rest(root, '/hooks'));
  expect(await asRoot('system_hook.list')).toEqual({ result: [response.result] });
  const { id } = response.result as Created;
  const tested = await asRoot('system_hook.test', [id]);
  expect(tested).toEqual(await rest(root, `/hooks/${id}`));
  expect(tested.result).toMatchObject({ event_name: 'project_create' });
  expect(await asRoot('system_hook.create')).toEqual(fault('100', 'url is missing'));
  for (const method of ['list', 'create', 'test', 'delete']) {
    expect(await asAda(`system_hook.${method}`, { hook_id: id, url: input.url })).toEqual(denied);
  }
  expect(await asRoot('system_hook.delete', [id])).toEqual(done);
  for (const method of ['test', 'delete']) {
    expect(await asRoot(`system_hook.${method}`, [id])).toEqual(recordNotFound);
  }
});

test('event.list, event.list_of_user and event.list_of_project', async () => {
  await as(ada).post(`/projects/${app.id}/issues`, { title: 'Leak' });
  const filter = { action: 'created', sort: 'asc' };
  const query = 'action=created&sort=asc';
  const ownEvents = await asAda('event.list', [filter]);
  expect(ownEvents).toEqual(await rest(ada, `/events?${query}`));
  expect(ownEvents.result).toMatchObject([{ action_name: 'opened', target_title: 'Leak' }]);
  const ofUser = await asBob('event.list_of_user', ['ada', filter]);
  expect(ofUser).toEqual(await rest(bob, `/users/ada/events?${query}`));
  expect(ofUser.result).toHaveLength(1);
  const ofProject = await asBob('event.list_of_project', [app.id, { per_page: 1 }]);
  expect(ofProject).toEqual(await rest(bob, `/projects/${app.id}/events?per_page=1`));
  expect(ofProject.result).toMatchObject([{ target_title: 'Leak' }]);
  expect(await asAda('event.list', [{ action: 'odd' }])).toEqual(
    fault('101', 'action does not have a valid value'),
  );
  expect(await asAda('event.list_of_user', ['none'])).toEqual(fault('102', 'User Not Found'));
  expect(await asAda('event.list_of_project', ['none'])).toEqual(projectNotFound);
});

test('project_variable.create, list, info, update and delete', async () => {
  const path = `/projects/${app.id}/variables`;
  const input = { key: 'KEY', value: ' two\nlines ', protected: '1' };
  const response = await asAda('project_variable.create', [app.id, input]);
  expect(response).toEqual(await rest(ada, `${path}/KEY`));
  expect(response.result).toMatchObject({ ...input, protected: true });
  expect(await asAda('project_variable.info', ['acme/app', 'KEY'])).toEqual(response);
  expect(await asAda('project_variable.list', [app.id])).toEqual(await rest(ada, path));
  const changed = await asAda('project_variable.update', [app.id, 'KEY', { value: 2 }]);
  expect(changed).toEqual(await rest(ada, `${path}/KEY`));
  expect(changed.result).toMatchObject({ value: '2' });
  expect(await asAda('project_variable.create', [app.id, input])).toMatchObject({
    fault: { code: '100', message: expect.stringContaining('key') },
  });
  for (const method of ['list', 'info', 'update', 'delete']) {
    const args = { id: app.id, key: 'KEY', value: 'no' };
    expect(await asBob(`project_variable.${method}`, args)).toEqual(denied);
  }
  expect(await asAda('project_variable.delete', [app.id, 'KEY'])).toEqual(done);
  for (const method of ['info', 'delete']) {
    expect(await asAda(`project_variable.${method}`, [app.id, 'KEY'])).toMatchObject({
      fault: { code: '102' },
    });
  }
});

const kinds = [
  ['group', acme.id],
  ['project', app.id],
] as const;

test.each(kinds)('%s_custom_attribute.update, list, info and delete', async (kind, id) => {
  const path = `/${kind}s/${id}/custom_attributes`;
  const of = (method: string) => `${kind}_custom_attribute.${method}`;
  const attribute = await asRoot(of('update'), [id, 'place', { value: 'Köln' }]);
  expect(attribute).toEqual({ result: { key: 'place', value: 'Köln' } });
  expect(attribute).toEqual(await rest(root, `${path}/place`));
  expect(await asRoot(of('info'), [id, 'place'])).toEqual(attribute);
  expect(await asRoot(of('list'), [id])).toEqual({ result: [attribute.result] });
  expect(await asRoot(of('list'), [id])).toEqual(await rest(root, path));
  for (const method of ['list', 'info', 'update', 'delete']) {
    expect(await asAda(of(method), { id, key: 'place', value: 'no' })).toEqual(denied);
  }
  expect(await asRoot(of('update'), [id, 'place'])).toEqual(fault('100', 'value is missing'));
  expect(await asRoot(of('delete'), [id, 'place'])).toEqual(done);
  for (const method of ['info', 'delete']) {
    expect(await asRoot(of(method), [id, 'place'])).toMatchObject({ fault: { code: '102' } });
  }
});

test('group.subgroups and namespace.info', async () => {
  await seed.group('acme/inner', {}, { visibility: 'public' });
  const response = await asAda('group.subgroups', ['acme', { search: 'inn' }]);
  expect(response).toEqual(await rest(ada, `/groups/${acme.id}/subgroups?search=inn`));
  expect(response.result).toMatchObject([{ full_path: 'acme/inner' }]);
  expect(await asAda('group.subgroups', ['none'])).toEqual(groupNotFound);
  const namespace = await asAda('namespace.info', ['acme']);
  expect(namespace).toEqual(await rest(ada, `/namespaces/${acme.id}`));
  expect(namespace.result).toMatchObject({ id: acme.id, kind: 'group' });
  expect(await asAda('namespace.info', ['none'])).toEqual(fault('102', 'Namespace Not Found'));
});

test('project.link_fork and project.unlink_fork', async () => {
  const response = await asRoot('project.link_fork', [tool.id, app.id]);
  expect(response).toEqual(await rest(root, `/projects/${tool.id}`));
  expect(response.result).toMatchObject({ forked_from_project: { id: app.id } });
  expect(await asAda('project.link_fork', [tool.id, app.id])).toEqual(denied);
  expect(await asRoot('project.link_fork', [tool.id, 'none'])).toEqual(projectNotFound);
  expect(await asBob('project.unlink_fork', [tool.id])).toEqual(projectNotFound);
  expect(await asAda('project.unlink_fork', [tool.id])).toEqual(done);
  expect(await asAda('project.unlink_fork', [tool.id])).toEqual({ result: null });
  const { forkedFromId } = await db.project.findUniqueOrThrow({ where: { id: tool.id } });
  expect(forkedFromId).toBeNull();
});
