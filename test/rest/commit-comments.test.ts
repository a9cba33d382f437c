import { describe, expect, test } from 'vitest';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');

await seed.group('acme', {}, { visibility: 'public' });
const { id: open } = await seed.project('acme/app', { guest: carl }, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });
const sha = await seed.push('acme/app', { 'README.md': '# App\n' });
const closedSha = await seed.push('ada/closed', { 'README.md': '# Closed\n' });
const { id: quiet } = await seed.project('acme/quiet', {}, { visibility: 'public' });
const quietSha = await seed.push('acme/quiet', { 'README.md': '# Quiet\n' });

const comments = (project: number, ref: string) =>
  `/projects/${project}/repository/commits/${ref}/comments`;

const comment = (author: typeof ada, note: string) => ({
  note,
  path: null,
  line: null,
  line_type: null,
  author: basicUserShape(url, author),
  created_at: instant,
});

describe('POST /projects/:id/repository/commits/:sha/comments', () => {
  test('users who read the code can comment', async () => {
    for (const person of [ada, carl, eve]) {
      expect(await as(person).post(comments(open, sha), { note: 'Good.' })).toEqual({
        status: 201,
        body: comment(person, 'Good.'),
      });
    }
    expect(await as(bob).post(comments(closed, closedSha), { note: 'Good.' })).toEqual({
      status: 201,
      body: comment(bob, 'Good.'),
    });
  });

  test('a comment can refer to a line', async () => {
    const place = { path: 'README.md', line: 1, line_type: 'old' };
    expect(await as(ada).post(comments(open, sha), { note: 'Why?', ...place })).toEqual({
      status: 201,
      body: { ...comment(ada, 'Why?'), ...place },
    });
    const { line_type: _, ...withoutLineType } = place;
    expect(await as(ada).post(comments(open, sha), { note: 'Why?', ...withoutLineType })).toEqual({
      status: 201,
      body: { ...comment(ada, 'Why?'), ...place, line_type: 'new' },
    });
  });

  test.each(['master', 'refs/heads/master', sha.slice(0, 8)])(
    'the commit can be named by %s',
    async (name) => {
      const path = comments(open, encodeURIComponent(name));
      expect(await as(ada).post(path, { note: name })).toEqual({
        status: 201,
        body: comment(ada, name),
      });
      expect((await as(null).get(`${comments(open, sha)}?per_page=100`)).body).toContainEqual(
        comment(ada, name),
      );
    },
  );

  test('other users are refused', async () => {
    const note = { note: 'Hm.' };
    expect(await as(null).post(comments(open, sha), note)).toEqual(refused.anonymous);
    expect(await as(null).post(comments(closed, closedSha), note)).toEqual(refused.anonymous);
    expect(await as(eve).post(comments(closed, closedSha))).toEqual(refused.missing('Project'));
    expect(await as(carl).post(comments(closed, closedSha))).toEqual(refused.forbidden);
  });

  test('an unknown commit gives 404', async () => {
    for (const name of ['nothing', '0'.repeat(40), closedSha]) {
      expect(await as(ada).post(comments(open, name), { note: 'Hm.' })).toEqual(
        refused.missing('Commit'),
      );
    }
  });

  test.each([
    [{}, 'note is missing'],
    [{ note: ['a'] }, 'note is invalid'],
    [{ note: 'a\0' }, 'note is invalid'],
    [{ note: 'a', path: 'b' }, 'path, line provide all or none of parameters'],
    [{ note: 'a', line: 1 }, 'path, line provide all or none of parameters'],
    [{ note: 'a', path: 'b', line: 'c' }, 'line is invalid'],
    [
      { path: 'b', line: 1, line_type: 'c' },
      'note is missing, line_type does not have a valid value',
    ],
  ])('%j is rejected', async (params, text) => {
    expect(await as(ada).post(comments(open, sha), params)).toEqual(refused.parameter(text));
  });

  test.each([
    [{ note: ' \n' }, { note: ["can't be blank"] }],
    [{ note: 'a'.repeat(1_000_001) }, { note: ['is too long (maximum is 1000000 characters)'] }],
    [
      { note: 'a', path: '', line: 0 },
      { path: ["can't be blank"], line: ['must be greater than 0'] },
    ],
    [
      { note: 'a', path: 'a'.repeat(4097), line: 1 },
      { path: ['is too long (maximum is 4096 characters)'] },
    ],
  ])('rejects invalid values with errors by field', async (params, faults) => {
    expect(await as(ada).post(comments(open, sha), params)).toEqual(refused.invalid(faults));
  });

  test('a comment can have a million characters', async () => {
    const note = 'a'.repeat(1_000_000);
    const { status, body } = await as(ada).post(comments(closed, closedSha), { note });
    expect({ status, body }).toEqual({ status: 201, body: comment(ada, note) });
  });
});

describe('GET /projects/:id/repository/commits/:sha/comments', () => {
  test('lists the comments of one commit, the oldest first, in pages', async () => {
    expect(await as(null).get(comments(quiet, quietSha))).toEqual({ status: 200, body: [] });
    for (const note of ['one', 'two', 'three']) {
      await as(ada).post(comments(quiet, quietSha), { note });
    }
    expect(await as(null).get(comments(quiet, 'master'))).toEqual({
      status: 200,
      body: ['one', 'two', 'three'].map((note) => comment(ada, note)),
    });
    const response = await as(null).fetch(`${comments(quiet, quietSha)}?per_page=2&page=2`);
    expect({
      total: response.headers.get('X-Total'),
      body: await response.json(),
    }).toEqual({ total: '3', body: [comment(ada, 'three')] });
  });

  test('a comment stays when its author is deleted', async () => {
    const deletedUser = await seed.user('deleted');
    await as(deletedUser).post(comments(quiet, quietSha), { note: 'Bye.' });
    await db.user.delete({ where: { id: deletedUser.id } });
    expect((await as(root).get(comments(quiet, quietSha))).body).toContainEqual({
      ...comment(ada, 'Bye.'),
      author: null,
    });
  });

  test('other users are refused, and an unknown commit gives 404', async () => {
    expect(await as(null).get(comments(closed, closedSha))).toEqual(refused.missing('Project'));
    expect(await as(carl).get(comments(closed, closedSha))).toEqual(refused.forbidden);
    expect(await as(null).get(comments(open, 'nothing'))).toEqual(refused.missing('Commit'));
  });
});
