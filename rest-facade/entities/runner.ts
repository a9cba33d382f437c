import { graphql, type ResultOf } from '../../schema/client/graphql.ts';

export const runnerFields = graphql(
  'fragment RunnerFields on Runner { id description isActive isShared name }',
);

/** A runner as listings and jobs show it (specification, Runner). */
export const runner = ({
  id,
  description,
  isActive,
  isShared,
  name,
}: ResultOf<typeof runnerFields>) => ({
  id,
  description,
  active: isActive,
  is_shared: isShared,
  name,
});
