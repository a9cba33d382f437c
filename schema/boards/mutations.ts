import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import { addList, moveList, removeList } from './arrange.ts';
import { BoardList, boardArgs } from './types.ts';

const listArgs = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the list.' }),
}));

builder.mutationFields((t) => ({
  createBoardList: t.field({
    type: BoardList,
    description: 'Adds a list at the end of a board. Reporters only.',
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
    type: BoardList,
    description: 'Moves a list to another position on its board. Reporters only.',
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
    extensions: { identifies: 'BoardList' },
    description: 'Deletes a list from its board; its issues stay. Masters only.',
    args: { ...boardArgs, ...listArgs },
    resolve: (_root, list, ctx) => done(removeList(list, ctx), list.id),
  }),
}));
