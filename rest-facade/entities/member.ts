import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { changed, s, shaped } from '../kernel/shape.ts';
import { basicUserFields } from './user.ts';

export const memberFields = graphql(
  `fragment MemberFields on Member {
    user { ...BasicUserFields } access_level: accessLevel expires_at: expiresAt
  }`,
  [basicUserFields],
);

/** What a membership adds to its user. */
export const memberShapes = {
  access_level: s.int().describe('The level: 10, 20, 30, 40 or 50.'),
  expires_at: s.day().nullable().describe('The day on which the membership ends, if any.'),
};

/** A member of a group or project (v4-behaviour 3.2). */
export const member = shaped(
  changed('Member', basicUserFields, [], memberShapes),
  ({ user, ...membership }: ResultOf<typeof memberFields>) => ({
    ...user,
    ...membership,
  }),
);
