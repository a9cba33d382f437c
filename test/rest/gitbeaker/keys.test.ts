import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { currentUserShape, instant } from '../../support/shapes.ts';
import { newPublicKey } from '../../support/ssh-keys.ts';
import { world } from '../../support/world.ts';

const { seed, url, root } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);
const { client: administrator } = recordedClient(url, root.token);
const { id: project } = await seed.project('ada/app');
const { id: other } = await seed.project('ada/other');

const keyShape = (key: string) => ({
  id: expect.any(Number),
  title: 'Laptop',
  key,
  created_at: instant,
  expires_at: null,
  last_used_at: null,
});

describe('UserSSHKeys and Keys', () => {
  test('are added, listed, shown and removed', async () => {
    const { UserSSHKeys } = client;
    const key = newPublicKey();
    const created = await UserSSHKeys.create('Laptop', key);
    expect(created).toEqual(keyShape(key));
    expect(await UserSSHKeys.show(created.id)).toEqual(created);
    const second = await UserSSHKeys.add('Laptop', newPublicKey());
    expect(await UserSSHKeys.all()).toEqual([created, second]);
    expect(await administrator.UserSSHKeys.all({ userId: ada.id })).toEqual([created, second]);
    expect(await administrator.Keys.show({ keyId: created.id })).toEqual({
      ...created,
      user: currentUserShape(url, ada),
    });
    await UserSSHKeys.remove(created.id);
    await expect(UserSSHKeys.show(created.id)).rejects.toThrow('404 Key Not Found');
  });
});

describe('DeployKeys', () => {
  test('are added, listed, shown, changed, shared and removed', async () => {
    const { DeployKeys } = client;
    const key = newPublicKey();
    const created = await DeployKeys.create('ada/app', 'Laptop', key, { canPush: true });
    const shape = { ...keyShape(key), id: created.id, can_push: true };
    expect(created).toEqual(shape);
    expect(await DeployKeys.show(project, created.id)).toEqual(shape);
    expect(await DeployKeys.all({ projectId: project })).toEqual([shape]);
    expect(await administrator.DeployKeys.all()).toEqual([shape]);
    const closed = { ...shape, can_push: false };
    expect(await DeployKeys.edit(project, created.id, { canPush: false })).toEqual(closed);
    expect(await DeployKeys.enable(other, created.id)).toEqual(closed);
    await DeployKeys.remove(project, created.id);
    expect(await DeployKeys.all({ projectId: project })).toEqual([]);
  });
});

test.each(['UserSSHKeys', 'Keys', 'DeployKeys'])(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);
