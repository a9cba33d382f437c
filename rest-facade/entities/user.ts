import { graphql, type ResultOf } from '../../schema/client/graphql.ts';

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
      email isAdmin isExternal
      account {
        lastSignInAt confirmedAt lastActivityOn themeId colorSchemeId projectsLimit currentSignInAt
        canCreateGroup canCreateProject isTwoFactorEnabled
        identities { provider externUid }
      }
    }
  `,
  [userFields],
);

/** The public part of an account. */
export const publicProfile = ({
  account: _account,
  email: _email,
  isAdmin: _isAdmin,
  isExternal: _isExternal,
  ...profile
}: ResultOf<typeof accountFields>) => profile;

/** A user as shown to themselves. */
export function ownUser(record: ResultOf<typeof accountFields>) {
  const { account } = record;
  return {
    ...publicProfile(record),
    last_sign_in_at: account?.lastSignInAt ?? null,
    confirmed_at: account?.confirmedAt ?? null,
    last_activity_on: account?.lastActivityOn ?? null,
    email: record.email,
    theme_id: account?.themeId,
    color_scheme_id: account?.colorSchemeId,
    projects_limit: account?.projectsLimit,
    current_sign_in_at: account?.currentSignInAt ?? null,
    identities: (account?.identities ?? []).map(({ provider, externUid }) => ({
      provider,
      extern_uid: externUid,
    })),
    can_create_group: account?.canCreateGroup,
    can_create_project: account?.canCreateProject,
    two_factor_enabled: account?.isTwoFactorEnabled,
    external: record.isExternal,
  };
}

/** A user as shown to administrators. */
export const administeredUser = (record: ResultOf<typeof accountFields>) => ({
  ...ownUser(record),
  is_admin: record.isAdmin,
});
