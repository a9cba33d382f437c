import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
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

/** A note on the noteable with this number within its project (v4-behaviour 2.6). */
export const note = (record: ResultOf<typeof noteFields>, noteableIid: number | null) => ({
  ...record,
  attachment: null,
  noteable_iid: noteableIid,
});
