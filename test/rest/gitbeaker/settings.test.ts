import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { settingsShape } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, url, root } = await world();
const ada = await seed.user('ada');
const { id: group } = await seed.group('acme');
const { id: project } = await seed.project('acme/app');
const { client, called } = recordedClient(url, root.token);
const { client: nonAdministrator } = recordedClient(url, ada.token);

test('ApplicationSettings are shown and changed', async () => {
  expect(await client.ApplicationSettings.show()).toEqual(settingsShape);
  await expect(nonAdministrator.ApplicationSettings.show()).rejects.toThrow('403 Forbidden');
  const change = {
    defaultProjectsLimit: 7,
    restrictedVisibilityLevels: ['public'],
    domainAllowlist: ['unknown here'],
    ed25519KeyRestriction: 256,
  };
  const changed = {
    ...settingsShape,
    default_projects_limit: 7,
    restricted_visibility_levels: ['public'],
    ed25519_key_restriction: 256,
  };
  expect(await client.ApplicationSettings.edit(change)).toEqual(changed);
  expect(await client.ApplicationSettings.show()).toEqual(changed);
  await expect(client.ApplicationSettings.edit({ cloudideEnabled: true })).rejects.toThrow(
    'cloudide_url is missing',
  );
});

describe.each([
  ['UserCustomAttributes', ada.id],
  ['GroupCustomAttributes', group],
  ['ProjectCustomAttributes', project],
] as const)('%s', (resource, id) => {
  test('are set, shown, listed, changed and removed', async () => {
    const attributes = client[resource];
    const created = { key: 'team', value: 'core' };
    expect(await attributes.set(id, 'team', 'core')).toEqual(created);
    expect(await attributes.show(id, 'team')).toEqual(created);
    expect(await attributes.set(id, 'team', 'other')).toEqual({ ...created, value: 'other' });
    expect(await attributes.all(id)).toEqual([{ ...created, value: 'other' }]);
    await attributes.remove(id, 'team');
    await expect(attributes.show(id, 'team')).rejects.toThrow('404 Not found');
    await expect(nonAdministrator[resource].all(id)).rejects.toThrow('403 Forbidden');
  });
});

test.each([
  'ApplicationSettings',
  'UserCustomAttributes',
  'GroupCustomAttributes',
  'ProjectCustomAttributes',
])('every method of %s was called, or has no endpoint in Millrace', (resource) => {
  const uncalled = methodsOf(client, resource).filter((method) => !called.has(method));
  expect(uncalled).toEqual(uncalled.filter((method) => method in withoutEndpoint));
});
