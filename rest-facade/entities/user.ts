import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { changed, s, selected, shaped } from '../kernel/shape.ts';

/** A user reference: author, member, owner. */
export const basicUserFields = graphql(`
  fragment BasicUserFields on User {
    id name username state avatar_url: avatarUrl web_url: webUrl
  }
`);

/** A user's public profile (v4-behaviour 3.1). */
export const userFields = graphql(
  `
    fragment UserFields on User {
      ...BasicUserFields
      created_at: createdAt bio location skype linkedin twitter website_url: websiteUrl organization
    }
  `,
  [basicUserFields],
);

export const accountFields = graphql(
  `
    fragment AccountFields on User {
      ...UserFields
      times: account {
        last_sign_in_at: lastSignInAt confirmed_at: confirmedAt last_activity_on: lastActivityOn
      }
      email
      account {
        theme_id: themeId color_scheme_id: colorSchemeId projects_limit: projectsLimit
        current_sign_in_at: currentSignInAt
        identities { provider extern_uid: externUid }
        can_create_group: canCreateGroup can_create_project: canCreateProject
        two_factor_enabled: isTwoFactorEnabled
      }
      external: isExternal
      is_admin: isAdmin
    }
  `,
  [userFields],
);

type Account = ResultOf<typeof accountFields>;

/** What an account adds to a public profile. */
const accountShapes = {
  last_sign_in_at: s.time().nullable().optional(),
  confirmed_at: s.time().nullable().optional(),
  last_activity_on: s.day().nullable().optional(),
  email: s.text().nullable(),
  theme_id: s.int().nullable().optional(),
  color_scheme_id: s.int().nullable().optional(),
  projects_limit: s.int().nullable().optional(),
  current_sign_in_at: s.time().nullable().optional(),
  identities: s
    .list(s.object({ provider: s.text(), extern_uid: s.text() }))
    .optional()
    .describe('The accounts of other services with which the user may sign in.'),
  can_create_group: s.flag().optional(),
  can_create_project: s.flag().optional(),
  two_factor_enabled: s.flag().optional(),
  external: s.flag().nullable(),
};

/** The public part of an account. */
export const publicProfile = shaped(
  selected(userFields),
  ({
    times: _times,
    email: _email,
    account: _account,
    external: _external,
    is_admin: _isAdmin,
    ...profile
  }: Account) => profile,
);

/** A user as shown to themselves. */
export const ownUser = shaped(
  changed('OwnUser', userFields, [], accountShapes),
  (record: Account) => ({
    ...publicProfile(record),
    ...record.times,
    email: record.email,
    ...record.account,
    external: record.external,
  }),
);

/** What administrators see in addition. */
export const administeredShapes = {
  ...accountShapes,
  is_admin: s.flag().nullable().describe('Whether the user is an administrator.'),
};

/** A user as shown to administrators. */
export const administeredUser = shaped(
  changed('AdministeredUser', userFields, [], administeredShapes),
  (record: Account) => ({
    ...ownUser(record),
    is_admin: record.is_admin,
  }),
);

/** A user with the private token. */
export const userWithToken = changed('UserWithToken', userFields, [], {
  ...administeredShapes,
  private_token: s.text().nullable().describe('The private token of the user.'),
});
