import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordById } from '../listing/records.ts';
import { findNoteable, noteableColumns } from '../noteables/find.ts';
import { NoteableInput } from '../noteables/types.ts';
import { findDiscussion } from '../notes/find.ts';
import { listDiscussions } from './listing.ts';
import { Discussion, DiscussionPage } from './types.ts';

builder.queryFields((t) => ({
  discussions: t.field({
    type: DiscussionPage,
    description: 'The discussions of a noteable, the oldest first.',
    extensions: internal,
    complexity: listingCost,
    args: { noteable: t.arg({ type: NoteableInput, required: true }), ...pageArgs },
    resolve: async (_root, { noteable, ...page }, ctx) => {
      const { kind, id } = await findNoteable(noteable, ctx);
      return listDiscussions(noteableColumns[kind], id, page, ctx);
    },
  }),
  discussion: t.prismaField({
    type: Discussion,
    description:
      'A discussion of an issue, merge request or snippet. NOT_FOUND if the current user may not see that.',
    extensions: internal,
    args: {
      noteable: t.arg({
        type: NoteableInput,
        required: true,
        description: 'The issue, merge request or snippet.',
      }),
      discussion: t.arg.string({ required: true, description: 'The id of the discussion.' }),
    },
    resolve: async (query, _root, { noteable: ref, discussion }, ctx) => {
      const noteable = await findNoteable(ref, ctx);
      const { firstNoteId } = await findDiscussion(noteable, discussion, ctx);
      return orThrow(recordById(ctx, 'note', firstNoteId, query), recordNotFound);
    },
  }),
}));
