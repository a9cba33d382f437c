import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { awardShape, issuesOf, noteShape } from '../../support/discussion.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { world } from '../../support/world.ts';

const { seed, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { client, called } = recordedClient(url, bob.token);

const { id: project } = await seed.project('ada/app', { reporter: bob });
const newIssue = issuesOf(db);

describe('IssueNotes', () => {
  test('are created, listed, shown, changed and removed', async () => {
    const { IssueNotes } = client;
    const issue = await newIssue(project, ada);
    const { iid } = issue;
    const created = await IssueNotes.create('ada/app', iid, 'Hello');
    const { id } = created;
    const shape = noteShape(url, bob, issue, { id, body: 'Hello' });
    expect(created).toEqual(shape);
    expect(await IssueNotes.show(project, iid, id)).toEqual(shape);
    expect(await IssueNotes.all(project, iid)).toEqual([shape]);
    const changed = { ...shape, body: 'Good bye' };
    expect(await IssueNotes.edit(project, iid, id, { body: 'Good bye' })).toEqual(changed);
    const second = await IssueNotes.create(project, iid, 'And more');
    expect(await IssueNotes.all(project, iid, { sort: 'asc' })).toEqual([changed, second]);
    expect(await IssueNotes.all(project, iid, { orderBy: 'created_at' })).toEqual([
      second,
      changed,
    ]);
    await IssueNotes.remove(project, iid, id);
    await expect(IssueNotes.show(project, iid, id)).rejects.toThrow('404 Not found');
    await expect(IssueNotes.create(project, iid, ' ')).rejects.toThrow("can't be blank");
  });

  test('all pages are fetched', async () => {
    const { id: issueId, iid } = await newIssue(project, ada);
    const bodies = Array.from({ length: 45 }, (_, n) => `No ${n}`);
    await db.note.createMany({ data: bodies.map((body) => ({ issueId, authorId: ada.id, body })) });
    const all = await client.IssueNotes.all(project, iid, { sort: 'asc' });
    expect(all.map(({ body }) => body)).toEqual(bodies);
  });
});

describe('IssueAwardEmojis', () => {
  test('are awarded, listed, shown and removed', async () => {
    const { IssueAwardEmojis } = client;
    const { id: issueId, iid } = await newIssue(project, ada);
    const shape = awardShape(url, bob, { id: issueId, type: 'Issue' }, 'thumbsup');
    const award = await IssueAwardEmojis.award('ada/app', iid, 'thumbsup');
    expect(award).toEqual(shape);
    expect(await IssueAwardEmojis.show(project, iid, award.id)).toEqual(award);
    expect(await IssueAwardEmojis.all(project, iid)).toEqual([award]);
    await expect(IssueAwardEmojis.award(project, iid, '+1')).rejects.toThrow(
      'has already been taken',
    );
    await IssueAwardEmojis.remove(project, iid, award.id);
    await expect(IssueAwardEmojis.show(project, iid, award.id)).rejects.toThrow(
      '404 Award Emoji Not Found',
    );
  });
});

describe('IssueNoteAwardEmojis', () => {
  test('are awarded, listed, shown and removed', async () => {
    const { IssueNotes, IssueNoteAwardEmojis } = client;
    const { iid } = await newIssue(project, ada);
    const { id: noteId } = await IssueNotes.create(project, iid, 'Look');
    const shape = awardShape(url, bob, { id: noteId, type: 'Note' }, 'tada');
    const award = await IssueNoteAwardEmojis.award(project, iid, noteId, 'tada');
    expect(award).toEqual(shape);
    expect(await IssueNoteAwardEmojis.show(project, iid, noteId, award.id)).toEqual(award);
    expect(await IssueNoteAwardEmojis.all(project, iid, noteId)).toEqual([award]);
    await IssueNoteAwardEmojis.remove(project, iid, noteId, award.id);
    expect(await IssueNoteAwardEmojis.all(project, iid, noteId)).toEqual([]);
  });
});

test.each(['IssueNotes', 'IssueAwardEmojis', 'IssueNoteAwardEmojis'])(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);
