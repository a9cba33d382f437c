import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import { basicUserShape, fullIssueShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const carl = await seed.user('carl');
const eve = await seed.user('eve', { isExternal: true });

await seed.group('acme', { owner: ada }, { visibility: 'internal' });
const app = await seed.project('acme/app', { reporter: rita, guest: gus });
const open = await seed.project('acme/open', {}, { visibility: 'internal' });

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const v1 = await db.milestone.create({
  data: { projectId: app.id, iid: 1, title: 'v1', dueDate: dateOf('2026-01-31') },
});
const foreign = await db.milestone.create({ data: { projectId: open.id, iid: 1, title: 'v9' } });
const v1Shape = {
  ...{ id: v1.id, iid: 1, project_id: app.id, title: 'v1', description: null, state: 'active' },
  ...{ created_at: instant, updated_at: instant, due_date: '2026-01-31', start_date: null },
};

const issues = `/projects/${app.id}/issues`;
const bodyOf = ({ body }: ApiResponse) => body as { id: number; iid: number };

/** The shape of a project's issue with these differences. */
const shape = (
  { id, iid }: { id: number; iid: number },
  title: string,
  author = ada,
  { isSubscribed = true, ...differences }: Readonly<Record<string, unknown>> = {},
) => ({
  ...fullIssueShape(
    url,
    { id, iid, projectId: app.id, fullPath: 'acme/app', title, author },
    isSubscribed as boolean,
  ),
  ...differences,
});

const userShape = (user: typeof ada) => basicUserShape(url, user);

/** An issue's system notes, in order. */
const systemNotes = async (issueId: number) => {
  const notes = await db.note.findMany({ where: { issueId }, orderBy: { id: 'asc' } });
  for (const { isSystem } of notes) expect(isSystem).toBe(true);
  return notes.map(({ body }) => body);
};

const openCount = async (id: number) =>
  (await db.project.findUniqueOrThrow({ where: { id } })).openIssuesCount;

describe('POST /projects/:id/issues', () => {
  test('a guest can create an issue with a title only', async () => {
    const response = await as(gus).post(issues, { title: '  It burns ' });
    const body = shape(bodyOf(response), 'It burns', gus);
    expect(response).toEqual({ status: 201, body });
    expect(await as(ada).get(`${issues}/${bodyOf(response).iid}`)).toEqual({
      status: 200,
      body: { ...body, subscribed: false },
    });
  });

  test('a reporter sets all fields', async () => {
    const response = await as(rita).post('/projects/acme%2Fapp/issues', {
      title: 'All',
      description: 'of it',
      confidential: true,
      assignee_ids: [gus.id, ada.id],
      milestone_id: v1.id,
      labels: 'late, bug',
      due_date: '2026-02-03',
    });
    const body = shape(bodyOf(response), 'All', rita, {
      ...{ description: 'of it', confidential: true, due_date: '2026-02-03' },
      ...{ labels: ['bug', 'late'], milestone: v1Shape },
      assignees: [userShape(ada), userShape(gus)],
      assignee: userShape(ada),
    });
    expect(response).toEqual({ status: 201, body });
    expect(await systemNotes(bodyOf(response).id)).toEqual([]);
    expect(
      await db.label.count({ where: { projectId: app.id, name: { in: ['late', 'bug'] } } }),
    ).toBe(2);
  });

  test('ignores labels, assignees, milestone and due date from a guest', async () => {
    const response = await as(gus).post(issues, {
      title: 'Mine',
      confidential: true,
      assignee_ids: [gus.id],
      milestone_id: v1.id,
      labels: 'guests-word',
      due_date: '2026-02-03',
    });
    const body = shape(bodyOf(response), 'Mine', gus, { confidential: true });
    expect(response).toEqual({ status: 201, body });
    expect(await db.label.count({ where: { name: 'guests-word' } })).toBe(0);
  });

  test('ignores assignees who cannot see the project, and foreign milestones', async () => {
    const response = await as(rita).post(issues, {
      title: 'Named',
      assignee_ids: [carl.id, gus.id, eve.id, 2 ** 31 - 1],
      milestone_id: foreign.id,
    });
    const body = shape(bodyOf(response), 'Named', rita, {
      assignees: [userShape(gus)],
      assignee: userShape(gus),
    });
    expect(response).toEqual({ status: 201, body });
    expect(await as(carl).get(`/projects/${app.id}`)).toEqual(refused.missing('Project'));
    expect(await as(rita).post(issues, { title: 'One', assignee_id: carl.id })).toMatchObject({
      body: { assignees: [], assignee: null },
    });
    const shared = await as(root).post(`/projects/${open.id}/issues`, {
      title: 'Internal',
      assignee_ids: [carl.id, eve.id],
    });
    expect(shared).toMatchObject({ status: 201, body: { assignees: [userShape(carl)] } });
  });

  test('only owners set created_at', async () => {
    const created_at = '2016-03-11T03:45:40.000Z';
    expect(await as(ada).post(issues, { title: 'Old', created_at })).toMatchObject({
      body: { created_at },
    });
    const inFuture = await as(rita).post(issues, {
      title: 'Old',
      created_at: '2999-01-01T00:00:00Z',
    });
    expect(inFuture.status).toBe(201);
    expect(inFuture.body).not.toMatchObject({ created_at: '2999-01-01T00:00:00.000Z' });
    expect(await as(ada).post(issues, { title: 'x', created_at: '2999-01-01T00:00:00Z' })).toEqual(
      refused.invalid({ created_at: ["can't be in the future"] }),
    );
    expect(await as(ada).post(issues, { title: 'x', created_at: 'soon' })).toEqual(
      refused.parameter('created_at is invalid'),
    );
  });

  test('counts open issues that are not confidential', async () => {
    const { id } = await seed.project('acme/counted');
    const before = await db.project.findUniqueOrThrow({ where: { id } });
    for (const confidential of [false, true, false]) {
      await as(ada).post(`/projects/${id}/issues`, { title: 'x', confidential });
    }
    expect(await openCount(id)).toBe(2);
    expect((await db.project.findUniqueOrThrow({ where: { id } })).updatedAt).toEqual(
      before.updatedAt,
    );
  });

  test('preserves emoji, right-to-left text and a megabyte of text', async () => {
    const title = '🧨 שלום '.repeat(20).trim();
    const description = 'é🧨'.repeat(160_000);
    const { status, body } = await as(ada).post(issues, { title, description });
    const stored = body as { title: string; description: string };
    // compared as a whole: a diff of two such texts would fill the screen
    expect([status, stored.title, stored.description === description]).toEqual([201, title, true]);
  });

  test('missing, blank, too long and malformed fields are rejected', async () => {
    const { post } = as(ada);
    expect(await post(issues)).toEqual(refused.parameter('title is missing'));
    expect(await post(issues, { title: '  ' })).toEqual(
      refused.invalid({ title: ["can't be blank"] }),
    );
    expect(await post(issues, { title: 'x'.repeat(256) })).toEqual(
      refused.invalid({ title: ['is too long (maximum is 255 characters)'] }),
    );
    const bad = { title: 'x', due_date: '2026-02-30', confidential: 'perhaps', assignee_ids: 'me' };
    expect(await post(issues, bad)).toEqual(
      refused.parameter('assignee_ids is invalid, due_date is invalid, confidential is invalid'),
    );
    expect(await post(issues, { title: 'x', labels: 'y'.repeat(256) })).toEqual(
      refused.invalid({ labels: ['is too long (maximum is 255 characters)'] }),
    );
    expect(await post(issues, { title: 'a\0b' })).toEqual(refused.parameter('title is invalid'));
  });

  test('anonymous users, non-members and disabled issues are refused', async () => {
    const input = { title: 'x' };
    expect(await as(null).post(`/projects/${open.id}/issues`, input)).toEqual(refused.anonymous);
    for (const outsider of [carl, eve]) {
      expect(await as(outsider).post(issues, input)).toEqual(refused.missing('Project'));
    }
    expect((await as(carl).post(`/projects/${open.id}/issues`, input)).status).toBe(201);
    expect(await as(eve).post(`/projects/${open.id}/issues`, input)).toEqual(
      refused.missing('Project'),
    );
    const { id } = await seed.project('acme/silent', {}, { issues_enabled: false });
    expect(await as(root).post(`/projects/${id}/issues`, input)).toEqual(refused.forbidden);
  });
});

const createIssue = async (input: Readonly<Record<string, unknown>> = {}, user = rita) =>
  bodyOf(await as(user).post(issues, { title: 'Before', ...input }));

describe('PUT /projects/:id/issues/:issue_iid', () => {
  test('a reporter changes all fields, and each change gets a system note', async () => {
    const issue = await createIssue();
    const response = await as(rita).put(`${issues}/${issue.iid}`, {
      title: 'After',
      description: 'told',
      assignee_ids: [ada.id, gus.id],
      milestone_id: v1.id,
      labels: ['words'],
      due_date: '2016-08-11',
      confidential: true,
      discussion_locked: true,
      state_event: 'close',
    });
    const body = shape(issue, 'After', rita, {
      ...{ description: 'told', due_date: '2016-08-11', confidential: true, state: 'closed' },
      ...{ discussion_locked: true, closed_at: instant, labels: ['words'], milestone: v1Shape },
      assignees: [userShape(ada), userShape(gus)],
      assignee: userShape(ada),
    });
    expect(response).toEqual({ status: 200, body });
    const { id } = await db.label.findFirstOrThrow({ where: { name: 'words' } });
    expect(await systemNotes(issue.id)).toEqual([
      'changed title from **{-Before-}** to **{+After+}**',
      'changed the description',
      'locked this issue',
      'changed due date to August 11, 2016',
      'made the issue confidential',
      'closed',
      'changed milestone to %"v1"',
      `added ~${id} label`,
      'assigned to @ada and @gus',
    ]);
    expect((await db.issue.findUniqueOrThrow({ where: { id: issue.id } })).closedById).toBe(
      rita.id,
    );
  });

  test('clears all fields', async () => {
    const input = { assignee_ids: [gus.id], milestone_id: v1.id, due_date: '2026-01-01' };
    const issue = await createIssue({ ...input, labels: 'a,b', confidential: true });
    const path = `${issues}/${issue.iid}`;
    await as(rita).put(path, { state_event: 'close', discussion_locked: true });
    const response = await as(rita).put(path, {
      ...{ assignee_ids: [], milestone_id: 0, due_date: '', labels: '' },
      ...{ confidential: false, discussion_locked: false, state_event: 'reopen' },
    });
    const body = shape(issue, 'Before', rita, { discussion_locked: false });
    expect(response).toEqual({ status: 200, body });
    const labels = await db.label.findMany({
      where: { projectId: app.id, name: { in: ['a', 'b'] } },
      orderBy: { id: 'asc' },
    });
    expect((await systemNotes(issue.id)).slice(2)).toEqual([
      ...['unlocked this issue', 'removed due date', 'made the issue visible to everyone'],
      ...['reopened', 'removed milestone'],
      `removed ${labels.map(({ id }) => `~${id}`).join(' ')} labels`,
      'unassigned @gus',
    ]);
  });

  test('0, an empty value and null clear a field', async () => {
    const input = { assignee_id: gus.id, milestone_id: v1.id, due_date: '2026-01-01' };
    const clear = [
      { assignee_id: 0, milestone_id: '', due_date: null },
      { assignee_id: '', milestone_id: null, due_date: '' },
      { assignee_ids: [0], milestone_id: '0', due_date: '' },
      { assignee_ids: '', milestone_id: 0, due_date: '' },
    ];
    for (const none of clear) {
      const { iid } = await createIssue(input);
      expect(await as(rita).put(`${issues}/${iid}`, none)).toMatchObject({
        body: { assignees: [], milestone: null, due_date: null },
      });
    }
  });

  test('replaces assignees and labels', async () => {
    const issue = await createIssue({ assignee_ids: [gus.id], labels: 'old,kept' });
    const path = `${issues}/${issue.iid}`;
    const changed = await as(rita).put(path, { assignee_id: rita.id, labels: 'kept,new' });
    expect(changed.body).toMatchObject({ assignees: [userShape(rita)], labels: ['kept', 'new'] });
    expect(await as(rita).put(path, { add_labels: 'more', remove_labels: 'kept' })).toMatchObject({
      body: { labels: ['more', 'new'] },
    });
    const labels = await db.label.findMany({ where: { projectId: app.id } });
    const id = (name: string) => `~${labels.find((label) => label.name === name)?.id}`;
    expect(await systemNotes(issue.id)).toEqual([
      `added ${id('new')} and removed ${id('old')} labels`,
      'assigned to @rita and unassigned @gus',
      `added ${id('more')} and removed ${id('kept')} labels`,
    ]);
  });

  test('assigning only users who cannot see the project changes nothing', async () => {
    const issue = await createIssue({ assignee_ids: [gus.id], milestone_id: v1.id });
    const path = `${issues}/${issue.iid}`;
    const same = { assignees: [userShape(gus)], milestone: v1Shape };
    for (const input of [
      { assignee_ids: [carl.id] },
      { assignee_id: eve.id },
      { milestone_id: foreign.id },
    ]) {
      expect(await as(rita).put(path, input)).toMatchObject({ status: 200, body: same });
    }
    expect(await systemNotes(issue.id)).toEqual([]);
  });

  test('unchanged values change nothing, not even updated_at', async () => {
    const issue = await createIssue({ description: 'same', labels: 'bug', assignee_ids: [gus.id] });
    const before = await as(rita).get(`${issues}/${issue.iid}`);
    const input = { title: 'Before', description: 'same', labels: 'bug', assignee_ids: [gus.id] };
    expect(
      await as(rita).put(`${issues}/${issue.iid}`, { ...input, state_event: 'reopen' }),
    ).toEqual(before);
    expect(await systemNotes(issue.id)).toEqual([]);
  });

  test('an author and an assignee below reporter change only texts and state', async () => {
    const own = await createIssue({}, gus);
    const assigned = await createIssue({ assignee_ids: [gus.id] });
    for (const { iid } of [own, assigned]) {
      const response = await as(gus).put(`${issues}/${iid}`, {
        ...{ title: 'His', description: 'words', state_event: 'close' },
        ...{ labels: 'no', milestone_id: v1.id, assignee_ids: [], due_date: '2026-01-01' },
        ...{ confidential: true, discussion_locked: true, created_at: '2016-01-01' },
      });
      expect(response).toMatchObject({
        status: 200,
        body: {
          ...{ title: 'His', description: 'words', state: 'closed', labels: [], milestone: null },
          ...{ due_date: null, confidential: false, discussion_locked: null },
          assignees: iid === own.iid ? [] : [userShape(gus)],
        },
      });
    }
  });

  test('only owners set timestamps', async () => {
    const { iid } = await createIssue();
    const times = {
      created_at: '2016-01-02T03:04:05.000Z',
      updated_at: '2017-01-02T03:04:05.000Z',
    };
    const response = await as(ada).put(`${issues}/${iid}`, { ...times, title: 'Old' });
    expect(response).toMatchObject({ status: 200, body: { ...times, title: 'Old' } });
    expect(
      await as(ada).put(`${issues}/${iid}`, { title: 'x', updated_at: '2999-01-01T00:00:00Z' }),
    ).toEqual(refused.invalid({ updated_at: ["can't be in the future"] }));
    const { body } = await as(rita).put(`${issues}/${iid}`, { ...times, title: 'Newer' });
    expect((body as { updated_at: string }).updated_at > '2026').toBe(true);
  });

  test('no field, a blank title and unknown state events are rejected', async () => {
    const path = `${issues}/${(await createIssue()).iid}`;
    const { put } = as(rita);
    expect(await put(path)).toEqual(
      refused.parameter(
        'title, description, assignee_ids, assignee_id, milestone_id, labels, created_at, ' +
          'due_date, confidential, discussion_locked, state_event, add_labels, remove_labels ' +
          'are missing, at least one parameter must be provided',
      ),
    );
    expect(await put(path, { title: '' })).toEqual(refused.invalid({ title: ["can't be blank"] }));
    expect(await put(path, { title: 'x'.repeat(256) })).toEqual(
      refused.invalid({ title: ['is too long (maximum is 255 characters)'] }),
    );
    expect(await put(path, { state_event: 'burn' })).toEqual(
      refused.parameter('state_event does not have a valid value'),
    );
    expect(await put(path, { milestone_id: 2 ** 31 })).toEqual(
      refused.parameter('milestone_id is invalid'),
    );
    expect(await put(path, { labels: Array.from({ length: 1001 }, (_, n) => `l${n}`) })).toEqual(
      refused.invalid({ labels: ['are too many (maximum is 1000)'] }),
    );
  });

  test('other users get 403, and 404 if they cannot see the issue', async () => {
    const input = { title: 'Theirs' };
    const plain = await createIssue();
    const secret = await createIssue({ confidential: true });
    expect(await as(null).put(`${issues}/${plain.iid}`, input)).toEqual(refused.anonymous);
    expect(await as(gus).put(`${issues}/${plain.iid}`, input)).toEqual(refused.forbidden);
    expect(await as(gus).put(`${issues}/${secret.iid}`, input)).toEqual(refused.record);
    expect(await as(carl).put(`${issues}/${plain.iid}`, input)).toEqual(refused.missing('Project'));
    expect(await as(ada).put(`${issues}/0`, input)).toEqual(refused.record);
    expect((await as(root).put(`${issues}/${secret.iid}`, input)).status).toBe(200);
  });
});
