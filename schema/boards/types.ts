import { builder } from '../kernel/builder.ts';
import { Label } from '../labels/types.ts';
import { pageType } from '../listing/page-types.ts';
import type { BoardListRecord, BoardRecord } from './read.ts';

/** A project by id or full path, and its board's id. */
export const boardArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  board: t.int({ required: true, description: 'The id of the board.' }),
}));

export const BoardList = builder.objectRef<BoardListRecord>('BoardList').implement({
  description: 'A list of a board: the open issues with a label.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the list.' }),
    position: t.exposeInt('position', {
      description: 'The place among the lists of the board: from 0, without gaps.',
    }),
    label: t.expose('label', { type: Label, description: 'The label of the issues.' }),
  }),
});

/** A board may have as many lists as there are labels; a document's cost assumes this many. */
const usualLists = 20;

export const Board = builder.objectRef<BoardRecord>('Board').implement({
  description: 'A board of issues; every project has one from its creation.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the board.' }),
    lists: t.field({
      type: [BoardList],
      description: 'All lists of the board, in order.',
      complexity: { field: 0, multiplier: usualLists },
      resolve: ({ lists }) => [...lists],
    }),
  }),
});

/** A project has one board. */
export const BoardPage = pageType('Board', Board);

export const BoardListPage = pageType('BoardList', BoardList);
