import { graphql } from '../../schema/client/graphql.ts';

/** A public key (v4-behaviour 3.10). */
export const sshKeyFields = graphql(
  `fragment SshKeyFields on SshKey {
    id title key created_at: createdAt expires_at: expiresAt last_used_at: lastUsedAt
  }`,
);
