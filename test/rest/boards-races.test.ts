import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, db, root } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const users = [ada, bob, root];

/** A project's lists, and labels without a list. */
async function createBoard(path: string, count: number) {
  const { id } = await seed.project(`ada/${path}`, { reporter: bob });
  const board = await db.board.findUniqueOrThrow({ where: { projectId: id } });
  await db.label.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      projectId: id,
      name: `l${n}`,
      color: '#fff',
    })),
  });
  const labels = await db.label.findMany({ where: { projectId: id }, orderBy: { id: 'asc' } });
  return {
    board,
    labelIds: labels.map((label) => label.id),
    lists: `/projects/${id}/boards/${board.id}/lists`,
  };
}

type BoardLists = readonly { readonly id: number; readonly position: number }[];

const fetchLists = async (lists: string) =>
  (await as(ada).get(`${lists}?per_page=100`)).body as BoardLists;

const createLists = (board: { readonly id: number }, labelIds: readonly number[]) =>
  db.boardList.createManyAndReturn({
    data: labelIds.map((labelId, position) => ({ boardId: board.id, labelId, position })),
  });

const clientFor = (n: number) => as(users[n % users.length] ?? ada);

const range = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('concurrent moves of lists', () => {
  test('keep every list once, without gaps in the positions', async () => {
    const { board, labelIds, lists } = await createBoard('moved', 8);
    const rows = await createLists(board, labelIds);
    const responses = await Promise.all(
      range(30).map((n) =>
        clientFor(n).put(`${lists}/${rows[(5 * n) % 8]?.id}`, { position: (3 * n + 1) % 8 }),
      ),
    );
    const statuses = new Set(responses.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 400)).toEqual([]);
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const after = await fetchLists(lists);
    expect(after.map(({ position }) => position)).toEqual(range(8));
    expect(after.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
  });

  test('together with additions, removals and deletions of labels, leave no gaps', async () => {
    const { board, labelIds, lists } = await createBoard('busy', 14);
    const rows = await createLists(board, labelIds.slice(0, 8));
    const responses = await Promise.all([
      ...range(12).map((n) =>
        clientFor(n).put(`${lists}/${rows[n % 8]?.id}`, { position: (n + 3) % 8 }),
      ),
      ...labelIds.slice(8).map((label_id, n) => clientFor(n).post(lists, { label_id })),
      ...rows.slice(0, 3).map(({ id }) => as(ada).delete(`${lists}/${id}`)),
      ...rows
        .slice(3, 5)
        .map(({ labelId }) => as(ada).delete(`/projects/${board.projectId}/labels/${labelId}`)),
    ]);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 201, 204, 400, 404].includes(status))).toEqual([]);
    expect(statuses.filter((status) => status === 201)).toHaveLength(6);
    expect((await fetchLists(lists)).map(({ position }) => position)).toEqual(range(9));
    expect(await db.boardList.count({ where: { boardId: board.id } })).toBe(12);
  });
});

describe('concurrent additions of lists', () => {
  test('with the same label create one list', async () => {
    const { labelIds, lists } = await createBoard('same', 1);
    const responses = await Promise.all(
      range(20).map((n) => clientFor(n).post(lists, { label_id: labelIds[0] })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    const alreadyTaken = refused.invalid({ label_id: ['has already been taken'] });
    expect(responses.filter(({ status }) => status !== 201)).toEqual(Array(19).fill(alreadyTaken));
    expect(await fetchLists(lists)).toHaveLength(1);
  });

  test('while their labels are deleted fail or are removed with them', async () => {
    const { labelIds, lists } = await createBoard('deleted', 12);
    const responses = await Promise.all(
      labelIds.flatMap((id, n) => [
        clientFor(n).post(lists, { label_id: id }),
        db.label.delete({ where: { id } }).then(() => null),
      ]),
    );
    const refusals = responses.filter((response) => response !== null && response.status !== 201);
    const unlabelled = { status: 400, body: { message: { error: 'Label not found!' } } };
    expect(refusals).toEqual(refusals.map(() => unlabelled));
    expect(await fetchLists(lists)).toEqual([]);
  });

  test('with different labels get different positions', async () => {
    const { labelIds, lists } = await createBoard('different', 20);
    const responses = await Promise.all(
      labelIds.map((label_id, n) => clientFor(n).post(lists, { label_id })),
    );
    const positions = responses.map(({ body }) => (body as BoardLists[number]).position);
    expect(positions.toSorted((a, b) => a - b)).toEqual(range(20));
    expect((await fetchLists(lists)).map(({ position }) => position)).toEqual(range(20));
  });
});

test('concurrent removals of a list remove it once', async () => {
  const { board, labelIds, lists } = await createBoard('removed', 2);
  const [first, second] = await createLists(board, labelIds);
  const responses = await Promise.all(range(10).map(() => as(ada).delete(`${lists}/${first?.id}`)));
  const statuses = responses.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([204, ...Array(9).fill(404)]);
  expect(await fetchLists(lists)).toMatchObject([{ id: second?.id, position: 0 }]);
});
