import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { basicUserFields } from './user.ts';

export const listedPipelineFields = graphql(`
  fragment ListedPipelineFields on Pipeline { id sha ref status }
`);

/** A pipeline in listings, of a commit and of a job. */
export const listedPipeline = ({
  id,
  sha,
  ref,
  status,
}: ResultOf<typeof listedPipelineFields>) => ({ id, sha, ref, status });

export const pipelineFields = graphql(
  `
    fragment PipelineFields on Pipeline {
      ...ListedPipelineFields
      beforeSha isTag yamlErrors createdAt updatedAt startedAt finishedAt committedAt duration
      coverage user { ...BasicUserFields }
    }
  `,
  [listedPipelineFields, basicUserFields],
);

/** A pipeline by itself (specification, "Pipeline"). */
export const pipeline = (found: ResultOf<typeof pipelineFields>) => ({
  ...listedPipeline(found),
  before_sha: found.beforeSha,
  tag: found.isTag,
  yaml_errors: found.yamlErrors,
  user: found.user,
  created_at: found.createdAt,
  updated_at: found.updatedAt,
  started_at: found.startedAt,
  finished_at: found.finishedAt,
  committed_at: found.committedAt,
  duration: found.duration,
  coverage: found.coverage === null ? null : found.coverage.toFixed(2),
});
