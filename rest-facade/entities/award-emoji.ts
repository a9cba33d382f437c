import { graphql } from '../../schema/client/graphql.ts';
import { basicUserFields } from './user.ts';

/** A reaction to a noteable (v4-behaviour 3.8). */
export const awardEmojiFields = graphql(
  `
    fragment AwardEmojiFields on AwardEmoji {
      id name user { ...BasicUserFields } created_at: createdAt updated_at: updatedAt
      awardable_id: awardableId awardable_type: awardableType
    }
  `,
  [basicUserFields],
);
