import { describe, expect, test } from 'vitest';
import { issuesOf } from '../support/discussion.ts';
import { anyKey, bodiesOf, reply, startThread, threadNoteShape } from '../support/discussions.ts';
import { refused } from '../support/shapes.ts';
import { snippetsOf } from '../support/snippets.ts';
import { world } from '../support/world.ts';

const { as, seed, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const settings = { snippets_enabled: true, visibility: 'public' };
const { id: project } = await seed.project('ada/app', { reporter: bob }, settings);
await seed.push('ada/app', { 'a.txt': 'a\n' });
const issues = issuesOf(db);
const snippets = snippetsOf(db);
let branches = 0;

/** A new noteable of each kind, with how its notes name it. */
const noteables = {
  issue: async () => {
    const { id, iid, path } = await issues(project, ada);
    return { path, on: { noteable_id: id, noteable_type: 'Issue', noteable_iid: iid } as const };
  },
  snippet: async () => {
    const { id, path } = await snippets(project, ada);
    return { path, on: { noteable_id: id, noteable_type: 'Snippet', noteable_iid: null } as const };
  },
  'merge request': async () => {
    branches += 1;
    const branch = `topic-${branches}`;
    await as(ada).post(`/projects/${project}/repository/files/${branch}.txt`, {
      branch,
      start_branch: 'master',
      content: 'new',
      commit_message: 'Add a file',
    });
    const { body } = await as(ada).post(`/projects/${project}/merge_requests`, {
      source_branch: branch,
      target_branch: 'master',
      title: 'It',
    });
    const { id, iid } = body as { readonly id: number; readonly iid: number };
    return {
      path: `/projects/${project}/merge_requests/${iid}`,
      on: { noteable_id: id, noteable_type: 'MergeRequest', noteable_iid: iid } as const,
    };
  },
} as const;

const kinds = Object.keys(noteables) as (keyof typeof noteables)[];
const none = '0'.repeat(40);

describe.each(kinds)('discussions of a %s', (kind) => {
  const isResolvable = kind === 'merge request';
  const resolution = isResolvable ? { resolvable: true, resolved: false, resolved_by: null } : {};

  test('a thread is started, replied to, listed and shown', async () => {
    const { path, on } = await noteables[kind]();
    const first = { ...threadNoteShape(url, bob, on, 'Why?'), ...resolution };
    const started = await as(bob).post(`${path}/discussions`, { body: 'Why?' });
    expect(started).toEqual({
      status: 201,
      body: { id: anyKey, individual_note: false, notes: [first] },
    });
    const { id } = started.body as { readonly id: string };
    const second = { ...threadNoteShape(url, ada, on, 'Because.'), ...resolution };
    expect(await as(ada).post(`${path}/discussions/${id}/notes`, { body: 'Because.' })).toEqual({
      status: 201,
      body: second,
    });
    const hidden = ({ author, ...note }: typeof first) => ({
      ...note,
      author: { ...author, email: null },
    });
    const body = { id, individual_note: false, notes: [hidden(first), second] };
    expect(await as(ada).get(`${path}/discussions/${id}`)).toEqual({ status: 200, body });
    expect(await as(ada).get(`${path}/discussions`)).toEqual({ status: 200, body: [body] });
    const notes = `${path}/discussions/${id}/notes`;
    expect(await as(ada).get(notes)).toEqual({ status: 200, body: body.notes });
    const [{ id: noteId }] = (await as(ada).get(notes)).body as [{ readonly id: number }];
    expect(await as(ada).get(`${notes}/${noteId}`)).toEqual({
      status: 200,
      body: { ...hidden(first), id: noteId },
    });
  });

  test('a note of an earlier version is a discussion of its own, without replies', async () => {
    const { path, on } = await noteables[kind]();
    await as(ada).post(`${path}/notes`, { body: 'Plain' });
    const { body } = await as(ada).get(`${path}/discussions`);
    const note = { ...threadNoteShape(url, ada, on, 'Plain'), type: null };
    expect(body).toEqual([{ id: anyKey, individual_note: true, notes: [note] }]);
    const [{ id }] = body as [{ readonly id: string }];
    expect(await as(ada).get(`${path}/discussions/${id}`)).toMatchObject({ status: 200 });
    expect(await as(ada).get(`${path}/discussions/${id}/notes`)).toMatchObject({ body: [note] });
    expect(await as(ada).post(`${path}/discussions/${id}/notes`, { body: 'No' })).toEqual({
      status: 400,
      body: { message: '400 (Bad request) "Discussion is an individual note." not given' },
    });
  });

  test('a note is changed and deleted in its discussion only', async () => {
    const { path, on } = await noteables[kind]();
    const thread = await startThread(as(ada), path);
    const other = await startThread(as(ada), path);
    const noteId = await reply(as(bob), path, thread);
    const note = `${path}/discussions/${thread.id}/notes/${noteId}`;
    expect(await as(bob).put(note, { body: 'Changed' })).toEqual({
      status: 200,
      body: { ...threadNoteShape(url, bob, on, 'Changed'), ...resolution },
    });
    const elsewhere = `${path}/discussions/${other.id}/notes/${noteId}`;
    expect(await as(bob).get(note)).toMatchObject({ status: 200, body: { id: noteId } });
    expect(await as(bob).get(elsewhere)).toEqual(refused.record);
    expect(await as(bob).get(`${path}/discussions/other/notes/${noteId}`)).toEqual(refused.record);
    expect(await as(bob).put(elsewhere, { body: 'No' })).toEqual(refused.record);
    expect(await as(bob).delete(elsewhere)).toEqual(refused.record);
    expect(await as(bob).delete(`${path}/discussions/${none}/notes/${noteId}`)).toEqual(
      refused.record,
    );
    expect(await as(bob).delete(note)).toEqual({ status: 204, body: null });
    expect(bodiesOf(await as(bob).get(`${path}/discussions`))).toEqual([['Why?'], ['Why?']]);
  });

  test('replies keep the discussion if its first note is deleted', async () => {
    const { path } = await noteables[kind]();
    const thread = await startThread(as(ada), path, { body: 'One' });
    const second = await reply(as(ada), path, thread, 'Two');
    await reply(as(ada), path, thread, 'Three');
    const notes = `${path}/discussions/${thread.id}/notes`;
    await as(ada).delete(`${notes}/${thread.notes[0].id}`);
    expect(bodiesOf(await as(ada).get(`${path}/discussions`))).toEqual([['Two', 'Three']]);
    await reply(as(ada), path, thread, 'Four');
    await as(ada).delete(`${notes}/${second}`);
    const { body } = await as(ada).get(`${path}/discussions/${thread.id}`);
    expect(body).toMatchObject({ id: thread.id, notes: [{ body: 'Three' }, { body: 'Four' }] });
    for (const { id } of (body as typeof thread).notes) await as(ada).delete(`${notes}/${id}`);
    for (const end of ['', '/notes']) {
      expect(await as(ada).get(`${path}/discussions/${thread.id}${end}`)).toEqual(
        refused.missing('Discussion'),
      );
    }
    expect(await as(ada).get(`${path}/discussions`)).toMatchObject({ body: [] });
  });

  test('the notes are among the other notes, which count them', async () => {
    const { path, on } = await noteables[kind]();
    const thread = await startThread(as(ada), path);
    await reply(as(ada), path, thread);
    const { body } = await as(ada).get(`${path}/notes?sort=asc`);
    expect(body).toEqual([
      { ...threadNoteShape(url, ada, on, 'Why?'), ...resolution },
      { ...threadNoteShape(url, ada, on, 'Because.'), ...resolution },
    ]);
    if (kind === 'snippet') return;
    expect((await as(ada).get(path)).body).toMatchObject({ user_notes_count: 2 });
  });

  test('pages have the oldest first, also by keyset', async () => {
    const { path } = await noteables[kind]();
    for (const body of ['One', 'Two', 'Three']) {
      const thread = await startThread(as(ada), path, { body });
      await reply(as(ada), path, thread, `${body} more`);
    }
    const page = await as(ada).fetch(`${path}/discussions?per_page=2&page=2`);
    expect(page.headers.get('X-Total')).toBe('3');
    expect(await page.json()).toMatchObject([{ notes: [{ body: 'Three' }, {}] }]);
    const keyset = await as(ada).fetch(`${path}/discussions?per_page=2&pagination=keyset`);
    const next = /<([^>]+)>; rel="next"/.exec(keyset.headers.get('Link') ?? '')?.[1] ?? '';
    const rest = await as(ada).get(
      new URL(next).pathname.replace('/api/v4', '') + new URL(next).search,
    );
    expect(bodiesOf(rest)).toEqual([['Three', 'Three more']]);
  });

  test.each([
    [{}, 'body is missing'],
    [{ body: ['a'] }, 'body is invalid'],
    [{ body: 'a', created_at: 'yesterday' }, 'created_at is invalid'],
  ])('%j is rejected', async (params, text) => {
    const { path } = await noteables[kind]();
    const thread = await startThread(as(ada), path);
    for (const at of ['discussions', `discussions/${thread.id}/notes`]) {
      expect(await as(ada).post(`${path}/${at}`, params)).toEqual(refused.parameter(text));
    }
  });

  test('a blank text and a missing discussion are rejected', async () => {
    const { path } = await noteables[kind]();
    const thread = await startThread(as(ada), path);
    const blank = refused.invalid({ note: ["can't be blank"] });
    for (const at of ['discussions', `discussions/${thread.id}/notes`]) {
      expect(await as(ada).post(`${path}/${at}`, { body: ' ' })).toEqual(blank);
    }
    for (const key of [none, thread.id.replace(/^./, 'x'), 'x', '%20x', thread.id.toUpperCase()]) {
      expect(await as(ada).get(`${path}/discussions/${key}`)).toEqual(
        refused.missing('Discussion'),
      );
      expect(await as(ada).post(`${path}/discussions/${key}/notes`, { body: 'a' })).toEqual(
        refused.missing('Discussion'),
      );
    }
  });

  test('a discussion of another record is missing', async () => {
    const { path } = await noteables[kind]();
    const thread = await startThread(as(ada), path);
    const { path: other } = await noteables[kind]();
    const wrong = `${other}/discussions/${thread.id}`;
    expect(await as(ada).get(wrong)).toEqual(refused.missing('Discussion'));
    expect(await as(ada).post(`${wrong}/notes`, { body: 'a' })).toEqual(
      refused.missing('Discussion'),
    );
  });
});

test('only owners set created_at, by which replies are sorted', async () => {
  const { path } = await noteables.issue();
  const at = (second: number) => ({ created_at: `2020-01-01T00:00:0${second}.000Z` });
  const thread = await startThread(as(ada), path, { body: 'One', ...at(1) });
  const notes = `${path}/discussions/${thread.id}/notes`;
  await as(ada).post(notes, { body: 'Three', ...at(3) });
  await as(ada).post(notes, { body: 'Two', ...at(2) });
  const { body } = await as(bob).post(notes, { body: 'Now', ...at(0) });
  expect(body).toMatchObject({ created_at: expect.not.stringMatching(/^2020/) });
  expect(bodiesOf(await as(ada).get(`${path}/discussions`))).toEqual([
    ['One', 'Two', 'Three', 'Now'],
  ]);
});

test('a system note is a discussion of its own', async () => {
  const { path } = await noteables.issue();
  await as(ada).put(path, { state_event: 'close' });
  expect((await as(ada).get(`${path}/discussions`)).body).toMatchObject([
    { individual_note: true, notes: [{ body: 'closed', system: true, type: null }] },
  ]);
});

test('threads move with their issue', async () => {
  const { path } = await noteables.issue();
  const thread = await startThread(as(ada), path, { body: 'One' });
  await reply(as(ada), path, thread, 'Two');
  const { id: target } = await seed.project('ada/other');
  const { body } = await as(ada).post(`${path}/move`, { to_project_id: target });
  const { iid } = body as { readonly iid: number };
  const moved = await as(ada).get(`/projects/${target}/issues/${iid}/discussions`);
  expect(bodiesOf(moved)[0]).toEqual(['One', 'Two']);
  expect(bodiesOf(await as(ada).get(`${path}/discussions`))[0]).toEqual(['One', 'Two']);
});

test('parallel replies are all stored', async () => {
  const { path } = await noteables.issue();
  const thread = await startThread(as(ada), path);
  const texts = Array.from({ length: 10 }, (_, number) => `Reply ${number}`);
  await Promise.all(texts.map((text) => reply(as(ada), path, thread, text)));
  const [stored = []] = bodiesOf(await as(ada).get(`${path}/discussions`));
  expect(stored.toSorted()).toEqual([...texts, 'Why?'].toSorted());
});

test('a thread has at most 1000 notes', async () => {
  const { path, on } = await noteables.issue();
  const thread = await startThread(as(ada), path);
  const [{ id: firstNoteId }] = thread.notes;
  const note = { issueId: on.noteable_id, body: 'One of many', isInThread: true, isReply: true };
  const replies = await db.note.createManyAndReturn({
    data: Array(998).fill(note),
    select: { id: true },
  });
  await db.threadNote.createMany({
    data: replies.map(({ id: noteId }) => ({ noteId, firstNoteId, startedBy: firstNoteId })),
  });
  await reply(as(ada), path, thread, 'The last');
  const { body } = await as(ada).get(`${path}/discussions/${thread.id}`);
  expect((body as typeof thread).notes).toHaveLength(1000);
  expect(await as(ada).post(`${path}/discussions/${thread.id}/notes`, { body: 'No' })).toEqual({
    status: 400,
    body: { message: 'A discussion has at most 1000 notes' },
  });
});

test('a thread has at most 8 MiB of text', async () => {
  const { path } = await noteables.issue();
  const thread = await startThread(as(ada), path);
  const notes = `${path}/discussions/${thread.id}/notes`;
  const id = await reply(as(ada), path, thread);
  const tooLarge = {
    status: 400,
    body: { message: 'A discussion has at most 8 MiB of text' },
  };
  await db.note.update({ where: { id }, data: { body: 'é'.repeat(4 * 2 ** 20 - 2) } });
  const [{ id: first }] = thread.notes;
  expect(await as(ada).post(notes, { body: 'A' })).toEqual(tooLarge);
  expect(await as(ada).put(`${notes}/${first}`, { body: 'Why??' })).toEqual(tooLarge);
  expect(await as(ada).put(`${notes}/${first}`, { body: 'Who' })).toMatchObject({ status: 200 });
  expect(await reply(as(ada), path, thread, 'A')).toBeGreaterThan(id);
});
