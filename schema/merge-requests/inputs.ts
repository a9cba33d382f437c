import { builder, type InputFields } from '../kernel/builder.ts';
import { endingWith } from '../kernel/public.ts';
import { StateEvent } from '../milestones/state-event.ts';

/** What a new merge request and a change have in common. */
const details = (t: InputFields) => ({
  description: t.string({
    description: 'The text in Markdown.',
    extensions: endingWith({ updating: 'Null clears it.' }),
  }),
  assigneeId: t.int({
    description:
      'The id of the assigned user; null for none. Setting it requires the access level DEVELOPER or higher.',
  }),
  milestoneId: t.int({
    description:
      'The id of the milestone; null for none. Setting it requires the access level DEVELOPER or higher.',
  }),
  forceRemoveSourceBranch: t.boolean({
    description: 'Whether the source branch is deleted after the merge.',
  }),
});

export const NewMergeRequestInput = builder.inputType('NewMergeRequest', {
  fields: (t) => ({
    ...details(t),
    title: t.string({ required: true, description: 'The title.' }),
    sourceBranch: t.string({
      required: true,
      description: 'The branch with the changes, in the source project.',
    }),
    targetBranch: t.string({
      required: true,
      description: 'The branch that gets the changes, in the target project.',
    }),
    targetProject: t.id({
      description:
        'The target project, from which the source project was forked; null for the source project.',
    }),
    labels: t.stringList({
      description:
        'The names of the labels; those that do not exist are created. Setting it requires the access level DEVELOPER or higher.',
    }),
  }),
});

export const MergeRequestChangeInput = builder.inputType('MergeRequestChange', {
  description: 'What is left out stays as it is; null takes a milestone or assignee away.',
  fields: (t) => ({
    ...details(t),
    title: t.string({ description: 'The title.' }),
    targetBranch: t.string({ description: 'The branch that gets the changes.' }),
    stateEvent: t.field({
      type: StateEvent,
      description: 'Closes or reopens the merge request.',
    }),
    isDiscussionLocked: t.boolean({ description: 'Whether only members may write notes.' }),
    labels: t.stringList({
      description:
        'The names of all labels afterwards; those that do not exist are created. Setting it requires the access level DEVELOPER or higher.',
    }),
    addLabels: t.stringList({
      description:
        'The names of labels to add; those that do not exist are created. Setting it requires the access level DEVELOPER or higher.',
    }),
    removeLabels: t.stringList({
      description:
        'The names of labels to remove. Setting it requires the access level DEVELOPER or higher.',
    }),
  }),
});

export type NewMergeRequest = typeof NewMergeRequestInput.$inferInput;
export type MergeRequestChange = typeof MergeRequestChangeInput.$inferInput;
