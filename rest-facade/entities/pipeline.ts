import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { changed, s, shaped } from '../kernel/shape.ts';
import { basicUserFields } from './user.ts';

/** A pipeline in listings, of a commit and of a job. */
export const listedPipelineFields = graphql(`
  fragment ListedPipelineFields on Pipeline { id sha ref status }
`);

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
export const pipeline = shaped(
  changed('Pipeline', pipelineFields, [], { coverage: s.text().nullable() }),
  (record: ResultOf<typeof pipelineFields>) => ({
    ...record,
    coverage: record.coverage?.toFixed(2) ?? null,
  }),
);
