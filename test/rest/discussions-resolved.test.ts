import { describe, expect, test } from 'vitest';
import { reply, startThread } from '../support/discussions.ts';
import { graphqlClientOf, refusal } from '../support/graphql.ts';
import { pushBranches } from '../support/merge-requests.ts';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, url, db } = await world();
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const rep = await seed.user('rep');
const gus = await seed.user('gus');
const eve = await seed.user('eve');
const roles = { developer: dev, reporter: rep, guest: gus };
const { id: project } = await seed.project('ada/app', roles, { visibility: 'public' });
const branches = Array.from({ length: 20 }, (_, number) => `topic-${number}`);
await pushBranches(remote('ada/app', root), branches);

/** A new merge request by `author`. */
async function newMergeRequest(author?: TestUser) {
  const authorId = (author ?? dev).id;
  const { body } = await as(dev).post(`/projects/${project}/merge_requests`, {
    source_branch: branches.pop(),
    target_branch: 'master',
    title: 'It',
  });
  const { id, iid } = body as { readonly id: number; readonly iid: number };
  await db.mergeRequest.update({ where: { id }, data: { authorId } });
  return `/projects/${project}/merge_requests/${iid}`;
}

const open = { resolvable: true, resolved: false, resolved_by: null };
const resolvedBy = (user: TestUser) => ({
  resolvable: true,
  resolved: true,
  resolved_by: basicUserShape(url, user),
});

const systemNotes = async (path: string) => {
  const { body } = await as(root).get(`${path}/notes?sort=asc`);
  return (body as { system: boolean; body: string }[])
    .filter(({ system }) => system)
    .map((note) => note.body);
};

describe('PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id', () => {
  test('resolves all notes and opens them again', async () => {
    const path = await newMergeRequest();
    const thread = await startThread(as(rep), path);
    await reply(as(ada), path, thread);
    const single = `${path}/discussions/${thread.id}`;
    const response = await as(dev).put(single, { resolved: true });
    const shown = { id: thread.id, notes: [resolvedBy(dev), resolvedBy(dev)] };
    expect(response).toMatchObject({ status: 200, body: shown });
    expect(await as(rep).get(single)).toMatchObject({ body: shown });
    // who resolved it first stays
    expect(await as(ada).put(single, { resolved: true })).toMatchObject({ body: shown });
    expect(await as(dev).put(`${single}?resolved=false`)).toMatchObject({
      status: 200,
      body: { notes: [open, open] },
    });
  });

  test('writes a system note when the last discussion is resolved', async () => {
    const path = await newMergeRequest();
    const threads = [await startThread(as(rep), path), await startThread(as(rep), path)];
    await as(rep).post(`${path}/notes`, { body: 'An individual note is not resolved' });
    const paths = threads.map(({ id }) => `${path}/discussions/${id}`);
    await as(dev).put(paths[0] ?? '', { resolved: true });
    expect(await systemNotes(path)).toEqual([]);
    await as(dev).put(paths[1] ?? '', { resolved: true });
    expect(await systemNotes(path)).toEqual(['resolved all discussions']);
    await as(dev).put(paths[1] ?? '', { resolved: true });
    expect(await systemNotes(path)).toEqual(['resolved all discussions']);
  });

  test('parallel calls write one system note', async () => {
    const path = await newMergeRequest();
    const threads = await Promise.all(Array.from({ length: 5 }, () => startThread(as(rep), path)));
    await Promise.all(
      threads.map(({ id }) => as(dev).put(`${path}/discussions/${id}`, { resolved: true })),
    );
    expect(await systemNotes(path)).toEqual(['resolved all discussions']);
  });

  test.each([
    [{}, 'resolved is missing'],
    [{ resolved: 'maybe' }, 'resolved is invalid'],
  ])('%j is rejected', async (params, text) => {
    const path = await newMergeRequest();
    const { id } = await startThread(as(rep), path);
    expect(await as(dev).put(`${path}/discussions/${id}`, params)).toEqual(refused.parameter(text));
  });

  test('an individual note cannot be resolved, and a missing discussion is missing', async () => {
    const path = await newMergeRequest();
    const { body: note } = await as(rep).post(`${path}/notes`, { body: 'Plain' });
    const [{ id }] = (await as(dev).get(`${path}/discussions`)).body as [{ id: string }];
    const single = `${path}/discussions/${id}`;
    expect(await as(dev).put(single, { resolved: true })).toEqual(refused.forbidden);
    const { id: noteId } = note as { readonly id: number };
    expect(await as(dev).put(`${single}/notes/${noteId}`, { resolved: true })).toEqual({
      status: 400,
      body: { message: '400 (Bad request) "Note is not resolvable" not given' },
    });
    expect(await as(dev).put(`${path}/discussions/${'0'.repeat(40)}`, { resolved: true })).toEqual(
      refused.missing('Discussion'),
    );
  });
});

test.each([
  ['an anonymous user', null, refused.anonymous],
  ['a non-member', eve, refused.forbidden],
  ['a guest', gus, refused.forbidden],
  ['a reporter, also of an own thread', rep, refused.forbidden],
  ['a developer', dev, null],
  ['the owner', ada, null],
  ['an administrator', root, null],
  ['the author of the merge request', 'author', null],
])('%s resolves discussions and notes', async (_name, caller, answer) => {
  const author = caller === 'author' ? rep : ada;
  const person = caller === 'author' ? rep : (caller as TestUser | null);
  const path = await newMergeRequest(author);
  const thread = await startThread(as(rep), path);
  const single = `${path}/discussions/${thread.id}`;
  const note = `${single}/notes/${thread.notes[0].id}`;
  const responses = [
    await as(person).put(note, { resolved: true }),
    await as(person).put(single, { resolved: false }),
  ];
  if (answer) expect(responses).toEqual([answer, answer]);
  else expect(responses.map(({ status }) => status)).toEqual([200, 200]);
});

test('a guest of a private project sees no discussion of a merge request', async () => {
  const path = await newMergeRequest();
  const thread = await startThread(as(rep), path);
  await db.project.update({ where: { id: project }, data: { visibility: 'private' } });
  const single = `${path}/discussions/${thread.id}`;
  expect(await as(gus).get(single)).toEqual(refused.forbidden);
  expect(await as(gus).put(single, { resolved: true })).toEqual(refused.forbidden);
  expect(await as(eve).get(`${path}/discussions`)).toEqual(refused.missing('Project'));
  expect(await as(eve).post(`${path}/discussions`, { body: 'a' })).toEqual(
    refused.missing('Project'),
  );
  await db.project.update({ where: { id: project }, data: { visibility: 'public' } });
});

test('a locked discussion is for members only', async () => {
  const path = await newMergeRequest(eve);
  const thread = await startThread(as(eve), path);
  await as(ada).put(path, { discussion_locked: true });
  const single = `${path}/discussions/${thread.id}`;
  expect(await as(eve).post(`${path}/discussions`, { body: 'a' })).toEqual(refused.forbidden);
  expect(await as(eve).post(`${single}/notes`, { body: 'a' })).toEqual(refused.forbidden);
  expect(await as(eve).put(single, { resolved: true })).toEqual(refused.forbidden);
  expect((await as(gus).post(`${single}/notes`, { body: 'a' })).status).toBe(201);
});

describe('notes of a thread', () => {
  test('a note is resolved alone, and a reply to a resolved thread is resolved', async () => {
    const path = await newMergeRequest();
    const thread = await startThread(as(rep), path);
    const id = await reply(as(rep), path, thread);
    const single = `${path}/discussions/${thread.id}`;
    expect(await as(dev).put(`${single}/notes/${id}`, { resolved: true })).toMatchObject({
      status: 200,
      body: { id, ...resolvedBy(dev) },
    });
    expect(await as(dev).get(single)).toMatchObject({ body: { notes: [open, resolvedBy(dev)] } });
    expect(await systemNotes(path)).toEqual([]);
    await as(dev).put(single, { resolved: true });
    await reply(as(rep), path, thread);
    expect((await as(dev).get(single)).body).toMatchObject({
      notes: [resolvedBy(dev), resolvedBy(dev), resolvedBy(rep)],
    });
    await as(dev).put(`${single}/notes/${id}`, { resolved: false });
    await reply(as(rep), path, thread);
    expect((await as(dev).get(single)).body).toMatchObject({
      notes: [{ resolved: true }, open, { resolved: true }, open],
    });
  });

  test('a change is of the text or of the resolution', async () => {
    const path = await newMergeRequest();
    const thread = await startThread(as(rep), path);
    const note = `${path}/discussions/${thread.id}/notes/${thread.notes[0].id}`;
    expect(await as(rep).put(note, {})).toEqual(
      refused.parameter('body, resolved are missing, exactly one parameter must be provided'),
    );
    expect(await as(rep).put(note, { body: 'a', resolved: true })).toEqual(
      refused.parameter('body, resolved are mutually exclusive'),
    );
    expect(await as(dev).put(note, { body: 'a' })).toEqual(refused.forbidden);
  });

  test('stay resolved without the user who resolved them', async () => {
    const path = await newMergeRequest();
    const thread = await startThread(as(rep), path);
    const gone = await seed.user('gone');
    await as(ada).post(`/projects/${project}/members`, { user_id: gone.id, access_level: 30 });
    const single = `${path}/discussions/${thread.id}`;
    await as(gone).put(single, { resolved: true });
    await db.user.delete({ where: { id: gone.id } });
    expect(await as(rep).get(single)).toMatchObject({
      body: { notes: [{ resolved: true, resolved_by: null }] },
    });
  });
});

test('a note whose resolution is refused keeps its text', async () => {
  const path = await newMergeRequest(ada);
  const [{ id, body }] = (await startThread(as(rep), path)).notes;
  const update = `mutation { updateNote(input: { id: "Note:${id}", body: "Changed", isResolved: true }) { note { id } } }`;
  expect(await graphqlClientOf(url)(rep, update)).toEqual(refusal('FORBIDDEN', 'Forbidden'));
  expect(await as(rep).get(`${path}/notes/${id}`)).toMatchObject({ body: { body } });
});
