import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { basicUserFields } from './user.ts';

export const noteFields = graphql(
  `
    fragment NoteFields on Note {
      id body author { ...BasicUserFields email created_at: createdAt } createdAt updatedAt isSystem
      noteableId noteableType
    }
  `,
  [basicUserFields],
);

/** A note on the noteable with this number within its project (v4-behaviour 2.6). */
export const note = (record: ResultOf<typeof noteFields>, noteableIid: number | null) => ({
  id: record.id,
  body: record.body,
  attachment: null,
  author: record.author,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  system: record.isSystem,
  noteable_id: record.noteableId,
  noteable_type: record.noteableType,
  noteable_iid: noteableIid,
});
