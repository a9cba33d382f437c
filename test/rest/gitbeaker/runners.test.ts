import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { runnerDetailsShape, runnerShape, runnersOf } from '../../support/runners.ts';
import { basicProjectShape } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const served = await world();
const { seed, url, root, db } = served;
const runners = runnersOf(served);
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);
const { client: administrator } = recordedClient(url, root.token);
const { id: app } = await seed.project('ada/app');
const { id: other } = await seed.project('ada/other');
const { namespaceId } = await db.project.findUniqueOrThrow({ where: { id: app } });

const registered = { id: expect.any(Number), token: expect.stringMatching(/^[0-9a-f]{30}$/) };

describe('Runners', () => {
  test('are registered, listed, shown, changed and removed', async () => {
    const { Runners } = client;
    const token = await runners.projectToken(app);
    const made = await Runners.register(token, { description: 'one', tagList: ['a', 'b'] });
    expect(made).toEqual(registered);
    const second = await Runners.create(token, { description: 'two' });
    expect(second).toEqual(registered);
    const both = [
      runnerShape(made.id, { description: 'one' }),
      runnerShape(second.id, { description: 'two' }),
    ];
    expect(await Runners.all({ owned: true })).toEqual(both);
    expect(await Runners.all({ projectId: app })).toEqual(both);
    expect(await administrator.Runners.all()).toEqual(both);
    const shown = { id: app, fullPath: 'ada/app', creatorId: root.id, namespaceId };
    const details = runnerDetailsShape(made.id, {
      description: 'one',
      tag_list: ['a', 'b'],
      token: made.token,
      projects: [basicProjectShape(url, shown)],
    });
    expect(await Runners.show(made.id)).toEqual(details);
    const changes = { active: false, tagList: ['c'], runUntagged: false };
    expect(await Runners.edit(made.id, { ...changes, accessLevel: 'ref_protected' })).toEqual({
      ...details,
      active: false,
      tag_list: ['c'],
      run_untagged: false,
      access_level: 'ref_protected',
    });
    expect(await Runners.allJobs(made.id)).toEqual([]);
    await Runners.remove({ runnerId: made.id });
    await expect(Runners.show(made.id)).rejects.toThrow('404 Not found');
  });

  test('are enabled in another project and disabled again', async () => {
    const { Runners } = client;
    const { id } = await runners.specific([app]);
    expect(await Runners.enable(other, id)).toEqual(runnerShape(id));
    await expect(Runners.enable('ada/other', id)).rejects.toThrow(
      'Runner was already enabled for this project',
    );
    await Runners.disable(other, id);
    await expect(Runners.disable(app, id)).rejects.toThrow('Please remove the runner instead');
  });

  test('show their own token to be verified and removed', async () => {
    const { Runners } = client;
    const { token } = await runners.specific([app]);
    // its type knows nothing of the token, though it has to be sent
    const shown = { token } as object;
    expect(await Runners.verify(shown)).toBe(200);
    await Runners.remove({ token });
    await expect(Runners.verify(shown)).rejects.toThrow('403 Forbidden');
  });
});

test('every method of Runners was called, or has no endpoint here', () => {
  const missing = methodsOf(client, 'Runners').filter((method) => !called.has(method));
  expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
  expect(listed).toEqual([]);
});
