import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import { basicUserShape, fullIssueShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const carl = await seed.user('carl');

const acme = await seed.group('acme', { owner: ada });
const app = await seed.project('acme/app', { reporter: rita, guest: gus });
const target = await seed.project('acme/target', { reporter: rita });
const other = await seed.project('carl/other', { guest: rita, reporter: ada });

const issues = `/projects/${app.id}/issues`;
const bodyOf = ({ body }: ApiResponse) => body as { id: number; iid: number };

const createIssue = async (input: Readonly<Record<string, unknown>> = {}, user = rita) =>
  bodyOf(await as(user).post(issues, { title: 'Before', ...input }));

const openCount = async (id: number) =>
  (await db.project.findUniqueOrThrow({ where: { id } })).openIssuesCount;

const notesOf = async (issueId: number) => {
  const notes = await db.note.findMany({
    where: { issueId },
    include: { awardEmojis: true },
    orderBy: { id: 'asc' },
  });
  return notes.map(({ id: _id, issueId: _issueId, awardEmojis, ...note }) => ({
    ...note,
    awards: awardEmojis.map(({ userId, name, createdAt }) => ({ userId, name, createdAt })),
  }));
};

const insufficient = {
  status: 400,
  body: { message: 'Cannot move issue due to insufficient permissions!' },
};

describe('POST /projects/:id/issues/:issue_iid/move', () => {
  test('copies the issue with its notes, and closes the original', async () => {
    await db.label.create({ data: { projectId: target.id, name: 'bug', color: '#fff' } });
    await db.label.create({ data: { namespaceId: acme.id, name: 'late', color: '#fff' } });
    const title = 'v1';
    await db.milestone.create({ data: { projectId: app.id, iid: 1, title } });
    const otherMilestone = await db.milestone.create({
      data: { projectId: target.id, iid: 1, title },
    });
    const milestone_id = (await db.milestone.findFirstOrThrow({ where: { projectId: app.id } })).id;
    await as(ada).post(`/projects/${target.id}/issues`, { title: 'first' });
    const issue = await createIssue({
      ...{ description: 'Details', labels: 'bug,late,only-here', milestone_id },
      ...{ assignee_ids: [gus.id, ada.id], due_date: '2026-02-03' },
    });
    await db.issue.update({
      where: { id: issue.id },
      data: {
        ...{ timeEstimate: 3600, totalTimeSpent: 60, userNotesCount: 2, upvotes: 1 },
        createdAt: new Date('2016-01-01T00:00:00Z'),
        awardEmojis: { create: { userId: ada.id, name: 'thumbsup' } },
        notes: {
          create: [
            {
              authorId: gus.id,
              body: 'one',
              createdAt: new Date('2016-01-02T00:00:00Z'),
              awardEmojis: { create: [{ userId: rita.id, name: 'tada' }] },
            },
            {
              authorId: null,
              body: '🧨',
              awardEmojis: { create: [{ userId: ada.id, name: 'x' }] },
            },
            { authorId: ada.id, body: 'changed the description', isSystem: true },
          ],
        },
      },
    });
    const before = await notesOf(issue.id);
    const response = await as(rita).post(`${issues}/${issue.iid}/move`, {
      to_project_id: target.id,
    });
    const { id } = bodyOf(response);
    const traits = { id, iid: 2, projectId: target.id, fullPath: 'acme/target' };
    expect(response).toEqual({
      status: 201,
      body: {
        ...fullIssueShape(url, { ...traits, title: 'Before', author: rita }, true),
        ...{ description: 'Details', labels: ['bug', 'late'], due_date: '2026-02-03' },
        milestone: {
          ...{ id: otherMilestone.id, iid: 1, project_id: target.id, title, description: null },
          ...{ state: 'active', created_at: instant, updated_at: instant },
          ...{ due_date: null, start_date: null },
        },
        // gus cannot see the target project
        assignees: [basicUserShape(url, ada)],
        assignee: basicUserShape(url, ada),
        ...{ created_at: '2016-01-01T00:00:00.000Z', user_notes_count: 2, upvotes: 1 },
        time_stats: {
          ...{ time_estimate: 3600, total_time_spent: 60 },
          ...{ human_time_estimate: '1h', human_total_time_spent: '1m' },
        },
      },
    });
    const after = await notesOf(id);
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.at(-1)).toMatchObject({
      ...{ body: `moved from acme/app#${issue.iid}`, isSystem: true, authorId: rita.id },
    });
    const awards = await db.awardEmoji.findMany({ where: { issueId: id } });
    expect(awards.map(({ userId, name }) => [userId, name])).toEqual([[ada.id, 'thumbsup']]);

    expect(await db.issue.findUniqueOrThrow({ where: { id: issue.id } })).toMatchObject({
      ...{ state: 'closed', movedToId: id, closedById: rita.id },
    });
    expect((await notesOf(issue.id)).at(-1)).toMatchObject({ body: 'moved to acme/target#2' });
    expect([await openCount(app.id), await openCount(target.id)]).toEqual([0, 2]);
  });

  test('a closed or confidential issue stays closed or confidential', async () => {
    const counts = [await openCount(app.id), await openCount(target.id)];
    const secret = await createIssue({ confidential: true });
    const closed = await createIssue();
    await as(rita).put(`${issues}/${closed.iid}`, { state_event: 'close' });
    const move = { to_project_id: target.id };
    expect(await as(rita).post(`${issues}/${secret.iid}/move`, move)).toMatchObject({
      ...{ status: 201, body: { confidential: true, state: 'opened' } },
    });
    expect(await as(rita).post(`${issues}/${closed.iid}/move`, move)).toMatchObject({
      ...{ status: 201, body: { confidential: false, state: 'closed' } },
    });
    expect([await openCount(app.id), await openCount(target.id)]).toEqual(counts);
  });

  test('the system notes hide the name of a project that is not visible to all readers', async () => {
    const open = await seed.project('rita/open', {}, { visibility: 'public' });
    const move = async (from: number, iid: number, to: number) =>
      bodyOf(await as(rita).post(`/projects/${from}/issues/${iid}/move`, { to_project_id: to }));
    const outgoing = bodyOf(await as(rita).post(`/projects/${open.id}/issues`, { title: 'x' }));
    const hidden = await move(open.id, outgoing.iid, app.id);
    expect(await notesOf(outgoing.id)).toMatchObject([{ body: 'moved to another project' }]);
    expect(await notesOf(hidden.id)).toMatchObject([{ body: 'moved from rita/open#1' }]);
    const incoming = await createIssue();
    const shown = await move(app.id, incoming.iid, open.id);
    expect(await notesOf(incoming.id)).toMatchObject([{ body: 'moved to rita/open#2' }]);
    expect(await notesOf(shown.id)).toMatchObject([{ body: 'moved from another project' }]);
  });

  test('a second move, a low level in either project and an unsuitable target are refused', async () => {
    const { iid } = await createIssue({}, gus);
    const path = `${issues}/${iid}/move`;
    const move = (user: typeof ada, to: number) => as(user).post(path, { to_project_id: to });
    const archived = await seed.project('acme/archived', { reporter: rita });
    await as(ada).post(`/projects/${archived.id}/archive`);
    const withoutIssues = await seed.project('acme/silent', {}, { issues_enabled: false });
    expect(await move(rita, other.id)).toEqual(insufficient);
    expect(await move(rita, archived.id)).toEqual(insufficient);
    expect(await move(ada, withoutIssues.id)).toEqual(insufficient);
    expect(await move(rita, app.id)).toEqual({
      status: 400,
      body: { message: 'Cannot move issue to project it originates from!' },
    });
    await as(root).post(`/projects/${target.id}/members`, { user_id: gus.id, access_level: 20 });
    expect(await move(gus, target.id)).toEqual(insufficient);
    expect((await move(root, target.id)).status).toBe(201);
    expect(await move(root, target.id)).toEqual(insufficient);
  });

  test('invisible issues and projects respond with 404, and a target is required', async () => {
    const path = `${issues}/${(await createIssue()).iid}/move`;
    const move = { to_project_id: target.id };
    expect(await as(null).post(path, move)).toEqual(refused.anonymous);
    expect(await as(carl).post(path, move)).toEqual(refused.missing('Project'));
    const hidden = await seed.project('acme/hidden');
    for (const to_project_id of [hidden.id, 0, 2 ** 40]) {
      expect(await as(rita).post(path, { to_project_id })).toEqual(refused.missing('Project'));
    }
    expect(await as(rita).post(`${issues}/0/move`, move)).toEqual(refused.record);
    const secret = await createIssue({ confidential: true });
    expect(await as(gus).post(`${issues}/${secret.iid}/move`, move)).toEqual(refused.record);
    expect(await as(rita).post(path)).toEqual(refused.parameter('to_project_id is missing'));
    expect(await as(rita).post(path, { to_project_id: 'x' })).toEqual(
      refused.parameter('to_project_id is invalid'),
    );
  });
});

describe('DELETE /projects/:id/issues/:issue_iid', () => {
  test('owners and administrators delete an issue, and its number is not reused', async () => {
    const { id } = await seed.project('acme/emptied', { reporter: rita });
    const path = `/projects/${id}/issues`;
    for (const user of [ada, root]) {
      const { iid } = bodyOf(await as(rita).post(path, { title: 'x' }));
      expect(await openCount(id)).toBe(1);
      expect(await as(user).delete(`${path}/${iid}`)).toEqual({ status: 204, body: null });
      expect(await openCount(id)).toBe(0);
      expect(await as(user).delete(`${path}/${iid}`)).toEqual(refused.missing('Issue'));
    }
    expect(await as(rita).post(path, { title: 'x' })).toMatchObject({ body: { iid: 3 } });
  });

  test('closed and confidential issues do not change the count of open ones', async () => {
    const { id } = await seed.project('acme/uncounted');
    const path = `/projects/${id}/issues`;
    await as(ada).post(path, { title: 'stays' });
    const secret = bodyOf(await as(ada).post(path, { title: 'x', confidential: true }));
    const closed = bodyOf(await as(ada).post(path, { title: 'x' }));
    await as(ada).put(`${path}/${closed.iid}`, { state_event: 'close' });
    await as(ada).delete(`${path}/${secret.iid}`);
    await as(ada).delete(`${path}/${closed.iid}`);
    expect(await openCount(id)).toBe(1);
  });

  test('other users get 403, even the author', async () => {
    const path = `${issues}/${(await createIssue({}, gus)).iid}`;
    expect(await as(null).delete(path)).toEqual(refused.anonymous);
    for (const user of [gus, rita]) expect(await as(user).delete(path)).toEqual(refused.forbidden);
    expect(await as(carl).delete(path)).toEqual(refused.missing('Project'));
    const secret = await createIssue({ confidential: true });
    expect(await as(gus).delete(`${issues}/${secret.iid}`)).toEqual(refused.missing('Issue'));
  });

  test('with If-Unmodified-Since keeps an issue that was changed since', async () => {
    const path = `${issues}/${(await createIssue()).iid}`;
    const headers = { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' };
    const response = await as(ada).fetch(path, { method: 'DELETE', headers });
    expect([response.status, await response.json()]).toEqual([
      412,
      { message: '412 Precondition Failed' },
    ]);
    expect((await as(ada).get(path)).status).toBe(200);
  });
});
