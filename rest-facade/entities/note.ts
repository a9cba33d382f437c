import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { basicUser, basicUserFields } from './user.ts';

export const noteFields = graphql(
  `
    fragment NoteFields on Note {
      id body author { ...BasicUserFields email createdAt } createdAt updatedAt isSystem
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
  author: record.author && {
    ...basicUser(record.author),
    email: record.author.email,
    created_at: record.author.createdAt,
  },
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  system: record.isSystem,
  noteable_id: record.noteableId,
  noteable_type: record.noteableType,
  noteable_iid: noteableIid,
});
