import { graphql } from '../../schema/client/graphql.ts';

/** A runner in listings and in jobs (specification, Runner). */
export const runnerFields = graphql(`
  fragment RunnerFields on Runner { id description active: isActive is_shared: isShared name }
`);
