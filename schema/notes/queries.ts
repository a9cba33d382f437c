import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findRecord } from '../listing/records.ts';
import { findNoteable, noteableColumns } from '../noteables/find.ts';
import { NoteableInput } from '../noteables/types.ts';
import { listNotes, noteListArgs } from './filter.ts';
import { noteCondition } from './find.ts';
import { Note, NotePage } from './types.ts';

builder.queryFields((t) => ({
  notes: t.field({
    type: NotePage,
    description: 'The comments of users and the system notes on a noteable.',
    extensions: internal,
    complexity: listingCost,
    args: {
      noteable: t.arg({ type: NoteableInput, required: true }),
      ...pageArgs,
      ...noteListArgs,
    },
    resolve: async (_root, { noteable, ...args }, ctx) => {
      const { kind, id } = await findNoteable(noteable, ctx);
      return listNotes(noteableColumns[kind], id, args, ctx);
    },
  }),
  note: t.prismaField({
    type: Note,
    description:
      'A note on an issue, merge request or snippet. NOT_FOUND if the current user may not see that.',
    extensions: internal,
    args: {
      noteable: t.arg({
        type: NoteableInput,
        required: true,
        description: 'The issue, merge request or snippet.',
      }),
      id: t.arg.int({ required: true, description: 'The id of the note.' }),
      discussion: t.arg.string({
        description: 'The id of the discussion that the note must be part of.',
      }),
    },
    resolve: async (query, _root, { noteable, ...note }, ctx) => {
      const condition = noteCondition(await findNoteable(noteable, ctx), note);
      return orThrow(findRecord(ctx, { model: 'note', query, condition }), recordNotFound);
    },
  }),
}));
