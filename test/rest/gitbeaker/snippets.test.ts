import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { awardShape, noteShape } from '../../support/discussion.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { personalSnippetShape, snippetShape, snippetsOf } from '../../support/snippets.ts';
import { world } from '../../support/world.ts';

const { seed, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { client, called } = recordedClient(url, bob.token);
const { id: project } = await seed.project(
  'ada/app',
  { reporter: bob },
  { snippets_enabled: true },
);
const newSnippet = snippetsOf(db);

const input = { fileName: 'greet.rb', content: "puts 'Hi'", visibility: 'private' } as const;

describe('ProjectSnippets', () => {
  test('are created, listed, shown, changed and removed', async () => {
    const { ProjectSnippets } = client;
    const created = await ProjectSnippets.create('ada/app', 'Greeting', input);
    const shape = snippetShape(url, bob, created.id, '/ada/app');
    expect(created).toEqual(shape);
    expect(await ProjectSnippets.show(project, created.id)).toEqual(shape);
    expect(await ProjectSnippets.showContent(project, created.id)).toBe(input.content);
    expect(await ProjectSnippets.all(project)).toEqual([shape]);
    const changed = await ProjectSnippets.edit(project, created.id, { description: 'New' });
    expect(changed).toEqual({ ...shape, description: 'New' });
    await ProjectSnippets.remove(project, created.id);
    await expect(ProjectSnippets.show(project, created.id)).rejects.toThrow(
      '404 Snippet Not Found',
    );
  });
});

describe('Snippets', () => {
  test('are created, listed, shown, changed and removed', async () => {
    const { Snippets } = client;
    const created = await Snippets.create('Greeting', { ...input, visibility: 'public' });
    const shape = personalSnippetShape(url, bob, created.id);
    expect(created).toEqual(shape);
    expect(await Snippets.show(created.id)).toEqual(shape);
    expect(await Snippets.showContent(created.id)).toBe(input.content);
    expect(await Snippets.all()).toEqual([shape]);
    expect(await Snippets.all({ public: true })).toEqual([shape]);
    const changed = { ...shape, description: 'New' };
    expect(await Snippets.edit(created.id, { description: 'New' })).toEqual(changed);
    await Snippets.remove(created.id);
    expect(await Snippets.all()).toEqual([]);
  });

  test('all pages are fetched', async () => {
    for (let n = 0; n < 25; n += 1) await newSnippet(null, bob, { title: `No ${n}` });
    const titles = (await client.Snippets.all()).map(({ title }) => title);
    expect(titles).toEqual(Array.from({ length: 25 }, (_, n) => `No ${24 - n}`));
  });
});

describe('ProjectSnippetNotes', () => {
  test('are created, listed, shown, changed and removed', async () => {
    const { ProjectSnippetNotes } = client;
    const { id: snippet } = await newSnippet(project, ada);
    const created = await ProjectSnippetNotes.create(project, snippet, 'Hello');
    const shape = {
      ...noteShape(url, bob, { id: snippet, iid: 0 }, { body: 'Hello', id: created.id }),
      noteable_type: 'Snippet',
      noteable_iid: null,
    };
    expect(created).toEqual(shape);
    expect(await ProjectSnippetNotes.show(project, snippet, created.id)).toEqual({
      ...shape,
      title: 'Greeting',
      file_name: 'greet.rb',
      expires_at: null,
    });
    expect(await ProjectSnippetNotes.all(project, snippet)).toEqual([shape]);
    expect(await ProjectSnippetNotes.edit(project, snippet, created.id, { body: 'Bye' })).toEqual({
      ...shape,
      body: 'Bye',
    });
    await ProjectSnippetNotes.remove(project, snippet, created.id);
    expect(await ProjectSnippetNotes.all(project, snippet)).toEqual([]);
  });
});

describe('ProjectSnippetAwardEmojis', () => {
  test('are awarded, listed, shown and removed', async () => {
    const { ProjectSnippetAwardEmojis } = client;
    const { id } = await newSnippet(project, ada);
    const award = await ProjectSnippetAwardEmojis.award(project, id, 'tada');
    expect(award).toEqual(awardShape(url, bob, { id, type: 'Snippet' }, 'tada'));
    expect(await ProjectSnippetAwardEmojis.show(project, id, award.id)).toEqual(award);
    expect(await ProjectSnippetAwardEmojis.all(project, id)).toEqual([award]);
    await ProjectSnippetAwardEmojis.remove(project, id, award.id);
    expect(await ProjectSnippetAwardEmojis.all(project, id)).toEqual([]);
  });
});

test.each(['ProjectSnippets', 'Snippets', 'ProjectSnippetNotes', 'ProjectSnippetAwardEmojis'])(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);
