import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { basicUserShape, instant, memberShape } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { client, called } = recordedClient(url, ada.token);
const { client: requesterClient } = recordedClient(url, bob.token);

const open = { visibility: 'public', request_access_enabled: true };
const { id: group } = await seed.group('acme', { owner: ada }, open);
const { id: project } = await seed.project('ada/app', {}, open);

describe.each([
  ['GroupAccessRequests', group],
  ['ProjectAccessRequests', project],
] as const)('%s', (resource, id) => {
  test('are created, listed, denied and approved', async () => {
    const requested = {
      ...basicUserShape(url, bob),
      created_at: instant,
      requested_at: instant,
    };
    expect(await requesterClient[resource].request(id)).toEqual(requested);
    await expect(requesterClient[resource].request(id)).rejects.toThrow('already exists in source');
    expect(await client[resource].all(id)).toEqual([requested]);
    await client[resource].deny(id, bob.id);
    expect(await client[resource].all(id)).toEqual([]);
    await requesterClient[resource].request(id);
    expect(await client[resource].approve(id, bob.id, { accessLevel: 20 })).toEqual({
      ...memberShape(url, bob, 20),
      created_at: instant,
    });
    await expect(client[resource].approve(id, bob.id)).rejects.toThrow('404 Not found');
  });
});

describe.each([
  ['GroupVariables', group, '404 GroupVariable Not Found'],
  ['ProjectVariables', project, '404 Variable Not Found'],
] as const)('%s', (resource, id, missing) => {
  test('are created, shown, listed, changed and removed', async () => {
    const variables = client[resource];
    const created = { key: 'TOKEN', value: 'two\nlines', protected: true };
    expect(await variables.create(id, 'TOKEN', 'two\nlines', { protected: true })).toEqual(created);
    await expect(variables.create(id, 'TOKEN', '')).rejects.toThrow('has already been taken');
    expect(await variables.show(id, 'TOKEN')).toEqual(created);
    expect(await variables.all(id)).toEqual([created]);
    const changed = { ...created, value: '' };
    expect(await variables.edit(id, 'TOKEN', '')).toEqual(changed);
    await variables.remove(id, 'TOKEN');
    await expect(variables.show(id, 'TOKEN')).rejects.toThrow(missing);
  });
});

test.each(['GroupAccessRequests', 'ProjectAccessRequests', 'GroupVariables', 'ProjectVariables'])(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const uncalled = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(uncalled).toEqual(uncalled.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);
