import { describe, expect, test } from 'vitest';
import { awardShape, issuesOf } from '../support/discussion.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');

const roles = { master: bob, guest: carl };
const { id: open } = await seed.project('ada/open', roles, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', roles);
const newIssue = issuesOf(db);

interface Thing {
  readonly id: number;
  readonly type: 'Issue' | 'Note';
  readonly path: string;
}

const createIssue = async (author = ada, project = open, traits = {}): Promise<Thing> => ({
  ...(await newIssue(project, author, traits)),
  type: 'Issue',
});

const createNoteOn = async (
  { id, path }: Pick<Thing, 'id' | 'path'>,
  author: TestUser,
  isSystem = false,
): Promise<Thing> => {
  const data = { issueId: id, authorId: author.id, body: 'Text', isSystem };
  const { id: noteId } = await db.note.create({ data });
  return { id: noteId, type: 'Note', path: `${path}/notes/${noteId}` };
};

const createNote = async (author = ada, project = open, traits = {}): Promise<Thing> =>
  createNoteOn(await newIssue(project, author, traits), author);

const createAward = async (person: TestUser, { path }: Thing, name: string) => {
  const { body } = await as(person).post(`${path}/award_emoji`, { name });
  return (body as { readonly id: number }).id;
};

const votesOf = async ({ id }: { readonly id: number }) => {
  const { upvotes, downvotes } = await db.issue.findUniqueOrThrow({ where: { id } });
  return { upvotes, downvotes };
};

const noAward = refused.missing('Award Emoji');
const unknown = refused.missing('Award Emoji {:name=>["is not included in the list"]}');
const alreadyTaken = refused.missing('Award Emoji {:name=>["has already been taken"]}');

describe.each([
  ['/projects/:id/issues/:issue_iid/award_emoji', createIssue],
  ['/projects/:id/issues/:issue_iid/notes/:note_id/award_emoji', createNote],
])('%s', (_path, make) => {
  test('POST creates an award for every user who sees the noteable', async () => {
    const noteable = await make();
    for (const person of [ada, bob, carl, eve, root]) {
      expect(await as(person).post(`${noteable.path}/award_emoji`, { name: 'tada' })).toEqual({
        status: 201,
        body: awardShape(url, person, noteable, 'tada'),
      });
    }
    expect(await as(eve).post(`${noteable.path}/award_emoji?name=rocket`)).toMatchObject({
      status: 201,
    });
  });

  test.each([
    ['+1', 'thumbsup'],
    ['-1', 'thumbsdown'],
    [':thumbsup:', 'thumbsup'],
    [':+1:', 'thumbsup'],
    ['👍', 'thumbsup'],
    ['slightly_smiling_face', 'slight_smile'],
    ['thinking', 'thinking'],
    ['100', '100'],
    [100, '100'],
    ['thumbsup_tone1', 'thumbsup_tone1'],
    ['car', 'red_car'],
  ])('POST accepts %j for %s', async (name, stored) => {
    const noteable = await make();
    expect(await as(bob).post(`${noteable.path}/award_emoji`, { name })).toEqual({
      status: 201,
      body: awardShape(url, bob, noteable, stored),
    });
  });

  test('POST rejects unknown names and a second award of the same emoji', async () => {
    const noteable = await make();
    const path = `${noteable.path}/award_emoji`;
    for (const name of ['', 'nothing', 'THUMBSUP', '__proto__', 'a'.repeat(1000), '1', '🎉🎉']) {
      expect(await as(bob).post(path, { name })).toEqual(unknown);
    }
    await createAward(bob, noteable, 'thumbsup');
    expect(await as(bob).post(path, { name: 'thumbsup' })).toEqual(alreadyTaken);
    expect(await as(bob).post(path, { name: ':+1:' })).toEqual(alreadyTaken);
    expect(await as(bob).post(path)).toEqual(refused.parameter('name is missing'));
    expect(await as(bob).post(path, { name: ['tada'] })).toEqual(
      refused.parameter('name is invalid'),
    );
  });

  test('POST rejects votes on the user’s own item', async () => {
    const noteable = await make(carl);
    for (const name of ['thumbsup', 'thumbsdown', '+1', ':-1:']) {
      expect(await as(carl).post(`${noteable.path}/award_emoji`, { name })).toEqual(noAward);
    }
    expect(await as(carl).post(`${noteable.path}/award_emoji`, { name: 'eyes' })).toMatchObject({
      status: 201,
    });
  });

  test('POST works on a locked discussion', async () => {
    const noteable = await make(ada, open, { isDiscussionLocked: true });
    expect(await as(eve).post(`${noteable.path}/award_emoji`, { name: 'eyes' })).toMatchObject({
      status: 201,
    });
  });

  test('GET lists awards in the order of creation, in pages, and shows an award', async () => {
    const noteable = await make();
    const path = `${noteable.path}/award_emoji`;
    expect(await as(eve).get(path)).toEqual({ status: 200, body: [] });
    await createAward(bob, noteable, 'eyes');
    const id = await createAward(carl, noteable, '+1');
    await createAward(bob, noteable, 'heart');
    const third = { ...awardShape(url, carl, noteable, 'thumbsup'), id };
    expect(await as(eve).get(path)).toEqual({
      status: 200,
      body: [
        awardShape(url, bob, noteable, 'eyes'),
        third,
        awardShape(url, bob, noteable, 'heart'),
      ],
    });
    const response = await as(carl).fetch(`${path}?per_page=1&page=2`);
    expect({
      total: response.headers.get('X-Total'),
      body: await response.json(),
    }).toEqual({ total: '3', body: [third] });
    expect(await as(eve).get(`${path}/${id}`)).toEqual({ status: 200, body: third });
  });

  test('DELETE removes the user’s own award; an administrator can remove any award', async () => {
    const noteable = await make();
    const id = await createAward(carl, noteable, '+1');
    const path = `${noteable.path}/award_emoji/${id}`;
    expect(await as(eve).delete(path)).toEqual(refused.anonymous);
    expect(await as(bob).delete(path)).toEqual(refused.anonymous);
    expect(await as(carl).delete(path)).toEqual({ status: 204, body: null });
    expect(await as(carl).delete(path)).toEqual(noAward);
    const again = `${noteable.path}/award_emoji/${await createAward(carl, noteable, '+1')}`;
    expect(await as(root).delete(again)).toEqual({ status: 204, body: null });
    expect(await as(carl).get(`${noteable.path}/award_emoji`)).toEqual({ status: 200, body: [] });
  });

  test('DELETE with If-Unmodified-Since keeps a newer award', async () => {
    const noteable = await make();
    const path = `${noteable.path}/award_emoji/${await createAward(carl, noteable, 'eyes')}`;
    const headers = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
    const { status } = await as(carl).fetch(path, { method: 'DELETE', headers });
    expect(status).toBe(412);
    expect(await as(carl).get(path)).toMatchObject({ status: 200 });
  });

  test('missing noteables, notes and awards respond with 404', async () => {
    const noteable = await make();
    const other = await make();
    const id = await createAward(carl, noteable, 'eyes');
    for (const path of [
      `${noteable.path}/award_emoji/${id + 1000}`,
      `${noteable.path}/award_emoji/99999999999`,
      `${other.path}/award_emoji/${id}`,
    ]) {
      expect(await as(carl).get(path)).toEqual(noAward);
      expect(await as(carl).delete(path)).toEqual(noAward);
    }
    const nowhere = `${noteable.path}999999/award_emoji`;
    expect(await as(carl).get(nowhere)).toEqual(refused.record);
    expect(await as(carl).post(nowhere, { name: 'eyes' })).toEqual(refused.record);
    expect(await as(carl).get(`${noteable.path}/award_emoji/x`)).toEqual(
      refused.parameter('award_id is invalid'),
    );
  });

  test('users who cannot see the noteable get 404', async () => {
    const hidden = await make(ada, closed);
    const secret = await make(ada, open, { isConfidential: true });
    const shown = await make();
    for (const [person, noteable, name, refusal] of [
      [null, shown, 'eyes', refused.anonymous],
      [null, hidden, 'eyes', refused.anonymous],
      [eve, hidden, 'heart', refused.missing('Project')],
      [eve, secret, 'eyes', refused.record],
      [carl, secret, 'heart', refused.record],
    ] as const) {
      const path = `${noteable.path}/award_emoji`;
      const award = `${path}/${await createAward(bob, noteable, name)}`;
      expect(await as(person).get(path)).toEqual(refusal);
      expect(await as(person).post(path, { name: 'eyes' })).toEqual(refusal);
      expect(await as(person).get(award)).toEqual(refusal);
      expect(await as(person).delete(award)).toEqual(refusal);
    }
    const path = `${hidden.path}/award_emoji`;
    expect(await as(carl).post(path, { name: 'eyes' })).toMatchObject({ status: 201 });
  });
});

describe('votes', () => {
  test('up- and downvotes of an issue are counted and update its updated_at', async () => {
    const issue = await createIssue(ada, open, { updatedAt: new Date(0) });
    await createAward(bob, issue, 'tada');
    const { updatedAt: before } = await db.issue.findUniqueOrThrow({ where: { id: issue.id } });
    expect(before).toEqual(new Date(0));
    const id = await createAward(bob, issue, '+1');
    await createAward(carl, issue, 'thumbsup_tone2');
    await createAward(carl, issue, '-1');
    await createAward(carl, await createNoteOn(issue, ada), '+1');
    expect(await votesOf(issue)).toEqual({ upvotes: 1, downvotes: 1 });
    const { updatedAt } = await db.issue.findUniqueOrThrow({ where: { id: issue.id } });
    expect(updatedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await as(bob).delete(`${issue.path}/award_emoji/${id}`);
    expect(await votesOf(issue)).toEqual({ upvotes: 0, downvotes: 1 });
  });

  test('twenty concurrent votes of twenty users are all counted', async () => {
    const issue = await createIssue();
    const voters = await Promise.all(Array.from({ length: 20 }, (_, n) => seed.user(`voter-${n}`)));
    const all = (send: (person: TestUser, n: number) => Promise<{ readonly status: number }>) =>
      Promise.all(voters.map(send)).then((responses) => responses.map(({ status }) => status));
    const path = `${issue.path}/award_emoji`;
    expect(await all((person) => as(person).post(path, { name: '+1' }))).toEqual(
      Array(20).fill(201),
    );
    expect(await votesOf(issue)).toEqual({ upvotes: 20, downvotes: 0 });
    const { body } = await as(ada).get(path);
    const awards = new Map(
      (body as { id: number; user: { id: number } }[]).map(({ id, user }) => [user.id, id]),
    );
    expect(await all((person) => as(person).delete(`${path}/${awards.get(person.id)}`))).toEqual(
      Array(20).fill(204),
    );
    expect(await votesOf(issue)).toEqual({ upvotes: 0, downvotes: 0 });
  });

  test('twenty concurrent votes of one user count once', async () => {
    const issue = await createIssue();
    const path = `${issue.path}/award_emoji`;
    const statuses = async (send: () => Promise<{ readonly status: number }>) =>
      (await Promise.all(Array.from({ length: 20 }, send))).map(({ status }) => status).toSorted();
    const once = Array(19).fill(404);
    expect(await statuses(() => as(bob).post(path, { name: '+1' }))).toEqual([201, ...once]);
    expect(await votesOf(issue)).toEqual({ upvotes: 1, downvotes: 0 });
    const [award] = (await as(ada).get(path)).body as [{ readonly id: number }];
    expect(await statuses(() => as(bob).delete(`${path}/${award.id}`))).toEqual([204, ...once]);
    expect(await votesOf(issue)).toEqual({ upvotes: 0, downvotes: 0 });
  });
});

test('the votes of a deleted user are removed', async () => {
  const issue = await createIssue();
  const deletedUser = await seed.user('gone');
  for (const name of ['thumbsup', 'thumbsdown', 'heart'])
    await createAward(deletedUser, issue, name);
  await createAward(deletedUser, await createNoteOn(issue, ada), 'thumbsup');
  await createAward(bob, issue, 'thumbsup');
  expect(await votesOf(issue)).toEqual({ upvotes: 2, downvotes: 1 });
  expect(await as(root).delete(`/users/${deletedUser.id}`)).toMatchObject({ status: 204 });
  expect(await votesOf(issue)).toEqual({ upvotes: 1, downvotes: 0 });
  expect((await as(ada).get(`${issue.path}/award_emoji`)).body).toEqual([
    awardShape(url, bob, issue, 'thumbsup'),
  ]);
});

test('system notes accept no award emoji', async () => {
  const note = await createNoteOn(await newIssue(open, ada), ada, true);
  expect(await as(bob).post(`${note.path}/award_emoji`, { name: 'eyes' })).toEqual(noAward);
  expect(await as(bob).get(`${note.path}/award_emoji`)).toEqual({ status: 200, body: [] });
});

test('deleting a note deletes its award emoji', async () => {
  const note = await createNote(bob);
  await createAward(carl, note, 'eyes');
  expect(await as(bob).delete(note.path)).toEqual({ status: 204, body: null });
  expect(await db.awardEmoji.count({ where: { noteId: note.id } })).toBe(0);
});
