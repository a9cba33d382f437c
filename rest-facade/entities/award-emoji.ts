import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { basicUserFields } from './user.ts';

export const awardEmojiFields = graphql(
  `
    fragment AwardEmojiFields on AwardEmoji {
      id name user { ...BasicUserFields } createdAt updatedAt awardableId awardableType
    }
  `,
  [basicUserFields],
);

/** A reaction to a noteable (v4-behaviour 3.8). */
export const awardEmoji = (record: ResultOf<typeof awardEmojiFields>) => ({
  id: record.id,
  name: record.name,
  user: record.user,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  awardable_id: record.awardableId,
  awardable_type: record.awardableType,
});
