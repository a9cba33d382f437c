import { describe, expect, test } from 'vitest';
import type { Created } from '../support/seed.ts';
import {
  denied,
  fault,
  projectNotFound,
  recordNotFound,
  restOf,
  soapClientOf,
} from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, db, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const { id: project } = await seed.project('ada/app', { guest: bob });
const { id: board } = await db.board.findUniqueOrThrow({ where: { projectId: project } });
const path = `/projects/${project}/boards/${board}/lists`;

const label = async (name: string) =>
  (await db.label.create({ data: { name, color: '#ff0000', projectId: project } })).id;
const createList = async (name: string) => {
  const args = [project, board, { label_id: await label(name) }];
  return ((await asAda('board_list.create', args)).result as Created).id;
};

test('board.list and info', async () => {
  const response = await asAda('board.list', [project]);
  expect(response).toEqual(await rest(ada, `/projects/${project}/boards`));
  expect(response.result).toMatchObject([{ id: board, lists: expect.any(Array) }]);
  expect(await asAda('board.list', ['none'])).toEqual(projectNotFound);
  const boardInfo = await asAda('board.info', [project, board]);
  expect(boardInfo).toEqual(await rest(ada, `/projects/${project}/boards/${board}`));
  expect(response).toEqual({ result: [boardInfo.result] });
  expect(await asAda('board.info', [project, 0])).toEqual(fault('102', 'Board Not Found'));
});

describe('board_list', () => {
  test('create, list and info', async () => {
    const response = await asAda('board_list.create', [
      project,
      board,
      { label_id: await label('a') },
    ]);
    const { id } = response.result as Created;
    expect(response).toEqual(await rest(ada, `${path}/${id}`));
    expect(await asAda('board_list.info', [project, board, id])).toEqual(response);
    const listed = await asAda('board_list.list', { id: project, board_id: board });
    expect(listed).toEqual(await rest(ada, path));
    expect(listed).toEqual({ result: [response.result] });
    expect(await asAda('board_list.create', [project, board])).toEqual(
      fault('100', 'label_id is missing'),
    );
    expect(await asAda('board_list.info', [project, board, 0])).toEqual(recordNotFound);
    expect(await asAda('board_list.list', [project, 0])).toEqual(fault('102', 'Board Not Found'));
  });

  test('update', async () => {
    const [firstList, second] = [await createList('b'), await createList('c')];
    const { result: firstInfo } = await asAda('board_list.info', [project, board, firstList]);
    const { position } = firstInfo as { readonly position: number };
    const response = await asAda('board_list.update', [project, board, second, { position }]);
    expect(response).toEqual(await rest(ada, `${path}/${second}`));
    expect(response.result).toMatchObject({ position });
    expect(await asAda('board_list.update', [project, board, second])).toEqual(
      fault('100', 'position is missing'),
    );
  });

  test('delete', async () => {
    const id = await createList('d');
    expect(await asBob('board_list.delete', [project, board, id])).toEqual(denied);
    const response = await asAda('board_list.delete', [project, board, id]);
    expect(response.fault).toBeUndefined();
    expect(await asAda('board_list.info', [project, board, id])).toEqual(recordNotFound);
  });
});
