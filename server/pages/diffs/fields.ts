import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';

/** The fields of changed files that a page shows. */
export const diffFields = graphql(`
  fragment BrowsedDiffFields on Diff {
    oldPath newPath aMode bMode isNew isRenamed isDeleted similarity oldBlob newBlob diff
  }
`);

export type Diff = ResultOf<typeof diffFields>;
