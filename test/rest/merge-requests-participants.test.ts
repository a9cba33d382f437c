import { describe, expect, test } from 'vitest';
import { pushBranches, type TestMergeRequest } from '../support/merge-requests.ts';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const guest = await seed.user('guest');
const outsider = await seed.user('outsider');

const { id: open } = await seed.project('ada/app', { developer: bob }, { visibility: 'public' });
const { id: hidden } = await seed.project('ada/hidden', { developer: bob, guest });
const free = ['one', 'two', 'three', 'four', 'five', 'six'];
await pushBranches(remote('ada/app', root), free);
await pushBranches(remote('ada/hidden', root), ['one']);

const createMergeRequest = async (project: number, source_branch = free.pop()) => {
  const branches = { source_branch, target_branch: 'master', title: 'It' };
  const { status, body } = await as(bob).post(`/projects/${project}/merge_requests`, branches);
  expect(status).toBe(201);
  const mergeRequest = body as TestMergeRequest;
  return { ...mergeRequest, path: `/projects/${project}/merge_requests/${mergeRequest.iid}` };
};
const secret = await createMergeRequest(hidden, 'one');

const noTime = {
  time_estimate: 0,
  total_time_spent: 0,
  human_time_estimate: null,
  human_total_time_spent: null,
};

describe('subscriptions to merge requests', () => {
  test('users who see a merge request subscribe to it and unsubscribe', async () => {
    const { path } = await createMergeRequest(open);
    expect(await as(outsider).post(`${path}/subscribe`)).toMatchObject({
      status: 201,
      body: { subscribed: true },
    });
    expect(await as(outsider).post(`${path}/subscribe`)).toEqual({ status: 304, body: null });
    expect(await as(outsider).post(`${path}/unsubscribe`)).toMatchObject({
      status: 201,
      body: { subscribed: false },
    });
    expect((await as(bob).post(`${path}/subscribe`)).status).toBe(304);
    expect(await as(null).post(`${path}/subscribe`)).toEqual(refused.anonymous);
    expect(await as(outsider).post(`${secret.path}/subscribe`)).toEqual(refused.missing('Project'));
    expect(await as(guest).post(`${secret.path}/subscribe`)).toEqual(refused.forbidden);
  });
});

describe('tracked time of merge requests', () => {
  test('is changed by developers and read by all', async () => {
    const { id, path } = await createMergeRequest(open);
    expect(await as(null).get(`${path}/time_stats`)).toEqual({ status: 200, body: noTime });
    expect(await as(bob).post(`${path}/time_estimate`, { duration: '3h30m' })).toEqual({
      status: 200,
      body: { ...noTime, time_estimate: 12_600, human_time_estimate: '3h 30m' },
    });
    expect(await as(bob).post(`${path}/add_spent_time`, { duration: '1h' })).toMatchObject({
      status: 201,
      body: { total_time_spent: 3600 },
    });
    expect((await as(bob).post(`${path}/reset_spent_time`)).status).toBe(200);
    expect(await as(bob).post(`${path}/reset_time_estimate`)).toEqual({
      status: 200,
      body: noTime,
    });
    const notes = await db.note.findMany({ where: { mergeRequestId: id }, orderBy: { id: 'asc' } });
    expect(notes.map(({ body }) => body)).toEqual([
      'changed time estimate to 3h 30m',
      'added 1h of time spent',
      'removed time spent',
      'removed time estimate',
    ]);
  });

  test.each(['time_estimate', 'add_spent_time'])('%s is rejected', async (action) => {
    const path = `/projects/${open}/merge_requests/1/${action}`;
    expect(await as(bob).post(path)).toEqual(refused.parameter('duration is missing'));
    expect(await as(bob).post(path, { duration: 'long' })).toEqual(
      refused.invalid({ duration: ['is invalid'] }),
    );
    expect(await as(outsider).post(path, { duration: '1h' })).toEqual(refused.forbidden);
    expect(await as(null).post(path, { duration: '1h' })).toEqual(refused.anonymous);
  });
});

describe('GET /projects/:id/merge_requests/:merge_request_iid/participants', () => {
  test('lists the author, the assignee and the authors of notes', async () => {
    const { path } = await createMergeRequest(open);
    await as(bob).put(path, { assignee_id: ada.id });
    await as(outsider).post(`${path}/notes`, { body: 'Nice' });
    expect(await as(null).get(`${path}/participants`)).toEqual({
      status: 200,
      body: [ada, bob, outsider].map((person) => basicUserShape(url, person)),
    });
    expect(await as(guest).get(`${secret.path}/participants`)).toEqual(refused.forbidden);
  });
});

describe('notes on merge requests', () => {
  test('are created, read, changed and deleted', async () => {
    const { id, iid, path } = await createMergeRequest(open);
    const createdNote = await as(outsider).post(`${path}/notes`, { body: 'Nice' });
    const shape = {
      id: expect.any(Number),
      body: 'Nice',
      attachment: null,
      author: { ...basicUserShape(url, outsider), email: outsider.email, created_at: instant },
      created_at: instant,
      updated_at: instant,
      system: false,
      noteable_id: id,
      noteable_type: 'MergeRequest',
      noteable_iid: iid,
    };
    expect(createdNote).toEqual({ status: 201, body: shape });
    const note = `${path}/notes/${(createdNote.body as TestMergeRequest).id}`;
    expect(await as(outsider).get(note)).toEqual({ status: 200, body: shape });
    expect(await as(outsider).get(`${path}/notes`)).toEqual({ status: 200, body: [shape] });
    expect((await as(ada).get(path)).body).toMatchObject({ user_notes_count: 1 });
    expect(await as(bob).put(note, { body: 'Mine' })).toEqual(refused.forbidden);
    expect(await as(outsider).put(note, { body: 'Very nice' })).toEqual({
      status: 200,
      body: { ...shape, body: 'Very nice' },
    });
    expect(await as(bob).delete(note)).toEqual(refused.forbidden);
    expect((await as(ada).delete(note)).status).toBe(204);
    expect((await as(ada).get(path)).body).toMatchObject({ user_notes_count: 0 });
  });

  test('require a signed-in user who sees the merge request, and a member if the discussion is locked', async () => {
    const { path } = await createMergeRequest(open);
    expect(await as(null).get(`${path}/notes`)).toEqual(refused.anonymous);
    expect(await as(null).post(`${path}/notes`, { body: 'Hi' })).toEqual(refused.anonymous);
    expect(await as(outsider).get(`${secret.path}/notes`)).toEqual(refused.missing('Project'));
    expect(await as(guest).get(`${secret.path}/notes`)).toEqual(refused.forbidden);
    expect(await as(guest).post(`${secret.path}/notes`, { body: 'Hi' })).toEqual(refused.forbidden);
    expect(await as(ada).get(`/projects/${open}/merge_requests/99/notes`)).toEqual(refused.record);
    await as(bob).put(path, { discussion_locked: true });
    expect(await as(outsider).post(`${path}/notes`, { body: 'Hi' })).toEqual(refused.forbidden);
    expect((await as(bob).post(`${path}/notes`, { body: 'Hi' })).status).toBe(201);
  });

  test('awards are given to it and to its notes, and its votes are counted', async () => {
    const { id, path } = await createMergeRequest(open);
    const shape = (awardable_type: string, awardable_id: number, name: string) => ({
      id: expect.any(Number),
      name,
      user: basicUserShape(url, ada),
      created_at: instant,
      updated_at: instant,
      awardable_id,
      awardable_type,
    });
    const vote = await as(ada).post(`${path}/notes`, { body: ':thumbsup:' });
    expect(vote).toEqual({ status: 201, body: shape('MergeRequest', id, 'thumbsup') });
    expect(await as(null).get(path)).toMatchObject({ body: { upvotes: 1 } });
    expect(await as(ada).get(`${path}/award_emoji`)).toEqual({ status: 200, body: [vote.body] });
    const note = await as(bob).post(`${path}/notes`, { body: 'Hi' });
    const { id: noteId } = note.body as TestMergeRequest;
    expect(await as(ada).post(`${path}/notes/${noteId}/award_emoji`, { name: 'tada' })).toEqual({
      status: 201,
      body: shape('Note', noteId, 'tada'),
    });
    expect(await as(bob).post(`${path}/award_emoji`, { name: 'thumbsup' })).toEqual(
      refused.missing('Award Emoji'),
    );
    const { id: awardId } = vote.body as TestMergeRequest;
    expect((await as(ada).delete(`${path}/award_emoji/${awardId}`)).status).toBe(204);
    expect(await as(null).get(path)).toMatchObject({ body: { upvotes: 0 } });
  });
});
