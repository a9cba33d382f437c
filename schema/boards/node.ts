import { issueProjectOf } from '../issues/find.ts';
import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { projectOfRecord } from '../projects/find.ts';
import { readBoard, readList } from './read.ts';

const BoardNode = defineRecord('Board', {
  model: 'board',
  select: (ctx) => ({ id: true, projectId: true, project: projectOfRecord(ctx) }) as const,
  check: ({ project }, ctx) => issueProjectOf(project, ctx),
  load: (_query, { id, projectId }, { db }) => readBoard(projectId, id, db),
});

const BoardListNode = defineRecord('BoardList', {
  model: 'boardList',
  select: (ctx) =>
    ({
      id: true,
      boardId: true,
      board: { select: { projectId: true, project: projectOfRecord(ctx) } },
    }) as const,
  check: ({ board }, ctx) => issueProjectOf(board.project, ctx),
  load: (_query, { id, boardId, board }, { db }) => readList(board.projectId, boardId, id, db),
});

/** For fields of a board by project and id. */
export const byBoard = byRecord(
  BoardNode,
  { project: ({ projectId }) => String(projectId), board: ({ id }) => id },
  'boardId',
);

/** For fields of a list by project, board and id. */
export const byBoardList = byRecord(BoardListNode, {
  project: ({ board }) => String(board.projectId),
  board: ({ boardId }) => boardId,
  id: ({ id }) => id,
});
