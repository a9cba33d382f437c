import { describe, expect, test } from 'vitest';
import { awardShape, noteShape } from '../support/discussion.ts';
import { refused } from '../support/shapes.ts';
import { snippetsOf } from '../support/snippets.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const eve = await seed.user('eve');
const roles = { master: cleo, guest: bob };
const settings = { snippets_enabled: true, visibility: 'public' };
const { id: project } = await seed.project('ada/app', roles, settings);
const newSnippet = snippetsOf(db);

interface NoteFields {
  readonly body: string;
  readonly email?: string | null;
  readonly id?: number;
}

const shapeOn = (id: number, author: typeof ada, fields: NoteFields) => ({
  ...noteShape(url, author, { id, iid: 0 }, fields),
  noteable_type: 'Snippet',
  noteable_iid: null,
});

const aboutSnippet = { title: 'Greeting', file_name: 'greet.rb', expires_at: null };

describe('notes on a snippet', () => {
  test('are created, listed, shown, changed and deleted', async () => {
    const { id, path } = await newSnippet(project, ada);
    const notes = `${path}/notes`;
    const response = await as(bob).post(notes, { body: 'Hello 😀' });
    const noteId = (response.body as { id: number }).id;
    const shape = shapeOn(id, bob, { body: 'Hello 😀', id: noteId });
    expect(response).toEqual({ status: 201, body: shape });
    const notePath = `${notes}/${noteId}`;
    expect(await as(ada).get(notes)).toEqual({
      status: 200,
      body: [shapeOn(id, bob, { body: 'Hello 😀', email: null })],
    });
    expect(await as(bob).get(notePath)).toEqual({
      status: 200,
      body: { ...shape, ...aboutSnippet },
    });
    const changed = { ...shape, body: 'Good bye' };
    expect(await as(bob).put(notePath, { body: 'Good bye' })).toEqual({
      status: 200,
      body: changed,
    });
    expect((await as(cleo).put(notePath, { body: 'Well' })).status).toBe(200);
    expect(await as(bob).delete(notePath)).toEqual({ status: 204, body: null });
    expect(await as(bob).get(notePath)).toEqual(refused.record);
    expect(await as(bob).delete(notePath)).toEqual(refused.record);
  });

  test('are sorted in both orders, in pages', async () => {
    const { path } = await newSnippet(project, ada);
    for (const body of ['one', 'two', 'three']) await as(ada).post(`${path}/notes`, { body });
    const bodies = async (query: string) => {
      const { body } = await as(ada).get(`${path}/notes?${query}`);
      return (body as { body: string }[]).map((note) => note.body);
    };
    expect(await bodies('sort=asc')).toEqual(['one', 'two', 'three']);
    expect(await bodies('order_by=updated_at&per_page=2')).toEqual(['three', 'two']);
    expect((await as(ada).fetch(`${path}/notes`)).headers.get('X-Total')).toBe('3');
    expect(await as(ada).get(`${path}/notes?sort=up`)).toEqual(
      refused.parameter('sort does not have a valid value'),
    );
  });

  test('can be written by users who see the snippet, and changed by their authors', async () => {
    const open = await newSnippet(project, ada, { visibility: 'public' });
    expect((await as(eve).post(`${open.path}/notes`, { body: 'Hi' })).status).toBe(201);
    const { body } = await as(ada).post(`${open.path}/notes`, { body: 'Mine' });
    const notePath = `${open.path}/notes/${(body as { id: number }).id}`;
    for (const person of [bob, eve]) {
      expect(await as(person).put(notePath, { body: 'x' })).toEqual(refused.forbidden);
      expect(await as(person).delete(notePath)).toEqual(refused.forbidden);
    }
    expect((await as(root).delete(notePath)).status).toBe(204);
  });

  test('on an invisible snippet respond with 404', async () => {
    const { path } = await newSnippet(project, ada);
    const elsewhere = await newSnippet(project, ada);
    const { body } = await as(ada).post(`${path}/notes`, { body: 'Mine' });
    const { id } = body as { id: number };
    const input = { body: 'Hi' };
    for (const [person, response] of [
      [eve, refused.record],
      [null, refused.anonymous],
    ] as const) {
      const client = as(person);
      expect(await client.get(`${path}/notes`)).toEqual(response);
      expect(await client.get(`${path}/notes/${id}`)).toEqual(response);
      expect(await client.post(`${path}/notes`, input)).toEqual(response);
      expect(await client.put(`${path}/notes/${id}`, input)).toEqual(response);
      expect(await client.delete(`${path}/notes/${id}`)).toEqual(response);
    }
    expect(await as(ada).get(`${elsewhere.path}/notes/${id}`)).toEqual(refused.record);
    const absent = `/projects/${project}/snippets/999999/notes`;
    expect(await as(ada).get(absent)).toEqual(refused.record);
    expect(await as(ada).post(`${path}/notes`, {})).toEqual(refused.parameter('body is missing'));
    const { id: off } = await seed.project('ada/off', {}, { snippets_enabled: false });
    expect(await as(ada).get(`/projects/${off}/snippets/1/notes`)).toEqual(refused.forbidden);
  });

  test('with only an emoji become an award', async () => {
    const { id, path } = await newSnippet(project, ada);
    expect(await as(bob).post(`${path}/notes`, { body: ':tada:' })).toEqual({
      status: 201,
      body: awardShape(url, bob, { id, type: 'Snippet' }, 'tada'),
    });
  });
});

describe('emoji on a snippet and on its notes', () => {
  test('are given, listed, shown and removed', async () => {
    const { id, path } = await newSnippet(project, ada);
    const { body } = await as(ada).post(`${path}/notes`, { body: 'Look' });
    const noteId = (body as { id: number }).id;
    for (const [address, shape] of [
      [`${path}/award_emoji`, awardShape(url, bob, { id, type: 'Snippet' }, 'thumbsup')],
      [
        `${path}/notes/${noteId}/award_emoji`,
        awardShape(url, bob, { id: noteId, type: 'Note' }, 'thumbsup'),
      ],
    ] as const) {
      const award = await as(bob).post(address, { name: 'thumbsup' });
      expect(award).toEqual({ status: 201, body: shape });
      const awardPath = `${address}/${(award.body as { id: number }).id}`;
      expect(await as(ada).get(address)).toEqual({ status: 200, body: [award.body] });
      expect(await as(ada).get(awardPath)).toEqual({ status: 200, body: award.body });
      expect(await as(ada).post(address, { name: 'thumbsup' })).toEqual(
        refused.missing('Award Emoji'),
      );
      expect(await as(cleo).delete(awardPath)).toEqual(refused.anonymous);
      expect(await as(bob).delete(awardPath)).toEqual({ status: 204, body: null });
      expect(await as(bob).get(awardPath)).toEqual(refused.missing('Award Emoji'));
      expect(await as(eve).get(address)).toEqual(refused.record);
      expect(await as(null).get(address)).toEqual(refused.anonymous);
    }
  });
});
