import { expect, test } from 'vitest';
import { projectNotFound, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const soap = soapClientOf(url);
const { id: group } = await seed.group('tools', { owner: ada }, { visibility: 'private' });
const { id: app } = await seed.project('tools/app', {});

test('notification_settings.info and update', async () => {
  const asAda = soap.as(ada);
  const updated = await asAda('notification_settings.update', [{ level: 'watch' }]);
  expect(updated.result).toMatchObject({ level: 'watch' });
  expect(await asAda('notification_settings.info')).toEqual(updated);
  expect(await asAda('notification_settings.update', [{ level: 'loud' }])).toEqual({
    fault: { code: expect.any(String), message: expect.any(String) },
  });
});

test.each([
  ['group_notification_settings', group],
  ['project_notification_settings', app],
])('%s.info and update', async (resource, id) => {
  const asAda = soap.as(ada);
  const updated = { result: { level: 'mention' } };
  expect(await asAda(`${resource}.update`, [id, { level: 'mention' }])).toEqual(updated);
  expect(await asAda(`${resource}.info`, [id])).toEqual(updated);
  const missing = await soap.as(bob)(`${resource}.info`, [id]);
  expect(missing).toEqual(
    resource.startsWith('project')
      ? projectNotFound
      : { fault: { code: expect.any(String), message: expect.any(String) } },
  );
});
