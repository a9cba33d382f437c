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

const wanted = { fileName: 'greet.rb', content: "puts 'Hi'", visibility: 'private' } as const;

describe('ProjectSnippets', () => {
  test('are made, listed, shown, changed and removed', async () => {
    const { ProjectSnippets } = client;
    const made = await ProjectSnippets.create('ada/app', 'Greeting', wanted);
    const shape = snippetShape(url, bob, made.id, '/ada/app');
    expect(made).toEqual(shape);
    expect(await ProjectSnippets.show(project, made.id)).toEqual(shape);
    expect(await ProjectSnippets.showContent(project, made.id)).toBe(wanted.content);
    expect(await ProjectSnippets.all(project)).toEqual([shape]);
    const changed = await ProjectSnippets.edit(project, made.id, { description: 'New' });
    expect(changed).toEqual({ ...shape, description: 'New' });
    await ProjectSnippets.remove(project, made.id);
    await expect(ProjectSnippets.show(project, made.id)).rejects.toThrow('404 Snippet Not Found');
  });
});

describe('Snippets', () => {
  test('are made, listed, shown, changed and removed', async () => {
    const { Snippets } = client;
    const made = await Snippets.create('Greeting', { ...wanted, visibility: 'public' });
    const shape = personalSnippetShape(url, bob, made.id);
    expect(made).toEqual(shape);
    expect(await Snippets.show(made.id)).toEqual(shape);
    expect(await Snippets.showContent(made.id)).toBe(wanted.content);
    expect(await Snippets.all()).toEqual([shape]);
    expect(await Snippets.all({ public: true })).toEqual([shape]);
    const changed = { ...shape, description: 'New' };
    expect(await Snippets.edit(made.id, { description: 'New' })).toEqual(changed);
    await Snippets.remove(made.id);
    expect(await Snippets.all()).toEqual([]);
  });

  test('all of more than a page are walked through', async () => {
    for (let n = 0; n < 25; n += 1) await newSnippet(null, bob, { title: `No ${n}` });
    const titles = (await client.Snippets.all()).map(({ title }) => title);
    expect(titles).toEqual(Array.from({ length: 25 }, (_, n) => `No ${24 - n}`));
  });
});

describe('ProjectSnippetNotes', () => {
  test('are made, listed, shown, changed and removed', async () => {
    const { ProjectSnippetNotes } = client;
    const { id: snippet } = await newSnippet(project, ada);
    const made = await ProjectSnippetNotes.create(project, snippet, 'Hello');
    const shape = {
      ...noteShape(url, bob, { id: snippet, iid: 0 }, { body: 'Hello', id: made.id }),
      noteable_type: 'Snippet',
      noteable_iid: null,
    };
    expect(made).toEqual(shape);
    expect(await ProjectSnippetNotes.show(project, snippet, made.id)).toEqual({
      ...shape,
      title: 'Greeting',
      file_name: 'greet.rb',
      expires_at: null,
    });
    expect(await ProjectSnippetNotes.all(project, snippet)).toEqual([shape]);
    expect(await ProjectSnippetNotes.edit(project, snippet, made.id, { body: 'Bye' })).toEqual({
      ...shape,
      body: 'Bye',
    });
    await ProjectSnippetNotes.remove(project, snippet, made.id);
    expect(await ProjectSnippetNotes.all(project, snippet)).toEqual([]);
  });
});

describe('ProjectSnippetAwardEmojis', () => {
  test('are given, listed, shown and taken back', async () => {
    const { ProjectSnippetAwardEmojis } = client;
    const { id } = await newSnippet(project, ada);
    const given = await ProjectSnippetAwardEmojis.award(project, id, 'tada');
    expect(given).toEqual(awardShape(url, bob, { id, type: 'Snippet' }, 'tada'));
    expect(await ProjectSnippetAwardEmojis.show(project, id, given.id)).toEqual(given);
    expect(await ProjectSnippetAwardEmojis.all(project, id)).toEqual([given]);
    await ProjectSnippetAwardEmojis.remove(project, id, given.id);
    expect(await ProjectSnippetAwardEmojis.all(project, id)).toEqual([]);
  });
});

test.each(['ProjectSnippets', 'Snippets', 'ProjectSnippetNotes', 'ProjectSnippetAwardEmojis'])(
  'every method of %s was called, or has no endpoint here',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);
