import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import { addList, moveList, removeList } from './arrange.ts';
import { BoardList, boardArgs } from './types.ts';

const listArgs = builder.args((t) => ({ id: t.int({ required: true }) }));

builder.mutationFields((t) => ({
  createBoardList: t.field({
    type: BoardList,
    description: 'Adds a list at the end of a board; reporters.',
    args: { ...boardArgs, labelId: t.arg.int({ required: true }) },
    resolve: (_root, { labelId, ...board }, ctx) => addList(board, labelId, ctx),
  }),
  moveBoardList: t.field({
    type: BoardList,
    description: 'Gives a list another place among the others; reporters.',
    args: {
      ...boardArgs,
      ...listArgs,
      /** From 0. */
      position: t.arg.int({ required: true }),
    },
    resolve: (_root, { position, ...list }, ctx) => moveList(list, position, ctx),
  }),
  deleteBoardList: t.boolean({
    description: 'Takes a list off its board; masters.',
    args: { ...boardArgs, ...listArgs },
    resolve: (_root, list, ctx) => done(removeList(list, ctx)),
  }),
}));
