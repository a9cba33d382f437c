import { builder } from '../kernel/builder.ts';
import { nodesCost } from '../kernel/page.ts';
import { Label } from '../labels/types.ts';
import type { BoardListRecord, BoardRecord, PageRecord } from './rows.ts';

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

export const BoardPage = builder.objectRef<PageRecord<BoardRecord>>('BoardPage').implement({
  fields: (t) => ({
    nodes: t.field({
      type: [Board],
      // a project has one board
      complexity: nodesCost,
      resolve: ({ nodes }) => [...nodes],
    }),
    total: t.exposeInt('total'),
  }),
});

export const BoardListPage = builder
  .objectRef<PageRecord<BoardListRecord>>('BoardListPage')
  .implement({
    fields: (t) => ({
      nodes: t.field({
        type: [BoardList],
        complexity: nodesCost,
        resolve: ({ nodes }) => [...nodes],
      }),
      total: t.exposeInt('total'),
    }),
  });
