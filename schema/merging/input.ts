import { builder } from '../kernel/builder.ts';

export const MergeInput = builder.inputType('Merge', {
  fields: (t) => ({
    message: t.string({
      description:
        'The message of the merge commit; null for one made of the branches and the title.',
    }),
    shouldRemoveSourceBranch: t.boolean({
      description:
        'Whether the source branch is deleted after the merge; null for the choice stored in the merge request.',
    }),
    mergeWhenPipelineSucceeds: t.boolean({
      description:
        'Whether the merge request is merged when the running pipeline of its head succeeds, instead of at once. Default: false.',
    }),
    sha: t.field({
      type: 'SHA',
      description:
        'The expected head commit of the source branch; another head is not merged. Null for any.',
    }),
  }),
});
