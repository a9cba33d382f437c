import { expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { as, seed, db } = await world();
const ada = as(await seed.user('ada'));
const { id } = await seed.project('ada/app');
const board = await db.board.findUniqueOrThrow({ where: { projectId: id } });
const lists = `/projects/${id}/boards/${board.id}/lists`;

interface Made {
  readonly id: number;
}

const create = async (path: string, body: Readonly<Record<string, unknown>>) => {
  const response = await ada.post(path, body);
  expect(response.status).toBe(201);
  return (response.body as Made).id;
};

const names = ['bug', 'brief', 'later', 'last'];
const labelIds: number[] = [];
const listIds: number[] = [];
for (const name of names) {
  const label_id = await create(`/projects/${id}/labels`, { name, color: '#ff0000' });
  labelIds.push(label_id);
  listIds.push(await create(lists, { label_id }));
}

const list = (place: number, position: number) => ({
  id: listIds[place],
  label: { id: labelIds[place], name: names[place], color: '#ff0000', description: null },
  position,
});

test('deleting a label deletes its list, and the later lists move up', async () => {
  expect((await ada.delete(`/projects/${id}/labels?name=brief`)).status).toBe(204);
  const remaining = [list(0, 0), list(2, 1), list(3, 2)];
  expect(await ada.get(lists)).toEqual({ status: 200, body: remaining });
  for (const { id: listId, ...shown } of remaining) {
    const body = { id: listId, ...shown };
    expect(await ada.get(`${lists}/${listId}`)).toEqual({ status: 200, body });
  }
  expect((await ada.get(`${lists}/${listIds[1]}`)).status).toBe(404);
});

test('the remaining lists can be moved as before', async () => {
  const moved = await ada.put(`${lists}/${listIds[0]}`, { position: 1 });
  expect(moved).toEqual({ status: 200, body: list(0, 1) });
  expect(await ada.put(`${lists}/${listIds[0]}`, { position: 3 })).toEqual({
    status: 400,
    body: { message: { error: 'List could not be moved!' } },
  });
  const body = [list(2, 0), list(0, 1), list(3, 2)];
  expect(await ada.get(lists)).toEqual({ status: 200, body });
});

test('a list shows its label’s current name', async () => {
  const renamed = await ada.put(`/projects/${id}/labels`, { name: 'last', new_name: 'final' });
  expect(renamed.status).toBe(200);
  const { body } = await ada.get(`${lists}/${listIds[3]}`);
  expect(body).toMatchObject({ label: { id: labelIds[3], name: 'final' }, position: 2 });
});
