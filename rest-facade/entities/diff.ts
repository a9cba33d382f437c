import { graphql } from '../../schema/client/graphql.ts';

/** The change of one file (specification, "Repository tree entry, compare result, contributor"). */
export const diffFields = graphql(`
  fragment DiffFields on Diff {
    old_path: oldPath new_path: newPath a_mode: aMode b_mode: bMode new_file: isNew
    renamed_file: isRenamed deleted_file: isDeleted diff
  }
`);
