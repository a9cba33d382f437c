import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const [ada, bob, gus, rita, eve] = (await Promise.all(
  ['ada', 'bob', 'gus', 'rita', 'eve'].map((name) => seed.user(name)),
)) as [TestUser, TestUser, TestUser, TestUser, TestUser];
await seed.group('tools', { owner: ada }, { visibility: 'private' });
const members = { developer: bob, reporter: rita, guest: gus };
const { id: app } = await seed.project('tools/app', members);
await seed.push('tools/app', { 'README.md': '# App' });

interface Todo {
  readonly id: number;
  readonly action_name: string;
  readonly target_type: string;
  readonly target: { readonly iid: number; readonly title: string };
  readonly body: string;
  readonly state: string;
}

interface Record {
  readonly id: number;
  readonly iid: number;
}

const todosOf = async (person: TestUser, query = ''): Promise<readonly Todo[]> => {
  const { status, body } = await as(person).get(`/todos?${query}`);
  expect(status).toBe(200);
  return body as readonly Todo[];
};

/** What a user has to do, the newest first: `assigned: title`. */
const causesOf = async (person: TestUser, query?: string) =>
  (await todosOf(person, query)).map(
    ({ action_name, target }) => `${action_name}: ${target.title}`,
  );

const send = async (person: TestUser, path: string, body: object): Promise<Record> => {
  const response = await as(person).post(path, { ...body });
  expect(response.status).toBe(201);
  return response.body as Record;
};

const issues = `/projects/${app}/issues`;
const requests = `/projects/${app}/merge_requests`;
const openIssue = (fields: object, person = ada) => send(person, issues, fields);

let branches = 0;
const openRequest = async (fields: object, person = bob) => {
  branches += 1;
  const source_branch = `topic-${branches}`;
  await send(bob, `/projects/${app}/repository/branches`, { branch: source_branch, ref: 'master' });
  return send(person, requests, { source_branch, target_branch: 'master', ...fields });
};

const clear = async () => {
  await db.todo.deleteMany();
};

describe('GET /todos', () => {
  test('shows the target as its own endpoints do', async () => {
    await clear();
    const { iid } = await openIssue({ title: 'Broken', assignee_ids: [bob.id] });
    const listed = (await as(bob).get(issues)).body as readonly Record[];
    expect(await as(bob).get('/todos')).toEqual({
      status: 200,
      body: [
        {
          id: expect.any(Number),
          project: {
            id: app,
            name: 'app',
            name_with_namespace: 'tools / app',
            path: 'app',
            path_with_namespace: 'tools/app',
          },
          author: basicUserShape(url, ada),
          action_name: 'assigned',
          target_type: 'Issue',
          target: listed.find((issue) => issue.iid === iid),
          target_url: `${url}/tools/app/issues/${iid}`,
          body: 'Broken',
          state: 'pending',
          created_at: instant,
          updated_at: instant,
        },
      ],
    });
    expect(await as(ada).get('/todos')).toEqual({ status: 200, body: [] });
    expect(await as(root).get('/todos')).toEqual({ status: 200, body: [] });
    expect(await as(null).get('/todos')).toEqual(refused.anonymous);
  });

  test('has filters and pages', async () => {
    await clear();
    await openIssue({ title: 'one', description: 'cc @bob' });
    await openIssue({ title: 'two', assignee_ids: [bob.id] });
    await openRequest({ title: 'three', assignee_id: bob.id }, bob);
    const { id: other } = await seed.project('ada/other', { developer: bob });
    await send(ada, `/projects/${other}/issues`, { title: 'four', assignee_ids: [bob.id] });
    const { id: group } = (await as(ada).get('/groups/tools')).body as Record;
    const all = ['assigned: four', 'assigned: three', 'assigned: two', 'mentioned: one'];
    expect(await causesOf(bob)).toEqual(all);
    expect(await causesOf(bob, 'action=mentioned')).toEqual(all.slice(3));
    expect(await causesOf(bob, 'action=unmergeable')).toEqual([]);
    expect(await causesOf(bob, 'type=MergeRequest')).toEqual(['assigned: three']);
    expect(await causesOf(bob, 'type=Issue&action=assigned')).toEqual([all[0], all[2]]);
    expect(await causesOf(bob, `author_id=${bob.id}`)).toEqual(['assigned: three']);
    expect(await causesOf(bob, `project_id=${other}`)).toEqual(['assigned: four']);
    expect(await causesOf(bob, `group_id=${group}`)).toEqual(all.slice(1));
    expect(await causesOf(bob, 'project_id=0')).toEqual([]);
    const [newest] = await todosOf(bob);
    await as(bob).post(`/todos/${newest?.id}/mark_as_done`);
    expect(await causesOf(bob, 'state=done')).toEqual(['assigned: four']);
    const response = await as(bob).fetch('/todos?per_page=2&page=2');
    expect(response.headers.get('X-Total')).toBe('3');
    expect(await response.json()).toHaveLength(1);
    for (const name of ['action', 'state', 'type']) {
      expect(await as(bob).get(`/todos?${name}=none`)).toEqual(
        refused.parameter(`${name} does not have a valid value`),
      );
    }
  });

  test('hides what the user cannot see any more', async () => {
    await clear();
    const { iid } = await openIssue({ title: 'hidden', description: '@gus' });
    await openRequest({ title: 'code', description: '@rita' });
    expect(await causesOf(gus)).toEqual(['directly_addressed: hidden']);
    expect(await causesOf(rita)).toEqual(['directly_addressed: code']);
    const [todo] = await todosOf(gus);
    await as(ada).put(`${issues}/${iid}`, { confidential: true });
    expect(await causesOf(gus)).toEqual([]);
    expect(await as(gus).post(`/todos/${todo?.id}/mark_as_done`)).toEqual(refused.record);
    await as(ada).put(`${issues}/${iid}`, { confidential: false });
    await as(ada).put(`/projects/${app}`, { issues_enabled: false });
    expect(await causesOf(gus)).toEqual([]);
    await as(ada).put(`/projects/${app}`, { issues_enabled: true });
    expect(await causesOf(gus)).toEqual(['directly_addressed: hidden']);
    await as(ada).put(`/projects/${app}/members/${rita.id}`, { access_level: 10 });
    expect(await causesOf(rita)).toEqual([]);
    await as(ada).put(`/projects/${app}/members/${rita.id}`, { access_level: 20 });
    await as(ada).delete(`/projects/${app}/members/${gus.id}`);
    expect(await causesOf(gus)).toEqual([]);
    await as(ada).post(`/projects/${app}/members`, { user_id: gus.id, access_level: 10 });
    await as(ada).delete(`${issues}/${iid}`);
    expect(await causesOf(gus)).toEqual([]);
  });
});

describe('assignments', () => {
  test('make to-dos for new assignees only', async () => {
    await clear();
    const { iid } = await openIssue({ title: 'work', assignee_ids: [bob.id, eve.id] });
    expect(await causesOf(bob)).toEqual(['assigned: work']);
    expect(await causesOf(eve)).toEqual([]);
    await as(ada).put(`${issues}/${iid}`, { assignee_ids: [bob.id, rita.id] });
    expect(await causesOf(rita)).toEqual(['assigned: work']);
    expect(await causesOf(bob)).toEqual(['assigned: work']);
    const request = await openRequest({ title: 'mend' });
    await as(bob).put(`${requests}/${request.iid}`, { assignee_id: rita.id });
    expect(await causesOf(rita)).toEqual(['assigned: mend', 'assigned: work']);
  });

  test('make one to-do per target, also for the user who assigns it to themself', async () => {
    await clear();
    await openIssue({ title: 'own @ada', description: '@ada', assignee_ids: [ada.id] });
    expect(await causesOf(ada)).toEqual(['assigned: own @ada']);
  });
});

describe('mentions', () => {
  test('in notes make to-dos with the text and the place of the note', async () => {
    await clear();
    const { iid } = await openIssue({ title: 'talk' });
    const body = 'Hello @BOB, see @rita. And @ada, @nobody, mail@gus, `@gus`, @eve';
    const note = await send(ada, `${issues}/${iid}/notes`, { body });
    expect(await todosOf(bob)).toEqual([
      expect.objectContaining({
        action_name: 'mentioned',
        body,
        target_url: `${url}/tools/app/issues/${iid}#note_${note.id}`,
      }),
    ]);
    expect(await causesOf(rita)).toEqual(['mentioned: talk']);
    for (const person of [ada, gus, eve]) expect(await causesOf(person)).toEqual([]);
    await as(ada).delete(`${issues}/${iid}/notes/${note.id}`);
    expect(await causesOf(bob)).toEqual([]);
  });

  test('at the beginning of a line address the user directly', async () => {
    await clear();
    const { iid } = await openRequest({ title: 'review' });
    const body = 'Hi\n\n- @rita, @ada: please look\n```\n@gus\n```\nnot @gus';
    await send(bob, `${requests}/${iid}/notes`, { body });
    expect(await causesOf(rita)).toEqual(['directly_addressed: review']);
    expect(await causesOf(ada)).toEqual(['directly_addressed: review']);
  });

  test('make no to-do for users who do not see the target', async () => {
    await clear();
    await openIssue({ title: 'secret', description: '@gus @rita @eve', confidential: true });
    await openRequest({ title: 'code', description: '@gus @rita' });
    const hidden = await openIssue({ title: 'gus', confidential: true }, gus);
    await send(ada, `${issues}/${hidden.iid}/notes`, { body: '@gus' });
    expect(await causesOf(gus)).toEqual(['directly_addressed: gus']);
    expect(await causesOf(rita)).toEqual([
      'directly_addressed: code',
      'directly_addressed: secret',
    ]);
    expect(await db.todo.count({ where: { userId: eve.id } })).toBe(0);
    expect(await db.todo.count({ where: { userId: gus.id } })).toBe(1);
  });

  test('that a changed text adds make to-dos', async () => {
    await clear();
    const { iid } = await openIssue({ title: 'text', description: 'for @bob' });
    await as(bob).post('/todos/mark_as_done');
    await as(ada).put(`${issues}/${iid}`, { description: 'for @bob and @rita' });
    expect(await causesOf(bob)).toEqual([]);
    expect(await causesOf(rita)).toEqual(['mentioned: text']);
    const path = `${issues}/${iid}/notes`;
    const note = await send(ada, path, { body: 'nothing' });
    await as(ada).put(`${path}/${note.id}`, { body: '@gus' });
    expect(await causesOf(gus)).toEqual(['directly_addressed: text']);
    const request = await openRequest({ title: 'request' });
    await as(bob).put(`${requests}/${request.iid}`, { title: 'for @gus and @ada' });
    expect(await causesOf(ada)).toEqual(['mentioned: for @gus and @ada']);
  });

  test('of many names are bounded', async () => {
    await clear();
    const { iid } = await openIssue({ title: 'loud' });
    const names = Array.from({ length: 20_000 }, (_, n) => `@user${n}`).join(' ');
    await send(ada, `${issues}/${iid}/notes`, { body: `x @bob ${names} @rita` });
    expect(await causesOf(bob)).toEqual(['mentioned: loud']);
    expect(await causesOf(rita)).toEqual([]);
    await send(ada, `${issues}/${iid}/notes`, { body: '@gus'.repeat(60_000) });
    await send(ada, `${issues}/${iid}/notes`, { body: `${'@'.repeat(200_000)}rita` });
    expect(await causesOf(rita)).toEqual([]);
  });
});

describe('acting on the target', () => {
  test('marks the to-do of the user as done, not those of others', async () => {
    await clear();
    const { iid } = await openIssue({ title: 'act', assignee_ids: [bob.id, rita.id] });
    await send(bob, `${issues}/${iid}/notes`, { body: 'on it' });
    expect(await causesOf(bob)).toEqual([]);
    expect(await causesOf(bob, 'state=done')).toEqual(['assigned: act']);
    expect(await causesOf(rita)).toEqual(['assigned: act']);
    await as(rita).put(`${issues}/${iid}`, { state_event: 'close' });
    expect(await causesOf(rita)).toEqual([]);
    await send(ada, `${issues}/${iid}/notes`, { body: '@bob again' });
    expect(await causesOf(bob)).toEqual(['directly_addressed: act']);
    await send(bob, `${issues}/${iid}/discussions`, { body: 'a thread for @rita' });
    expect(await causesOf(bob)).toEqual([]);
    expect(await causesOf(rita)).toEqual(['mentioned: act']);
  });

  test('an approval marks that of the user who approves as done', async () => {
    await clear();
    const { iid } = await openRequest({ title: 'approve', assignee_id: ada.id });
    await send(rita, `${requests}/${iid}/notes`, { body: '@bob' });
    await as(ada).post(`${requests}/${iid}/approve`);
    expect(await causesOf(ada)).toEqual([]);
    expect(await causesOf(bob)).toEqual(['directly_addressed: approve']);
  });

  test('merging marks that of the user who merges as done', async () => {
    await clear();
    const { iid, source_branch } = (await openRequest({
      title: 'merge',
      assignee_id: ada.id,
    })) as Record & { readonly source_branch: string };
    await send(bob, `/projects/${app}/repository/files/new.txt`, {
      branch: source_branch,
      content: 'new',
      commit_message: 'Add a file',
    });
    expect(await causesOf(ada)).toEqual(['assigned: merge']);
    await expect
      .poll(async () => (await as(ada).put(`${requests}/${iid}/merge`, {})).status)
      .toBe(200);
    expect(await causesOf(ada)).toEqual([]);
  });
});

describe('a failed pipeline of the head of a merge request', () => {
  test('makes a to-do for its author, which a later success marks as done', async () => {
    await clear();
    const { iid } = await openRequest({ title: 'tested' });
    const { body } = await as(bob).get(`${requests}/${iid}`);
    const { sha, source_branch: ref } = body as { sha: string; source_branch: string };
    const report = (state: string, name: string) =>
      send(bob, `/projects/${app}/statuses/${sha}`, { state, name, ref });
    await report('running', 'lint');
    expect(await causesOf(bob)).toEqual([]);
    await report('failed', 'lint');
    await expect.poll(() => causesOf(bob)).toEqual(['build_failed: tested']);
    expect(await causesOf(ada)).toEqual([]);
    await report('success', 'lint');
    await expect.poll(() => causesOf(bob)).toEqual([]);
    await report('failed', 'lint');
    await expect.poll(() => causesOf(bob)).toEqual(['build_failed: tested']);
    await as(bob).put(`${requests}/${iid}`, { state_event: 'close' });
    await report('success', 'lint');
    await report('failed', 'lint');
    expect(await causesOf(bob)).toEqual([]);
  });
});

describe('POST /todos/:todo_id/mark_as_done', () => {
  test('responds with the to-do, also a second time', async () => {
    await clear();
    await openIssue({ title: 'done', assignee_ids: [bob.id] });
    const [todo] = await todosOf(bob);
    const path = `/todos/${todo?.id}/mark_as_done`;
    const done = await as(bob).post(path);
    expect(done).toEqual({
      status: 201,
      body: { ...todo, state: 'done', updated_at: instant },
    });
    expect(await as(bob).post(path)).toEqual(done);
    for (const person of [ada, root]) expect(await as(person).post(path)).toEqual(refused.record);
    expect(await as(null).post(path)).toEqual(refused.anonymous);
    expect(await as(bob).post('/todos/0/mark_as_done')).toEqual(refused.record);
  });
});

describe('POST /todos/mark_as_done', () => {
  test('marks all to-dos of the caller', async () => {
    await clear();
    await openIssue({ title: 'first', assignee_ids: [bob.id, rita.id] });
    await openIssue({ title: 'second', assignee_ids: [bob.id] });
    expect((await as(bob).post('/todos/mark_as_done')).status).toBe(204);
    expect(await causesOf(bob)).toEqual([]);
    expect(await causesOf(bob, 'state=done')).toHaveLength(2);
    expect(await causesOf(rita)).toHaveLength(1);
    expect(await as(null).post('/todos/mark_as_done')).toEqual(refused.anonymous);
  });
});

describe.each([
  ['issues', () => openIssue({ title: 'later' })],
  ['merge_requests', () => openRequest({ title: 'later' })],
])('POST /projects/:id/%s/:iid/todo', (kind, open) => {
  test('makes a to-do, unless there is a pending one', async () => {
    await clear();
    const { iid } = await open();
    const path = `/projects/${app}/${kind}/${iid}/todo`;
    const created = await as(rita).post(path);
    expect(created).toMatchObject({
      status: 201,
      body: { action_name: 'marked', body: 'later', state: 'pending', target: { iid } },
    });
    expect((created.body as { author: object }).author).toEqual(basicUserShape(url, rita));
    // whether it can be merged is computed meanwhile
    const target: unknown = expect.objectContaining({ iid });
    expect(await todosOf(rita)).toEqual([{ ...(created.body as object), target }]);
    expect((await as(rita).post(path)).status).toBe(304);
    await as(rita).post('/todos/mark_as_done');
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await as(rita).post(path)).status),
    );
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 304)]);
  });

  test('requires that the caller sees the target', async () => {
    const { iid } = await open();
    const path = `/projects/${app}/${kind}/${iid}/todo`;
    expect(await as(null).post(path)).toEqual(refused.anonymous);
    expect(await as(eve).post(path)).toEqual(refused.missing('Project'));
    expect(await as(rita).post(`/projects/${app}/${kind}/0/todo`)).toEqual(refused.record);
    expect((await as(gus).post(path)).status).toBe(kind === 'issues' ? 201 : 403);
  });
});

test('a deleted user who caused a to-do leaves it without an author', async () => {
  await clear();
  const max = await seed.user('max');
  await as(ada).post(`/projects/${app}/members`, { user_id: max.id, access_level: 30 });
  await openIssue({ title: 'orphan', assignee_ids: [bob.id] }, max);
  await as(root).delete(`/users/${max.id}`);
  await expect.poll(async () => (await as(root).get(`/users/${max.id}`)).status).toBe(404);
  expect(await todosOf(bob)).toEqual([expect.objectContaining({ author: null, body: 'orphan' })]);
});
