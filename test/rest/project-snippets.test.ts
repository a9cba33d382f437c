import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { snippetShape, snippetsOf } from '../support/snippets.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, url } = await world({
  settings: { restrictedVisibilityLevels: ['public'] },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const eve = await seed.user('eve');
const external = await seed.user('max', { isExternal: true });
const roles = { guest: cleo, reporter: bob };
const enabled = { snippets_enabled: true };
const { id: project } = await seed.project('ada/app', roles, enabled);
const { id: withoutSnippets } = await seed.project('ada/off', roles, { snippets_enabled: false });
const newSnippet = snippetsOf(db);

// `public` is restricted to administrators
const { id: publicProject } = await seed.project('ada/open', roles, {
  ...enabled,
  visibility: 'internal',
});
await as(root).put(`/projects/${publicProject}`, { visibility: 'public' });

const all = `/projects/${project}/snippets`;
const input = {
  title: 'Greeting',
  file_name: 'greet.rb',
  code: "puts 'Hi'",
  visibility: 'internal',
};

describe('POST /projects/:id/snippets', () => {
  test('a reporter creates a snippet', async () => {
    const response = await as(bob).post(all, input);
    const { id } = response.body as { id: number };
    expect(response).toEqual({ status: 201, body: snippetShape(url, bob, id, '/ada/app') });
    expect(await db.snippet.findUniqueOrThrow({ where: { id } })).toMatchObject({
      content: input.code,
      visibility: 'internal',
      projectId: project,
    });
  });

  test('accepts the code as content, and a description', async () => {
    const { code, ...rest } = input;
    const body = { ...rest, content: code, description: 'Says hello' };
    const response = await as(ada).post(all, body);
    const { id } = response.body as { id: number };
    expect(response).toEqual({
      status: 201,
      body: { ...snippetShape(url, ada, id, '/ada/app'), description: 'Says hello' },
    });
    expect((await as(ada).get(`${all}/${id}/raw`)).body).toBe(code);
  });

  test.each(['title', 'file_name', 'code', 'visibility'] as const)(
    '%s is required',
    async (name) => {
      const { [name]: _, ...incomplete } = input;
      expect(await as(bob).post(all, incomplete)).toEqual(refused.parameter(`${name} is missing`));
    },
  );

  test('rejects invalid parameters', async () => {
    for (const [given, response] of [
      [{ visibility: 'secret' }, refused.parameter('visibility does not have a valid value')],
      [{ title: ' ' }, refused.invalid({ title: ["can't be blank"] })],
      [{ code: '\n' }, refused.invalid({ content: ["can't be blank"] })],
      [
        { title: 'x'.repeat(256), file_name: 'x'.repeat(256) },
        refused.invalid({
          title: ['is too long (maximum is 255 characters)'],
          file_name: ['is too long (maximum is 255 characters)'],
        }),
      ],
      [{ file_name: 'a\nb' }, refused.invalid({ file_name: ['is invalid'] })],
      [{ code: 'x'.repeat(2 ** 20 + 1) }, refused.parameter('code is invalid')],
      [{ code: 'a\0b' }, refused.parameter('code is invalid')],
    ] as const) {
      expect(await as(bob).post(all, { ...input, ...given })).toEqual(response);
    }
  });

  test('only administrators use a restricted visibility', async () => {
    const publicInput = { ...input, visibility: 'public' };
    expect(await as(ada).post(all, publicInput)).toEqual(
      refused.invalid({ visibility_level: ['public has been restricted by your administrator'] }),
    );
    expect((await as(root).post(all, publicInput)).status).toBe(201);
  });

  test.each([
    ['an anonymous user', null, project, refused.anonymous],
    ['another user', eve, project, refused.missing('Project')],
    ['another user', eve, publicProject, refused.forbidden],
    ['a guest', cleo, project, refused.forbidden],
    ['an owner with snippets disabled', ada, withoutSnippets, refused.forbidden],
  ] as const)('is refused to %s', async (_, person, id, response) => {
    expect(await as(person).post(`/projects/${id}/snippets`, input)).toEqual(response);
  });
});

describe('GET /projects/:id/snippets and GET …/:snippet_id', () => {
  const visibleTitles = async (person: typeof ada) => {
    const { body } = await as(person).get(`/projects/${publicProject}/snippets`);
    return (body as { title: string }[]).map(({ title }) => title);
  };

  test('members see all snippets, other users visible snippets and their own', async () => {
    for (const visibility of ['private', 'internal', 'public'] as const) {
      await newSnippet(publicProject, ada, { visibility, title: visibility });
    }
    await newSnippet(publicProject, eve, { title: 'own' });
    expect(await visibleTitles(cleo)).toEqual(['own', 'public', 'internal', 'private']);
    expect(await visibleTitles(root)).toEqual(['own', 'public', 'internal', 'private']);
    expect(await visibleTitles(eve)).toEqual(['own', 'public', 'internal']);
    expect(await visibleTitles(external)).toEqual(['public']);
  });

  test('each snippet has the same visibility on its own', async () => {
    const paths = {
      private: (await newSnippet(publicProject, ada)).path,
      internal: (await newSnippet(publicProject, ada, { visibility: 'internal' })).path,
      public: (await newSnippet(publicProject, ada, { visibility: 'public' })).path,
    };
    const statuses = (person: typeof ada) =>
      Promise.all(Object.values(paths).map(async (path) => (await as(person).get(path)).status));
    expect(await statuses(cleo)).toEqual([200, 200, 200]);
    expect(await statuses(eve)).toEqual([404, 200, 200]);
    expect(await statuses(external)).toEqual([404, 404, 200]);
    expect(await as(eve).get(paths.private)).toEqual(refused.missing('Snippet'));
    expect(await as(eve).get(`${paths.private}/raw`)).toEqual(refused.missing('Snippet'));
    expect(await as(null).get(paths.public)).toEqual(refused.anonymous);
  });

  test('is paginated, newest first', async () => {
    const { id } = await seed.project('ada/listed', {}, enabled);
    const first = await newSnippet(id, ada);
    const second = await newSnippet(id, ada);
    const shapes = [second, first].map((snippet) =>
      snippetShape(url, ada, snippet.id, '/ada/listed'),
    );
    const path = `/projects/${id}/snippets`;
    expect(await as(ada).get(path)).toEqual({ status: 200, body: shapes });
    expect(await as(ada).get(`${path}?per_page=1&page=2`)).toEqual({
      status: 200,
      body: [shapes[1]],
    });
    expect((await as(ada).fetch(path)).headers.get('X-Total')).toBe('2');
    expect(await as(ada).get(first.path)).toEqual({ status: 200, body: shapes[1] });
  });

  test('an unknown snippet gives 404', async () => {
    const personal = await newSnippet(null, ada);
    const elsewhere = await newSnippet(withoutSnippets, ada);
    for (const id of [personal.id, elsewhere.id, 999999, 99999999999]) {
      expect(await as(ada).get(`${all}/${id}`)).toEqual(refused.missing('Snippet'));
    }
    expect(await as(ada).get(`${all}/x`)).toEqual(refused.parameter('snippet_id is invalid'));
    expect(await as(ada).get(elsewhere.path)).toEqual(refused.forbidden);
    expect(await as(ada).get(`/projects/${withoutSnippets}/snippets`)).toEqual(refused.forbidden);
    expect(await as(eve).get(all)).toEqual(refused.missing('Project'));
    expect(await as(null).get(all)).toEqual(refused.anonymous);
  });
});

describe('GET /projects/:id/snippets/:snippet_id/raw', () => {
  const large = `${'😀é\r\n\t'.repeat(60_000)}end`;

  test.each([
    ['<script>alert(1)</script>', 'x.html'],
    ['\ufeffline\r\n\n  e\u0301 😀\u202e ', 'naïve "file".txt'],
    [large, 'large.txt'],
  ])('returns the code byte for byte', async (code, file_name) => {
    const { body } = await as(ada).post(all, { ...input, code, file_name });
    const response = await as(cleo).fetch(`${all}/${(body as { id: number }).id}/raw`);
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(code))).toBe(true);
    const { headers } = response;
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('Content-Disposition')).toMatch(/^inline; filename/);
  });
});

describe('PUT /projects/:id/snippets/:snippet_id', () => {
  test.each([
    ['the author', bob],
    ['a master', ada],
    ['an administrator', root],
  ])('%s updates the given fields', async (_, person) => {
    const { id, path } = await newSnippet(project, bob);
    const shape = snippetShape(url, bob, id, '/ada/app');
    const title = { ...shape, title: 'Other' };
    expect(await as(person).put(path, { title: 'Other' })).toEqual({ status: 200, body: title });
    const change = { code: 'x = 1', file_name: 'x.py', visibility: 'internal', description: 'New' };
    expect(await as(person).put(path, change)).toEqual({
      status: 200,
      body: { ...title, file_name: 'x.py', description: 'New' },
    });
    expect((await as(person).get(`${path}/raw`)).body).toBe('x = 1');
    expect((await as(person).put(path, { description: null, content: 'y' })).body).toEqual({
      ...title,
      file_name: 'x.py',
    });
    expect((await as(person).get(`${path}/raw`)).body).toBe('y');
  });

  test('rejects invalid parameters', async () => {
    const { path } = await newSnippet(project, bob);
    const names = 'title, file_name, code, content, visibility, description';
    for (const [input, response] of [
      [{}, refused.parameter(`${names} are missing, at least one parameter must be provided`)],
      [{ title: '' }, refused.invalid({ title: ["can't be blank"] })],
      [{ code: '' }, refused.invalid({ content: ["can't be blank"] })],
      [
        { visibility: 'public' },
        refused.invalid({ visibility_level: ['public has been restricted by your administrator'] }),
      ],
    ] as const) {
      expect(await as(bob).put(path, input)).toEqual(response);
    }
    // an unchanged restricted visibility is accepted
    const open = await newSnippet(project, bob, { visibility: 'public' });
    expect((await as(bob).put(open.path, { visibility: 'public' })).status).toBe(200);
  });
});

test.each(['put', 'delete'] as const)('%s is refused to other users', async (method) => {
  const { path } = await newSnippet(publicProject, bob, { visibility: 'internal' });
  const hidden = await newSnippet(publicProject, bob);
  const input = { title: 'x' };
  expect(await as(null)[method](path, input)).toEqual(refused.anonymous);
  expect(await as(eve)[method](path, input)).toEqual(refused.forbidden);
  expect(await as(cleo)[method](path, input)).toEqual(refused.forbidden);
  expect(await as(eve)[method](hidden.path, input)).toEqual(refused.missing('Snippet'));
  expect(await as(bob)[method](`${all}/999999`, input)).toEqual(refused.missing('Snippet'));
});

describe('DELETE /projects/:id/snippets/:snippet_id', () => {
  test.each([
    ['the author', bob],
    ['a master', ada],
  ])('%s deletes it with its notes', async (_, person) => {
    const { id, path } = await newSnippet(project, bob);
    await as(bob).post(`${path}/notes`, { body: 'Hello' });
    const headers = { 'If-Unmodified-Since': 'Fri, 01 Jan 2016 00:00:00 GMT' };
    expect((await as(person).fetch(path, { method: 'DELETE', headers })).status).toBe(412);
    expect(await as(person).delete(path)).toEqual({ status: 204, body: null });
    expect(await as(person).delete(path)).toEqual(refused.missing('Snippet'));
    expect(await db.note.count({ where: { snippetId: id } })).toBe(0);
  });
});

test('a snippet stays when its author is deleted', async () => {
  const author = await seed.user('gone');
  const { id, path } = await newSnippet(project, author);
  await as(root).delete(`/users/${author.id}`);
  expect((await as(ada).get(path)).body).toEqual({
    ...snippetShape(url, ada, id, '/ada/app'),
    author: null,
  });
});
