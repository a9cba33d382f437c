import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { personalSnippetShape, snippetsOf } from '../support/snippets.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, url } = await world({
  settings: { defaultSnippetVisibility: 'internal', restrictedVisibilityLevels: ['public'] },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const external = await seed.user('max', { isExternal: true });
const { id: project } = await seed.project('ada/app');
const newSnippet = snippetsOf(db);

const input = { title: 'Greeting', file_name: 'greet.rb', content: "puts 'Hi'" };

describe('POST /snippets', () => {
  test('creates a snippet with the default visibility', async () => {
    const response = await as(ada).post('/snippets', input);
    const { id } = response.body as { id: number };
    expect(response).toEqual({ status: 201, body: personalSnippetShape(url, ada, id) });
    expect(await db.snippet.findUniqueOrThrow({ where: { id } })).toMatchObject({
      content: input.content,
      visibility: 'internal',
      projectId: null,
    });
  });

  test('creates a snippet with the given visibility', async () => {
    const otherInput = { ...input, visibility: 'private', description: 'Mine' };
    const { body } = await as(ada).post('/snippets', otherInput);
    const { id } = body as { id: number };
    expect(body).toEqual({ ...personalSnippetShape(url, ada, id), description: 'Mine' });
    expect(await as(bob).get(`/snippets/${id}`)).toEqual(refused.missing('Snippet'));
  });

  test('refuses external users, who may have snippets in projects', async () => {
    const before = await db.snippet.count();
    expect(await as(external).post('/snippets', input)).toEqual(refused.forbidden);
    expect(await db.snippet.count()).toBe(before);
    await db.member.create({
      data: { projectId: project, userId: external.id, accessLevel: 20 },
    });
    const inProject = {
      title: 'Greeting',
      file_name: 'greet.rb',
      code: 'a',
      visibility: 'private',
    };
    expect((await as(external).post(`/projects/${project}/snippets`, inProject)).status).toBe(201);
    await db.member.deleteMany({ where: { userId: external.id } });
    await db.snippet.deleteMany({ where: { authorId: external.id } });
  });

  test('only administrators use a restricted visibility', async () => {
    const otherInput = { ...input, visibility: 'public' };
    expect(await as(ada).post('/snippets', otherInput)).toEqual(
      refused.invalid({ visibility_level: ['public has been restricted by your administrator'] }),
    );
    expect((await as(root).post('/snippets', otherInput)).status).toBe(201);
  });

  test('missing and invalid fields are reported', async () => {
    expect(await as(ada).post('/snippets', {})).toEqual(
      refused.parameter('title is missing, file_name is missing, content is missing'),
    );
    expect(await as(ada).post('/snippets', { ...input, content: ' ' })).toEqual(
      refused.invalid({ content: ["can't be blank"] }),
    );
    expect(await as(ada).post('/snippets', { ...input, visibility: 'all' })).toEqual(
      refused.parameter('visibility does not have a valid value'),
    );
    expect(await as(null).post('/snippets', {})).toEqual(refused.anonymous);
  });
});

describe('GET /snippets and /snippets/public', () => {
  test('users see their own, the newest first, without those of projects', async () => {
    const cleo = await seed.user('cleo');
    await newSnippet(project, cleo);
    const first = await newSnippet(null, cleo);
    const second = await newSnippet(null, cleo, { visibility: 'public' });
    const shapes = [second, first].map(({ id }) => personalSnippetShape(url, cleo, id));
    expect(await as(cleo).get('/snippets')).toEqual({ status: 200, body: shapes });
    expect(await as(cleo).get('/snippets?per_page=1&page=2')).toEqual({
      status: 200,
      body: [shapes[1]],
    });
    expect((await as(cleo).fetch('/snippets')).headers.get('X-Total')).toBe('2');
    expect(await as(null).get('/snippets')).toEqual(refused.anonymous);
  });

  test('lists public snippets for all users', async () => {
    await db.snippet.deleteMany();
    await newSnippet(null, ada, { visibility: 'internal' });
    await newSnippet(project, ada, { visibility: 'public' });
    const { id } = await newSnippet(null, ada, { visibility: 'public' });
    for (const person of [ada, bob, external, root]) {
      expect(await as(person).get('/snippets/public')).toEqual({
        status: 200,
        body: [personalSnippetShape(url, ada, id)],
      });
    }
    expect(await as(null).get('/snippets/public')).toEqual(refused.anonymous);
  });
});

describe('GET /snippets/:id and …/raw', () => {
  test.each([
    ['private', [200, 404, 404, 200]],
    ['internal', [200, 200, 404, 200]],
    ['public', [200, 200, 200, 200]],
  ] as const)('%s: visibility', async (visibility, expected) => {
    const { id, path } = await newSnippet(null, ada, { visibility });
    for (const [n, person] of [ada, bob, external, root].entries()) {
      const isSeen = expected[n] === 200;
      expect(await as(person).get(path)).toEqual(
        isSeen
          ? { status: 200, body: personalSnippetShape(url, ada, id) }
          : refused.missing('Snippet'),
      );
      expect(await as(person).get(`${path}/raw`)).toEqual(
        isSeen ? { status: 200, body: "puts 'Hi'" } : refused.missing('Snippet'),
      );
    }
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    expect(await as(null).get(`${path}/raw`)).toEqual(refused.anonymous);
  });

  test('raw is sent as a type that browsers do not execute', async () => {
    const { path } = await newSnippet(null, ada, { content: '<script>', fileName: 'x.html' });
    const { headers } = await as(ada).fetch(`${path}/raw`);
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
  });

  test('a project snippet responds with 404', async () => {
    const { id } = await newSnippet(project, ada, { visibility: 'public' });
    expect(await as(ada).get(`/snippets/${id}`)).toEqual(refused.missing('Snippet'));
    expect(await as(ada).put(`/snippets/${id}`, { title: 'x' })).toEqual(
      refused.missing('Snippet'),
    );
    expect(await as(ada).get('/snippets/x')).toEqual(refused.parameter('id is invalid'));
    expect(await as(ada).get('/snippets/99999999999')).toEqual(refused.missing('Snippet'));
  });
});

describe('PUT and DELETE /snippets/:id', () => {
  test.each([
    ['the author', ada],
    ['an administrator', root],
  ])('%s changes and deletes it', async (_, person) => {
    const { id, path } = await newSnippet(null, ada);
    const change = { title: 'Other', file_name: 'x.py', content: '😀\r\n', visibility: 'internal' };
    expect(await as(person).put(path, change)).toEqual({
      status: 200,
      body: { ...personalSnippetShape(url, ada, id), title: 'Other', file_name: 'x.py' },
    });
    expect((await as(bob).get(`${path}/raw`)).body).toBe('😀\r\n');
    expect(await as(person).put(path, {})).toEqual(
      refused.parameter(
        'title, file_name, content, visibility, description are missing, ' +
          'at least one parameter must be provided',
      ),
    );
    expect(await as(person).delete(path)).toEqual({ status: 204, body: null });
    expect(await as(person).delete(path)).toEqual(refused.missing('Snippet'));
  });

  test.each(['put', 'delete'] as const)('%s is refused to other users', async (method) => {
    const { path } = await newSnippet(null, ada, { visibility: 'internal' });
    const hidden = await newSnippet(null, ada);
    const otherInput = { title: 'x' };
    expect(await as(null)[method](path, otherInput)).toEqual(refused.anonymous);
    expect(await as(bob)[method](path, otherInput)).toEqual(refused.forbidden);
    expect(await as(bob)[method](hidden.path, otherInput)).toEqual(refused.missing('Snippet'));
  });
});

test('deleting a user deletes the personal snippets', async () => {
  const deletedUser = await seed.user('deleted');
  const { id } = await newSnippet(null, deletedUser, { visibility: 'public' });
  await as(root).delete(`/users/${deletedUser.id}`);
  expect(await db.snippet.count({ where: { id } })).toBe(0);
});
