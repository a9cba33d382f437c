import { describe, expect, test } from 'vitest';
import { issuesOf } from '../support/discussion.ts';
import { startThread } from '../support/discussions.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { snippetsOf } from '../support/snippets.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const rep = await seed.user('rep');
const gus = await seed.user('gus');
const mia = await seed.user('mia');
const eve = await seed.user('eve');
const xeno = await seed.user('xeno', { isExternal: true });
const roles = { master: mia, reporter: rep, guest: gus };
const snippetsEnabled = { snippets_enabled: true };
const { id: closed } = await seed.project('ada/closed', roles, snippetsEnabled);
const { id: internal } = await seed.project('ada/internal', roles, { visibility: 'internal' });
const { id: open } = await seed.project('ada/open', roles, { visibility: 'public' });
const newIssue = issuesOf(db);
const newSnippet = snippetsOf(db);

/** The responses of every endpoint to a user, for a thread of the owner. */
async function answersTo(person: TestUser | null, path: string, author = ada) {
  const { id, notes } = await startThread(as(author), path);
  const client = as(person);
  const single = `${path}/discussions/${id}`;
  const note = `${single}/notes/${notes[0].id}`;
  const responses = [
    await client.get(`${path}/discussions`),
    await client.get(single),
    await client.get(`${single}/notes`),
    await client.get(note),
    await client.post(`${path}/discussions`, { body: 'Mine' }),
    await client.post(`${single}/notes`, { body: 'Mine' }),
    await client.put(note, { body: 'Changed' }),
    await client.delete(note),
  ];
  return responses.map(({ status, body }) =>
    status < 300 ? status : (body as { message: string }).message,
  );
}

const anonymous = Array(8).fill('401 Unauthorized');
const noProject = Array(8).fill('404 Project Not Found');
const notFound = Array(8).fill('404 Not found');
const talks = [200, 200, 200, 200, 201, 201, '403 Forbidden', '403 Forbidden'];
const rules = [200, 200, 200, 200, 201, 201, 200, 204];

describe('permissions on discussions of an issue', () => {
  test.each([
    ['an anonymous user', null, anonymous, anonymous, anonymous],
    ['a non-member', eve, noProject, talks, talks],
    ['an external user', xeno, noProject, noProject, talks],
    ['a guest', gus, talks, talks, talks],
    ['a reporter', rep, talks, talks, talks],
    ['a master', mia, rules, rules, rules],
    ['the owner, who is the author', ada, rules, rules, rules],
    ['an administrator', root, rules, rules, rules],
  ])('%s', async (_caller, person, inClosed, inInternal, inOpen) => {
    expect({
      closed: await answersTo(person, (await newIssue(closed, ada)).path),
      internal: await answersTo(person, (await newIssue(internal, ada)).path),
      open: await answersTo(person, (await newIssue(open, ada)).path),
    }).toEqual({ closed: inClosed, internal: inInternal, open: inOpen });
  });

  test('users change and delete their own notes', async () => {
    const { path } = await newIssue(open, ada);
    for (const person of [eve, xeno, gus]) {
      expect(await answersTo(person, path, person)).toEqual(rules);
    }
  });

  test('a confidential issue is hidden from guests and non-members', async () => {
    const { path } = await newIssue(open, ada, { isConfidential: true });
    for (const person of [eve, gus]) expect(await answersTo(person, path)).toEqual(notFound);
    expect(await answersTo(rep, path)).toEqual(talks);
  });

  test('without issues there are no discussions of them', async () => {
    const { path } = await newIssue(open, ada);
    const { id } = await startThread(as(ada), path);
    await db.project.update({ where: { id: open }, data: { issuesEnabled: false } });
    expect(await as(ada).get(`${path}/discussions`)).toEqual(refused.forbidden);
    expect(await as(ada).get(`${path}/discussions/${id}`)).toEqual(refused.forbidden);
    await db.project.update({ where: { id: open }, data: { issuesEnabled: true } });
  });
});

describe('permissions on discussions of a snippet', () => {
  test.each([
    ['an anonymous user', null, anonymous],
    ['a non-member', eve, noProject],
    ['a guest', gus, talks],
    ['a master', mia, rules],
  ])('%s', async (_caller, person, answers) => {
    const { path } = await newSnippet(closed, ada);
    expect(await answersTo(person, path)).toEqual(answers);
  });

  test('a private snippet of a public project is hidden from non-members', async () => {
    await db.project.update({ where: { id: open }, data: { snippetsEnabled: true } });
    const { path } = await newSnippet(open, ada);
    expect(await answersTo(eve, path)).toEqual(notFound);
  });
});
