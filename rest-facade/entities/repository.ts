import { graphql } from '../../schema/client/graphql.ts';
import type { PathParams } from '../kernel/route.ts';

const variables = ({ id = '' }: PathParams) => ({ project: id });

/** For a route's `before`: read access to the code is checked before the parameters. */
export const mayRead = {
  document: graphql(
    'query ReadableRepository($project: ID!) { repository(project: $project) { projectId } }',
  ),
  variables,
};

/** As `mayRead`, for write access. */
export const mayWrite = {
  document: graphql(
    `query WritableRepository($project: ID!) {
      repository(project: $project, access: write) { projectId }
    }`,
  ),
  variables,
};
