import { describe, expect, test } from 'vitest';
import { denied, fault, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
await seed.project('ada/app', { reporter: bob });
await seed.push('ada/app', { 'README.md': '# App\n' });
const app = 'ada/app';
const path = '/projects/ada%2Fapp/repository/tags';
const noTag = {
  fault: { code: '102', message: expect.stringMatching(/not found|does not exist/i) },
};

describe('tag', () => {
  test('create, list and info', async () => {
    const input = { tag_name: 'v1/ü', ref: 'master', message: 'first' };
    const response = await asAda('tag.create', [app, input]);
    expect(response.result).toMatchObject({ name: 'v1/ü', message: 'first' });
    expect(response).toEqual(await rest(ada, `${path}/v1%2F%C3%BC`));
    expect(await asAda('tag.info', [app, 'v1/ü'])).toEqual(response);
    expect(await asAda('tag.list', [app])).toEqual(await rest(ada, path));
    const again = await asAda('tag.create', [app, input]);
    expect(again).toMatchObject({ fault: { code: '104', message: expect.any(String) } });
    expect(await asBob('tag.create', [app, { ...input, tag_name: 'v2' }])).toEqual(denied);
    expect(await asAda('tag.info', [app, 'none'])).toEqual(noTag);
    expect(await asAda('tag.list', ['none'])).toEqual(projectNotFound);
  });

  test('delete', async () => {
    await asAda('tag.create', [app, { tag_name: 'gone', ref: 'master' }]);
    expect(await asBob('tag.delete', [app, 'gone'])).toEqual(denied);
    const response = await asAda('tag.delete', [app, 'gone']);
    expect(response.fault).toBeUndefined();
    expect(await asAda('tag.delete', [app, 'gone'])).toEqual(noTag);
  });
});

describe('release', () => {
  test('create and update', async () => {
    await asAda('tag.create', [app, { tag_name: 'v3', ref: 'master' }]);
    const args = [app, 'v3', { description: 'Größer' }];
    expect(await asAda('release.create', args)).toEqual({
      result: { tag_name: 'v3', description: 'Größer' },
    });
    expect(await asAda('release.create', args)).toMatchObject({ fault: { code: '104' } });
    const changed = { id: app, tag_name: 'v3', description: 'Kleiner' };
    expect(await asAda('release.update', changed)).toEqual({
      result: { tag_name: 'v3', description: 'Kleiner' },
    });
    expect(await asAda('release.update', [app, 'v3'])).toEqual(
      fault('100', 'description is missing'),
    );
    expect(await asBob('release.update', changed)).toEqual(denied);
  });
});

describe('project_release and release_link', () => {
  const releases = '/projects/ada%2Fapp/releases';

  test('create, list, info, update and delete', async () => {
    await asAda('tag.create', [app, { tag_name: 'v4', ref: 'master' }]);
    const input = { id: app, tag_name: 'v4', name: 'Four', description: 'x', milestones: [] };
    const created = await asAda('project_release.create', input);
    expect(created).toEqual(await rest(ada, `${releases}/v4`));
    expect(await asAda('project_release.info', [app, 'v4'])).toEqual(created);
    expect(await asAda('project_release.list', [app])).toEqual(await rest(ada, releases));
    const update = { id: app, tag_name: 'v4', name: 'Vier' };
    expect(await asAda('project_release.update', update)).toMatchObject({
      result: { name: 'Vier', description: 'x' },
    });
    expect(await asBob('project_release.update', update)).toEqual(denied);
    expect(await asAda('project_release.create', input)).toMatchObject({ fault: { code: '104' } });

    const links = `${releases}/v4/assets/links`;
    const link = { id: app, tag_name: 'v4', name: 'a', url: 'https://a.example/' };
    const { result } = await asAda('release_link.create', link);
    const { id } = result as { readonly id: number };
    expect({ result }).toEqual(await rest(ada, `${links}/${id}`));
    expect(await asAda('release_link.info', [app, 'v4', id])).toEqual({ result });
    expect(await asAda('release_link.list', [app, 'v4'])).toEqual(await rest(ada, links));
    const moved = { id: app, tag_name: 'v4', link_id: id, url: 'https://b.example/' };
    expect(await asAda('release_link.update', moved)).toMatchObject({
      result: { url: 'https://b.example/' },
    });
    expect(await asBob('release_link.delete', [app, 'v4', id])).toEqual(denied);
    expect((await asAda('release_link.delete', [app, 'v4', id])).fault).toBeUndefined();
    expect(await asAda('release_link.info', [app, 'v4', id])).toEqual(noTag);

    expect(await asBob('project_release.delete', [app, 'v4'])).toEqual(denied);
    expect((await asAda('project_release.delete', [app, 'v4'])).fault).toBeUndefined();
    expect(await asAda('project_release.delete', [app, 'v4'])).toEqual(noTag);
  });
});
