import { graphql, type ResultOf } from '../../schema/client/graphql.ts';

export const sshKeyFields = graphql('fragment SshKeyFields on SshKey { id title key createdAt }');

/** A public key (v4-behaviour 3.10). */
export const sshKey = (record: ResultOf<typeof sshKeyFields>) => ({
  id: record.id,
  title: record.title,
  key: record.key,
  created_at: record.createdAt,
});
