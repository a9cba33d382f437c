import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { basicUserFields } from './user.ts';

export const memberFields = graphql(
  `fragment MemberFields on Member { accessLevel expiresAt user { ...BasicUserFields } }`,
  [basicUserFields],
);

/** A member of a group or project (v4-behaviour 3.2). */
export const member = ({ user, accessLevel, expiresAt }: ResultOf<typeof memberFields>) => ({
  ...user,
  access_level: accessLevel,
  expires_at: expiresAt,
});
