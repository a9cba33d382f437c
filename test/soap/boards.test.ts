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
const hers = soap.as(ada);
const his = soap.as(bob);
const rest = restOf(as);
const { id: project } = await seed.project('ada/app', { guest: bob });
const { id: board } = await db.board.findUniqueOrThrow({ where: { projectId: project } });
const path = `/projects/${project}/boards/${board}/lists`;

const label = async (name: string) =>
  (await db.label.create({ data: { name, color: '#ff0000', projectId: project } })).id;
const made = async (name: string) => {
  const args = [project, board, { label_id: await label(name) }];
  return ((await hers('board_list.create', args)).result as Created).id;
};

test('board.list and info', async () => {
  const told = await hers('board.list', [project]);
  expect(told).toEqual(await rest(ada, `/projects/${project}/boards`));
  expect(told.result).toMatchObject([{ id: board, lists: expect.any(Array) }]);
  expect(await hers('board.list', ['none'])).toEqual(projectNotFound);
  const one = await hers('board.info', [project, board]);
  expect(one).toEqual(await rest(ada, `/projects/${project}/boards/${board}`));
  expect(told).toEqual({ result: [one.result] });
  expect(await hers('board.info', [project, 0])).toEqual(fault('102', 'Board Not Found'));
});

describe('board_list', () => {
  test('create, list and info', async () => {
    const told = await hers('board_list.create', [project, board, { label_id: await label('a') }]);
    const { id } = told.result as Created;
    expect(told).toEqual(await rest(ada, `${path}/${id}`));
    expect(await hers('board_list.info', [project, board, id])).toEqual(told);
    const listed = await hers('board_list.list', { id: project, board_id: board });
    expect(listed).toEqual(await rest(ada, path));
    expect(listed).toEqual({ result: [told.result] });
    expect(await hers('board_list.create', [project, board])).toEqual(
      fault('100', 'label_id is missing'),
    );
    expect(await hers('board_list.info', [project, board, 0])).toEqual(recordNotFound);
    expect(await hers('board_list.list', [project, 0])).toEqual(fault('102', 'Board Not Found'));
  });

  test('update', async () => {
    const [first, second] = [await made('b'), await made('c')];
    const { result: before } = await hers('board_list.info', [project, board, first]);
    const { position } = before as { readonly position: number };
    const told = await hers('board_list.update', [project, board, second, { position }]);
    expect(told).toEqual(await rest(ada, `${path}/${second}`));
    expect(told.result).toMatchObject({ position });
    expect(await hers('board_list.update', [project, board, second])).toEqual(
      fault('100', 'position is missing'),
    );
  });

  test('delete', async () => {
    const id = await made('d');
    expect(await his('board_list.delete', [project, board, id])).toEqual(denied);
    const told = await hers('board_list.delete', [project, board, id]);
    expect(told.fault).toBeUndefined();
    expect(await hers('board_list.info', [project, board, id])).toEqual(recordNotFound);
  });
});
