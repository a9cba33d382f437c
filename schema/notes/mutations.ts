import { queryFromInfo } from '@pothos/plugin-prisma';
import { awardableOf } from '../award-emoji/find.ts';
import { awardByNote } from '../award-emoji/give.ts';
import { AwardEmoji } from '../award-emoji/types.ts';
import { builder } from '../kernel/builder.ts';
import { forbidden, refuseFaults } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { emojiOfBody } from '../markdown/emoji-names.ts';
import { findNoteable } from '../noteables/find.ts';
import { byNote, byNoteable } from '../noteables/node.ts';
import { NoteableInput } from '../noteables/types.ts';
import { changeNote, deleteNote } from './change.ts';
import { bodyFaults, createNote, refuseInvalidNote } from './create.ts';
import { findNoteIn } from './find.ts';
import { canDeleteNote, canDiscuss, canEditNote } from './policy.ts';
import { resolveNote } from './resolve.ts';
import { Note, NoteOrAward } from './types.ts';

const noteArgs = builder.args((t) => ({
  noteable: t.field({
    type: NoteableInput,
    required: true,
    description: 'The issue, merge request or snippet.',
  }),
  id: t.int({ required: true, description: 'The id of the note.' }),
  discussion: t.string({
    extensions: internal,
    description: 'The id of the discussion that the note must be part of.',
  }),
}));

const bodyDescription = 'The text in Markdown, at most 1,000,000 characters.';

builder.mutationFields((t) => ({
  createNote: t.field({
    extensions: byNoteable,
    type: NoteOrAward,
    description:
      'Creates a note on an issue, merge request or snippet. If the text is only an emoji, an award emoji is added instead. Users who see it; only members if its discussion is locked.',
    args: {
      noteable: t.arg({
        type: NoteableInput,
        required: true,
        description: 'The issue, merge request or snippet.',
      }),
      body: t.arg.string({ required: true, description: bodyDescription }),
      createdAt: t.arg({
        type: 'DateTime',
        description:
          'The time of creation, for imports; ignored unless the current user is an owner or administrator.',
      }),
    },
    resolve: async (_root, { noteable: noteableRef, ...input }, ctx, info) => {
      const viewer = signedIn(ctx);
      const noteable = await findNoteable(noteableRef, ctx);
      if (!canDiscuss(noteable)) throw forbidden();
      refuseInvalidNote(input, noteable);
      const emoji = emojiOfBody(input.body);
      if (emoji) {
        const award = await awardByNote(awardableOf(noteable), emoji, viewer, ctx);
        const query: object = queryFromInfo({ context: ctx, info, typeName: 'AwardEmoji' });
        return AwardEmoji.addBrand(await storedRecord(ctx, 'awardEmoji', award, query));
      }
      const note = await createNote(noteable, input, viewer, ctx, {
        query: queryFromInfo({ context: ctx, info, typeName: 'Note' }),
        info,
      });
      return Note.addBrand(note);
    },
  }),
  updateNote: t.prismaField({
    extensions: byNote,
    type: Note,
    description:
      'Changes the text of a note, or resolves it; without `body` and `isResolved` nothing changes. The text of system notes cannot be changed. Only the author and masters change the text; developers and the author of the merge request resolve notes.',
    args: {
      ...noteArgs,
      body: t.arg.string({ description: bodyDescription }),
      isResolved: t.arg.boolean({
        description: 'Whether the note, of a thread on a merge request, is resolved.',
      }),
    },
    resolve: async (query, _root, { noteable: noteableRef, body, isResolved, ...ref }, ctx) => {
      const noteable = await findNoteable(noteableRef, ctx);
      const note = await findNoteIn(noteable, ref, ctx);
      const { id } = note;
      const isResolution = typeof isResolved === 'boolean';
      if (!isResolution || typeof body === 'string') {
        if (!canEditNote(signedIn(ctx), noteable, note)) throw forbidden();
      }
      if (typeof body === 'string') refuseFaults({ body: bodyFaults(body) });
      // first, as it may be refused: then nothing has changed
      if (isResolution) await resolveNote(noteable, id, isResolved, ctx);
      if (typeof body === 'string' && !note.isSystem) await changeNote(noteable, id, body, ctx);
      return ctx.db.note.findUniqueOrThrow({
        ...query,
        relationLoadStrategy: 'join',
        where: { id },
      });
    },
  }),
  deleteNote: t.id({
    extensions: { ...byNote, identifies: 'Note' },
    description:
      'Deletes a note. Only the author and masters may do it, and only masters for a system note.',
    args: noteArgs,
    resolve: async (_root, { noteable: noteableRef, ...ref }, ctx) => {
      const noteable = await findNoteable(noteableRef, ctx);
      const note = await findNoteIn(noteable, ref, ctx);
      if (!canDeleteNote(signedIn(ctx), noteable, note)) throw forbidden();
      return done(deleteNote(noteable, note, ctx), note.id);
    },
  }),
}));
