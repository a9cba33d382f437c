import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { reply, startThread } from '../support/discussions.ts';
import { commit, git, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db } = await world();
const ada = await seed.user('ada');
const { id: project } = await seed.project('ada/app', {}, { snippets_enabled: true });

const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
const folder = await workTree({
  'a.txt': numbers.join(''),
  'old.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n',
  'gone.txt': 'gone\n',
  'c.png': Buffer.from([0, 1, 2]),
});
afterAll(() => rm(folder, { recursive: true }));
const base = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'checkout', '--quiet', '-b', 'topic');
await git(folder, 'mv', 'old.txt', 'new.txt');
await git(folder, 'rm', '--quiet', 'gone.txt');
const first = await commit(
  folder,
  {
    'a.txt': numbers.with(4, 'five\n').toSpliced(9, 0, 'between\n').join(''),
    'new.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n',
    'añade.txt': 'hola\n',
    'c.png': Buffer.from([0, 9, 9]),
  },
  'Change',
);
const head = await commit(folder, { 'b.txt': 'b\n' }, 'Add b');
await git(folder, 'checkout', '--quiet', '-b', 'unrelated', base);
const unrelated = await commit(folder, { 'a.txt': 'all\n' }, 'Another branch');
await git(folder, 'push', '--quiet', remote('ada/app', root), '--all');

const { body: created } = await as(ada).post(`/projects/${project}/merge_requests`, {
  source_branch: 'topic',
  target_branch: 'master',
  title: 'It',
});
const path = `/projects/${project}/merge_requests/${(created as { iid: number }).iid}`;
const shas = { base_sha: base, start_sha: base, head_sha: head };

const onText = (fields: Readonly<Record<string, unknown>>) => ({
  ...shas,
  position_type: 'text',
  ...fields,
});

const start = (position: unknown) =>
  as(ada).post(`${path}/discussions`, { body: 'Here', position });

const noSuchLine = {
  status: 400,
  body: {
    message: `400 (Bad request) "Note {:line_code=>["can't be blank", "must be a valid line code"]}" not given`,
  },
};

describe('a position in the diff of a merge request', () => {
  test.each([
    ['an added line', { new_path: 'a.txt', new_line: 10 }, { old_line: null, new_line: 10 }],
    ['a removed line', { old_path: 'a.txt', old_line: 5 }, { old_line: 5, new_line: null }],
    [
      'an unchanged line',
      { old_path: 'a.txt', new_path: 'a.txt', old_line: 10, new_line: 11 },
      { old_line: 10, new_line: 11 },
    ],
    ['a line of a new file', { new_path: 'b.txt', new_line: 1 }, { old_line: null, new_line: 1 }],
    ['a deleted file', { old_path: 'gone.txt', old_line: 1 }, { old_line: 1, new_line: null }],
    ['another alphabet', { new_path: 'añade.txt', new_line: 1 }, { old_line: null, new_line: 1 }],
    [
      'a renamed file',
      { old_path: 'old.txt', new_path: 'new.txt', new_line: 7 },
      { old_line: null, new_line: 7 },
    ],
    [
      'a line with nulls',
      { old_path: 'a.txt', new_path: 'a.txt', old_line: null, new_line: 5 },
      { old_line: null, new_line: 5 },
    ],
  ])('can be %s', async (_name, given, lines) => {
    const paths: { new_path?: string; old_path?: string } = given;
    const { new_path = paths.old_path, old_path = new_path } = paths;
    const position = { ...onText({ old_path, new_path }), ...lines };
    const response = await start(onText(given));
    expect(response).toMatchObject({
      status: 201,
      body: { individual_note: false, notes: [{ type: 'DiffNote', position, resolvable: true }] },
    });
    const { id } = response.body as { readonly id: string };
    const noteId = await reply(as(ada), path, { id });
    expect(await as(ada).get(`${path}/notes/${noteId}`)).toMatchObject({
      body: { type: 'DiffNote', position },
    });
  });

  test('can be given as a form', async () => {
    const form = new URLSearchParams({ body: 'Here' });
    const position = onText({ new_path: 'b.txt', new_line: '1' });
    for (const [name, value] of Object.entries(position)) form.set(`position[${name}]`, value);
    const response = await as(ada).fetch(`${path}/discussions`, { method: 'POST', body: form });
    expect(await response.json()).toMatchObject({
      notes: [{ position: { ...position, old_path: 'b.txt', old_line: null, new_line: 1 } }],
    });
  });

  test('can be a point of an image', async () => {
    const place = { old_path: 'c.png', new_path: 'c.png', width: 100, height: 50, x: 3, y: 4 };
    const position = { ...shas, position_type: 'image', ...place };
    expect(await start({ ...position, new_line: 1 })).toMatchObject({
      status: 201,
      body: { notes: [{ type: 'DiffNote', position }] },
    });
    expect(await start({ ...position, x: -1 })).toMatchObject({ status: 400 });
    expect(await start({ ...position, old_path: 'd.png', new_path: 'd.png' })).toEqual(noSuchLine);
  });

  test('can be in the current head before the stored one has followed a push', async () => {
    const where = { id: (created as { id: number }).id };
    await db.mergeRequest.update({ where, data: { sha: first } });
    const position = onText({ new_path: 'b.txt', new_line: 1 });
    expect(await start(position)).toMatchObject({ status: 201 });
    await db.mergeRequest.update({ where, data: { sha: head } });
  });

  test('can be in an earlier commit of the branch', async () => {
    const position = onText({ head_sha: first, new_path: 'a.txt', new_line: 10 });
    expect(await start(position)).toMatchObject({ status: 201, body: { notes: [{ position }] } });
  });

  test.each([
    ['a line outside of the hunks', { new_path: 'a.txt', new_line: 19 }],
    ['an unchanged line with one number', { new_path: 'a.txt', new_line: 11 }],
    ['numbers that do not match', { new_path: 'a.txt', old_line: 10, new_line: 10 }],
    ['a line after the end', { new_path: 'b.txt', new_line: 2 }],
    ['no line', { new_path: 'b.txt' }],
    ['an unchanged file', { new_path: 'none.txt', new_line: 1 }],
    ['a renamed file by one name', { new_path: 'new.txt', new_line: 7 }],
    ['a line of an image', { new_path: 'c.png', new_line: 1 }],
    ['a commit of another branch', { head_sha: unrelated, new_path: 'a.txt', new_line: 1 }],
    ['a base of another branch', { base_sha: unrelated, new_path: 'b.txt', new_line: 1 }],
    ['an unknown commit', { head_sha: 'a'.repeat(40), new_path: 'b.txt', new_line: 1 }],
    ['an unknown start', { start_sha: 'b'.repeat(40), new_path: 'b.txt', new_line: 1 }],
    ['a short commit', { head_sha: head.slice(0, 8), new_path: 'b.txt', new_line: 1 }],
    ['a branch', { head_sha: 'topic', new_path: 'b.txt', new_line: 1 }],
    ['an option of git', { base_sha: '--output=/tmp/x', new_path: 'b.txt', new_line: 1 }],
  ])('cannot be %s', async (_name, given) => {
    expect(await start(onText(given))).toEqual(noSuchLine);
  });

  test.each([
    [{ ...onText({}), base_sha: undefined }, 'position[base_sha] is missing'],
    [
      { ...onText({}), position_type: 'file' },
      'position[position_type] does not have a valid value',
    ],
    [onText({ new_path: 'a.txt', new_line: 'x' }), 'position[new_line] is invalid'],
    [onText({ new_path: 'a.txt', new_line: 0 }), 'position[new_line] does not have a valid value'],
    ['a.txt', 'position is invalid'],
  ])('%j is invalid', async (position, text) => {
    expect(await start(position)).toEqual(refused.parameter(text));
  });

  test('needs a path', async () => {
    expect(await start(onText({ new_line: 1 }))).toEqual(
      refused.invalid({ old_path: ["can't be blank"], new_path: ["can't be blank"] }),
    );
  });

  test('stays with the replies if the first note is deleted', async () => {
    const position = onText({ new_path: 'b.txt', old_path: 'b.txt', old_line: null, new_line: 1 });
    const thread = await startThread(as(ada), path, { position });
    await reply(as(ada), path, thread);
    await as(ada).delete(`${path}/notes/${thread.notes[0].id}`);
    expect(await as(ada).get(`${path}/discussions/${thread.id}`)).toMatchObject({
      body: { notes: [{ type: 'DiffNote', position }] },
    });
  });

  test('is kept after the merge request is merged and its branch deleted', async () => {
    const position = onText({ new_path: 'b.txt', new_line: 1 });
    const thread = await startThread(as(ada), path, { position });
    await as(ada).put(`${path}/merge`, { should_remove_source_branch: true });
    expect(await as(ada).get(`${path}/discussions/${thread.id}`)).toEqual({
      status: 200,
      body: thread,
    });
    expect(await start(position)).toMatchObject({ status: 201, body: { notes: [{ position }] } });
  });

  test('is only for merge requests and commits', async () => {
    const { body } = await as(ada).post(`/projects/${project}/issues`, { title: 'It' });
    const issue = `/projects/${project}/issues/${(body as { iid: number }).iid}`;
    const position = onText({ new_path: 'b.txt', new_line: 1 });
    const { notes } = await startThread(as(ada), issue, { position });
    expect(notes[0]).toMatchObject({ type: 'DiscussionNote' });
  });
});
