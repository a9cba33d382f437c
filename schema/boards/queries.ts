import { findIssueProject } from '../issues/find.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { boardPage, listPage, readBoard, readList } from './read.ts';
import { Board, BoardList, BoardListPage, BoardPage, boardArgs } from './types.ts';

builder.queryFields((t) => ({
  boards: t.field({
    type: BoardPage,
    extensions: internal,
    description: 'The boards of a project with their lists.',
    complexity: listingCost,
    args: { ...pageArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project, ...page }, ctx) => {
      const { id } = await findIssueProject(project, ctx);
      return boardPage(id, page, ctx);
    },
  }),
  board: t.field({
    type: Board,
    extensions: internal,
    args: { project: t.arg.id({ required: true }), id: t.arg.int({ required: true }) },
    resolve: async (_root, { project, id }, ctx) => {
      const { id: projectId } = await findIssueProject(project, ctx);
      return readBoard(projectId, id, ctx.db);
    },
  }),
  boardLists: t.field({
    type: BoardListPage,
    extensions: internal,
    description: 'The lists of a board in their order.',
    complexity: listingCost,
    args: { ...pageArgs, ...boardArgs },
    resolve: async (_root, { project, board, ...page }, ctx) => {
      const { id } = await findIssueProject(project, ctx);
      return listPage(id, board, page, ctx.db);
    },
  }),
  boardList: t.field({
    type: BoardList,
    extensions: internal,
    args: { ...boardArgs, id: t.arg.int({ required: true }) },
    resolve: async (_root, { project, board, id }, ctx) => {
      const { id: projectId } = await findIssueProject(project, ctx);
      return readList(projectId, board, id, ctx.db);
    },
  }),
}));
