import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { commit, commitFields } from './commit.ts';
import { listedPipelineFields } from './pipeline.ts';
import { runnerFields } from './runner.ts';
import { userFields } from './user.ts';

export const jobFields = graphql(
  `
    fragment JobFields on Job {
      id status stage name ref tag: isTag coverage
      created_at: createdAt started_at: startedAt finished_at: finishedAt duration
      user { ...UserFields }
      artifacts_file: artifactsFile { filename: fileName size expiresAt }
      artifacts_expire_at: __typename
      commit: shownCommit { ...CommitFields }
      runner { ...RunnerFields }
      pipeline { ...ListedPipelineFields }
      web_url: webUrl
    }
  `,
  [userFields, commitFields, runnerFields, listedPipelineFields],
);

/** A job, in listings and by itself (v4-behaviour 3.9). */
export const job = (record: ResultOf<typeof jobFields>) => ({
  ...record,
  artifacts_file: record.artifacts_file
    ? { filename: record.artifacts_file.filename, size: record.artifacts_file.size }
    : undefined,
  artifacts_expire_at: record.artifacts_file?.expiresAt ?? null,
  commit: record.commit && commit(record.commit),
});
