import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const dora = await seed.user('dora');
const eve = await seed.user('eve');

const roles = { developer: bob, reporter: cleo, guest: dora };
const { id: app } = await seed.project('ada/app', roles, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', roles, { visibility: 'private' });
const pages = `/projects/${app}/wikis`;
const closedPages = `/projects/${closed}/wikis`;

const page = (slug: string, content: string, traits: Partial<Record<string, string>> = {}) => ({
  format: 'markdown',
  slug,
  title: (slug.split('/').at(-1) ?? '').replaceAll('-', ' '),
  content,
  ...traits,
});

const blankProject = async (path: string, settings = {}) => {
  const { id } = await seed.project(`ada/${path}`, roles, { visibility: 'public', ...settings });
  return `/projects/${id}/wikis`;
};

describe('GET /projects/:id/wikis', () => {
  test('is empty without pages', async () => {
    expect(await as(null).get(pages)).toEqual({ status: 200, body: [] });
    expect(await as(null).get(`${pages}?with_content=true`)).toEqual({ status: 200, body: [] });
  });

  test('lists all pages by slug, with their content on request', async () => {
    const wiki = await blankProject('listed');
    for (const title of ['home', 'Zoo', 'dir/b page', 'Älter']) {
      await as(bob).post(wiki, { title, content: `of "${title}"\r\n` });
    }
    const slugs = ['Zoo', 'dir/b-page', 'home', 'Älter'];
    const whole = ['Zoo', 'dir/b page', 'home', 'Älter'].map((title, index) =>
      page(slugs[index] ?? '', `of "${title}"\r\n`),
    );
    const listed = whole.map(({ content: _, ...rest }) => rest);
    for (const person of [null, eve, dora, root]) {
      expect(await as(person).get(wiki)).toEqual({ status: 200, body: listed });
      expect(await as(person).get(`${wiki}?with_content=0`)).toEqual({ status: 200, body: listed });
      expect(await as(person).get(`${wiki}?with_content=1`)).toEqual({ status: 200, body: whole });
    }
    expect(await as(null).get(`${wiki}?per_page=1&page=2`)).toEqual({ status: 200, body: listed });
    expect((await as(null).fetch(`${wiki}?with_content=1`, { method: 'HEAD' })).status).toBe(200);
  });

  test('of a private project requires a guest', async () => {
    for (const person of [null, eve]) {
      expect(await as(person).get(closedPages)).toEqual(refused.missing('Project'));
    }
    for (const person of [dora, cleo, bob, ada, root]) {
      expect(await as(person).get(closedPages)).toEqual({ status: 200, body: [] });
    }
  });

  test('malformed parameters are rejected', async () => {
    expect(await as(ada).get(`${pages}?with_content=perhaps`)).toEqual(
      refused.parameter('with_content is invalid'),
    );
    expect(await as(ada).get('/projects/0/wikis')).toEqual(refused.missing('Project'));
  });
});

describe('POST /projects/:id/wikis', () => {
  test('creates a page in each format', async () => {
    for (const format of ['markdown', 'rdoc', 'asciidoc']) {
      const created = await as(bob).post(pages, {
        title: `My ${format} Page`,
        content: '= A',
        format,
      });
      expect(created).toEqual({ status: 201, body: page(`My-${format}-Page`, '= A', { format }) });
    }
    const trimmed = await as(ada).post(pages, { title: '  Deep  one/ the page ', content: 'x' });
    expect(trimmed).toEqual({ status: 201, body: page('Deep-one/the-page', 'x') });
    expect(await as(null).get(`${pages}/Deep-one%2Fthe-page`)).toEqual({
      status: 200,
      body: page('Deep-one/the-page', 'x'),
    });
  });

  test.each([
    ['dots', 'v1.2.md', 'v1.2.md', 'v1.2.md'],
    ['dots at the end', 'What is this...', 'What-is-this...', 'What is this...'],
    ['percent and plus', '100% a+b?#', '100%-a+b?#', '100% a+b?#'],
    ['an emoji', '🎉 Fête', '🎉-Fête', '🎉 Fête'],
    ['quotes and markup', '<b>"it"\\', '<b>"it"\\', '<b>"it"\\'],
    ['a dash first', '-x y', '-x-y', '-x y'],
    ['a dash last', 'x y-', 'x-y-', 'x y-'],
    ['consecutive dashes', '--a - b', '--a---b', '--a---b'],
    ['a single dash', '-', '-', '-'],
  ])('accepts titles with %s', async (_label, title, slug, shown) => {
    const body = page(slug, 'x', { title: shown });
    expect(await as(bob).post(pages, { title, content: 'x' })).toEqual({ status: 201, body });
    const address = `${pages}/${encodeURIComponent(slug)}`;
    expect(await as(null).get(address)).toEqual({ status: 200, body });
    // the shown title is the page's own
    expect(await as(bob).put(address, { title: shown })).toEqual({ status: 200, body });
    expect(await as(ada).delete(address)).toEqual({ status: 204, body: null });
  });

  test('preserves the content byte for byte', async () => {
    const contents = ['a\r\nb\rc\n\n', '\ufeff😀e\u0301 \u2028', `${'ä'.repeat(2 ** 19)}x`, '  x'];
    for (const [index, content] of contents.entries()) {
      const slug = `kept-${index}`;
      const body = page(slug, content);
      expect(await as(bob).post(pages, { title: slug, content })).toEqual({ status: 201, body });
      expect(await as(null).get(`${pages}/${slug}`)).toEqual({ status: 200, body });
    }
    const { body } = await as(null).get(`${pages}?with_content=1`);
    for (const [index, content] of contents.entries()) {
      expect(body).toContainEqual(page(`kept-${index}`, content));
    }
  });

  test.each([
    ['', "can't be blank"],
    ['  ', "can't be blank"],
    ['../x', 'is invalid'],
    ['/x', 'is invalid'],
    ['x/../y', 'is invalid'],
    ['x/./y', 'is invalid'],
    ['x//y', 'is invalid'],
    ['x/', 'is invalid'],
    ['..', 'is invalid'],
    ['.git', 'is invalid'],
    ['a/.GIT/b', 'is invalid'],
    ['git~1/b', 'is invalid'],
    ['a\nb', 'is invalid'],
    ['a\tb', 'is invalid'],
    ['a\u0085b', 'is invalid'],
    ['x'.repeat(500), 'is too long (maximum is 245 bytes)'],
    ['ä'.repeat(123), 'is too long (maximum is 245 bytes)'],
    [`${'x/'.repeat(600)}x`, 'is too long (maximum is 1024 bytes)'],
  ])('the title %j is rejected', async (title, text) => {
    const response = refused.invalid({ title: [text] });
    expect(await as(bob).post(pages, { title, content: 'x' })).toEqual(response);
  });

  test('accepts the longest title', async () => {
    const title = 'ä'.repeat(122);
    const created = await as(bob).post(pages, { title, content: 'x', format: 'asciidoc' });
    expect(created).toEqual({ status: 201, body: page(title, 'x', { format: 'asciidoc' }) });
  });

  test.each([
    [{ content: 'x' }, 'title is missing'],
    [{ title: 'x' }, 'content is missing'],
    [{}, 'title is missing, content is missing'],
    [{ title: 'a\0b', content: 'x' }, 'title is invalid'],
    [{ title: 'x', content: 'a\0b' }, 'content is invalid'],
    [{ title: 'x', content: 'x', format: 'textile' }, 'format does not have a valid value'],
    [{ title: ['x'], content: 'x' }, 'title is invalid'],
  ])('%j is rejected', async (body, text) => {
    expect(await as(bob).post(pages, body)).toEqual(refused.parameter(text));
  });

  test('a blank content is rejected', async () => {
    expect(await as(bob).post(pages, { title: 'blank', content: ' \n' })).toEqual(
      refused.invalid({ content: ["can't be blank"] }),
    );
  });

  test('an existing page is not created again, in any format', async () => {
    const alreadyTaken = refused.invalid({
      base: ['Duplicate page: A page already exists at that path'],
    });
    await as(bob).post(pages, { title: 'Taken one', content: 'x' });
    for (const title of ['Taken one', 'Taken-one', ' Taken  one ']) {
      for (const format of ['markdown', 'rdoc']) {
        expect(await as(bob).post(pages, { title, content: 'y', format })).toEqual(alreadyTaken);
      }
    }
    const other = await as(bob).post(pages, { title: 'taken one', content: 'y' });
    expect(other).toEqual({ status: 201, body: page('taken-one', 'y') });
    // no folder can have the name of another page's file
    expect(await as(bob).post(pages, { title: 'taken-one.md/x', content: 'y' })).toEqual(
      alreadyTaken,
    );
    expect((await as(bob).post(pages, { title: 'taken-one/x', content: 'y' })).status).toBe(201);
  });

  test('requires a developer', async () => {
    const input = { title: 'mine', content: 'x' };
    for (const person of [null, eve, dora, cleo]) {
      expect(await as(person).post(pages, input)).toEqual(refused.forbidden);
    }
    for (const person of [null, eve]) {
      expect(await as(person).post(closedPages, input)).toEqual(refused.missing('Project'));
    }
    for (const person of [dora, cleo]) {
      expect(await as(person).post(closedPages, input)).toEqual(refused.forbidden);
    }
    expect((await as(root).post(closedPages, input)).status).toBe(201);
  });
});

describe('GET /projects/:id/wikis/:slug', () => {
  test('responds with 404 to a missing page', async () => {
    for (const slug of ['nothing', 'Nothing%2F..%2Fx', 'a%2F', '%20', 'x'.repeat(3000)]) {
      expect(await as(null).get(`${pages}/${slug}`)).toEqual(refused.missing('Wiki Page'));
    }
    expect(await as(eve).get(`${closedPages}/mine`)).toEqual(refused.missing('Project'));
    expect((await as(dora).get(`${closedPages}/mine`)).status).toBe(200);
  });
});

describe('PUT /projects/:id/wikis/:slug', () => {
  test('changes the content, the title or the format only', async () => {
    const wiki = await blankProject('changed');
    await as(bob).post(wiki, { title: 'dir/First page', content: 'one', format: 'rdoc' });
    const at = (slug: string) => `${wiki}/${encodeURIComponent(slug)}`;
    const rdoc = { format: 'rdoc' };
    expect(await as(bob).put(at('dir/First-page'), { content: 'two' })).toEqual({
      status: 200,
      body: page('dir/First-page', 'two', rdoc),
    });
    // some clients send the whole page back
    const again = { title: 'First page', content: 'three', format: 'rdoc' };
    expect(await as(bob).put(at('dir/First-page'), again)).toEqual({
      status: 200,
      body: page('dir/First-page', 'three', rdoc),
    });
    expect(await as(bob).put(at('dir/First-page'), { title: 'Second page' })).toEqual({
      status: 200,
      body: page('dir/Second-page', 'three', rdoc),
    });
    expect(await as(bob).get(at('dir/First-page'))).toEqual(refused.missing('Wiki Page'));
    const moved = { title: 'other/Third', content: 'four', format: 'markdown' };
    expect(await as(bob).put(at('dir/Second-page'), moved)).toEqual({
      status: 200,
      body: page('other/Third', 'four'),
    });
    expect(await as(bob).get(`${wiki}?with_content=1`)).toEqual({
      status: 200,
      body: [page('other/Third', 'four')],
    });
  });

  test('does not move a page onto another one', async () => {
    const wiki = await blankProject('onto');
    await as(bob).post(wiki, { title: 'a', content: 'a' });
    await as(bob).post(wiki, { title: 'b', content: 'b', format: 'rdoc' });
    expect(await as(bob).put(`${wiki}/a`, { title: 'b' })).toEqual(
      refused.invalid({ base: ['Duplicate page: A page already exists at that path'] }),
    );
    expect((await as(bob).get(wiki)).body).toMatchObject([{ slug: 'a' }, { slug: 'b' }]);
    expect(await as(bob).put(`${wiki}/a`, { title: 'A' })).toEqual({
      status: 200,
      body: page('A', 'a'),
    });
  });

  test.each([
    [{}, 'content, title are missing, at least one parameter must be provided'],
    [{ format: 'rdoc' }, 'content, title are missing, at least one parameter must be provided'],
    [{ title: 'x', format: 'pdf' }, 'format does not have a valid value'],
  ])('%j is rejected', async (body, text) => {
    expect(await as(bob).put(`${pages}/taken-one`, body)).toEqual(refused.parameter(text));
  });

  test.each(['', '../x', '/x', 'x/../y', 'x'.repeat(500)])(
    'the title %j is rejected',
    async (title) => {
      const { status, body } = await as(bob).put(`${pages}/taken-one`, { title });
      expect([status, body]).toEqual([400, { message: { title: [expect.any(String)] } }]);
    },
  );

  test('refuses users below developer and missing pages', async () => {
    const input = { content: 'x' };
    for (const person of [null, eve, dora, cleo]) {
      expect(await as(person).put(`${pages}/taken-one`, input)).toEqual(refused.forbidden);
    }
    expect(await as(eve).put(`${closedPages}/mine`, input)).toEqual(refused.missing('Project'));
    expect(await as(bob).put(`${pages}/none`, input)).toEqual(refused.missing('Wiki Page'));
    const empty = await blankProject('without');
    expect(await as(bob).put(`${empty}/none`, input)).toEqual(refused.missing('Wiki Page'));
  });
});

describe('DELETE /projects/:id/wikis/:slug', () => {
  test('requires a master', async () => {
    for (const person of [null, eve, dora, cleo, bob]) {
      expect(await as(person).delete(`${pages}/taken-one%2Fx`)).toEqual(refused.forbidden);
    }
    for (const person of [null, eve]) {
      expect(await as(person).delete(`${closedPages}/mine`)).toEqual(refused.missing('Project'));
    }
    expect(await as(ada).delete(`${pages}/taken-one%2Fx`)).toEqual({ status: 204, body: null });
    expect(await as(ada).delete(`${pages}/taken-one%2Fx`)).toEqual(refused.missing('Wiki Page'));
    expect(await as(root).delete(`${closedPages}/mine`)).toEqual({ status: 204, body: null });
    expect(await as(root).get(closedPages)).toEqual({ status: 200, body: [] });
  });
});

describe('a wiki', () => {
  test('is closed to all users if disabled', async () => {
    const wiki = await blankProject('off');
    await as(bob).post(wiki, { title: 'home', content: 'x' });
    await as(ada).put(wiki.replace('/wikis', ''), { wiki_enabled: false });
    for (const person of [null, eve, bob, ada, root]) {
      const client = as(person);
      expect(await client.get(wiki)).toEqual(refused.forbidden);
      expect(await client.get(`${wiki}/home`)).toEqual(refused.forbidden);
      expect(await client.post(wiki, { title: 'x', content: 'x' })).toEqual(refused.forbidden);
      expect(await client.put(`${wiki}/home`, { content: 'x' })).toEqual(refused.forbidden);
      expect(await client.delete(`${wiki}/home`)).toEqual(refused.forbidden);
    }
    await as(ada).put(wiki.replace('/wikis', ''), { wiki_enabled: true });
    expect((await as(null).get(`${wiki}/home`)).body).toEqual(page('home', 'x'));
  });

  test('of an archived project is read-only', async () => {
    const wiki = await blankProject('archived');
    await as(bob).post(wiki, { title: 'home', content: 'x' });
    await as(ada).post(wiki.replace('/wikis', '/archive'));
    expect(await as(ada).post(wiki, { title: 'x', content: 'x' })).toEqual(refused.forbidden);
    expect(await as(root).put(`${wiki}/home`, { content: 'x' })).toEqual(refused.forbidden);
    expect(await as(ada).delete(`${wiki}/home`)).toEqual(refused.forbidden);
    expect((await as(null).get(`${wiki}/home`)).status).toBe(200);
  });

  test('notifies the project’s hooks of each change of a page', async () => {
    const wiki = await blankProject('notified');
    const { id } = await db.project.findFirstOrThrow({ where: { path: 'notified' } });
    const url = 'http://127.0.0.1:1/';
    const hook = await db.webHook.create({ data: { projectId: id, url, onWikiPage: true } });
    await db.webHook.create({ data: { projectId: id, url } });
    await as(bob).post(wiki, { title: 'dir/A page', content: 'one' });
    await as(bob).put(`${wiki}/dir%2FA-page`, { title: 'B' });
    await as(ada).delete(`${wiki}/dir%2FB`);
    const sent = await db.hookDelivery.findMany({ orderBy: { id: 'asc' } });
    expect(sent.map(({ hookId, event }) => [hookId, event])).toEqual(
      sent.map(() => [hook.id, 'Wiki Page Hook']),
    );
    expect(sent.map(({ payload }) => payload)).toMatchObject([
      {
        object_kind: 'wiki_page',
        user: { name: 'Bob', username: 'bob' },
        project: { id, path_with_namespace: 'ada/notified' },
        wiki: { path_with_namespace: 'ada/notified.wiki', default_branch: 'master' },
        object_attributes: {
          title: 'A page',
          content: 'one',
          format: 'markdown',
          message: 'bob created page: A page',
          slug: 'dir/A-page',
          action: 'create',
        },
      },
      {
        object_attributes: {
          title: 'B',
          content: 'one',
          slug: 'dir/B',
          message: 'bob updated page: B',
          action: 'update',
        },
      },
      {
        user: { username: 'ada' },
        object_attributes: { content: 'one', message: 'ada deleted page: B', action: 'delete' },
      },
    ]);
  });
});
