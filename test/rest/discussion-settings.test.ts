import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { reply, startThread, type TestDiscussion } from '../support/discussions.ts';
import { commit, git, workTree } from '../support/git.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote, db } = await world();
const ask = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: project } = await seed.project('ada/app', { developer: bob });
const owner = as(ada);

const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
const folder = await workTree({ 'a.txt': numbers.join(''), 'b.txt': 'b\n' });
afterAll(() => rm(folder, { recursive: true }));
const base = await git(folder, 'rev-parse', 'HEAD');
const origin = remote('ada/app', root);
await git(folder, 'push', '--quiet', origin, 'master');

/** A merge request of a new branch that changes lines 5 and 15 of `a.txt`. */
async function newMergeRequest(name: string) {
  await git(folder, 'checkout', '--quiet', '-B', name, base);
  const changed = numbers.with(4, 'five\n').with(14, 'fifteen\n').join('');
  const head = await commit(folder, { 'a.txt': changed }, 'Change');
  await git(folder, 'push', '--quiet', origin, name);
  const { body } = await owner.post(`/projects/${project}/merge_requests`, {
    source_branch: name,
    target_branch: 'master',
    title: name,
  });
  const { id, iid } = body as { readonly id: number; readonly iid: number };
  return { id, head, changed, path: `/projects/${project}/merge_requests/${iid}` };
}

const set = (settings: Readonly<Record<string, boolean>>) =>
  owner.put(`/projects/${project}`, settings);

describe('only_allow_merge_if_all_discussions_are_resolved', () => {
  test('an unresolved thread prevents the merge', async () => {
    await set({ only_allow_merge_if_all_discussions_are_resolved: true });
    const { path } = await newMergeRequest('blocked');
    await owner.post(`${path}/notes`, { body: 'An individual note does not count' });
    const thread = await startThread(owner, path);
    const response = await owner.put(`${path}/merge`);
    expect(response).toEqual({ status: 405, body: { message: '405 Method Not Allowed' } });
    await owner.put(`${path}/discussions/${thread.id}`, { resolved: true });
    expect(await owner.put(`${path}/merge`)).toMatchObject({ body: { state: 'merged' } });
  });

  test('otherwise it does not', async () => {
    await set({ only_allow_merge_if_all_discussions_are_resolved: false });
    await git(folder, 'checkout', '--quiet', '-B', 'open', base);
    await commit(folder, { 'open.txt': 'open\n' }, 'Add');
    await git(folder, 'push', '--quiet', origin, 'open');
    const { body } = await owner.post(`/projects/${project}/merge_requests`, {
      source_branch: 'open',
      target_branch: 'master',
      title: 'It',
    });
    const path = `/projects/${project}/merge_requests/${(body as { iid: number }).iid}`;
    await startThread(owner, path);
    expect(await owner.put(`${path}/merge`)).toMatchObject({ body: { state: 'merged' } });
  });
});

describe('resolve_outdated_diff_discussions', () => {
  const start = (path: string, head: string, line: Readonly<Record<string, number>>) =>
    startThread(owner, path, {
      position: {
        ...{ base_sha: base, start_sha: base, head_sha: head, position_type: 'text' },
        ...{ old_path: 'a.txt', new_path: 'a.txt', ...line },
      },
    });

  const read = async (path: string, { id }: Pick<TestDiscussion, 'id'>) =>
    (await owner.get(`${path}/discussions/${id}`)).body as TestDiscussion;

  /** Pushes as bob, and waits until the merge request follows. */
  async function push(id: number, files: Readonly<Record<string, string>>) {
    const sha = await commit(folder, files, 'Follow');
    await git(folder, 'push', '--quiet', '--force', remote('ada/app', bob), 'HEAD');
    await expect
      .poll(async () => (await db.mergeRequest.findUniqueOrThrow({ where: { id } })).sha)
      .toBe(sha);
    return sha;
  }

  test('a push resolves the threads whose lines it changes', async () => {
    await set({ resolve_outdated_diff_discussions: true });
    const { id, head, changed, path } = await newMergeRequest('followed');
    const stays = await start(path, head, { new_line: 5 });
    const moves = await start(path, head, { old_line: 13, new_line: 13 });
    const changes = await start(path, head, { new_line: 15 });
    await reply(owner, path, changes);
    const removed = await start(path, head, { old_line: 15 });
    const whole = await startThread(owner, path);
    const next = changed.replace('fifteen', 'zero').replace('1\n', 'above\n1\n');
    const tip = await push(id, { 'a.txt': next });

    const open = { resolved: false };
    const resolved = { resolved: true, resolved_by: { username: 'bob' } };
    for (const thread of [stays, moves, removed, whole])
      expect(await read(path, thread)).toMatchObject({ notes: [open] });
    expect(await read(path, changes)).toMatchObject({
      notes: [
        resolved,
        resolved,
        { system: true, body: `changed this line in ${tip}`, resolvable: false },
      ],
    });

    await push(id, { 'a.txt': next.replace('zero', '15').replace('five', '55') });
    for (const thread of [stays, removed])
      expect(await read(path, thread)).toMatchObject({ notes: [resolved, { system: true }] });
    expect(await read(path, whole)).toMatchObject({ notes: [open] });
    await owner.put(`${path}/discussions/${whole.id}`, { resolved: true });
    await push(id, { 'a.txt': 'all gone\n' });
    expect(await read(path, moves)).toMatchObject({ notes: [resolved, { system: true }] });
    const { body } = await owner.get(`${path}/notes?per_page=1`);
    expect(body).toMatchObject([{ body: expect.stringMatching(/^resolved all discussions$/) }]);
  });

  const resolutions = `query ($id: ID!) {
    node(id: $id) {
      ... on MergeRequest { discussions { nodes { isIndividual isResolved } } }
    }
  }`;

  test('the system note in a thread does not count as an open note', async () => {
    await set({ resolve_outdated_diff_discussions: true });
    const { id, head, path } = await newMergeRequest('answered');
    const thread = await start(path, head, { new_line: 5 });
    await push(id, { 'a.txt': 'all gone\n' });
    const answer = await reply(owner, path, thread);
    const resolved = { resolved: true };
    expect(await read(path, thread)).toMatchObject({
      notes: [resolved, { system: true }, { ...resolved, id: answer }],
    });
    const { body } = await ask(ada, resolutions, { id: `MergeRequest:${id}` });
    const nodes = expect.arrayContaining([{ isIndividual: false, isResolved: true }]);
    expect(body).toEqual({ data: { node: { discussions: { nodes } } } });
    // the system note becomes the first note
    await owner.delete(`${path}/discussions/${thread.id}/notes/${thread.notes[0].id}`);
    const { status } = await owner.put(`${path}/discussions/${thread.id}`, { resolved: false });
    expect(status).toBe(200);
    expect(await read(path, thread)).toMatchObject({
      notes: [{ system: true }, { resolved: false, id: answer }],
    });
  });

  test('otherwise it does not', async () => {
    await set({ resolve_outdated_diff_discussions: false });
    const { id, head, path } = await newMergeRequest('left');
    const thread = await start(path, head, { new_line: 5 });
    await push(id, { 'a.txt': 'all gone\n' });
    expect(await read(path, thread)).toMatchObject({ notes: [{ resolved: false }] });
  });
});

test('webhooks of notes have the position and the code of the line', async () => {
  // no server listens there: the test reads the stored deliveries
  await db.webHook.create({
    data: { projectId: project, url: 'http://192.0.2.1/', onNote: true },
  });
  const { head, path } = await newMergeRequest('hooked');
  const position = {
    ...{ base_sha: base, start_sha: base, head_sha: head, position_type: 'text' },
    ...{ old_path: 'a.txt', new_path: 'a.txt', old_line: null, new_line: 5 },
  };
  const thread = await startThread(owner, path, { position });
  await startThread(owner, path);
  await owner.post(`${path}/notes`, { body: 'Plain' });
  const deliveries = await db.hookDelivery.findMany({
    where: { event: 'Note Hook' },
    orderBy: { id: 'asc' },
  });
  const attributes = deliveries.map(
    ({ payload }) => (payload as { object_attributes: object }).object_attributes,
  );
  expect(attributes).toEqual([
    expect.objectContaining({
      type: 'DiffNote',
      discussion_id: thread.id,
      position,
      line_code: 'cfc7b4885384957ae445bc14914d4588f607651c_6_5',
    }),
    expect.objectContaining({ type: 'DiscussionNote', line_code: null }),
    expect.not.objectContaining({ type: expect.anything() }),
  ]);
});
