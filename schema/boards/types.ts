import { builder } from '../kernel/builder.ts';
import { Label } from '../labels/types.ts';
import { loadedPageType } from '../listing/page-types.ts';
import type { BoardListRecord, BoardRecord } from './rows.ts';

/** A project by id or full path, and its board's id. */
export const boardArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The id or full path of the project.' }),
  board: t.int({ required: true, description: 'The id of the board.' }),
}));

export const BoardList = builder.objectRef<BoardListRecord>('BoardList').implement({
  description: 'A column of a board: the issues with a label.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    /** From 0, without gaps. */
    position: t.exposeInt('position'),
    label: t.expose('label', { type: Label }),
  }),
});

/** A board may have as many lists as there are labels; a document's cost assumes this many. */
const usualLists = 20;

export const Board = builder.objectRef<BoardRecord>('Board').implement({
  description: 'Issues in columns; every project has one from its beginning.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    /** All of them, in order. */
    lists: t.field({
      type: [BoardList],
      complexity: { field: 0, multiplier: usualLists },
      resolve: ({ lists }) => [...lists],
    }),
  }),
});

/** A project has one board. */
export const BoardPage = loadedPageType('Board', Board);

export const BoardListPage = loadedPageType('BoardList', BoardList);
