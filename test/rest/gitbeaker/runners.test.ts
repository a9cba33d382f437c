import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { runnerDetailsShape, runnerShape, runnersOf } from '../../support/runners.ts';
import { basicProjectShape } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, url, root, db } = testWorld;
const runners = runnersOf(testWorld);
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
    const created = await Runners.register(token, { description: 'one', tagList: ['a', 'b'] });
    expect(created).toEqual(registered);
    const second = await Runners.create(token, { description: 'two' });
    expect(second).toEqual(registered);
    const both = [
      runnerShape(created.id, { description: 'one' }),
      runnerShape(second.id, { description: 'two' }),
    ];
    expect(await Runners.all({ owned: true })).toEqual(both);
    expect(await Runners.all({ projectId: app })).toEqual(both);
    expect(await administrator.Runners.all()).toEqual(both);
    const shown = { id: app, fullPath: 'ada/app', creatorId: root.id, namespaceId };
    const details = runnerDetailsShape(created.id, {
      description: 'one',
      tag_list: ['a', 'b'],
      token: created.token,
      projects: [basicProjectShape(url, shown)],
    });
    expect(await Runners.show(created.id)).toEqual(details);
    const changes = { active: false, tagList: ['c'], runUntagged: false };
    expect(await Runners.edit(created.id, { ...changes, accessLevel: 'ref_protected' })).toEqual({
      ...details,
      active: false,
      tag_list: ['c'],
      run_untagged: false,
      access_level: 'ref_protected',
    });
    expect(await Runners.allJobs(created.id)).toEqual([]);
    await Runners.remove({ runnerId: created.id });
    await expect(Runners.show(created.id)).rejects.toThrow('404 Not found');
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

  test('are verified and removed with their own token', async () => {
    const { Runners } = client;
    const { token } = await runners.specific([app]);
    // gitbeaker's type lacks the required token
    const shown = { token } as object;
    expect(await Runners.verify(shown)).toBe(200);
    await Runners.remove({ token });
    await expect(Runners.verify(shown)).rejects.toThrow('403 Forbidden');
  });
});

test('every method of Runners was called, or has no endpoint in Millrace', () => {
  const missing = methodsOf(client, 'Runners').filter((method) => !called.has(method));
  expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
  expect(listed).toEqual([]);
});
