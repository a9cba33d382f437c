import { z } from 'zod';
import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { changed, s, shaped } from '../kernel/shape.ts';
import { basicUserFields } from './user.ts';

export const noteFields = graphql(
  `
    fragment NoteFields on Note {
      id body attachment: __typename author { ...BasicUserFields email created_at: createdAt }
      created_at: createdAt updated_at: updatedAt system: isSystem
      noteable_id: noteableId noteable_type: noteableType
    }
  `,
  [basicUserFields],
);

/** What `note` adds to the selected fields. */
export const noteShapes = {
  attachment: z.null().describe('Notes have no attachments.'),
  noteable_iid: s.int().nullable().describe('The number within the project; null for snippets.'),
};

/** A note on the noteable with this number within its project (v4-behaviour 2.6). */
export const note = shaped(
  changed('Note', noteFields, [], noteShapes),
  (record: ResultOf<typeof noteFields>, noteableIid: number | null) => ({
    ...record,
    attachment: null,
    noteable_iid: noteableIid,
  }),
);
