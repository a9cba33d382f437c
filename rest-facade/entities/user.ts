import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { entity, s } from '../kernel/shape.ts';

/** A user reference: author, member, owner. */
export const basicUserFields = graphql(`
  fragment BasicUserFields on User {
    id name username state avatar_url: avatarUrl web_url: webUrl
  }
`);

export const basicUser = entity('BasicUser', {
  id: s.id(),
  name: s.text(),
  username: s.text(),
  state: s.choice(['active', 'blocked', 'ldap_blocked']),
  avatar_url: s.url().nullable(),
  web_url: s.url(),
});

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

/** The public part of an account. */
export const publicProfile = ({
  times: _times,
  email: _email,
  account: _account,
  external: _external,
  is_admin: _isAdmin,
  ...profile
}: Account) => profile;

/** A user as shown to administrators. */
export const administeredUser = (record: Account) => ({
  ...ownUser(record),
  is_admin: record.is_admin,
});

/** A user as shown to themselves. */
export const ownUser = (record: Account) => ({
  ...publicProfile(record),
  ...record.times,
  email: record.email,
  ...record.account,
  external: record.external,
});
