import { z } from 'zod';
import type { FieldErrors } from '../schema/client/execute.ts';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const fields = graphql(`
  fragment BoardListFields on BoardList {
    id position label { id name color description }
  }
`);

const boardList = ({ id, label, position }: ResultOf<typeof fields>) => ({
  id,
  label: {
    id: label.id,
    name: label.name,
    color: label.color,
    description: label.description,
  },
  position,
});

const boardFields = graphql(`fragment BoardFields on Board { id lists { ...BoardListFields } }`, [
  fields,
]);

const board = ({ id, lists }: ResultOf<typeof boardFields>) => ({
  id,
  lists: lists.map(boardList),
});

const onBoard = { ...ref, board_id: p.id() };
const listParams = { ...onBoard, list_id: p.id() };

/** An error that belongs to no field is shown as one sentence. */
const errorBody = (faults: FieldErrors) =>
  faults.error ? { error: faults.error.join(', ') } : faults;

const list = route({
  method: 'get',
  path: '/projects/:id/boards',
  access: 'signed in',
  params: z.object(ref),
  document: graphql(
    `query Boards($project: ID!, $page: Int, $perPage: Int) {
      boards(project: $project, page: $page, perPage: $perPage) {
        total nodes { ...BoardFields }
      }
    }`,
    [boardFields],
  ),
  variables: ({ id, page, perPage }) => ({ project: id, page, perPage }),
  page: ({ boards: { total } }) => total,
  reshape: ({ boards: { nodes } }) => nodes.map(board),
});

const show = route({
  method: 'get',
  path: '/projects/:id/boards/:board_id',
  access: 'signed in',
  params: z.object(onBoard),
  document: graphql(
    `query Board($project: ID!, $id: Int!) {
      board(project: $project, id: $id) { ...BoardFields }
    }`,
    [boardFields],
  ),
  variables: ({ id: project, board_id: id }) => ({ project, id }),
  reshape: (data) => board(data.board),
});

const listLists = route({
  method: 'get',
  path: '/projects/:id/boards/:board_id/lists',
  access: 'signed in',
  params: z.object(onBoard),
  document: graphql(
    `query BoardLists($project: ID!, $board: Int!, $page: Int, $perPage: Int) {
      boardLists(project: $project, board: $board, page: $page, perPage: $perPage) {
        total nodes { ...BoardListFields }
      }
    }`,
    [fields],
  ),
  variables: ({ id, board_id, page, perPage }) => ({ project: id, board: board_id, page, perPage }),
  page: ({ boardLists: { total } }) => total,
  reshape: ({ boardLists: { nodes } }) => nodes.map(boardList),
});

const showList = route({
  method: 'get',
  path: '/projects/:id/boards/:board_id/lists/:list_id',
  access: 'signed in',
  params: z.object(listParams),
  document: graphql(
    `query BoardList($project: ID!, $board: Int!, $id: Int!) {
      boardList(project: $project, board: $board, id: $id) { ...BoardListFields }
    }`,
    [fields],
  ),
  variables: ({ id, board_id, list_id }) => ({ project: id, board: board_id, id: list_id }),
  reshape: (data) => boardList(data.boardList),
});

const createList = route({
  method: 'post',
  path: '/projects/:id/boards/:board_id/lists',
  access: 'signed in',
  params: z.object({ ...onBoard, label_id: p.id() }),
  document: graphql(
    `mutation CreateBoardList($project: ID!, $board: Int!, $labelId: Int!) {
      createBoardList(project: $project, board: $board, labelId: $labelId) { ...BoardListFields }
    }`,
    [fields],
  ),
  variables: ({ id, board_id, label_id }) => ({ project: id, board: board_id, labelId: label_id }),
  reshape: ({ createBoardList }) => boardList(createBoardList),
  invalidAs: errorBody,
});

const moveList = route({
  method: 'put',
  path: '/projects/:id/boards/:board_id/lists/:list_id',
  access: 'signed in',
  params: z.object({ ...listParams, position: p.int() }),
  document: graphql(
    `mutation MoveBoardList($project: ID!, $board: Int!, $id: Int!, $position: Int!) {
      moveBoardList(project: $project, board: $board, id: $id, position: $position) {
        ...BoardListFields
      }
    }`,
    [fields],
  ),
  variables: ({ id, board_id, list_id, position }) => ({
    project: id,
    board: board_id,
    id: list_id,
    position,
  }),
  reshape: ({ moveBoardList }) => boardList(moveBoardList),
  invalidAs: errorBody,
});

const removeList = route({
  method: 'delete',
  path: '/projects/:id/boards/:board_id/lists/:list_id',
  access: 'signed in',
  params: z.object(listParams),
  document: graphql(`
    mutation DeleteBoardList($project: ID!, $board: Int!, $id: Int!) {
      deleteBoardList(project: $project, board: $board, id: $id)
    }
  `),
  variables: ({ id, board_id, list_id }) => ({ project: id, board: board_id, id: list_id }),
});

export const boards = [list, show, listLists, showList, createList, moveList, removeList];
