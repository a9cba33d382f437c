import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import { addList, moveList, removeList } from './arrange.ts';
import { byBoard, byBoardList } from './node.ts';
import { BoardList, boardArgs } from './types.ts';

const listArgs = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the list.' }),
}));

builder.mutationFields((t) => ({
  createBoardList: t.field({
    extensions: byBoard,
    type: BoardList,
    description:
      'Creates a list at the end of a board. Requires the access level REPORTER or higher.',
    args: {
      ...boardArgs,
      labelId: t.arg.int({
        required: true,
        description:
          'The id of the label whose issues the list shows. A board has one list per label.',
      }),
    },
    resolve: (_root, { labelId, ...board }, ctx) => addList(board, labelId, ctx),
  }),
  moveBoardList: t.field({
    extensions: byBoardList,
    type: BoardList,
    description:
      'Moves a list to another position on its board. Requires the access level REPORTER or higher.',
    args: {
      ...boardArgs,
      ...listArgs,
      position: t.arg.int({
        required: true,
        description: 'The new position among the lists, from 0.',
      }),
    },
    resolve: (_root, { position, ...list }, ctx) => moveList(list, position, ctx),
  }),
  deleteBoardList: t.id({
    extensions: { ...byBoardList, identifies: 'BoardList' },
    description:
      'Deletes a list from its board; its issues stay. Requires the access level MASTER or higher.',
    args: { ...boardArgs, ...listArgs },
    resolve: (_root, list, ctx) => done(removeList(list, ctx), list.id),
  }),
}));
