import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { basicUserFields } from './user.ts';

export const memberFields = graphql(
  `fragment MemberFields on Member {
    user { ...BasicUserFields } access_level: accessLevel expires_at: expiresAt
  }`,
  [basicUserFields],
);

/** A member of a group or project (v4-behaviour 3.2). */
export const member = ({ user, ...membership }: ResultOf<typeof memberFields>) => ({
  ...user,
  ...membership,
});
