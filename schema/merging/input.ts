import { builder } from '../kernel/builder.ts';

export const MergeInput = builder.inputType('Merge', {
  fields: (t) => ({
    /** Of the merge commit; v4's own by default. */
    message: t.string(),
    removesSourceBranch: t.boolean(),
    /** Only stored while a pipeline of the head commit runs. */
    waitsForPipeline: t.boolean(),
    /** The head commit that the caller expects; another one is not merged. */
    sha: t.string(),
  }),
});
