import { z } from 'zod';
import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { p } from '../kernel/params.ts';
import { changed, s, selected, shaped } from '../kernel/shape.ts';
import { position, positionFields, positionShape } from './diff-position.ts';
import { basicUserFields } from './user.ts';

/** The parameters of a new note. */
export const newNoteParams = { body: p.text(), created_at: p.time().optional() };

export const noteFields = graphql(
  `
    fragment NoteFields on Note {
      id body attachment: __typename author { ...BasicUserFields email created_at: createdAt }
      created_at: createdAt updated_at: updatedAt system: isSystem
      noteable_id: noteableId noteable_type: noteableType
      thread {
        type isResolvable isResolved resolvedBy { ...BasicUserFields }
        position { ...PositionFields }
      }
    }
  `,
  [basicUserFields, positionFields],
);

/** The field of the core that the functions below replace. */
export const replacedInNotes = ['thread'] as const;

const threadShapes = {
  resolvable: s.flag().describe('Whether the note can be resolved: on a merge request.'),
  resolved: s.flag().optional().describe('Whether it is resolved; only if it can be.'),
  resolved_by: selected(basicUserFields)
    .nullable()
    .optional()
    .describe('The user who resolved it; only if it can be resolved.'),
  position: positionShape.optional().describe('The place in the diff; only of a DiffNote.'),
};

const type = s.choice(['DiscussionNote', 'DiffNote']).nullable();

const commonShapes = {
  attachment: z.null().describe('Notes have no attachments.'),
  noteable_iid: s.int().nullable().describe('The number within the project; null for snippets.'),
};

/** What `note` adds to the selected fields. */
export const noteShapes = {
  ...commonShapes,
  ...threadShapes,
  type: type.optional().describe('The kind of a note of a thread; only there.'),
  resolvable: threadShapes.resolvable.optional(),
};

type NoteRecord = ResultOf<typeof noteFields>;

/** What v4 adds to a note of a thread. */
function threadFields(thread: NonNullable<NoteRecord['thread']>) {
  const { type, isResolvable, isResolved, resolvedBy, position: at } = thread;
  return {
    type,
    resolvable: isResolvable,
    ...(isResolvable && { resolved: isResolved, resolved_by: resolvedBy }),
    ...(at && { position: position(at) }),
  };
}

const ofNoThread = { type: null, resolvable: false };

/**
 * A note on the noteable with this number within its project (v4-behaviour 2.6). Notes of threads have
 * the fields of GitLab 10.8, too.
 */
export const note = shaped(
  changed('Note', noteFields, replacedInNotes, noteShapes),
  ({ thread, ...record }: NoteRecord, noteableIid: number | null) => ({
    ...record,
    attachment: null,
    noteable_iid: noteableIid,
    ...(thread && threadFields(thread)),
  }),
);

/** A note in its discussion. */
export const discussionNote = shaped(
  changed('DiscussionNote', noteFields, replacedInNotes, {
    ...commonShapes,
    ...threadShapes,
    type: type.describe('The kind of the note; null for one that is no part of a thread.'),
  }),
  ({ thread, ...record }: NoteRecord, noteableIid: number | null) => ({
    ...record,
    attachment: null,
    noteable_iid: noteableIid,
    ...(thread ? threadFields(thread) : ofNoThread),
  }),
);
