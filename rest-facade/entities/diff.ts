import { graphql, type ResultOf } from '../../schema/client/graphql.ts';

export const diffFields = graphql(`
  fragment DiffFields on Diff {
    oldPath newPath aMode bMode isNew isRenamed isDeleted diff
  }
`);

/** The change of one file (specification, "Repository tree entry, compare result, contributor"). */
export const diff = (found: ResultOf<typeof diffFields>) => ({
  old_path: found.oldPath,
  new_path: found.newPath,
  a_mode: found.aMode,
  b_mode: found.bMode,
  new_file: found.isNew,
  renamed_file: found.isRenamed,
  deleted_file: found.isDeleted,
  diff: found.diff,
});
