import { z } from 'zod';
import type { FieldErrors } from '../schema/client/execute.ts';
import { graphql } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const fields = graphql(`
  fragment BoardListFields on BoardList {
    id label { id name color description } position
  }
`);

const boardFields = graphql(`fragment BoardFields on Board { id lists { ...BoardListFields } }`, [
  fields,
]);

const onBoard = { ...ref, board_id: p.id() };
const listParams = { ...onBoard, list_id: p.id() };

/** A missing label and a wrong position are shown as one sentence. */
const errorBody = (faults: FieldErrors) => {
  const sentences = faults.base ?? faults.position;
  return sentences ? { error: sentences.join(', ') } : faults;
};

const list = route({
  method: 'get',
  path: '/projects/:id/boards',
  access: 'signed in',
  params: z.object(ref),
  document: graphql(
    `query Boards($id: ID!, $page: Int, $perPage: Int) {
      page: boards(project: $id, page: $page, perPage: $perPage) { total nodes { ...BoardFields } }
    }`,
    [boardFields],
  ),
});

const show = route({
  method: 'get',
  path: '/projects/:id/boards/:board_id',
  access: 'signed in',
  params: z.object(onBoard),
  document: graphql(
    `query Board($id: ID!, $board_id: Int!) {
      result: board(project: $id, id: $board_id) { ...BoardFields }
    }`,
    [boardFields],
  ),
});

const listLists = route({
  method: 'get',
  path: '/projects/:id/boards/:board_id/lists',
  access: 'signed in',
  params: z.object(onBoard),
  document: graphql(
    `query BoardLists($id: ID!, $board_id: Int!, $page: Int, $perPage: Int) {
      page: boardLists(project: $id, board: $board_id, page: $page, perPage: $perPage) {
        total nodes { ...BoardListFields }
      }
    }`,
    [fields],
  ),
});

const showList = route({
  method: 'get',
  path: '/projects/:id/boards/:board_id/lists/:list_id',
  access: 'signed in',
  params: z.object(listParams),
  document: graphql(
    `query BoardList($id: ID!, $board_id: Int!, $list_id: Int!) {
      result: boardList(project: $id, board: $board_id, id: $list_id) { ...BoardListFields }
    }`,
    [fields],
  ),
});

const createList = route({
  method: 'post',
  path: '/projects/:id/boards/:board_id/lists',
  access: 'signed in',
  params: z.object({ ...onBoard, label_id: p.id() }),
  document: graphql(
    `mutation CreateBoardList($id: ID!, $board_id: Int!, $label_id: Int!) {
      result: createBoardList(project: $id, board: $board_id, labelId: $label_id) {
        ...BoardListFields
      }
    }`,
    [fields],
  ),
  invalidAs: errorBody,
});

const moveList = route({
  method: 'put',
  path: '/projects/:id/boards/:board_id/lists/:list_id',
  access: 'signed in',
  params: z.object({ ...listParams, position: p.int() }),
  document: graphql(
    `mutation MoveBoardList($id: ID!, $board_id: Int!, $list_id: Int!, $position: Int!) {
      result: moveBoardList(project: $id, board: $board_id, id: $list_id, position: $position) {
        ...BoardListFields
      }
    }`,
    [fields],
  ),
  invalidAs: errorBody,
});

const removeList = route({
  method: 'delete',
  path: '/projects/:id/boards/:board_id/lists/:list_id',
  access: 'signed in',
  params: z.object(listParams),
  document: graphql(`
    mutation DeleteBoardList($id: ID!, $board_id: Int!, $list_id: Int!) {
      deleteBoardList(project: $id, board: $board_id, id: $list_id)
    }
  `),
});

export const boards = [list, show, listLists, showList, createList, moveList, removeList];
