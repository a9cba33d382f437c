import { describe, expect, test } from 'vitest';
import { anyKey, bodiesOf, reply, startThread } from '../support/discussions.ts';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const mia = await seed.user('mia');
const gus = await seed.user('gus');
const eve = await seed.user('eve');
const { id: project } = await seed.project('ada/app', { reporter: bob, master: mia, guest: gus });
const rootSha = await seed.push('ada/app', { 'a.txt': 'one\ntwo\n' });
let files = 0;

/** A new commit, with its parent and path. */
async function newCommit() {
  files += 1;
  const { body } = await as(ada).post(`/projects/${project}/repository/commits`, {
    branch: 'master',
    commit_message: 'Change',
    actions: [
      { action: 'update', file_path: 'a.txt', content: `one\n${files} changed\n` },
      { action: 'create', file_path: `new-${files}.txt`, content: 'new\n' },
    ],
  });
  const { id, parent_ids } = body as { readonly id: string; readonly parent_ids: string[] };
  return { sha: id, parent: parent_ids[0], path: `/projects/${project}/repository/commits/${id}` };
}

const noteShape = (author: typeof ada, body: string, type: string | null = 'DiscussionNote') => ({
  id: expect.any(Number),
  type,
  body,
  attachment: null,
  author: basicUserShape(url, author),
  created_at: instant,
  updated_at: instant,
  system: false,
  noteable_id: null,
  noteable_type: 'Commit',
  noteable_iid: null,
  resolvable: false,
});

describe('discussions of a commit', () => {
  test('a thread is started, replied to, listed and shown', async () => {
    const { path } = await newCommit();
    const started = await as(bob).post(`${path}/discussions`, { body: 'Why?' });
    const first = noteShape(bob, 'Why?');
    expect(started).toEqual({
      status: 201,
      body: { id: anyKey, individual_note: false, notes: [first] },
    });
    const { id } = started.body as { readonly id: string };
    const second = noteShape(ada, 'Because.');
    expect(await as(ada).post(`${path}/discussions/${id}/notes`, { body: 'Because.' })).toEqual({
      status: 201,
      body: second,
    });
    const body = { id, individual_note: false, notes: [first, second] };
    expect(await as(ada).get(`${path}/discussions/${id}`)).toEqual({ status: 200, body });
    expect(await as(ada).get(`${path}/discussions`)).toEqual({ status: 200, body: [body] });
    expect(await as(ada).get(`${path}/discussions/${id}/notes`)).toEqual({
      status: 200,
      body: [first, second],
    });
    expect((await as(ada).get(`${path}/comments`)).body).toMatchObject([
      { note: 'Why?', path: null },
      { note: 'Because.' },
    ]);
  });

  test('comments of earlier versions are listed: individual ones, and those on lines, which have replies', async () => {
    const { path } = await newCommit();
    await as(ada).post(`${path}/comments`, { note: 'Whole' });
    await as(ada).post(`${path}/comments`, { note: 'Line', path: 'a.txt', line: 99 });
    const { body } = await as(ada).get(`${path}/discussions`);
    expect(body).toEqual([
      { id: anyKey, individual_note: true, notes: [noteShape(ada, 'Whole', null)] },
      { id: anyKey, individual_note: false, notes: [noteShape(ada, 'Line', 'LegacyDiffNote')] },
    ]);
    const [whole, line] = body as [{ id: string }, { id: string }];
    expect(await as(ada).post(`${path}/discussions/${whole.id}/notes`, { body: 'No' })).toEqual({
      status: 400,
      body: { message: '400 (Bad request) "Discussion is an individual note." not given' },
    });
    await Promise.all(['Two', 'Three'].map((text) => reply(as(bob), path, line, text)));
    const [, [head, ...others] = []] = bodiesOf(await as(ada).get(`${path}/discussions`));
    expect([head, others.toSorted()]).toEqual(['Line', ['Three', 'Two']]);
    expect((await as(ada).get(`${path}/comments`)).body).toMatchObject([
      { path: null },
      ...Array(3).fill({ path: 'a.txt', line: 99, line_type: 'new' }),
    ]);
  });

  test('a position in the diff', async () => {
    const { sha, parent, path } = await newCommit();
    const shas = { base_sha: parent, start_sha: parent, head_sha: sha };
    const text = { ...shas, position_type: 'text', old_path: 'a.txt', new_path: 'a.txt' };
    const added = { ...text, old_line: null, new_line: 2 };
    const removed = { ...text, old_line: 2, new_line: null };
    for (const position of [added, removed]) {
      const response = await as(ada).post(`${path}/discussions`, { body: 'Here', position });
      expect(response).toEqual({
        status: 201,
        body: {
          id: anyKey,
          individual_note: false,
          notes: [{ ...noteShape(ada, 'Here', 'DiffNote'), position }],
        },
      });
      await reply(as(bob), path, response.body as { id: string });
    }
    expect((await as(ada).get(`${path}/discussions`)).body).toMatchObject([
      { notes: [{ position: added }, { position: added }] },
      { notes: [{ position: removed }, { position: removed }] },
    ]);
    const line = { path: 'a.txt', line: 2 };
    expect((await as(ada).get(`${path}/comments`)).body).toMatchObject([
      ...Array(2).fill({ ...line, line_type: 'new' }),
      ...Array(2).fill({ ...line, line_type: 'old' }),
    ]);
    const wrong = [
      { ...added, new_line: 9 },
      { ...added, head_sha: parent },
      { ...added, base_sha: sha },
      { ...added, base_sha: '0'.repeat(40) },
    ];
    for (const position of wrong) {
      expect(await as(ada).post(`${path}/discussions`, { body: 'No', position })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('line_code') },
      });
    }
  });

  test('a position in the first commit, whose base is no commit', async () => {
    const path = `/projects/${project}/repository/commits/${rootSha}`;
    const none = '0'.repeat(40);
    const position = {
      ...{ base_sha: none, start_sha: none, head_sha: rootSha, position_type: 'text' },
      ...{ old_path: 'a.txt', new_path: 'a.txt', old_line: null, new_line: 2 },
    };
    expect(await as(ada).post(`${path}/discussions`, { body: 'Here', position })).toMatchObject({
      status: 201,
      body: { notes: [{ position }] },
    });
  });

  test('comments are changed and deleted by the author and masters', async () => {
    const { path } = await newCommit();
    const thread = await startThread(as(ada), path, { body: 'One' });
    const id = await reply(as(bob), path, thread, 'Two');
    const notes = `${path}/discussions/${thread.id}/notes`;
    expect(await as(bob).put(`${notes}/${id}`, { body: 'Second' })).toEqual({
      status: 200,
      body: noteShape(bob, 'Second'),
    });
    expect(await as(mia).put(`${notes}/${id}`, { body: 'Third' })).toMatchObject({ status: 200 });
    expect(await as(bob).put(`${notes}/${thread.notes[0].id}`, { body: 'No' })).toEqual(
      refused.forbidden,
    );
    expect(await as(bob).delete(`${notes}/${thread.notes[0].id}`)).toEqual(refused.forbidden);
    expect(await as(bob).put(`${notes}/${id}`, { body: ' ' })).toEqual(
      refused.invalid({ note: ["can't be blank"] }),
    );
    const other = await startThread(as(ada), path);
    const elsewhere = `${path}/discussions/${other.id}/notes/${id}`;
    expect(await as(bob).get(`${notes}/${id}`)).toEqual({
      status: 200,
      body: noteShape(bob, 'Third'),
    });
    expect(await as(bob).get(`${notes}/${other.notes[0].id}`)).toEqual(refused.record);
    expect(await as(bob).get(`${path}/discussions/x/notes/${id}`)).toEqual(refused.record);
    expect(await as(bob).get(elsewhere)).toEqual(refused.record);
    expect(await as(bob).put(elsewhere, { body: 'No' })).toEqual(refused.record);
    expect(await as(bob).delete(elsewhere)).toEqual(refused.record);
    expect(await as(ada).delete(`${notes}/${thread.notes[0].id}`)).toEqual({
      status: 204,
      body: null,
    });
    await reply(as(bob), path, thread, 'Four');
    expect(bodiesOf(await as(bob).get(`${path}/discussions`))).toEqual([
      ['Third', 'Four'],
      ['Why?'],
    ]);
    expect(await as(ada).delete(`${notes}/${thread.notes[0].id}`)).toEqual(refused.record);
  });

  test('a thread has at most 1000 comments with 8 MiB of text', async () => {
    const { path, sha } = await newCommit();
    const thread = await startThread(as(ada), path);
    const notes = `${path}/discussions/${thread.id}/notes`;
    const id = await reply(as(ada), path, thread);
    const message = (text: string) => ({ status: 400, body: { message: text } });
    const tooLarge = message('A discussion has at most 8 MiB of text');
    const replace = (note: string) => db.commitComment.update({ where: { id }, data: { note } });
    await replace('é'.repeat(4 * 2 ** 20 - 2));
    expect(await as(ada).post(notes, { body: 'A' })).toEqual(tooLarge);
    const [{ id: firstCommentId }] = thread.notes;
    const firstNote = `${notes}/${firstCommentId}`;
    expect(await as(ada).put(firstNote, { body: 'Why??' })).toEqual(tooLarge);
    await replace('Short');
    const comments = await db.commitComment.createManyAndReturn({
      data: Array(998).fill({ projectId: project, sha, note: 'One of many', isReply: true }),
      select: { id: true },
    });
    await db.threadComment.createMany({
      data: comments.map((comment) => ({
        commentId: comment.id,
        firstCommentId,
        startedBy: firstCommentId,
      })),
    });
    expect(await as(ada).post(notes, { body: 'No' })).toEqual(
      message('A discussion has at most 1000 notes'),
    );
    expect((await as(ada).put(firstNote, { body: 'Yes' })).status).toBe(200);
  });

  test('only owners set created_at', async () => {
    const { path } = await newCommit();
    const params = { body: 'Then', created_at: '2020-01-01T00:00:00.000Z' };
    const { created_at } = params;
    expect((await as(ada).post(`${path}/discussions`, params)).body).toMatchObject({
      notes: [{ created_at }],
    });
    expect((await as(bob).post(`${path}/discussions`, params)).body).toMatchObject({
      notes: [{ created_at: expect.not.stringMatching(/^2020/) }],
    });
  });

  test('a missing discussion or commit gives 404', async () => {
    const { path } = await newCommit();
    const thread = await startThread(as(ada), path);
    const { path: other } = await newCommit();
    for (const key of [thread.id, '0'.repeat(40), 'x']) {
      expect(await as(ada).get(`${other}/discussions/${key}`)).toEqual(
        refused.missing('Discussion'),
      );
      expect(await as(ada).post(`${other}/discussions/${key}/notes`, { body: 'a' })).toEqual(
        refused.missing('Discussion'),
      );
      expect(await as(ada).get(`${other}/discussions/${key}/notes`)).toEqual(
        refused.missing('Discussion'),
      );
    }
    const missing = `/projects/${project}/repository/commits/${'a'.repeat(40)}/discussions`;
    expect(await as(ada).get(missing)).toEqual(refused.missing('Commit'));
    expect(await as(ada).post(missing, { body: 'a' })).toEqual(refused.missing('Commit'));
  });

  test.each([
    ['an anonymous user', null, refused.anonymous],
    ['a non-member', eve, refused.missing('Project')],
    ['a guest, who cannot read the code', gus, refused.forbidden],
  ])('%s sees and writes nothing', async (_name, person, answer) => {
    const { path } = await newCommit();
    const thread = await startThread(as(ada), path);
    const single = `${path}/discussions/${thread.id}`;
    const note = `${single}/notes/${thread.notes[0].id}`;
    const client = as(person);
    expect(await client.get(`${path}/discussions`)).toEqual(answer);
    expect(await client.get(single)).toEqual(answer);
    expect(await client.get(`${single}/notes`)).toEqual(answer);
    expect(await client.get(note)).toEqual(answer);
    expect(await client.post(`${path}/discussions`, { body: 'a' })).toEqual(answer);
    expect(await client.post(`${single}/notes`, { body: 'a' })).toEqual(answer);
    expect(await client.put(note, { body: 'a' })).toEqual(answer);
    expect(await client.delete(note)).toEqual(answer);
    expect((await as(root).get(single)).status).toBe(200);
  });
});
