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
const hers = soap.as(ada);
const his = soap.as(bob);
const roots = soap.as(root);
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
    const told = await hers(of('create'), [id, { user_id: cleo.id, access_level: '20' }]);
    expect(told).toEqual(await rest(ada, `${path}/${cleo.id}`));
    expect(told.result).toMatchObject({ username: 'cleo', access_level: 20 });
    expect(await hers(of('info'), [id, cleo.id])).toEqual(told);
    const all = await hers(of('list'), [id, { query: 'cle' }]);
    expect(all).toEqual(await rest(ada, `${path}?query=cle`));
    expect(all.result).toEqual([told.result]);
    const given = { access_level: 30, expires_at: '2030-01-02' };
    const changed = await hers(of('update'), [id, cleo.id, given]);
    expect(changed).toEqual(await rest(ada, `${path}/${cleo.id}`));
    expect(changed.result).toMatchObject(given);
    expect(await hers(of('create'), [id, { user_id: cleo.id, access_level: 20 }])).toEqual(
      fault('104', 'Member already exists'),
    );
    for (const method of ['create', 'update']) {
      const grant = { id, user_id: cleo.id, access_level: 10 };
      expect(await his(of(method), grant)).toEqual(denied);
    }
    expect(await his(of('delete'), [id, cleo.id])).toEqual(denied);
    expect(await hers(of('delete'), [id, cleo.id])).toEqual(done);
    expect(await hers(of('info'), [id, cleo.id])).toEqual(recordNotFound);
    expect(await hers(of('list'), ['none'])).toEqual(noSource);
  });
});

test('deploy_key.create, list, info, update and delete', async () => {
  const path = `/projects/${app.id}/deploy_keys`;
  const given = { title: 'Builder', key: newPublicKey(), can_push: 'true' };
  const told = await hers('deploy_key.create', [app.id, given]);
  const { id } = told.result as Created;
  expect(told).toEqual(await rest(ada, `${path}/${id}`));
  expect(told.result).toMatchObject({ ...given, can_push: true });
  expect(await hers('deploy_key.info', [app.id, id])).toEqual(told);
  expect(await hers('deploy_key.list', [app.id])).toEqual({ result: [told.result] });
  expect(await hers('deploy_key.list', [app.id])).toEqual(await rest(ada, path));
  const all = await roots('deploy_key.list_all');
  expect(all).toEqual(await rest(root, '/deploy_keys'));
  expect(all.result).toHaveLength(1);
  const changed = await hers('deploy_key.update', [app.id, id, { can_push: 0 }]);
  expect(changed).toEqual(await rest(ada, `${path}/${id}`));
  expect(changed.result).toEqual({ ...(told.result as object), can_push: false });
  const enabled = await hers('deploy_key.enable', [tool.id, id]);
  expect(enabled).toEqual(await rest(ada, `/projects/${tool.id}/deploy_keys/${id}`));
  expect(await hers('deploy_key.create', [app.id, { title: 'Builder' }])).toEqual(
    fault('100', 'key is missing'),
  );
  expect(await hers('deploy_key.list_all')).toEqual(denied);
  for (const method of ['list', 'info', 'update', 'delete', 'enable']) {
    const args = { id: app.id, key_id: id, title: 'No' };
    expect(await his(`deploy_key.${method}`, args)).toEqual(denied);
  }
  expect(await hers('deploy_key.delete', [app.id, id])).toEqual(done);
  expect(await hers('deploy_key.info', [app.id, id])).toMatchObject({ fault: { code: '102' } });
});

test('project_hook.create, list, info, update and delete', async () => {
  const path = `/projects/${app.id}/hooks`;
  const given = {
    url: 'https://hooks.example.com/a?b=1&c',
    issues_events: 'true',
    token: 's3cret',
  };
  const told = await hers('project_hook.create', [app.id, given]);
  const { id } = told.result as Created;
  expect(told).toEqual(await rest(ada, `${path}/${id}`));
  expect(told.result).toMatchObject({ url: given.url, issues_events: true });
  expect(await hers('project_hook.info', [app.id, id])).toEqual(told);
  expect(await hers('project_hook.list', [app.id])).toEqual(await rest(ada, path));
  const moved = { url: 'https://hooks.example.com/moved' };
  const changed = await hers('project_hook.update', [app.id, id, moved]);
  expect(changed).toEqual(await rest(ada, `${path}/${id}`));
  expect(changed.result).toMatchObject(moved);
  expect(await hers('project_hook.create', [app.id, { url: 'http://127.0.0.1' }])).toEqual(
    fault('100', 'Invalid url given'),
  );
  expect(await hers('project_hook.update', [app.id, id])).toEqual(fault('100', 'url is missing'));
  expect(await his('project_hook.list', [app.id])).toEqual(denied);
  expect(await his('project_hook.delete', [app.id, id])).toEqual(denied);
  expect((await hers('project_hook.delete', [app.id, id])).fault).toBeUndefined();
  for (const method of ['info', 'delete']) {
    expect(await hers(`project_hook.${method}`, [app.id, id])).toEqual(recordNotFound);
  }
});

test('system_hook.create, list, test and delete', async () => {
  const given = { url: 'https://hooks.example.com/all', tag_push_events: 1 };
  const told = await roots('system_hook.create', [given]);
  expect(told.result).toMatchObject({ url: given.url, tag_push_events: true });
  expect(await roots('system_hook.list')).toEqual(await rest(root, '/hooks'));
  expect(await roots('system_hook.list')).toEqual({ result: [told.result] });
  const { id } = told.result as Created;
  const tested = await roots('system_hook.test', [id]);
  expect(tested).toEqual(await rest(root, `/hooks/${id}`));
  expect(tested.result).toMatchObject({ event_name: 'project_create' });
  expect(await roots('system_hook.create')).toEqual(fault('100', 'url is missing'));
  for (const method of ['list', 'create', 'test', 'delete']) {
    expect(await hers(`system_hook.${method}`, { hook_id: id, url: given.url })).toEqual(denied);
  }
  expect(await roots('system_hook.delete', [id])).toEqual(done);
  for (const method of ['test', 'delete']) {
    expect(await roots(`system_hook.${method}`, [id])).toEqual(recordNotFound);
  }
});

test('event.list, event.list_of_user and event.list_of_project', async () => {
  await as(ada).post(`/projects/${app.id}/issues`, { title: 'Leak' });
  const filter = { action: 'created', sort: 'asc' };
  const query = 'action=created&sort=asc';
  const own = await hers('event.list', [filter]);
  expect(own).toEqual(await rest(ada, `/events?${query}`));
  expect(own.result).toMatchObject([{ action_name: 'opened', target_title: 'Leak' }]);
  const ofUser = await his('event.list_of_user', ['ada', filter]);
  expect(ofUser).toEqual(await rest(bob, `/users/ada/events?${query}`));
  expect(ofUser.result).toHaveLength(1);
  const ofProject = await his('event.list_of_project', [app.id, { per_page: 1 }]);
  expect(ofProject).toEqual(await rest(bob, `/projects/${app.id}/events?per_page=1`));
  expect(ofProject.result).toMatchObject([{ target_title: 'Leak' }]);
  expect(await hers('event.list', [{ action: 'odd' }])).toEqual(
    fault('101', 'action does not have a valid value'),
  );
  expect(await hers('event.list_of_user', ['none'])).toEqual(fault('102', 'User Not Found'));
  expect(await hers('event.list_of_project', ['none'])).toEqual(projectNotFound);
});

test('project_variable.create, list, info, update and delete', async () => {
  const path = `/projects/${app.id}/variables`;
  const given = { key: 'KEY', value: ' two\nlines ', protected: '1' };
  const told = await hers('project_variable.create', [app.id, given]);
  expect(told).toEqual(await rest(ada, `${path}/KEY`));
  expect(told.result).toMatchObject({ ...given, protected: true });
  expect(await hers('project_variable.info', ['acme/app', 'KEY'])).toEqual(told);
  expect(await hers('project_variable.list', [app.id])).toEqual(await rest(ada, path));
  const changed = await hers('project_variable.update', [app.id, 'KEY', { value: 2 }]);
  expect(changed).toEqual(await rest(ada, `${path}/KEY`));
  expect(changed.result).toMatchObject({ value: '2' });
  expect(await hers('project_variable.create', [app.id, given])).toMatchObject({
    fault: { code: '100', message: expect.stringContaining('key') },
  });
  for (const method of ['list', 'info', 'update', 'delete']) {
    const args = { id: app.id, key: 'KEY', value: 'no' };
    expect(await his(`project_variable.${method}`, args)).toEqual(denied);
  }
  expect(await hers('project_variable.delete', [app.id, 'KEY'])).toEqual(done);
  for (const method of ['info', 'delete']) {
    expect(await hers(`project_variable.${method}`, [app.id, 'KEY'])).toMatchObject({
      fault: { code: '102' },
    });
  }
});

const attributed = [
  ['group', acme.id],
  ['project', app.id],
] as const;

test.each(attributed)('%s_custom_attribute.update, list, info and delete', async (kind, id) => {
  const path = `/${kind}s/${id}/custom_attributes`;
  const of = (method: string) => `${kind}_custom_attribute.${method}`;
  const set = await roots(of('update'), [id, 'place', { value: 'Köln' }]);
  expect(set).toEqual({ result: { key: 'place', value: 'Köln' } });
  expect(set).toEqual(await rest(root, `${path}/place`));
  expect(await roots(of('info'), [id, 'place'])).toEqual(set);
  expect(await roots(of('list'), [id])).toEqual({ result: [set.result] });
  expect(await roots(of('list'), [id])).toEqual(await rest(root, path));
  for (const method of ['list', 'info', 'update', 'delete']) {
    expect(await hers(of(method), { id, key: 'place', value: 'no' })).toEqual(denied);
  }
  expect(await roots(of('update'), [id, 'place'])).toEqual(fault('100', 'value is missing'));
  expect(await roots(of('delete'), [id, 'place'])).toEqual(done);
  for (const method of ['info', 'delete']) {
    expect(await roots(of(method), [id, 'place'])).toMatchObject({ fault: { code: '102' } });
  }
});

test('group.subgroups and namespace.info', async () => {
  await seed.group('acme/inner', {}, { visibility: 'public' });
  const told = await hers('group.subgroups', ['acme', { search: 'inn' }]);
  expect(told).toEqual(await rest(ada, `/groups/${acme.id}/subgroups?search=inn`));
  expect(told.result).toMatchObject([{ full_path: 'acme/inner' }]);
  expect(await hers('group.subgroups', ['none'])).toEqual(groupNotFound);
  const namespace = await hers('namespace.info', ['acme']);
  expect(namespace).toEqual(await rest(ada, `/namespaces/${acme.id}`));
  expect(namespace.result).toMatchObject({ id: acme.id, kind: 'group' });
  expect(await hers('namespace.info', ['none'])).toEqual(fault('102', 'Namespace Not Found'));
});

test('project.link_fork and project.unlink_fork', async () => {
  const told = await roots('project.link_fork', [tool.id, app.id]);
  expect(told).toEqual(await rest(root, `/projects/${tool.id}`));
  expect(told.result).toMatchObject({ forked_from_project: { id: app.id } });
  expect(await hers('project.link_fork', [tool.id, app.id])).toEqual(denied);
  expect(await roots('project.link_fork', [tool.id, 'none'])).toEqual(projectNotFound);
  expect(await his('project.unlink_fork', [tool.id])).toEqual(projectNotFound);
  expect(await hers('project.unlink_fork', [tool.id])).toEqual(done);
  expect(await hers('project.unlink_fork', [tool.id])).toEqual({ result: null });
  const { forkedFromId } = await db.project.findUniqueOrThrow({ where: { id: tool.id } });
  expect(forkedFromId).toBeNull();
});
