import { expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const rep = await seed.user('rep');
const gus = await seed.user('gus');
const eve = await seed.user('eve');
const roles = { reporter: rep, guest: gus };
const { id: app } = await seed.project('ada/app', roles, { snippets_enabled: true });
const { id: other } = await seed.project('ada/other', roles);
const at = `/projects/${app}`;
await seed.push('ada/app', { 'a.txt': 'a\n' });

const created = async (path: string, body: object) => {
  const response = await as(ada).post(path, { ...body });
  expect(response.status).toBe(201);
  return response.body as { readonly id: number; readonly iid: number };
};
const comment = async (path: string, text: string) => created(`${path}/notes`, { body: text });

await created(`${at}/repository/branches`, { branch: 'topic', ref: 'master' });
const issue = await created(`${at}/issues`, { title: 'Open' });
const secret = await created(`${at}/issues`, { title: 'Secret', confidential: true });
const merge = await created(`${at}/merge_requests`, {
  ...{ title: 'Merge', source_branch: 'topic', target_branch: 'master' },
});
const code = { title: 'Code', file_name: 'a.txt', code: 'x', visibility: 'private' };
const snippet = await created(`${at}/snippets`, code);
const elsewhere = await created(`/projects/${other}/issues`, { title: 'Elsewhere' });
await comment(`${at}/issues/${issue.iid}`, 'A needle in the issue');
await comment(`${at}/issues/${issue.iid}`, 'Hay, 100%');
await comment(`${at}/issues/${secret.iid}`, 'A needle in the secret');
await comment(`${at}/merge_requests/${merge.iid}`, 'A needle in the merge request');
await comment(`${at}/snippets/${snippet.id}`, 'A needle in the snippet');
await comment(`/projects/${other}/issues/${elsewhere.iid}`, 'A needle elsewhere');
await db.note.create({
  data: { issueId: issue.id, authorId: ada.id, body: 'moved the needle', isSystem: true },
});

const search = (user: TestUser | null, text: string, more = '') =>
  as(user).get(`${at}/search?scope=notes&search=${encodeURIComponent(text)}${more}`);

async function find(user: TestUser, text = 'NEEDLE', more = '') {
  const { status, body } = await search(user, text, more);
  expect(status).toBe(200);
  return (body as readonly { readonly body: string }[]).map((note) => note.body);
}

const inIssue = 'A needle in the issue';
const inSecret = 'A needle in the secret';
const inMerge = 'A needle in the merge request';
const inSnippet = 'A needle in the snippet';
const all = [inSnippet, inMerge, inSecret, inIssue];

test('finds the comments that the user may see, the newest first', async () => {
  expect(await find(ada)).toEqual(all);
  expect(await find(root)).toEqual(all);
  expect(await find(rep)).toEqual(all);
  // neither confidential issues nor the code
  expect(await find(gus)).toEqual([inSnippet, inIssue]);
});

test('a text is no pattern', async () => {
  expect(await find(ada, '0%')).toEqual(['Hay, 100%']);
  expect(await find(ada, 'nee_le')).toEqual([]);
});

test('shows notes as their listings do', async () => {
  for (const [path, text, iid] of [
    [`${at}/issues/${issue.iid}`, inIssue, issue.iid],
    [`${at}/merge_requests/${merge.iid}`, inMerge, merge.iid],
    [`${at}/snippets/${snippet.id}`, inSnippet, null],
  ] as const) {
    const { body: notes } = await as(ada).get(`${path}/notes`);
    const [note] = (await search(ada, text)).body as object[];
    expect(notes).toContainEqual(note);
    expect(note).toMatchObject({ body: text, noteable_iid: iid });
  }
});

test('has pages', async () => {
  expect(await find(ada, 'needle', '&per_page=1&page=2')).toEqual([inMerge]);
  const path = `${at}/search?scope=notes&search=needle&per_page=2`;
  const response = await as(ada).fetch(path);
  expect(response.headers.get('X-Total')).toBe('4');
  const byKeys = await as(ada).fetch(`${path}&pagination=keyset`);
  expect(byKeys.headers.get('Link')).toContain('rel="next"');
});

test('finds nothing on issues and merge requests that are disabled', async () => {
  const features = { issuesEnabled: false, mergeRequestsEnabled: false, snippetsEnabled: false };
  await db.project.update({ where: { id: app }, data: features });
  expect(await find(ada)).toEqual([]);
  const enabled = { issuesEnabled: true, mergeRequestsEnabled: true, snippetsEnabled: true };
  await db.project.update({ where: { id: app }, data: enabled });
});

test('is for users who see the project, and for texts of two characters', async () => {
  expect(await search(null, 'needle')).toEqual(refused.anonymous);
  expect(await search(eve, 'needle')).toEqual(refused.missing('Project'));
  expect(await search(ada, 'n')).toEqual(
    refused.invalid({ search: ['is too short (minimum is 2 characters)'] }),
  );
  expect(await as(ada).get(`${at}/search?scope=notes`)).toEqual(
    refused.parameter('search is missing'),
  );
});
