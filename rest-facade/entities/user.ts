import { graphql, type ResultOf } from '../../schema/client/graphql.ts';

export const basicUserFields = graphql(`
  fragment BasicUserFields on User { id name username state avatarUrl webUrl }
`);

/** A user reference: author, member, owner. */
export const basicUser = (user: ResultOf<typeof basicUserFields>) => ({
  id: user.id,
  name: user.name,
  username: user.username,
  state: user.state,
  avatar_url: user.avatarUrl,
  web_url: user.webUrl,
});

export const userFields = graphql(
  `
    fragment UserFields on User {
      ...BasicUserFields
      createdAt bio location skype linkedin twitter websiteUrl organization
    }
  `,
  [basicUserFields],
);

/** A user's public profile (v4-behaviour 3.1). */
export const user = (record: ResultOf<typeof userFields>) => ({
  ...basicUser(record),
  created_at: record.createdAt,
  bio: record.bio,
  location: record.location,
  skype: record.skype,
  linkedin: record.linkedin,
  twitter: record.twitter,
  website_url: record.websiteUrl,
  organization: record.organization,
});

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

/** A user as shown to themselves. */
export function ownUser(record: ResultOf<typeof accountFields>) {
  const { account } = record;
  return {
    ...user(record),
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
