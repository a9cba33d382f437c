import { graphql } from '../../schema/client/graphql.ts';
import { entity, s } from '../kernel/shape.ts';

/** The change of one file (specification, "Repository tree entry, compare result, contributor"). */
export const diffFields = graphql(`
  fragment DiffFields on Diff {
    old_path: oldPath new_path: newPath a_mode: aMode b_mode: bMode new_file: isNew
    renamed_file: isRenamed deleted_file: isDeleted diff
  }
`);

export const diff = entity('Diff', {
  old_path: s.text(),
  new_path: s.text(),
  a_mode: s.text(),
  b_mode: s.text(),
  new_file: s.flag(),
  renamed_file: s.flag(),
  deleted_file: s.flag(),
  diff: s.text(),
});
