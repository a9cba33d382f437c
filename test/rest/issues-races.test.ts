import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import { world } from '../support/world.ts';

const { as, seed, db } = await world();
const ada = await seed.user('ada');
const owner = as(ada);
await seed.group('acme', { owner: ada });

const statuses = (responses: readonly ApiResponse[]) =>
  responses.map(({ status }) => status).toSorted((a, b) => a - b);

const bodyOf = ({ body }: ApiResponse) => body as { id: number; iid: number };

const times = <Made>(count: number, make: (n: number) => Promise<Made>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

const project = async (path: string) => {
  const { id } = await seed.project(`acme/${path}`);
  return { id, issues: `/projects/${id}/issues` };
};

const stored = (id: number) =>
  db.project.findUniqueOrThrow({
    where: { id },
    select: { openIssuesCount: true, lastIssueIid: true },
  });

const systemNotes = (issueId: number) => db.note.count({ where: { issueId, isSystem: true } });

describe('issues created concurrently', () => {
  test('get numbers without gaps, in the order of their timestamps', async () => {
    const { id, issues } = await project('numbered');
    const responses = await times(50, (n) => owner.post(issues, { title: `n${n}` }));
    const iids = responses.map((response) => bodyOf(response).iid).toSorted((a, b) => a - b);
    expect(iids).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    const rows = await db.issue.findMany({
      where: { projectId: id },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    const moments = rows.toSorted((a, b) => a.iid - b.iid).map(({ createdAt }) => createdAt);
    expect(moments).toEqual(rows.map(({ createdAt }) => createdAt));
    expect(await stored(id)).toEqual({ openIssuesCount: 50, lastIssueIid: 50 });
  });

  test('share the labels that they create, each created once', async () => {
    const { id, issues } = await project('labelled');
    const words = ['a', 'b', 'c'];
    const responses = await times(20, (n) =>
      owner.post(issues, { title: 'x', labels: n % 2 ? words : words.toReversed() }),
    );
    expect(statuses(responses)).toEqual(Array(20).fill(201));
    for (const { body } of responses) expect(body).toMatchObject({ labels: words });
    expect(await db.label.count({ where: { projectId: id } })).toBe(3);
    expect(await stored(id)).toEqual({ openIssuesCount: 20, lastIssueIid: 20 });
  });

  test('and deleted concurrently leave the numbers and the count correct', async () => {
    const { id, issues } = await project('coming-and-going');
    await times(20, async () => {
      const { iid } = bodyOf(await owner.post(issues, { title: 'x' }));
      if (iid % 2 === 0) await owner.delete(`${issues}/${iid}`);
    });
    expect(await stored(id)).toEqual({ openIssuesCount: 10, lastIssueIid: 20 });
  });
});

describe('concurrent changes of one issue', () => {
  test('count once if all of them close it', async () => {
    const { id, issues } = await project('closed');
    const issue = bodyOf(await owner.post(issues, { title: 'x' }));
    const close = () => owner.put(`${issues}/${issue.iid}`, { state_event: 'close' });
    expect(statuses(await times(10, close))).toEqual(Array(10).fill(200));
    expect(await stored(id)).toMatchObject({ openIssuesCount: 0 });
    expect(await systemNotes(issue.id)).toBe(1);
  });

  test('lose no update', async () => {
    const { id, issues } = await project('fields');
    const { iid } = bodyOf(await owner.post(issues, { title: 'x', labels: 'old' }));
    const changes = [
      { title: 'New' },
      { description: 'told' },
      { due_date: '2026-01-02' },
      { confidential: true },
      { discussion_locked: true },
      { state_event: 'close' },
      { assignee_ids: [ada.id] },
      { add_labels: 'one' },
      { add_labels: 'two', remove_labels: 'old' },
    ];
    const responses = await Promise.all(
      changes.map((change) => owner.put(`${issues}/${iid}`, change)),
    );
    expect(statuses(responses)).toEqual(changes.map(() => 200));
    expect(await owner.get(`${issues}/${iid}`)).toMatchObject({
      body: {
        ...{ title: 'New', description: 'told', due_date: '2026-01-02', confidential: true },
        ...{ discussion_locked: true, state: 'closed', labels: ['one', 'two'] },
        assignees: [{ id: ada.id }],
      },
    });
    expect(await stored(id)).toMatchObject({ openIssuesCount: 0 });
  });

  test('closing, hiding and showing it, leave the count correct', async () => {
    const { id, issues } = await project('toggled');
    const { iid } = bodyOf(await owner.post(issues, { title: 'x' }));
    await times(24, (n) =>
      owner.put(
        `${issues}/${iid}`,
        n % 2 ? { state_event: n % 4 === 1 ? 'close' : 'reopen' } : { confidential: n % 4 === 0 },
      ),
    );
    const issue = await db.issue.findFirstOrThrow({ where: { projectId: id, iid } });
    const counted = issue.state === 'opened' && !issue.isConfidential ? 1 : 0;
    expect(await stored(id)).toMatchObject({ openIssuesCount: counted });
  });

  test('delete it once', async () => {
    const { id, issues } = await project('deleted');
    const { iid } = bodyOf(await owner.post(issues, { title: 'x' }));
    const responses = await times(5, () => owner.delete(`${issues}/${iid}`));
    expect(statuses(responses)).toEqual([204, 404, 404, 404, 404]);
    expect(await stored(id)).toEqual({ openIssuesCount: 0, lastIssueIid: 1 });
  });

  test('sum up the time spent', async () => {
    const { issues } = await project('spent');
    const { iid } = bodyOf(await owner.post(issues, { title: 'x' }));
    const spend = () => owner.post(`${issues}/${iid}/add_spent_time`, { duration: '1h' });
    expect(statuses(await times(10, spend))).toEqual(Array(10).fill(201));
    expect(await owner.get(`${issues}/${iid}/time_stats`)).toMatchObject({
      body: { total_time_spent: 36_000 },
    });
  });

  test('subscribe once', async () => {
    const { issues } = await project('subscribed');
    const { iid } = bodyOf(await owner.post(issues, { title: 'x' }));
    const responses = await times(5, () => owner.post(`${issues}/${iid}/unsubscribe`));
    expect(statuses(responses)).toEqual([201, 304, 304, 304, 304]);
  });
});

describe('concurrent moves', () => {
  test('create a single copy', async () => {
    const from = await project('from');
    const to = await project('to');
    const { iid } = bodyOf(await owner.post(from.issues, { title: 'x' }));
    const responses = await times(5, () =>
      owner.post(`${from.issues}/${iid}/move`, { to_project_id: to.id }),
    );
    expect(statuses(responses)).toEqual([201, 400, 400, 400, 400]);
    expect(await stored(from.id)).toEqual({ openIssuesCount: 0, lastIssueIid: 1 });
    expect(await stored(to.id)).toEqual({ openIssuesCount: 1, lastIssueIid: 1 });
  });

  test('in opposite directions do not deadlock', async () => {
    const [left, right] = [await project('left'), await project('right')];
    const leftIssues = await times(10, async () =>
      bodyOf(await owner.post(left.issues, { title: 'l' })),
    );
    const rightIssues = await times(10, async () =>
      bodyOf(await owner.post(right.issues, { title: 'r' })),
    );
    const moves = [
      ...leftIssues.map(({ iid }) =>
        owner.post(`${left.issues}/${iid}/move`, { to_project_id: right.id }),
      ),
      ...rightIssues.map(({ iid }) =>
        owner.post(`${right.issues}/${iid}/move`, { to_project_id: left.id }),
      ),
    ];
    expect(statuses(await Promise.all(moves))).toEqual(Array(20).fill(201));
    for (const { id } of [left, right]) {
      expect(await stored(id)).toEqual({ openIssuesCount: 10, lastIssueIid: 20 });
    }
  });
});
