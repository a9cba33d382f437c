import { expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { world } from '../../support/world.ts';

const { seed, url, root } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, root.token);
const address = 'https://hooks.example.com/';
const { id: project } = await seed.project('ada/app');

test('ProjectHooks are added, listed, shown, changed and removed', async () => {
  const { ProjectHooks } = client;
  const created = await ProjectHooks.add(project, address, { noteEvents: true, token: 's3cret' });
  expect(created).toMatchObject({ url: address, project_id: project, note_events: true });
  expect(await ProjectHooks.all(project)).toEqual([created]);
  expect(await ProjectHooks.show('ada/app', created.id)).toEqual(created);
  const changed = await ProjectHooks.edit(project, created.id, address, { jobEvents: true });
  expect(changed).toEqual({ ...created, job_events: true });
  await ProjectHooks.remove(project, created.id);
  await expect(ProjectHooks.show(project, created.id)).rejects.toThrow('404 Not found');
  await expect(ProjectHooks.add(project, 'nowhere')).rejects.toThrow('Invalid url given');
});

test('SystemHooks are created, listed, tested and removed', async () => {
  const { SystemHooks } = client;
  const created = await SystemHooks.create(address, { pushEvents: true });
  expect(created).toMatchObject({ url: address, push_events: true });
  const second = await SystemHooks.add(address);
  expect(await SystemHooks.all()).toEqual([created, second]);
  expect(await SystemHooks.test(created.id)).toMatchObject({ event_name: 'project_create' });
  expect(await SystemHooks.show(created.id)).toMatchObject({ event_name: 'project_create' });
  await SystemHooks.remove(second.id);
  expect(await SystemHooks.all()).toEqual([created]);
});

test('Events of the current user, of a project and of another user', async () => {
  const { Events, Users } = client;
  const [own] = await Events.all();
  expect(own).toMatchObject({ action_name: 'created', author_id: root.id });
  expect(await Events.all({ projectId: project })).toEqual([own]);
  expect(await Users.allEvents(root.id)).toEqual([own]);
  expect(await Users.allEvents(ada.id, { action: 'pushed' })).toEqual([]);
});

test.each(['ProjectHooks', 'SystemHooks', 'Events'])(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);
