import { builder } from '../kernel/builder.ts';

export const NewMergeRequestInput = builder.inputType('NewMergeRequest', {
  fields: (t) => ({
    title: t.string({ required: true, description: 'The title.' }),
    sourceBranch: t.string({
      required: true,
      description: 'The branch with the changes, in `project`.',
    }),
    targetBranch: t.string({
      required: true,
      description: 'The branch that gets the changes, in the target project.',
    }),
    targetProject: t.id({
      description:
        'The id or full path of the target project, from which the source project was forked; null for the source project.',
    }),
    description: t.string({ description: 'The text in Markdown; null clears it.' }),
    assigneeId: t.int({
      description: 'The id of the assigned user; null for none. Developers only.',
    }),
    milestoneId: t.int({ description: 'The id of the milestone; null for none. Developers only.' }),
    labels: t.stringList({
      description: 'The names of the labels; those that do not exist are created. Developers only.',
    }),
    removesSourceBranch: t.boolean({
      description: 'Whether the source branch is deleted after the merge.',
    }),
  }),
});

const MergeRequestStateEvent = builder.enumType('MergeRequestStateEvent', {
  description: 'A change of the state of a merge request.',
  values: {
    close: { description: 'Closes the merge request.' },
    reopen: { description: 'Reopens the merge request.' },
  } as const,
});

export const MergeRequestChangeInput = builder.inputType('MergeRequestChange', {
  description: 'What is left out stays as it is; null takes a milestone or assignee away.',
  fields: (t) => ({
    title: t.string({ description: 'The title.' }),
    description: t.string({ description: 'The text in Markdown; null clears it.' }),
    targetBranch: t.string({ description: 'The branch that gets the changes.' }),
    stateEvent: t.field({
      type: MergeRequestStateEvent,
      description: 'Closes or reopens the merge request.',
    }),
    isDiscussionLocked: t.boolean({ description: 'Whether only members may write notes.' }),
    removesSourceBranch: t.boolean({
      description: 'Whether the source branch is deleted after the merge.',
    }),
    assigneeId: t.int({
      description: 'The id of the assigned user; null for none. Developers only.',
    }),
    milestoneId: t.int({ description: 'The id of the milestone; null for none. Developers only.' }),
    labels: t.stringList({
      description:
        'The names of all labels afterwards; those that do not exist are created. Developers only.',
    }),
  }),
});

export type NewMergeRequest = typeof NewMergeRequestInput.$inferInput;
export type MergeRequestChange = typeof MergeRequestChangeInput.$inferInput;
