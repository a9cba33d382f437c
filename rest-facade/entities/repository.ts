import { graphql } from '../../schema/client/graphql.ts';
import type { PathParams } from '../kernel/route.ts';

const variables = ({ id = '' }: PathParams) => ({ project: id });

/** For a route's `before`: whether the code may be read is told before the parameters are judged. */
export const mayRead = {
  document: graphql(
    'query ReadableRepository($project: ID!) { repository(project: $project) { projectId } }',
  ),
  variables,
};

/** The same of changing it. */
export const mayWrite = {
  document: graphql(
    `query WritableRepository($project: ID!) {
      repository(project: $project, access: write) { projectId }
    }`,
  ),
  variables,
};
