import { describe, expect, test } from 'vitest';
import { awardShape, issuesOf, noteShape } from '../support/discussion.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const owner = as(ada);

const { id: project } = await seed.project('ada/app', { reporter: bob });
const newIssue = issuesOf(db);
const issue = await newIssue(project, ada);

const createNote = async (path: string, body: string, person = ada) => {
  const { body: note } = await as(person).post(`${path}/notes`, { body });
  return note as { readonly id: number; readonly updated_at: string };
};

const countsOf = (id: number) =>
  db.issue.findUniqueOrThrow({
    where: { id },
    select: { userNotesCount: true, upvotes: true, downvotes: true },
  });

const systemNote = (issueId: number, authorId: number, body: string) =>
  db.note.create({ data: { issueId, authorId, body, isSystem: true } });

const bodiesOf = (response: { readonly body: unknown }) =>
  (response.body as readonly { readonly body: string }[]).map(({ body }) => body);

describe('POST /projects/:id/issues/:issue_iid/notes', () => {
  test('creates a note, increments the count and updates the issue’s updated_at', async () => {
    const { id, iid, path } = await newIssue(project, ada, { updatedAt: new Date(0) });
    expect(await owner.post(`${path}/notes`, { body: 'Hello *world*' })).toEqual({
      status: 201,
      body: noteShape(url, ada, { id, iid }, { body: 'Hello *world*' }),
    });
    expect(await as(bob).post(`/projects/ada%2Fapp/issues/${iid}/notes?body=Hi`)).toEqual({
      status: 201,
      body: noteShape(url, bob, { id, iid }, { body: 'Hi' }),
    });
    expect(await countsOf(id)).toEqual({ userNotesCount: 2, upvotes: 0, downvotes: 0 });
    const { updatedAt } = await db.issue.findUniqueOrThrow({ where: { id } });
    expect(updatedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('stores a slash command as text', async () => {
    const { id, iid, path } = await newIssue(project, ada);
    expect(await owner.post(`${path}/notes`, { body: '/close' })).toEqual({
      status: 201,
      body: noteShape(url, ada, { id, iid }, { body: '/close' }),
    });
    expect(await db.issue.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: 'opened' });
  });

  test.each([
    ['emoji', '👩‍🚀🏳️‍🌈'],
    ['right to left', 'שלום \u202Eעולם\u202C مرحبا\r\n'],
    ['marks and controls', 'e\u0301\u200B\u0001\ufeff'],
  ])('preserves a megabyte of %s', async (_kind, text) => {
    const { path, ...issue } = await newIssue(project, ada);
    const body = text.repeat(Math.floor(1_000_000 / Buffer.byteLength(JSON.stringify(text))));
    const note = await owner.post(`${path}/notes`, { body });
    expect(note.status).toBe(201);
    expect(note.body).toEqual(noteShape(url, ada, issue, { body }));
    const { id } = note.body as { id: number };
    expect(await owner.get(`${path}/notes/${id}`)).toEqual({ status: 200, body: note.body });
    expect(await owner.get(`${path}/notes`)).toEqual({ status: 200, body: [note.body] });
  });

  test.each([
    [{}, 'body is missing'],
    [{ body: ['a'] }, 'body is invalid'],
    [{ body: 'a\0' }, 'body is invalid'],
    [{ body: 'a', created_at: 'yesterday' }, 'created_at is invalid'],
    [{ body: 'a', created_at: '2026-02-30T00:00:00Z' }, 'created_at is invalid'],
  ])('%j is rejected', async (params, text) => {
    expect(await owner.post(`${issue.path}/notes`, params)).toEqual(refused.parameter(text));
  });

  test.each(['', '  \n\t'])('a blank text is rejected: %j', async (body) => {
    expect(await owner.post(`${issue.path}/notes`, { body })).toEqual(
      refused.invalid({ note: ["can't be blank"] }),
    );
  });

  test('only owners and administrators set created_at', async () => {
    const { path, ...issue } = await newIssue(project, ada);
    const params = { body: 'Long ago', created_at: '2017-03-04T05:06:07+01:00' };
    const createdAt = '2017-03-04T04:06:07.000Z';
    expect(await owner.post(`${path}/notes`, params)).toEqual({
      status: 201,
      body: noteShape(url, ada, issue, { body: 'Long ago', createdAt }),
    });
    expect(await as(root).post(`${path}/notes`, params)).toEqual({
      status: 201,
      body: noteShape(url, root, issue, { body: 'Long ago', createdAt }),
    });
    const { body } = await as(bob).post(`${path}/notes`, params);
    expect(body).toMatchObject({ created_at: expect.not.stringMatching(/^2017/) });
  });

  test('created_at in the future is rejected', async () => {
    const params = { body: 'Soon', created_at: new Date(Date.now() + 3_600_000).toISOString() };
    expect(await owner.post(`${issue.path}/notes`, params)).toEqual(
      refused.invalid({ created_at: ["can't be in the future"] }),
    );
    expect(await as(bob).post(`${issue.path}/notes`, params)).toMatchObject({ status: 201 });
  });

  test.each([
    [':tada:', 'tada'],
    ['  :+1:\n', 'thumbsup'],
    ['👍', 'thumbsup'],
    [' 👎 ', 'thumbsdown'],
    ['❤️', 'heart'],
    ['❤', 'heart'],
    ['👍🏻', 'thumbsup_tone1'],
    ['👩‍🚀', 'woman_astronaut'],
    ['🇩🇪', 'flag_de'],
  ])('a text of only %j becomes the award %s', async (body, name) => {
    const { id, path } = await newIssue(project, ada);
    expect(await as(bob).post(`${path}/notes`, { body })).toEqual({
      status: 201,
      body: awardShape(url, bob, { id, type: 'Issue' }, name),
    });
    expect((await owner.get(`${path}/notes`)).body).toEqual([]);
    expect(await countsOf(id)).toEqual({
      userNotesCount: 0,
      upvotes: name === 'thumbsup' ? 1 : 0,
      downvotes: name === 'thumbsdown' ? 1 : 0,
    });
  });

  test.each([':nothing:', '👍👍', ':tada: :tada:', 'tada', '1', 'é', '👍 indeed'])(
    '%j stays a note',
    async (body) => {
      const { path, ...issue } = await newIssue(project, ada);
      expect(await as(bob).post(`${path}/notes`, { body })).toEqual({
        status: 201,
        body: noteShape(url, bob, issue, { body }),
      });
    },
  );

  test('an existing award is returned for the same emoji', async () => {
    const { path, ...issue } = await newIssue(project, ada);
    const award = await as(bob).post(`${path}/notes`, { body: '🎉' });
    const { id } = award.body as { id: number };
    expect(award).toEqual({
      status: 201,
      body: awardShape(url, bob, { id: issue.id, type: 'Issue' }, 'tada'),
    });
    expect(await as(bob).post(`${path}/notes`, { body: ':tada:' })).toEqual(award);
    const again = await as(bob).post(`${path}/award_emoji`, { name: 'thumbsup' });
    expect(await as(bob).post(`${path}/notes`, { body: '👍' })).toEqual(again);
    expect((again.body as { id: number }).id).not.toBe(id);
    expect(await countsOf(issue.id)).toEqual({ userNotesCount: 0, upvotes: 1, downvotes: 0 });
  });

  test('a vote on the user’s own issue is accepted as a note, but rejected as an award', async () => {
    const { path, ...issue } = await newIssue(project, ada);
    expect(await owner.post(`${path}/award_emoji`, { name: 'thumbsup' })).toEqual(
      refused.missing('Award Emoji'),
    );
    expect(await owner.post(`${path}/notes`, { body: '👍' })).toEqual({
      status: 201,
      body: awardShape(url, ada, { id: issue.id, type: 'Issue' }, 'thumbsup'),
    });
    expect(await countsOf(issue.id)).toEqual({ userNotesCount: 0, upvotes: 1, downvotes: 0 });
  });

  test('twenty concurrent identical emoji create one award', async () => {
    const { path, ...issue } = await newIssue(project, ada);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => as(bob).post(`${path}/notes`, { body: ':thumbsup:' })),
    );
    expect(responses).toEqual(Array(20).fill(responses[0]));
    expect(responses[0]).toMatchObject({ status: 201 });
    expect(await countsOf(issue.id)).toEqual({ userNotesCount: 0, upvotes: 1, downvotes: 0 });
  });

  test('fifty concurrent notes are all stored', async () => {
    const { id, path } = await newIssue(project, ada);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => owner.post(`${path}/notes`, { body: `No ${n}` })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(await countsOf(id)).toMatchObject({ userNotesCount: 50 });
  });

  test('a concurrent deletion of the issue gives 404', async () => {
    const { id, path } = await newIssue(project, ada);
    const notes = Array.from({ length: 20 }, (_, n) =>
      owner.post(`${path}/notes`, { body: `${n}` }),
    );
    await db.issue.delete({ where: { id } });
    const statuses = (await Promise.all(notes)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 404)).toEqual([]);
    expect(await db.note.count({ where: { issueId: id } })).toBe(0);
  });

  test('a concurrent deletion of the author breaks nothing', async () => {
    const { path } = await newIssue(project, ada);
    const leaving = await seed.user('leaving');
    await as(ada).post(`/projects/${project}/members`, { user_id: leaving.id, access_level: 10 });
    const notes = Array.from({ length: 20 }, (_, n) =>
      as(leaving).post(`${path}/notes`, { body: `${n}` }),
    );
    await notes[0];
    await db.user.delete({ where: { id: leaving.id } });
    const statuses = (await Promise.all(notes)).map(({ status }) => status);
    expect(statuses.filter((status) => ![201, 401, 404].includes(status))).toEqual([]);
  });
});

describe('GET /projects/:id/issues/:issue_iid/notes', () => {
  test('lists the newest first, with system notes, in pages', async () => {
    const { path, ...issue } = await newIssue(project, ada);
    expect(await owner.get(`${path}/notes`)).toEqual({ status: 200, body: [] });
    await createNote(path, 'one', bob);
    await systemNote(issue.id, ada.id, 'closed');
    await createNote(path, 'two');
    expect(await as(bob).get(`${path}/notes`)).toEqual({
      status: 200,
      body: [
        noteShape(url, ada, issue, { body: 'two', email: null }),
        noteShape(url, ada, issue, { body: 'closed', email: null, system: true }),
        noteShape(url, bob, issue, { body: 'one' }),
      ],
    });
    expect((await as(root).get(`${path}/notes?sort=asc&per_page=1`)).body).toEqual([
      noteShape(url, bob, issue, { body: 'one' }),
    ]);
    const response = await owner.fetch(`${path}/notes?per_page=2&page=2`);
    expect({
      total: response.headers.get('X-Total'),
      pages: response.headers.get('X-Total-Pages'),
      body: await response.json(),
    }).toEqual({
      total: '3',
      pages: '2',
      body: [noteShape(url, bob, issue, { body: 'one', email: null })],
    });
  });

  test('sorts as requested; the id breaks ties', async () => {
    const { path, id: issueId } = await newIssue(project, ada);
    const at = (minute: number) => new Date(Date.UTC(2020, 0, 1, 0, minute));
    for (const [body, created, updated] of [
      ['a', 1, 9],
      ['b', 2, 5],
      ['c', 2, 5],
    ] as const) {
      await db.note.create({
        data: { issueId, authorId: ada.id, body, createdAt: at(created), updatedAt: at(updated) },
      });
    }
    const listed = async (query: string) => bodiesOf(await owner.get(`${path}/notes?${query}`));
    expect(await listed('')).toEqual(['c', 'b', 'a']);
    expect(await listed('sort=asc')).toEqual(['a', 'b', 'c']);
    expect(await listed('order_by=updated_at')).toEqual(['a', 'c', 'b']);
    expect(await listed('order_by=updated_at&sort=asc')).toEqual(['b', 'c', 'a']);
    expect(await listed('order_by=created_at&sort=desc&per_page=2&page=2')).toEqual(['a']);
  });

  test('a note survives its author’s deletion', async () => {
    const { path, ...issue } = await newIssue(project, ada);
    const deletedUser = await seed.user('gone');
    await db.note.create({ data: { issueId: issue.id, authorId: deletedUser.id, body: 'Bye' } });
    await db.user.delete({ where: { id: deletedUser.id } });
    expect(await owner.get(`${path}/notes`)).toEqual({
      status: 200,
      body: [{ ...noteShape(url, ada, issue, { body: 'Bye' }), author: null }],
    });
  });

  test.each([
    ['order_by=id', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['page=x', 'page is invalid'],
    ['per_page=0', 'per_page does not have a valid value'],
  ])('%s is rejected', async (query, text) => {
    expect(await owner.get(`${issue.path}/notes?${query}`)).toEqual(refused.parameter(text));
  });
});

describe('GET, PUT, DELETE /projects/:id/issues/:issue_iid/notes/:note_id', () => {
  test('shows a note', async () => {
    const { id } = await createNote(issue.path, 'Look');
    const body = noteShape(url, ada, issue, { id, body: 'Look' });
    expect(await owner.get(`${issue.path}/notes/${id}`)).toEqual({ status: 200, body });
    expect(await as(root).get(`${issue.path}/notes/${id}`)).toEqual({ status: 200, body });
    expect(await as(bob).get(`${issue.path}/notes/${id}`)).toEqual({
      status: 200,
      body: { ...body, author: { ...body.author, email: null } },
    });
  });

  test('updates a note and its updated_at', async () => {
    const { id, updated_at: before } = await createNote(issue.path, 'Tpyo');
    const response = await owner.put(`${issue.path}/notes/${id}`, { body: 'Typo' });
    expect(response).toEqual({
      status: 200,
      body: noteShape(url, ada, issue, { id, body: 'Typo' }),
    });
    expect(response.body).toMatchObject({ updated_at: expect.not.stringContaining(before) });
    expect(await owner.get(`${issue.path}/notes/${id}`)).toEqual(response);
    // an existing note may become an emoji without becoming an award
    expect(await owner.put(`${issue.path}/notes/${id}`, { body: '🎉' })).toMatchObject({
      status: 200,
      body: { body: '🎉', updated_at: instant },
    });
  });

  test('rejects a body that is no text', async () => {
    const path = `${issue.path}/notes/${(await createNote(issue.path, 'Here')).id}`;
    expect(await owner.put(path, {})).toEqual(refused.parameter('body is missing'));
    expect(await owner.put(path, { body: ' ' })).toEqual(
      refused.invalid({ note: ["can't be blank"] }),
    );
    expect(await owner.get(path)).toMatchObject({ body: { body: 'Here' } });
  });

  test('system notes cannot be changed', async () => {
    const { id } = await systemNote(issue.id, bob.id, 'reopened');
    const body = noteShape(url, bob, issue, { id, body: 'reopened', system: true, email: null });
    expect(await owner.put(`${issue.path}/notes/${id}`, { body: 'x' })).toEqual({
      status: 200,
      body,
    });
  });

  test('deletes a note and decrements the count', async () => {
    const { path, ...issue } = await newIssue(project, ada);
    const { id } = await createNote(path, 'Oops');
    const { id: noted } = await systemNote(issue.id, ada.id, 'closed');
    await createNote(path, 'Stays');
    expect(await owner.delete(`${path}/notes/${id}`)).toEqual({ status: 204, body: null });
    expect(await owner.delete(`${path}/notes/${id}`)).toEqual(refused.record);
    expect(await owner.delete(`${path}/notes/${noted}`)).toEqual({ status: 204, body: null });
    expect(bodiesOf(await owner.get(`${path}/notes`))).toEqual(['Stays']);
    expect(await countsOf(issue.id)).toMatchObject({ userNotesCount: 1 });
  });

  test('twenty concurrent deletions delete it once', async () => {
    const { id: issueId, path } = await newIssue(project, ada);
    const { id } = await createNote(path, 'Oops');
    await createNote(path, 'Stays');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => owner.delete(`${path}/notes/${id}`)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(19).fill(404)]);
    expect(await countsOf(issueId)).toMatchObject({ userNotesCount: 1 });
  });

  test('with If-Unmodified-Since keeps a note that was changed since', async () => {
    const path = `${issue.path}/notes/${(await createNote(issue.path, 'New')).id}`;
    const headers = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
    const response = await owner.fetch(path, { method: 'DELETE', headers });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect(await owner.get(path)).toMatchObject({ status: 200 });
  });
});
