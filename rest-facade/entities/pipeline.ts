import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { entity, s } from '../kernel/shape.ts';
import { ciStatus } from './ci-status.ts';
import { basicUserFields } from './user.ts';

/** A pipeline in listings, of a commit and of a job. */
export const listedPipelineFields = graphql(`
  fragment ListedPipelineFields on Pipeline { id sha ref status }
`);

const shape = { id: s.id(), sha: s.text(), ref: s.text(), status: ciStatus() };

export const listedPipeline = entity('ListedPipeline', shape);

export const pipelineFields = graphql(
  `
    fragment PipelineFields on Pipeline {
      ...ListedPipelineFields
      before_sha: beforeSha tag: isTag yaml_errors: yamlErrors user { ...BasicUserFields }
      created_at: createdAt updated_at: updatedAt started_at: startedAt finished_at: finishedAt
      committed_at: committedAt duration coverage
    }
  `,
  [listedPipelineFields, basicUserFields],
);

/** A pipeline by itself (specification, "Pipeline"). */
export const pipeline = (record: ResultOf<typeof pipelineFields>) => ({
  ...record,
  coverage: record.coverage?.toFixed(2) ?? null,
});
