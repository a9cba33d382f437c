import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed } = await world();
const ada = await seed.user('ada');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const eve = await seed.user('eve');

const { id } = await seed.project('ada/app', { reporter: rita, guest: gus });
const lines = Array.from({ length: 20 }, (_line, place) => `line ${place + 1}`);
lines[2] = 'a Needle.*';
lines[3] = 'NEEDLE.* again';
lines[15] = '-- needle.*';
await seed.push('ada/app', {
  'lib/näh.test.ts': lines.join('\n'),
  'a:b': 'needle.*\n',
  '.needle': 'needless\n',
  'picture.png': Buffer.from('needle.*\0needle.*'),
});
const path = `/projects/${id}`;

const commit = async (file_path: string, branch: string, message: string, more: object = {}) => {
  const body = { branch, content: 'needle.* on a branch', commit_message: message, ...more };
  const address = `${path}/repository/files/${encodeURIComponent(file_path)}`;
  expect((await as(ada).post(address, body)).status).toBe(201);
};
await commit('topic.txt', 'topic', 'Add --a needle.* [x]', { start_branch: 'master' });
await as(ada).post(`${path}/wikis`, { title: 'home', content: 'It has a needle.*\n' });

const query = (scope: string, search: string, more = {}) =>
  `${path}/search?${new URLSearchParams({ scope, search, ...more })}`;
const rows = async (scope: string, search: string, more = {}, user: TestUser = rita) => {
  const { status, body } = await as(user).get(query(scope, search, more));
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as readonly { readonly path: string; readonly data: string }[];
};

describe('GET /projects/:id/search?scope=blobs', () => {
  test('finds a literal text in any case, with the lines around it', async () => {
    const inLibrary = {
      path: 'lib/näh.test.ts',
      filename: 'lib/näh.test.ts',
      basename: 'lib/näh.test',
    };
    const common = { id: null, ref: 'master', project_id: id };
    const match = (first: number, last: number) =>
      lines
        .slice(first - 1, last)
        .map((line) => `${line}\n`)
        .join('');
    expect(await rows('blobs', 'needle.*')).toEqual([
      {
        ...common,
        path: 'a:b',
        filename: 'a:b',
        basename: 'a:b',
        data: 'needle.*\n',
        startline: 1,
      },
      { ...common, ...inLibrary, data: match(1, 6), startline: 1 },
      { ...common, ...inLibrary, data: match(14, 18), startline: 14 },
    ]);
    expect(await rows('blobs', 'needless')).toMatchObject([
      { path: '.needle', basename: '.needle' },
    ]);
    expect(await rows('blobs', '-- need')).toHaveLength(1);
    expect(await rows('blobs', '--open-files-in-pager=sh')).toEqual([]);
    expect(await rows('blobs', 'nothing')).toEqual([]);
  });

  test('searches a branch, tag or commit', async () => {
    const [first] = await rows('blobs', 'on a branch', { ref: 'topic' });
    expect(first).toMatchObject({ path: 'topic.txt', ref: 'topic', startline: 1 });
    expect(await rows('blobs', 'on a branch')).toEqual([]);
    expect(await as(rita).get(query('blobs', 'needle', { ref: 'nothing' }))).toEqual(
      refused.missing('Commit'),
    );
    expect(await as(rita).get(query('blobs', 'needle', { ref: '--output=x' }))).toEqual(
      refused.missing('Commit'),
    );
  });

  test('has pages', async () => {
    const page = { per_page: '1', page: '2' };
    expect(await rows('blobs', 'needle.*', page)).toMatchObject([
      { path: 'lib/näh.test.ts', startline: 1 },
    ]);
    const response = await as(rita).fetch(query('blobs', 'needle.*', page));
    expect(response.headers.get('X-Total')).toBe('3');
  });

  test('finds a limited number of places', async () => {
    const { id: many } = await seed.project('ada/many');
    const file = Array.from({ length: 150 }, () => 'needle\n\n\n\n\n\n').join('');
    const files = Array.from({ length: 12 }, (_file, n) => [`${n}.txt`, file] as const);
    await seed.push('ada/many', Object.fromEntries(files));
    const response = await as(ada).fetch(`/projects/${many}/search?scope=blobs&search=needle`);
    expect(response.headers.get('X-Total')).toBe('1000');
  });

  test('is empty for an empty repository', async () => {
    const { id: empty } = await seed.project('ada/empty');
    for (const scope of ['blobs', 'wiki_blobs', 'commits']) {
      expect(await as(ada).get(`/projects/${empty}/search?scope=${scope}&search=needle`)).toEqual({
        status: 200,
        body: [],
      });
    }
  });
});

describe('GET /projects/:id/search?scope=wiki_blobs', () => {
  test('finds a text in the pages of the wiki', async () => {
    expect(await rows('wiki_blobs', 'NEEDLE.*')).toEqual([
      {
        basename: 'home',
        data: 'It has a needle.*\n',
        path: 'home.md',
        filename: 'home.md',
        id: null,
        ref: 'master',
        startline: 1,
        project_id: id,
      },
    ]);
    expect(await rows('wiki_blobs', 'needle.*', {}, gus)).toHaveLength(1);
  });

  test('responds with 403 if the wiki is disabled', async () => {
    const { id: bare } = await seed.project('ada/bare', {}, { wiki_enabled: false });
    expect(await as(ada).get(`/projects/${bare}/search?scope=wiki_blobs&search=needle`)).toEqual(
      refused.forbidden,
    );
  });
});

describe('GET /projects/:id/search?scope=commits', () => {
  test('finds a literal text in messages, in any case', async () => {
    const { body } = await as(rita).get(`${path}/repository/commits/topic`);
    const {
      status: _,
      stats: _stats,
      last_pipeline: _pipeline,
      ...shown
    } = body as Record<string, unknown>;
    const found = await rows('commits', 'A NEEDLE.* [x]', { ref: 'topic' });
    expect(found).toEqual([{ ...shown, project_id: id }]);
    expect(await rows('commits', '--a needle', { ref: 'topic' })).toHaveLength(1);
    expect(await rows('commits', 'needle')).toEqual([]);
    expect(await rows('commits', 'needle.+', { ref: 'topic' })).toEqual([]);
  });
});

describe('the scopes of code', () => {
  test.each(['blobs', 'commits'])('%s is for users who can read the code', async (scope) => {
    const address = query(scope, 'needle');
    expect((await as(rita).get(address)).status).toBe(200);
    expect(await as(gus).get(address)).toEqual(refused.forbidden);
  });

  test.each(['blobs', 'commits', 'wiki_blobs'])(
    '%s is for users who see the project',
    async (scope) => {
      const address = query(scope, 'needle');
      expect(await as(eve).get(address)).toEqual(refused.missing('Project'));
      expect(await as(null).get(address)).toEqual(refused.anonymous);
      expect(await as(rita).get(query(scope, 'x'))).toEqual(
        refused.invalid({ search: ['is too short (minimum is 2 characters)'] }),
      );
    },
  );
});
