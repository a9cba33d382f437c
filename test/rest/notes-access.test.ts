import { describe, expect, test } from 'vitest';
import { issuesOf, noteShape, type TestIssue } from '../support/discussion.ts';
import type { TestUser } from '../support/seed.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const names = ['ada', 'bob', 'carl', 'dora', 'mia', 'eve'] as const;
const [ada, bob, carl, dora, mia, eve] = (await Promise.all(
  names.map((name) => seed.user(name)),
)) as [TestUser, TestUser, TestUser, TestUser, TestUser, TestUser];
const xeno = await seed.user('xeno', { isExternal: true });

const roles = { master: mia, developer: dora, reporter: bob, guest: carl };
const { id: closed } = await seed.project('ada/closed', roles);
const { id: internal } = await seed.project('ada/internal', roles, { visibility: 'internal' });
const { id: open } = await seed.project('ada/open', roles, { visibility: 'public' });
const newIssue = issuesOf(db);

const storeNote = async ({ id }: TestIssue, author: TestUser, isSystem = false) =>
  (await db.note.create({ data: { issueId: id, authorId: author.id, body: 'Said', isSystem } })).id;

/** The responses of every endpoint to a user, for another user's note. */
async function answersTo(person: TestUser | null, issue: TestIssue, author = dora) {
  const notePath = `${issue.path}/notes/${await storeNote(issue, author)}`;
  const client = as(person);
  const responses = [
    await client.get(`${issue.path}/notes`),
    await client.get(notePath),
    await client.post(`${issue.path}/notes`, { body: 'Mine' }),
    await client.put(notePath, { body: 'Changed' }),
    await client.delete(notePath),
  ];
  return responses.map(({ status, body }) =>
    status < 300 ? status : `${status} ${(body as { message: string }).message}`,
  );
}

const anonymous = Array(5).fill('401 401 Unauthorized');
const talks = [200, 200, 201, '403 403 Forbidden', '403 403 Forbidden'];
const rules = [200, 200, 201, 200, 204];
const reads = [200, 200, ...Array(3).fill('403 403 Forbidden')];
const noProject = Array(5).fill('404 404 Project Not Found');
const notFound = Array(5).fill('404 404 Not found');

describe('permissions on notes of other users', () => {
  test.each([
    ['an anonymous user', null, anonymous, anonymous, anonymous],
    ['a non-member', eve, noProject, talks, talks],
    ['an external user', xeno, noProject, noProject, talks],
    ['a guest', carl, talks, talks, talks],
    ['a reporter', bob, talks, talks, talks],
    ['a master', mia, rules, rules, rules],
    ['the owner', ada, rules, rules, rules],
    ['an administrator', root, rules, rules, rules],
  ])('%s with other users’ notes', async (_viewer, person, inClosed, inInternal, inOpen) => {
    expect({
      closed: await answersTo(person, await newIssue(closed, ada)),
      internal: await answersTo(person, await newIssue(internal, ada)),
      open: await answersTo(person, await newIssue(open, ada)),
    }).toEqual({ closed: inClosed, internal: inInternal, open: inOpen });
  });

  test('users change and delete their own notes', async () => {
    const issue = await newIssue(open, ada);
    for (const person of [eve, xeno, carl, bob, dora]) {
      expect(await answersTo(person, issue, person)).toEqual(rules);
    }
  });

  test('a removed member no longer can', async () => {
    const issue = await newIssue(closed, ada);
    const formerMember = await seed.user('gone');
    await as(ada).post(`/projects/${closed}/members`, {
      user_id: formerMember.id,
      access_level: 30,
    });
    expect(await answersTo(formerMember, issue, formerMember)).toEqual(rules);
    await as(ada).delete(`/projects/${closed}/members/${formerMember.id}`);
    expect(await answersTo(formerMember, issue, formerMember)).toEqual(noProject);
  });

  test('parameters are checked before permissions, and authentication before both', async () => {
    const { path } = await newIssue(closed, ada);
    expect(await as(null).post(`${path}/notes`, {})).toEqual(refused.anonymous);
    expect(await as(eve).post(`${path}/notes`, {})).toEqual(refused.parameter('body is missing'));
  });
});

describe('system notes', () => {
  test('are visible to all, and deletable by masters but not by the user they are about', async () => {
    const issue = await newIssue(open, ada);
    const notePath = `${issue.path}/notes/${await storeNote(issue, dora, true)}`;
    expect(await as(eve).get(notePath)).toMatchObject({ status: 200, body: { system: true } });
    expect(await as(eve).put(notePath, { body: 'x' })).toEqual(refused.forbidden);
    expect(await as(dora).put(notePath, { body: 'x' })).toMatchObject({
      status: 200,
      body: { body: 'Said' },
    });
    expect(await as(dora).delete(notePath)).toEqual(refused.forbidden);
    expect(await as(mia).delete(notePath)).toEqual({ status: 204, body: null });
  });
});

describe('a confidential issue', () => {
  test.each([
    ['an anonymous user', null, anonymous],
    ['a non-member', eve, notFound],
    ['a guest', carl, notFound],
    ['a reporter', bob, talks],
    ['a master', mia, rules],
  ])('as %s sees it', async (_viewer, person, expected) => {
    const issue = await newIssue(open, ada, { isConfidential: true });
    expect(await answersTo(person, issue)).toEqual(expected);
  });

  test('accepts notes from its author and its assignee', async () => {
    const own = await newIssue(open, eve, { isConfidential: true });
    expect(await answersTo(eve, own)).toEqual(talks);
    const issue = await newIssue(open, ada, { isConfidential: true });
    await db.issueAssignee.create({ data: { issueId: issue.id, userId: carl.id } });
    expect(await answersTo(carl, issue)).toEqual(talks);
  });
});

describe('a locked discussion', () => {
  test.each([
    ['an anonymous user', null, anonymous],
    ['a non-member', eve, reads],
    ['a guest', carl, talks],
    ['a reporter', bob, talks],
    ['a master', mia, rules],
    ['an administrator', root, rules],
  ])('as %s sees it', async (_viewer, person, expected) => {
    const issue = await newIssue(open, ada, { isDiscussionLocked: true });
    expect(await answersTo(person, issue)).toEqual(expected);
  });

  test('users who are not members cannot change earlier notes, nor award an emoji by a note', async () => {
    const issue = await newIssue(open, eve, { isDiscussionLocked: true });
    expect(await answersTo(eve, issue, eve)).toEqual(reads);
    expect(await as(eve).post(`${issue.path}/notes`, { body: '🎉' })).toEqual(refused.forbidden);
    expect(await db.awardEmoji.count({ where: { issueId: issue.id } })).toBe(0);
  });

  test('members can', async () => {
    const issue = await newIssue(open, eve, { isDiscussionLocked: true });
    expect(await answersTo(carl, issue, carl)).toEqual(rules);
  });

  test('an unlocked discussion is open to all', async () => {
    const issue = await newIssue(open, ada, { isDiscussionLocked: false });
    expect(await answersTo(eve, issue)).toEqual(talks);
  });
});

describe('missing records', () => {
  test('a note, an issue or a project respond with 404', async () => {
    const issue = await newIssue(open, ada);
    const otherIssue = await newIssue(open, ada);
    const other = await newIssue(closed, ada);
    const id = await storeNote(issue, ada);
    const far = issue.iid + 1000;
    for (const path of [
      `${issue.path}/notes/${id + 1000}`,
      `${issue.path}/notes/99999999999`,
      `${otherIssue.path}/notes/${id}`,
      `${other.path}/notes/${id}`,
      `/projects/${open}/issues/${far}/notes/${id}`,
      `/projects/${open}/issues/99999999999/notes/${id}`,
    ]) {
      expect(await as(ada).get(path)).toEqual(refused.record);
      expect(await as(ada).put(path, { body: 'x' })).toEqual(refused.record);
      expect(await as(ada).delete(path)).toEqual(refused.record);
    }
    const none = `/projects/${open}/issues/${far}/notes`;
    expect(await as(ada).get(none)).toEqual(refused.record);
    expect(await as(ada).post(none, { body: 'x' })).toEqual(refused.record);
    expect(await as(ada).get('/projects/0/issues/1/notes')).toEqual(refused.missing('Project'));
    expect(await as(ada).get(`${issue.path}/notes/${id}`)).toMatchObject({ status: 200 });
  });

  test('malformed numbers are rejected', async () => {
    const { path } = await newIssue(open, ada);
    expect(await as(ada).get(`${path}/notes/x`)).toEqual(refused.parameter('note_id is invalid'));
    expect(await as(ada).get(`/projects/${open}/issues/x/notes`)).toEqual(
      refused.parameter('issue_iid is invalid'),
    );
  });

  test('the issue’s number comes from the path', async () => {
    const issue = await newIssue(open, ada);
    const body = { body: 'Here', issue_iid: 1_000, issue_id: 1_000 };
    expect(await as(ada).post(`${issue.path}/notes`, body)).toEqual({
      status: 201,
      body: noteShape(url, ada, issue, { body: 'Here' }),
    });
  });

  test('issues of a project where they are disabled respond with 403', async () => {
    const { id } = await seed.project('ada/without', { guest: carl }, { issues_enabled: false });
    const issue = await newIssue(id, ada);
    expect(await answersTo(ada, issue)).toEqual(Array(5).fill('403 403 Forbidden'));
    expect(await answersTo(eve, issue)).toEqual(noProject);
  });
});

describe('POST /graphql', () => {
  const request = async (query: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'Private-Token': carl.token,
      },
      body: JSON.stringify({ query }),
    });
    return ((await response.json()) as { readonly data: unknown }).data;
  };

  test.each([
    ['note', 'Hello', '__typename', 'Note'],
    ['note', 'Hello', 'id', expect.stringMatching(/^Note:\d+$/)],
    ['note', 'Hello', 'isSystem', false],
    ['note', 'Hello', 'createdAt', instant],
    ['awardEmoji', '🚀', '__typename', 'AwardEmoji'],
    ['awardEmoji', '🚀', 'id', expect.anything()],
    ['awardEmoji', '🚀', 'createdAt', instant],
  ])('createNote { %s } of "%s" is shown by %s alone', async (type, body, field, value) => {
    const { id } = await newIssue(open, ada);
    expect(
      await request(`mutation {
        createNote(input: { noteableId: "Issue:${id}", body: "${body}" }) {
          ${type} { ${field} }
          ${type === 'note' ? 'awardEmoji' : 'note'} { __typename }
        }
      }`),
    ).toEqual({
      createNote: { [type]: { [field]: value }, [type === 'note' ? 'awardEmoji' : 'note']: null },
    });
  });

  test('shows notes and emoji with any selection of their authors', async () => {
    const { id, iid } = await newIssue(open, ada);
    const noteable = `noteableId: "Issue:${id}"`;
    const person = '{ username email account { identities { provider } } }';
    const carlsOwn = { username: 'carl', email: carl.email, account: { identities: [] } };
    const createNote = (body: string) => `mutation {
      createNote(input: { ${noteable}, body: "${body}" }) {
        note { body author ${person} }
        awardEmoji { name user ${person} }
      }
    }`;
    expect(await request(createNote('Hello'))).toEqual({
      createNote: { note: { body: 'Hello', author: carlsOwn }, awardEmoji: null },
    });
    expect(await request(createNote('🚀'))).toEqual({
      createNote: { note: null, awardEmoji: { name: 'rocket', user: carlsOwn } },
    });
    expect(
      await request(`{ issue(projectId: "${open}", iid: ${iid}) {
        notes { total nodes { body author ${person} } }
        awardEmojis { total nodes { name user ${person} } }
      } }`),
    ).toEqual({
      issue: {
        notes: { total: 1, nodes: [{ body: 'Hello', author: carlsOwn }] },
        awardEmojis: { total: 1, nodes: [{ name: 'rocket', user: carlsOwn }] },
      },
    });
  });
});
