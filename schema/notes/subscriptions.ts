import { builder } from '../kernel/builder.ts';
import { recordNotFound, unavailable } from '../kernel/errors.ts';
import { changesOf } from '../kernel/updates.ts';
import { findNoteable, type Noteable, type NoteableKind } from '../noteables/find.ts';
import { byNoteable } from '../noteables/node.ts';
import { NoteableInput } from '../noteables/types.ts';
import type { RecordChanges, RecordTopic } from '../ports/record-news.ts';
import { Note } from './types.ts';

const topics = {
  Issue: 'issue_notes',
  MergeRequest: 'merge_request_notes',
  Snippet: 'snippet_notes',
} as const satisfies Readonly<Record<NoteableKind, string>>;

const topicOf = ({ kind, id }: Pick<Noteable, 'kind' | 'id'>): RecordTopic =>
  `${topics[kind]} ${id}`;

interface NoteEvent {
  readonly noteableId: number;
  readonly noteId: number;
}

/** An event for each changed note. Throws if changes may be missing: the client reads all notes again. */
async function* eventsOf(
  noteableId: number,
  changes: AsyncIterable<RecordChanges>,
): AsyncGenerator<NoteEvent, void> {
  for await (const { noteIds, isIncomplete } of changes) {
    for (const noteId of noteIds) yield { noteableId, noteId };
    if (isIncomplete) {
      throw unavailable(1, 'Changes may be missing. Read the notes and subscribe again');
    }
  }
}

interface ChangedNote {
  readonly noteId: number;
  readonly parent: Noteable['parent'];
}

const NoteChange = builder.objectRef<ChangedNote>('NoteChange').implement({
  description: 'A note that was created, edited or deleted.',
  fields: (t) => ({
    noteId: t.int({
      description: 'The id of the note. It identifies a deleted note, of which `note` is null.',
      resolve: ({ noteId }) => noteId,
    }),
    note: t.prismaField({
      type: Note,
      nullable: true,
      description: 'The note as it is now; null if it was deleted.',
      resolve: (query, { noteId, parent }, _args, { db }) =>
        db.note.findFirst({
          ...query,
          relationLoadStrategy: 'join',
          where: { id: noteId, ...parent },
        }),
    }),
  }),
});

builder.subscriptionField('noteChanged', (t) =>
  t.field({
    type: NoteChange,
    extensions: byNoteable,
    description:
      'Each note of an issue, merge request or snippet that is created, edited or deleted from now on; system notes, too. Edits of one note in quick succession are one event.',
    args: {
      noteable: t.arg({
        type: NoteableInput,
        required: true,
        description: 'The issue, merge request or snippet whose notes are followed.',
      }),
    },
    subscribe: async (_root, { noteable: ref }, ctx) => {
      const noteable = await findNoteable(ref, ctx);
      return eventsOf(noteable.id, await changesOf([topicOf(noteable)], ctx));
    },
    resolve: async ({ noteableId, noteId }, { noteable: ref }, ctx) => {
      const { id, parent } = await findNoteable(ref, ctx);
      // the path names another project by now
      if (id !== noteableId) throw recordNotFound();
      return { noteId, parent };
    },
  }),
);
