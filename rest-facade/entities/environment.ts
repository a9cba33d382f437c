import { graphql } from '../../schema/client/graphql.ts';

/** An environment in a deployment. */
export const environmentFields = graphql(`
  fragment EnvironmentFields on Environment { id name slug external_url: externalUrl }
`);
