import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { changed, s, shaped, shapeOf } from '../kernel/shape.ts';
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

/** What `job` shows in another way than it is selected. */
export const jobShapes = {
  artifacts_file: s
    .object({
      filename: s.text().describe('The name of the archive.'),
      size: s.int().describe('Its size in bytes.'),
    })
    .optional(),
  artifacts_expire_at: s.time().nullable().describe('When the artifacts are deleted, if ever.'),
  commit: shapeOf(commit).nullable(),
};

/** A job, in listings and by itself (v4-behaviour 3.9). */
export const job = shaped(
  changed('Job', jobFields, [], jobShapes),
  (record: ResultOf<typeof jobFields>) => ({
    ...record,
    artifacts_file: record.artifacts_file
      ? { filename: record.artifacts_file.filename, size: record.artifacts_file.size }
      : undefined,
    artifacts_expire_at: record.artifacts_file?.expiresAt ?? null,
    commit: record.commit && commit(record.commit),
  }),
);
