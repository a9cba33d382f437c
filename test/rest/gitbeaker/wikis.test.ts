import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { world } from '../../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);
const { id } = await seed.project('ada/app');

describe('ProjectWikis', () => {
  test('pages are created, listed, shown, changed and removed', async () => {
    const { ProjectWikis } = client;
    expect(await ProjectWikis.all(id)).toEqual([]);
    const page = { format: 'markdown', slug: 'dir/A-page.v1', title: 'A page.v1' };
    expect(await ProjectWikis.create('ada/app', '# One', 'dir/A page.v1')).toEqual({
      ...page,
      content: '# One',
    });
    expect(await ProjectWikis.all('ada/app')).toEqual([page]);
    expect(await ProjectWikis.all(id, { withContent: true })).toEqual([
      { ...page, content: '# One' },
    ]);
    expect(await ProjectWikis.show(id, page.slug)).toEqual({ ...page, content: '# One' });
    expect(await ProjectWikis.edit(id, page.slug, { content: '# Two' })).toEqual({
      ...page,
      content: '# Two',
    });
    const changed = { format: 'rdoc', slug: 'dir/B', title: 'B', content: '# Two' };
    expect(await ProjectWikis.edit(id, page.slug, { title: 'B', format: 'rdoc' })).toEqual(changed);
    await expect(ProjectWikis.show(id, page.slug)).rejects.toThrow('404 Wiki Page Not Found');
    await expect(ProjectWikis.create(id, 'x', 'dir/B')).rejects.toThrow('Duplicate page');
    await ProjectWikis.remove(id, 'dir/B');
    expect(await ProjectWikis.all(id)).toEqual([]);
  });
});

test('every method of ProjectWikis was called, or has no endpoint in Millrace', () => {
  const missing = methodsOf(client, 'ProjectWikis').filter((method) => !called.has(method));
  expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
  expect(listed).toEqual([]);
});
