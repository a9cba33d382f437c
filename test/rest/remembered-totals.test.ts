import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '../../prisma/client.ts';
import { oldChangesDeletion } from '../../schema/listing/old-changes.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

// every total counts as slow
const limits = { remembered: { slowStatement: -1, slowValue: -1 } };
const { as, seed, db, databaseUrl } = await world({ limits });
const ada = await seed.user('ada');
const guest = await seed.user('guest');
const outsider = await seed.user('outsider');
const session = await openSession(databaseUrl);
const other = await openSession(databaseUrl);
afterAll(() => Promise.all([session.end(), other.end()]));

let projects = 0;
let project: { readonly id: number };
let path: string;
beforeEach(async () => {
  projects += 1;
  const settings = { visibility: 'internal' };
  project = await seed.project(`ada/app-${projects}`, { guest }, settings);
  path = `/projects/${project.id}/issues`;
});

const responseTo = async (user: TestUser, url: string) => {
  const response = await as(user).fetch(url);
  const rows = (await response.json()) as unknown[];
  return { total: Number(response.headers.get('X-Total')), rows: rows.length };
};

/** The total of a listing, which equals its rows, as they fit on a page. */
async function totalOf(user: TestUser, url: string): Promise<number> {
  const { total, rows } = await responseTo(user, url);
  expect(rows).toBe(total);
  return total;
}

/** Asks until the total is remembered. */
async function remember(user: TestUser, url: string): Promise<number> {
  await totalOf(user, url);
  await totalOf(user, url);
  return totalOf(user, url);
}

const createIssue = async (title: string, fields = {}) => {
  const { status, body } = await as(ada).post(path, { title, ...fields });
  expect(status).toBe(201);
  return body as { readonly id: number; readonly iid: number };
};

const insertIssue = (iid: number) =>
  `INSERT INTO issues (project_id, iid, author_id, updated_at) VALUES (${project.id}, ${iid}, ${ada.id}, now())`;

describe('X-Total', () => {
  test('is remembered: a change that triggers do not record is not counted', async () => {
    await createIssue('One');
    await remember(ada, path);
    await session.query('SET session_replication_role = replica');
    await session.query(insertIssue(100));
    await session.query('RESET session_replication_role');
    expect(await responseTo(ada, path)).toEqual({ total: 1, rows: 1 });
  });

  test('is exact after each change of the rows', async () => {
    const opened = `${path}?state=opened`;
    const labelled = `${path}?labels=bug`;
    const unlabelled = `${path}?labels=No+Label`;
    const assigned = `${path}?assignee_id=${guest.id}`;
    const searched = `${path}?search=needle`;
    const urls = [path, opened, labelled, unlabelled, assigned, searched];
    const totals = () => Promise.all(urls.map((url) => totalOf(ada, url)));
    const { iid } = await createIssue('One');
    for (const url of urls) await remember(ada, url);
    expect(await totals()).toEqual([1, 1, 0, 1, 0, 0]);
    const second = await createIssue('Two', { labels: 'bug' });
    expect(await totals()).toEqual([2, 2, 1, 1, 0, 0]);
    await as(ada).put(`${path}/${iid}`, { labels: 'bug,urgent' });
    expect(await totals()).toEqual([2, 2, 2, 0, 0, 0]);
    await as(ada).put(`${path}/${iid}`, { state_event: 'close' });
    expect(await totals()).toEqual([2, 1, 2, 0, 0, 0]);
    await as(ada).put(`${path}/${iid}`, { assignee_ids: [guest.id] });
    expect(await totals()).toEqual([2, 1, 2, 0, 1, 0]);
    await as(ada).put(`${path}/${iid}`, { title: 'A needle' });
    expect(await totals()).toEqual([2, 1, 2, 0, 1, 1]);
    await as(ada).delete(`/projects/${project.id}/labels?name=bug`);
    expect(await totals()).toEqual([2, 1, 0, 1, 1, 1]);
    await as(ada).delete(`${path}/${iid}`);
    expect(await totals()).toEqual([1, 1, 0, 1, 0, 0]);
    await as(ada).delete(`${path}/${second.iid}`);
    expect(await totals()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('is exact after changes of what the user may see', async () => {
    const all = '/issues?scope=all&per_page=100';
    await createIssue('Open');
    await createIssue('Secret', { confidential: true });
    const before = await remember(guest, all);
    const outside = await remember(outsider, all);
    await as(ada).put(`/projects/${project.id}/members/${guest.id}`, { access_level: 20 });
    expect(await totalOf(guest, all)).toBe(before + 1);
    await as(ada).put(`/projects/${project.id}`, { visibility: 'private' });
    expect(await totalOf(guest, all)).toBe(before + 1);
    expect(await totalOf(outsider, all)).toBe(outside - 1);
    await as(ada).delete(`/projects/${project.id}/members/${guest.id}`);
    expect(await totalOf(guest, all)).toBe(before - 1);
    await as(ada).put(`/projects/${project.id}`, { visibility: 'internal', issues_enabled: false });
    expect(await totalOf(outsider, all)).toBe(outside - 1);
    await as(ada).put(`/projects/${project.id}`, { issues_enabled: true });
    expect(await totalOf(outsider, all)).toBe(outside);
  });

  test('is exact for a share with a group', async () => {
    const group = await seed.group(
      `team-${projects}`,
      { reporter: outsider },
      { visibility: 'internal' },
    );
    await as(ada).put(`/projects/${project.id}`, { visibility: 'private' });
    await createIssue('One');
    const all = '/issues?scope=all&per_page=100';
    const before = await remember(outsider, all);
    const share = { group_id: group.id, group_access: 20 };
    expect((await as(ada).post(`/projects/${project.id}/share`, share)).status).toBe(201);
    expect(await totalOf(outsider, all)).toBe(before + 1);
    await as(ada).delete(`/projects/${project.id}/share/${group.id}`);
    expect(await totalOf(outsider, all)).toBe(before);
  });

  test('follows other connections at their commit, also of transactions that began before the count', async () => {
    await session.query('BEGIN');
    await session.query(insertIssue(100));
    expect(await remember(ada, path)).toBe(0);
    await session.query(insertIssue(101));
    expect(await totalOf(ada, path)).toBe(0);
    await session.query('COMMIT');
    expect(await totalOf(ada, path)).toBe(2);
  });

  test('follows transactions that overlap, in the order of their commits', async () => {
    await session.query('BEGIN');
    await other.query('BEGIN');
    await session.query(insertIssue(100));
    await other.query(insertIssue(101));
    expect(await remember(ada, path)).toBe(0);
    await other.query('COMMIT');
    expect(await totalOf(ada, path)).toBe(1);
    expect(await remember(ada, path)).toBe(1);
    await session.query('COMMIT');
    expect(await totalOf(ada, path)).toBe(2);
  });

  test('does not change with a transaction that is rolled back, wholly or to a savepoint', async () => {
    await remember(ada, path);
    await session.query('BEGIN');
    await session.query(insertIssue(100));
    await session.query('ROLLBACK');
    expect(await totalOf(ada, path)).toBe(0);
    await session.query('BEGIN');
    await session.query('SAVEPOINT attempt');
    await session.query(insertIssue(100));
    await session.query('ROLLBACK TO attempt');
    await session.query(insertIssue(101));
    await session.query('COMMIT');
    expect(await totalOf(ada, path)).toBe(1);
  });

  test('follows rows that foreign keys delete or change', async () => {
    const milestone = await as(ada).post(`/projects/${project.id}/milestones`, { title: 'v1' });
    const { id } = milestone.body as { readonly id: number };
    await createIssue('One', { milestone_id: id });
    const planned = `${path}?milestone=v1`;
    expect(await remember(ada, planned)).toBe(1);
    expect(await remember(ada, `${path}?milestone=No+Milestone`)).toBe(0);
    await session.query('DELETE FROM milestones WHERE id = $1', [id]);
    expect(await totalOf(ada, planned)).toBe(0);
    expect(await totalOf(ada, `${path}?milestone=No+Milestone`)).toBe(1);
  });

  test('is exact for each of many requests at the same time as writes', async () => {
    await remember(ada, path);
    for (let count = 1; count <= 5; count += 1) {
      await createIssue(`Issue ${count}`);
      const totals = await Promise.all(Array.from({ length: 20 }, () => totalOf(ada, path)));
      expect(new Set(totals)).toEqual(new Set([count]));
    }
  });
});

test('a page of few known rows has their present order and columns', async () => {
  const issues = [];
  for (const title of ['One', 'Two', 'Three']) issues.push(await createIssue(title));
  const page = async (number: number) => {
    const { body } = await as(ada).get(`${path}?order_by=updated_at&per_page=2&page=${number}`);
    return (body as { title: string; user_notes_count: number }[]).map(
      ({ title, user_notes_count: notes }) => [title, notes],
    );
  };
  for (const _ of [1, 2, 3])
    expect(await page(1)).toEqual([
      ['Three', 0],
      ['Two', 0],
    ]);
  expect(await page(2)).toEqual([['One', 0]]);
  expect(await page(3)).toEqual([]);
  await as(ada).post(`${path}/${issues[0]?.iid}/notes`, { body: 'A note' });
  expect(await page(1)).toEqual([
    ['One', 1],
    ['Three', 0],
  ]);
  expect(await page(2)).toEqual([['Two', 0]]);
});

test('the counts of labels are remembered and exact', async () => {
  const { iid } = await createIssue('One', { labels: 'bug,urgent' });
  const labels = `/projects/${project.id}/labels`;
  const counts = async (user: TestUser) => {
    const { body } = await as(user).get(labels);
    return (body as { open_issues_count: number; closed_issues_count: number }[]).map(
      ({ open_issues_count: opened, closed_issues_count: closed }) => [opened, closed],
    );
  };
  for (const _ of [1, 2, 3])
    expect(await counts(ada)).toEqual([
      [1, 0],
      [1, 0],
    ]);
  for (const _ of [1, 2, 3])
    expect(await counts(guest)).toEqual([
      [1, 0],
      [1, 0],
    ]);
  await session.query('SET session_replication_role = replica');
  await session.query(`UPDATE issues SET state = 'closed' WHERE project_id = $1`, [project.id]);
  expect(await counts(ada)).toEqual([
    [1, 0],
    [1, 0],
  ]);
  await session.query(`UPDATE issues SET state = 'opened' WHERE project_id = $1`, [project.id]);
  await session.query('RESET session_replication_role');
  await as(ada).put(`${path}/${iid}`, { state_event: 'close' });
  expect(await counts(ada)).toEqual([
    [0, 1],
    [0, 1],
  ]);
  await as(ada).put(`${path}/${iid}`, { labels: 'urgent' });
  expect(await counts(ada)).toEqual([
    [0, 0],
    [0, 1],
  ]);
  await as(ada).put(`${path}/${iid}`, { confidential: true });
  expect(await counts(guest)).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test('changes are deleted as soon as no remembered total needs them', async () => {
  const recorded = async () =>
    (await session.query(`SELECT count(*)::int AS n FROM table_changes`)).rows[0].n as number;
  await createIssue('One');
  const deleteOld = oldChangesDeletion(db, 0);
  await session.query('BEGIN');
  await session.query(insertIssue(100));
  await createIssue('Two');
  // transactions of other databases count as well
  const afterDeletion = async () => {
    await deleteOld();
    return recorded();
  };
  // neither the row of the open transaction nor the later one is older than this transaction
  await expect.poll(afterDeletion).toBe(2);
  expect(await afterDeletion()).toBe(2);
  await session.query('COMMIT');
  expect(await recorded()).toBe(2);
  expect(await afterDeletion()).toBe(2);
  await expect.poll(afterDeletion).toBe(0);
});
