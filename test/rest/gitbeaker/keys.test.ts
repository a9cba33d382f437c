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
});

describe('UserSSHKeys and Keys', () => {
  test('are added, listed, shown and removed', async () => {
    const { UserSSHKeys } = client;
    const key = newPublicKey();
    const made = await UserSSHKeys.create('Laptop', key);
    expect(made).toEqual(keyShape(key));
    expect(await UserSSHKeys.show(made.id)).toEqual(made);
    const second = await UserSSHKeys.add('Laptop', newPublicKey());
    expect(await UserSSHKeys.all()).toEqual([made, second]);
    expect(await administrator.UserSSHKeys.all({ userId: ada.id })).toEqual([made, second]);
    expect(await administrator.Keys.show({ keyId: made.id })).toEqual({
      ...made,
      user: currentUserShape(url, ada),
    });
    await UserSSHKeys.remove(made.id);
    await expect(UserSSHKeys.show(made.id)).rejects.toThrow('404 Key Not Found');
  });
});

describe('DeployKeys', () => {
  test('are added, listed, shown, changed, shared and removed', async () => {
    const { DeployKeys } = client;
    const key = newPublicKey();
    const made = await DeployKeys.create('ada/app', 'Laptop', key, { canPush: true });
    const shape = { ...keyShape(key), id: made.id, can_push: true };
    expect(made).toEqual(shape);
    expect(await DeployKeys.show(project, made.id)).toEqual(shape);
    expect(await DeployKeys.all({ projectId: project })).toEqual([shape]);
    expect(await administrator.DeployKeys.all()).toEqual([shape]);
    const closed = { ...shape, can_push: false };
    expect(await DeployKeys.edit(project, made.id, { canPush: false })).toEqual(closed);
    expect(await DeployKeys.enable(other, made.id)).toEqual(closed);
    await DeployKeys.remove(project, made.id);
    expect(await DeployKeys.all({ projectId: project })).toEqual([]);
  });
});

test.each(['UserSSHKeys', 'Keys', 'DeployKeys'])(
  'every method of %s was called, or has no endpoint here',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);
